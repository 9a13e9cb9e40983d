"""The page's server: its files, its WebSocket, and all that the page or a script can have people do."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from playground import Playground
from playground.chats import Chat
from playground.flood import Silent
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, Json, article, keys, picture

TAKEN = ("ANN_plays", "oxo_playground_bot")


class Page:
    """A connected page, and a script beside it."""

    def __init__(self, api: Api, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.api = api
        self.socket = socket
        self.hello: Json = {}

    async def heard(self, kind: str) -> Json:
        while True:
            received: Json = await self.socket.receive_json(timeout=60)
            if received["type"] == kind:
                return received

    async def does(self, **what: object) -> None:
        await self.socket.send_json(what)

    async def act(self, kind: str, /, **what: object) -> Json:
        """Do something by POST /page/act; returns what the page would receive."""
        url = f"{self.api.playground.url}/page/act"
        async with self.api.session.post(url, json={"type": kind, **what}) as response:
            heard: Json = await response.json()
            return heard

    async def sent(self, file: Json) -> tuple[str, bytes]:
        url = f"{self.api.playground.url}/page/sent/{file['file_id']}"
        async with self.api.session.get(url) as response:
            return response.content_type, await response.read()

    async def done(self, kind: str, /, **what: object) -> None:
        assert await self.act(kind, **what) == {"type": "done"}


@pytest.fixture
async def page(api: Api, playground: Playground) -> AsyncIterator[Page]:
    async with api.session.ws_connect(f"{playground.url}/page/ws") as socket:
        page = Page(api, socket)
        page.hello = await page.heard("hello")
        yield page


async def told(api: Api) -> list[Json]:
    return [update["message"] for update in await api.updates() if "message" in update]


async def test_the_page_and_its_files_are_served_and_nothing_else_nor_to_other_sites(
    api: Api, playground: Playground
) -> None:
    for path, kind in (("/", "text/html"), ("/page/page.css", "text/css")):
        async with api.session.get(f"{playground.url}{path}") as response:
            assert (response.status, response.content_type) == (200, kind)
    for path in (
        "/page/nothing.js",
        "/page/%2e%2e%2fserver.py",
        "/page/..%2Fpage%2Fpage.js",
        "/page/sent/x",
        "/elsewhere",
    ):
        async with api.session.get(playground.url + path) as response:
            assert response.status == 404
    elsewhere = {"Origin": "https://example.org"}
    for method, path in (("POST", "act"), ("GET", "state"), ("GET", "ws")):
        url = f"{playground.url}/page/{path}"
        async with api.session.request(method, url, json={}, headers=elsewhere) as response:
            assert response.status == 403


async def test_hello_tells_the_whole_state_and_scripts_get_the_same(
    page: Page, api: Api, ann: Person, noughts: Group
) -> None:
    hello = page.hello
    assert hello["bot"]["username"] == "oxo_playground_bot"
    people = {person["first_name"]: person["language_code"] for person in hello["people"]}
    assert people == {"Ann": "en", "小波": "zh-hans", "Cem": ""}
    chats = {chat["id"]: chat for chat in hello["chats"]}
    assert chats[ann.id]["person"] == ann.id
    assert chats[noughts.id] == {
        "id": noughts.id,
        "type": "group",
        "title": "The Noughts",
        "is_forum": False,
        "bot": "member",
        "members": list(noughts.members),
        "statuses": {str(ann.id): "creator"},
    }
    assert (hello["messages"][str(ann.id)], hello["commands"]) == ([], [])
    assert all(user.bit_length() > 32 for user in noughts.members)
    async with api.session.get(f"{api.playground.url}/page/state") as response:
        assert await response.json() == hello


async def test_what_happens_is_shown_to_every_page(page: Page, api: Api, chat: Chat, ann: Person) -> None:
    async with api.session.ws_connect(f"{api.playground.url}/page/ws") as socket:
        other = Page(api, socket)
        await page.does(type="say", person=ann.id, chat_id=ann.id, text="/newgame")
        said = (await page.heard("message"))["message"]
        assert (said["text"], said["from"]["id"], said["chat"]["id"]) == ("/newgame", ann.id, ann.id)
        assert said["entities"] == [{"type": "bot_command", "offset": 0, "length": 8}]
        assert (await other.heard("message"))["message"] == said
    (message,) = await told(api)
    assert message["message_id"] == said["message_id"]
    sent = await api("sendMessage", chat_id=chat.id, text="<b>x</b>", parse_mode="HTML", reply_markup=keys(["·"]))
    shown = (await page.heard("message"))["message"]
    assert (shown["from"]["is_bot"], shown["reply_markup"]) == (True, keys(["·"]))
    assert shown["entities"] == [{"type": "bold", "offset": 0, "length": 1}]
    await api("editMessageText", chat_id=chat.id, message_id=sent["message_id"], text="y")
    edited = (await page.heard("edited"))["message"]
    assert (edited["text"], "reply_markup" in edited, edited["edit_date"] > 0) == ("y", False, True)
    await api("deleteMessage", chat_id=chat.id, message_id=sent["message_id"])
    assert await page.heard("deleted") == {"type": "deleted", "chat_id": chat.id, "message_id": sent["message_id"]}
    command = {"command": "newgame", "description": "Play"}
    await api("setMyCommands", commands=[command])
    (listed,) = (await page.heard("commands"))["commands"]
    assert listed == {"scope": None, "language_code": "", "commands": [command]}
    await api("setMyDescription", description="Tic-tac-toe", language_code="de")
    assert (await page.heard("descriptions"))["descriptions"]["description"] == {"de": "Tic-tac-toe"}
    await api("sendPhoto", chat_id=chat.id, photo=picture(8, 8))
    (photo,) = (await page.heard("message"))["message"]["photo"]
    assert await page.sent(photo) == ("image/png", picture(8, 8))
    await api("sendDocument", chat_id=chat.id, document=b"{}")
    document = (await page.heard("message"))["message"]["document"]
    assert (document["file_name"], document["file_size"]) == ("a.json", 2)
    assert await page.sent(document) == ("application/octet-stream", b"{}")


async def test_a_tap_is_answered_fails_at_the_deadline_or_at_once(
    page: Page, api: Api, ann: Person, playground: Playground
) -> None:
    sent = await api("sendMessage", chat_id=ann.id, text="x", reply_markup=keys(["a", "b"]))
    tap = {"person": ann.id, "chat_id": ann.id, "message_id": sent["message_id"], "row": 0, "column": 1}
    await page.does(type="tap", query="t1", **tap)
    by_script = asyncio.create_task(page.act("tap", **tap))
    for _ in range(2):
        (update,) = await api.updates(wait=5)
        assert update["callback_query"]["data"] == "b"
        await api(
            "answerCallbackQuery", callback_query_id=update["callback_query"]["id"], text="no", show_alert=True
        )
    answer = {"type": "answer", "text": "no", "show_alert": True, "url": None}
    assert [await page.heard("answer"), await by_script] == [{**answer, "person": ann.id, "query": "t1"}, answer]
    playground.world.taps.lifetime = playground.world.inline_queries.lifetime = 0.01
    failed = {"type": "failed", "person": ann.id, "text": "The bot didn't answer."}
    assert await page.act("tap", query="t2", **tap) == {**failed, "query": "t2"}
    assert await page.act("inline", query="q", person=ann.id, chat_id=ann.id, text="x") == {**failed, "query": "q"}
    await page.does(type="tap", query="t9", **{**tap, "message_id": 1})
    assert (await page.heard("failed"))["query"] == "t9"


async def test_inline_results_can_be_chosen(page: Page, api: Api, ann: Person, noughts: Group) -> None:
    where = {"person": ann.id, "chat_id": noughts.id, "query": "q1"}
    await page.does(type="inline", text="play", **where)
    (update,) = await api.updates(wait=5)
    await api("answerInlineQuery", inline_query_id=update["inline_query"]["id"], results=[article()])
    offered = await page.heard("inline_results")
    assert (offered["query"], offered["results"][0]["title"]) == ("q1", "Challenge")
    await page.does(type="choose", result_id="1", **where)
    shown = (await page.heard("message"))["message"]
    assert (shown["text"], shown["via_bot"]["username"]) == ("Play?", "oxo_playground_bot")


@pytest.mark.parametrize(
    "nonsense",
    [
        *("{", "[]", '"x"', "{}", '{"type": "dance"}', '{"type": "say"}'),
        '{"type": "say", "person": 5000000001, "chat_id": 5000000002, "text": "x"}',
        '{"type": "say", "person": 5000000001, "chat_id": 5000000001, "text": " "}',
        '{"type": "say", "person": [], "chat_id": 5000000001, "text": "x"}',
        '{"type": "tap", "person": 5000000001, "chat_id": 5000000001, "message_id": 1, "row": 0, "column": 0}',
        '{"type": "choose", "person": 5000000001, "chat_id": 5000000001, "result_id": "r"}',
        '{"type": "meet", "person": 5000000001, "other": 5000000001}',
        '{"type": "trouble", "name": "rain", "on": true}',
        *({"type": "advance", "seconds": seconds} for seconds in (0, -1, 4e7, "nan", "soon", None)),
        '{"type": "flood", "name": "rain"}',
        '{"type": "flood", "name": "changing"}',
        '{"type": "order", "what": "stop"}',
        '{"type": "rename_group", "person": 5000000001, "chat_id": 5000000001, "title": "Me"}',
        '{"type": "rename_group", "person": 5000000001, "chat_id": -4000000001, "title": " "}',
        '{"type": "rename_person", "person": 1, "first_name": "x"}',
        '{"type": "add_topic", "person": 5000000001, "chat_id": -4000000001, "title": "No forum"}',
        '{"type": "bot", "person": 5000000001, "chat_id": -4000000001, "standing": "king"}',
        *({"type": "add_person", "first_name": name} for name in ("", "x" * 65)),
        {"type": "add_person", "first_name": "Dee", "last_name": "x" * 65},
        *({"type": "add_person", "first_name": "Dee", "username": name} for name in ("d e e", *TAKEN)),
    ],
)
async def test_what_cannot_be_done_is_told_and_the_page_lives_on(
    page: Page, ann: Person, nonsense: str | Json
) -> None:
    before = page.api.playground.world.persons.copy()
    await page.socket.send_str(nonsense if isinstance(nonsense, str) else json.dumps(nonsense))
    assert (await page.heard("error"))["text"]
    assert page.api.playground.world.persons == before
    await page.does(type="say", person=ann.id, chat_id=ann.id, text="still here")
    assert (await page.heard("message"))["message"]["text"] == "still here"


ANN, BO, CEM, DEE = (5_000_000_001 + number for number in range(4))
NOUGHTS, CROSSES, FORUM, GROWN = -4_000_000_001, -4_000_000_002, -1_002_000_000_001, -1_002_000_000_003
TEXT = "/challenge@oxo_playground_bot @xiao_bo Cem"
CALLED = {"text": TEXT, "mentions": [{"offset": 39, "length": 3, "user": CEM}]}
MARKED = [{"type": "bot_command"}, {"type": "mention"}, {"type": "text_mention", "user": {"id": CEM}}]
CHANGED = {"first_name": "Anna", "username": "ANN_plays"}
OPENED = {"title": "The Crosses", "members": [ANN, BO]}
TOPIC = {"chat_id": FORUM, "topic": 3}


def says(**message: object) -> Json:
    return {"message": message}


def becomes(standing: str, **more: object) -> Json:
    return {"my_chat_member": {"new_chat_member": {"status": standing}, "from": {"id": ANN}, **more}}


DONE: list[tuple[str, Json, list[Json]]] = [
    ("say", {"text": "/help", "anonymous": True}, [says(sender_chat={"id": NOUGHTS})]),
    ("say", CALLED, [says(text=TEXT, entities=MARKED)]),
    ("resend", {"message_id": 102}, [says(text=TEXT, entities=MARKED)]),
    ("post", {"text": "/news"}, [says(text="/news", sender_chat={"type": "channel"})]),
    ("forward", {"message_id": 103, "to": ANN}, [says(text="/news", forward_origin={"type": "channel"})]),
    ("rename_person", {**CHANGED, "more_usernames": ["anna"]}, []),
    ("say", {"chat_id": ANN, "text": "hello"}, [says(**{"from": CHANGED, "chat": CHANGED})]),
    ("block", {"on": True}, [becomes("kicked", chat={"id": ANN})]),
    ("block", {"on": False}, [becomes("member", chat={"id": ANN})]),
    (
        "add_group",
        OPENED,
        [
            becomes("member", chat={"id": CROSSES, "title": "The Crosses", "type": "group"}),
            says(new_chat_members=[{"is_bot": True}]),
        ],
    ),
    ("add_group", {**OPENED, "with_bot": False}, []),
    (
        "add_group",
        {**OPENED, "kind": "forum"},
        [becomes("member", chat={"id": FORUM, "is_forum": True}), says(new_chat_members=[{"is_bot": True}])],
    ),
    ("add_group", {"title": "News", "direct_messages": True}, [becomes("administrator")]),
    ("rename_group", {"title": "Crosses"}, [says(new_chat_title="Crosses", chat={"title": "Crosses"})]),
    ("member", {"member": DEE, "standing": "member"}, [says(new_chat_members=[{"id": DEE}])]),
    ("member", {"member": DEE, "standing": "administrator"}, []),
    ("member", {"member": DEE, "standing": "left"}, [says(left_chat_member={"id": DEE})]),
    ("member", {"member": BO, "person": BO, "standing": "left"}, [says(left_chat_member={"id": BO})]),
    *(
        ("bot", {"standing": standing}, [becomes(standing)])
        for standing in ("administrator", "restricted", "member")
    ),
    ("bot", {"standing": "kicked"}, [says(left_chat_member={"is_bot": True}), becomes("kicked")]),
    ("add_topic", {"chat_id": FORUM, "title": "Openings"}, [says(forum_topic_created={"name": "Openings"})]),
    ("rename_topic", {**TOPIC, "title": "Corners"}, [says(forum_topic_edited={"name": "Corners"})]),
    ("close_topic", {**TOPIC, "on": True}, [says(forum_topic_closed={}, message_thread_id=3)]),
    ("close_topic", {**TOPIC, "on": False}, [says(forum_topic_reopened={}, message_thread_id=3)]),
    ("upgrade", {"chat_id": CROSSES}, [says(migrate_to_chat_id=GROWN), says(chat={"id": GROWN})]),
]
"""What somebody does, by default Ann in The Noughts, one thing after another, and what the bot hears of it."""


async def test_what_people_do_reaches_the_bot(page: Page, api: Api, playground: Playground, ann: Person) -> None:
    assert playground.add_person("Dee").id == DEE
    for act, given, heard in DONE:
        answer = await page.act(act, **{"person": ANN, "chat_id": NOUGHTS, **given})
        updates = await api.updates()
        assert answer["type"] in ("done", "added"), (act, given, answer)
        assert len(updates) == len(heard), (act, given, updates)
        assert [part(each, of) for each, of in zip(updates, heard, strict=True)] == heard
    assert ann.usernames == ("anna",)


def part(found: Any, wanted: Any) -> Any:  # noqa: ANN401 - JSON
    """What was found, without the fields that nobody wants."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return {name: part(found.get(name), wanted[name]) for name in wanted}
    if isinstance(wanted, list):
        return [part(*both) for both in zip(found, wanted, strict=True)]
    return found


async def test_what_only_the_page_shows(page: Page, api: Api, playground: Playground, noughts: Group) -> None:
    world, where = playground.world, {"person": ANN, "chat_id": NOUGHTS}
    names = {"first_name": "Dee", "last_name": "Lee", "username": "dee_plays", "language_code": "de"}
    assert await page.act("add_person", **{**names, "username": "@dee_plays"}) == {"type": "added", "person": DEE}
    assert world.persons[DEE].as_json() == {**names, "id": DEE, "is_bot": False}
    for standing in ("member", "administrator", "member", "left"):
        await page.done("member", member=DEE, standing=standing, **where)
        assert noughts.status(DEE) == ("kicked" if standing == "left" else standing)
    await page.done("member", member=ANN, standing="anonymous", **where)
    assert (await api.refused("getChatMember", chat_id=NOUGHTS, user_id=ANN)).code == 400
    meeting, again = [await page.act("meet", person=one, other=other) for one, other in ((ANN, BO), (BO, ANN))]
    assert meeting == again
    met = world.chats[meeting["chat_id"]]
    assert (met.kind, met.bot_is_in, set(met.members)) == ("private", False, {ANN, BO})
    await page.done("add_topic", title="Private", person=ANN, chat_id=ANN)
    assert world.persons[ANN].private.forum
    forum = playground.add_group("The Forum", [playground.people["ann"]], kind="forum")
    forum.close_topic(topic := forum.add_topic("Openings"))
    while (await page.heard("chat"))["chat"].get("topics") != [
        {"id": topic.thread, "name": "Openings", "closed": True}
    ]:
        pass


async def test_troubles_and_each_model_of_the_limits_can_be_switched(
    page: Page, api: Api, playground: Playground, noughts: Group
) -> None:
    async def sent(calls: int) -> int:
        answers = [await api.answer("sendMessage", chat_id=noughts.id, text="x") for _ in range(calls)]
        assert {status for status, _ in answers} <= {200, 429}
        return sum(status == 200 for status, _ in answers)

    await page.done("trouble", name="refused", on=True)
    assert 0 < await sent(30) < 30
    await page.done("trouble", name="refused", on=False)
    assert await sent(30) == 30
    await page.done("flood", name="published")
    assert await sent(25) == 20
    playground.clock.advance(60)
    await page.done("flood", name="changing", chat_id=noughts.id)
    assert await sent(8) == 5
    await page.done("flood", name="refusal")
    assert await sent(2) == 0
    playground.clock.advance(31)
    assert await sent(2) == 2
    await page.done("flood", name="silent")
    assert isinstance(playground.flood.model, Silent)
    await page.done("flood", name="none")
    assert await sent(30) == 30
