"""The page's files and its WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground import Playground
from playground.chats import Chat
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, Json, keys


class Page:
    """A connected page."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.hello: Json = {}

    async def heard(self, kind: str) -> Json:
        """The next message of a kind; others are skipped."""
        while True:
            received: Json = await self.socket.receive_json(timeout=60)
            if received["type"] == kind:
                return received

    async def does(self, **what: object) -> None:
        """Send something."""
        await self.socket.send_json(what)


@pytest.fixture
async def page(api: Api, playground: Playground) -> AsyncIterator[Page]:
    async with api.session.ws_connect(f"{playground.url}/page/ws") as socket:
        page = Page(socket)
        page.hello = await page.heard("hello")
        yield page


async def test_the_page_and_its_files_are_served_and_nothing_else(api: Api, playground: Playground) -> None:
    async with api.session.get(f"{playground.url}/") as response:
        assert (response.status, response.content_type) == (200, "text/html")
    async with api.session.get(f"{playground.url}/page/page.js") as response:
        assert (response.status, response.content_type) == (200, "text/javascript")
    for path in ("/page/nothing.js", "/page/%2e%2e%2fserver.py", "/page/..%2Fpage%2Fpage.js", "/elsewhere"):
        async with api.session.get(playground.url + path) as response:
            assert response.status == 404


async def test_hello_tells_the_whole_state(page: Page, ann: Person, noughts: Group) -> None:
    hello = page.hello
    assert hello["bot"]["username"] == "oxo_playground_bot"
    assert [person["first_name"] for person in hello["people"]] == ["Ann", "小波", "Cem"]
    chats = {chat["id"]: chat for chat in hello["chats"]}
    assert chats[ann.id]["person"] == ann.id
    assert chats[noughts.id] == {
        "id": noughts.id,
        "type": "group",
        "title": "The Noughts",
        "members": list(noughts.members),
        "is_forum": False,
        "bot": "member",
        "statuses": {str(ann.id): "creator"},
    }
    assert hello["messages"][str(ann.id)] == []
    assert hello["commands"] == []


async def test_what_is_said_reaches_the_bot_and_the_page(page: Page, api: Api, ann: Person) -> None:
    await page.does(type="say", person=ann.id, chat_id=ann.id, text="/newgame")
    said = (await page.heard("message"))["message"]
    assert (said["text"], said["from"]["id"], said["chat_id"]) == ("/newgame", ann.id, ann.id)
    assert said["entities"] == [{"type": "bot_command", "offset": 0, "length": 8}]
    (update,) = await api.updates(wait=5)
    assert update["message"]["message_id"] == said["message_id"]


async def test_messages_edits_and_deletions_are_shown(page: Page, api: Api, chat: Chat) -> None:
    markup = keys(["·"])
    sent = await api("sendMessage", chat_id=chat.id, text="<b>x</b>", parse_mode="HTML", reply_markup=markup)
    shown = (await page.heard("message"))["message"]
    assert (shown["from"]["is_bot"], shown["reply_markup"]) == (True, markup)
    assert shown["entities"][0]["type"] == "bold"
    await api("editMessageText", chat_id=chat.id, message_id=sent["message_id"], text="y")
    edited = (await page.heard("edited"))["message"]
    assert (edited["text"], "reply_markup" in edited, edited["edit_date"] > 0) == ("y", False, True)
    await api("deleteMessage", chat_id=chat.id, message_id=sent["message_id"])
    assert await page.heard("deleted") == {"type": "deleted", "chat_id": chat.id, "message_id": sent["message_id"]}


async def test_a_tap_brings_its_answer_back(page: Page, api: Api, ann: Person) -> None:
    sent = await api("sendMessage", chat_id=ann.id, text="x", reply_markup=keys(["a", "b"]))
    tap = {
        "type": "tap",
        "person": ann.id,
        "chat_id": ann.id,
        "message_id": sent["message_id"],
        "row": 0,
        "column": 1,
    }
    await page.does(**tap, query="t1")
    (update,) = await api.updates(wait=5)
    assert update["callback_query"]["data"] == "b"
    await api("answerCallbackQuery", callback_query_id=update["callback_query"]["id"], text="no", show_alert=True)
    answer = await page.heard("answer")
    assert answer == {
        "type": "answer",
        "person": ann.id,
        "query": "t1",
        "text": "no",
        "show_alert": True,
        "url": None,
    }


async def test_an_unanswered_tap_fails_at_the_deadline(
    page: Page, api: Api, ann: Person, playground: Playground
) -> None:
    playground.world.taps.lifetime = 0.01
    sent = await api("sendMessage", chat_id=ann.id, text="x", reply_markup=keys(["a"]))
    await page.does(
        type="tap", person=ann.id, chat_id=ann.id, message_id=sent["message_id"], row=0, column=0, query="t1"
    )
    assert (await page.heard("failed"))["query"] == "t1"


async def test_inline_results_can_be_chosen(page: Page, api: Api, ann: Person, noughts: Group) -> None:
    await page.does(type="inline", person=ann.id, chat_id=noughts.id, text="play", query="q1")
    (update,) = await api.updates(wait=5)
    content = {"message_text": "A challenge"}
    result = {"type": "article", "id": "r", "title": "Challenge", "input_message_content": content}
    await api("answerInlineQuery", inline_query_id=update["inline_query"]["id"], results=[result])
    offered = await page.heard("inline_results")
    assert (offered["query"], offered["results"][0]["title"]) == ("q1", "Challenge")
    await page.does(type="choose", person=ann.id, chat_id=noughts.id, result_id="r", query="q1")
    shown = (await page.heard("message"))["message"]
    assert (shown["text"], shown["via_bot"]) == ("A challenge", "oxo_playground_bot")


async def test_commands_and_new_chats_are_shown(page: Page, api: Api, playground: Playground, ann: Person) -> None:
    command = {"command": "newgame", "description": "Play"}
    await api("setMyCommands", commands=[command])
    (shown,) = (await page.heard("commands"))["commands"]
    assert shown == {"scope": None, "language_code": "", "commands": [command]}
    group = playground.add_group("Crosses", [ann], forum=True)
    assert (await page.heard("chat"))["chat"]["is_forum"] is True
    group.add_topic("Games")
    assert (await page.heard("message"))["message"]["service"] == "Topic Games"


@pytest.mark.parametrize(
    "nonsense",
    [
        "{",
        "[]",
        '"x"',
        "{}",
        '{"type": "say"}',
        '{"type": "dance", "person": 1, "chat_id": 1}',
        '{"type": "say", "person": 5000000001, "chat_id": 5000000002, "text": "x"}',
        '{"type": "say", "person": 5000000001, "chat_id": 5000000001, "text": " "}',
        '{"type": "say", "person": [], "chat_id": 5000000001, "text": "x"}',
        '{"type": "tap", "person": 5000000001, "chat_id": 5000000001, "message_id": 1, "row": 0, "column": 0}',
        '{"type": "choose", "person": 5000000001, "chat_id": 5000000001, "result_id": "r"}',
    ],
)
async def test_nonsense_gets_an_error_and_the_page_lives_on(page: Page, ann: Person, nonsense: str) -> None:
    await page.socket.send_str(nonsense)
    assert (await page.heard("error"))["text"]
    await page.does(type="say", person=ann.id, chat_id=ann.id, text="still here")
    assert (await page.heard("message"))["message"]["text"] == "still here"


async def test_another_sites_page_is_turned_away(api: Api, playground: Playground) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await api.session.ws_connect(f"{playground.url}/page/ws", headers={"Origin": "https://example.org"})


async def test_two_pages_see_the_same(page: Page, api: Api, playground: Playground, ann: Person) -> None:
    async with api.session.ws_connect(f"{playground.url}/page/ws") as socket:
        other = Page(socket)
        await other.heard("hello")
        await ann.say("hello")
        both = await asyncio.gather(page.heard("message"), other.heard("message"))
        assert both[0] == both[1]


async def test_a_tap_that_cannot_be_sent_fails_under_its_tag(page: Page, ann: Person) -> None:
    await page.does(type="tap", person=ann.id, chat_id=ann.id, message_id=1, row=0, column=0, query="t9")
    failed = await page.heard("failed")
    assert (failed["person"], failed["query"]) == (ann.id, "t9")


async def test_a_script_says_taps_and_looks_by_plain_http(api: Api, playground: Playground, ann: Person) -> None:
    async def act(**what: object) -> Json:
        async with api.session.post(f"{playground.url}/page/act", json=what) as response:
            heard: Json = await response.json()
            return heard

    own = {"person": ann.id, "chat_id": ann.private.id}
    assert await act(type="say", text="/newgame", **own) == {"type": "done"}
    sent = await api("sendMessage", chat_id=ann.id, text="A board", reply_markup=keys(["one"]))
    tap = asyncio.create_task(act(type="tap", message_id=sent["message_id"], row=0, column=0, **own))
    update = {}
    while "callback_query" not in update:
        (update,) = await api.updates(wait=5)
    await api("answerCallbackQuery", callback_query_id=update["callback_query"]["id"], text="Tapped")
    assert (await tap)["text"] == "Tapped"
    async with api.session.get(f"{playground.url}/page/state") as response:
        state = await response.json()
    assert [message["text"] for message in state["messages"][str(ann.id)]] == ["/newgame", "A board"]
    assert (await act(type="tap", message_id=99, row=0, column=0, **own))["type"] == "error"


async def test_a_script_of_another_site_is_turned_away(api: Api, playground: Playground) -> None:
    headers = {"Origin": "https://example.org"}
    async with api.session.post(f"{playground.url}/page/act", json={}, headers=headers) as response:
        assert response.status == 403
    async with api.session.get(f"{playground.url}/page/state", headers=headers) as response:
        assert response.status == 403
