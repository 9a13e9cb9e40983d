"""What the page, or a script over plain HTTP, can do besides writing and tapping."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from playground import Playground
from playground.flood import Silent
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, Json

Act = Callable[..., Awaitable[Json]]


@pytest.fixture
def act(api: Api, playground: Playground) -> Act:
    """Do something by POST /page/act; returns what the page would receive."""

    async def post(kind: str, **what: object) -> Json:
        async with api.session.post(f"{playground.url}/page/act", json={"type": kind, **what}) as response:
            heard: Json = await response.json()
            return heard

    return post


async def test_somebody_new_is_there_with_all_names(act: Act, playground: Playground) -> None:
    names = {"first_name": "Dee", "last_name": "Lee", "username": "@dee_plays", "language_code": "de"}
    added = await act("add_person", **names)
    dee = playground.world.persons[added["person"]]
    assert dee.as_json() == {
        "id": dee.id,
        "is_bot": False,
        "first_name": "Dee",
        "last_name": "Lee",
        "username": "dee_plays",
        "language_code": "de",
    }
    assert dee.private.members == {dee.id: dee}


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ({"first_name": ""}, "A name has 1 to 64 characters."),
        ({"first_name": "x" * 65}, "A name has 1 to 64 characters."),
        (
            {"first_name": "Dee", "username": "d e e"},
            "A username has 4 to 32 letters, digits and underscores, and begins with a letter.",
        ),
        ({"first_name": "Dee", "username": "ANN_plays"}, "@ANN_plays is taken."),
        ({"first_name": "Dee", "username": "oxo_playground_bot"}, "@oxo_playground_bot is taken."),
    ],
)
async def test_names_that_telegram_would_not_take_add_nobody(
    act: Act, playground: Playground, names: Json, sentence: str
) -> None:
    assert await act("add_person", **names) == {"type": "error", "text": sentence}
    assert len(playground.world.persons) == 3


async def test_a_new_name_is_in_the_next_update(act: Act, api: Api, ann: Person) -> None:
    assert await act("rename_person", person=ann.id, first_name="Anna", username="ann_plays") == {"type": "done"}
    await ann.say("hello")
    (update,) = await api.updates()
    assert update["message"]["from"] == {
        "id": ann.id,
        "is_bot": False,
        "first_name": "Anna",
        "username": "ann_plays",
    }
    assert update["message"]["chat"]["first_name"] == "Anna"


@pytest.mark.parametrize(
    ("kind", "told"),
    [({}, "group"), ({"supergroup": True}, "supergroup"), ({"forum": True}, "supergroup")],
)
async def test_a_new_group_tells_the_bot_that_it_is_in(
    act: Act, api: Api, ann: Person, kind: Json, told: str
) -> None:
    added = await act("add_group", person=ann.id, title="The Crosses", members=[ann.id], **kind)
    member, joined = await api.updates()
    chat = {"id": added["chat_id"], "title": "The Crosses", "type": told}
    assert (
        member["my_chat_member"]["chat"]
        == joined["message"]["chat"]
        == {
            **chat,
            **({"is_forum": True} if kind.get("forum") else {}),
        }
    )
    assert member["my_chat_member"]["old_chat_member"]["status"] == "left"
    assert joined["message"]["new_chat_members"][0]["is_bot"]


async def test_a_group_is_renamed_and_upgraded(act: Act, api: Api, ann: Person, noughts: Group) -> None:
    where = {"person": ann.id, "chat_id": noughts.id}
    await act("rename_group", title="The Crosses", **where)
    added = await act("upgrade", **where)
    told = [update["message"] for update in await api.updates()]
    assert told[0]["new_chat_title"] == told[0]["chat"]["title"] == "The Crosses"
    assert told[1]["migrate_to_chat_id"] == added["chat_id"] == told[2]["chat"]["id"]


async def test_members_come_rise_and_go(
    act: Act, playground: Playground, ann: Person, bo: Person, noughts: Group
) -> None:
    dee = playground.add_person("Dee")
    for member, standing, expected in (
        (dee, "member", "member"),
        (dee, "administrator", "administrator"),
        (dee, "member", "member"),
        (dee, "left", "kicked"),
    ):
        by = {"person": ann.id, "chat_id": noughts.id, "member": member.id}
        assert await act("member", standing=standing, **by) == {"type": "done"}
        assert noughts.status(member.id) == expected
    await act("member", standing="left", person=bo.id, chat_id=noughts.id, member=bo.id)
    assert noughts.status(bo.id) == "left"


@pytest.mark.parametrize("standing", ["administrator", "restricted", "kicked"])
async def test_the_bots_standing_goes_there_and_back(
    act: Act, api: Api, ann: Person, noughts: Group, standing: str
) -> None:
    for one in (standing, "member"):
        await act("bot", person=ann.id, chat_id=noughts.id, standing=one)
        assert (await api.updates())[0 if one == "member" else -1]["my_chat_member"]["new_chat_member"][
            "status"
        ] == one
    assert noughts.bot_status == "member"


async def test_topics_are_opened_renamed_and_closed(
    act: Act, api: Api, playground: Playground, ann: Person
) -> None:
    forum = playground.add_group("The Forum", [ann], forum=True)
    where = {"person": ann.id, "chat_id": forum.id}
    await act("topic", name="Openings", **where)
    (topic,) = forum.topics.values()
    await act("topic", topic=topic.thread, name="Corners", **where)
    await act("topic", topic=topic.thread, open=False, **where)
    async with api.session.get(f"{playground.url}/page/state") as response:
        chats = {chat["id"]: chat for chat in (await response.json())["chats"]}
    assert chats[forum.id]["topics"] == [{"id": topic.thread, "name": "Corners", "closed": True}]
    told = [update["message"] for update in await api.updates()]
    assert told[1]["forum_topic_edited"] == {"name": "Corners"}
    assert [message["message_thread_id"] for message in told] == [topic.thread] * 3


async def test_two_people_have_one_chat_of_their_own(
    act: Act, playground: Playground, ann: Person, bo: Person
) -> None:
    first = await act("meet", person=ann.id, other=bo.id)
    assert await act("meet", person=bo.id, other=ann.id) == first
    meeting = playground.world.chats[first["chat_id"]]
    assert (meeting.kind, meeting.bot_is_in, set(meeting.members)) == ("private", False, {ann.id, bo.id})
    assert (await act("meet", person=ann.id, other=ann.id))["type"] == "error"


async def test_somebody_without_a_username_is_mentioned_by_name(
    act: Act, api: Api, playground: Playground, ann: Person, noughts: Group
) -> None:
    cem = playground.people["cem"]
    mention = {"offset": 39, "length": 3, "user": cem.id}
    where = {"person": ann.id, "chat_id": noughts.id}
    await act("say", text="/challenge@oxo_playground_bot @xiao_bo Cem", mentions=[mention], **where)
    (update,) = await api.updates()
    assert [entity["type"] for entity in update["message"]["entities"]] == [
        "bot_command",
        "mention",
        "text_mention",
    ]
    assert update["message"]["entities"][-1]["user"] == cem.as_json()
    beyond = {**mention, "offset": 40}
    assert (await act("say", text="Cem", mentions=[beyond], **where))["type"] == "error"


async def test_a_blocked_bot_is_blocked(act: Act, api: Api, ann: Person) -> None:
    await act("block", person=ann.id, on=True)
    assert (await api.refused("sendMessage", chat_id=ann.id, text="x")).code == 403
    await act("block", person=ann.id, on=False)
    await api("sendMessage", chat_id=ann.id, text="x")


async def test_troubles_are_switched_on_and_off(act: Act, api: Api) -> None:
    await act("trouble", name="refused", on=True)
    answers = [(await api.answer("getMe"))[0] for _ in range(30)]
    assert set(answers) == {200, 429}
    await act("trouble", name="refused", on=False)
    assert {(await api.answer("getMe"))[0] for _ in range(30)} == {200}


async def test_the_clock_moves_forward_by_up_to_a_year(act: Act, playground: Playground) -> None:
    before = playground.clock.now()
    assert await act("advance", seconds=86_400) == {"type": "done"}
    assert 86_400 <= playground.clock.now() - before < 86_460
    for nonsense in (0, -1, 4e7, "nan", "soon", None):
        assert (await act("advance", seconds=nonsense))["type"] == "error"
    assert playground.clock.skipped == 86_400


async def test_each_model_of_the_limits_can_be_chosen(
    act: Act, api: Api, playground: Playground, noughts: Group
) -> None:
    async def sent(calls: int) -> list[int]:
        answers = [await api.answer("sendMessage", chat_id=noughts.id, text="x") for _ in range(calls)]
        return [status for status, _ in answers]

    await act("flood", name="published")
    assert sum(status == 200 for status in await sent(25)) == 20
    playground.clock.advance(60)
    await act("flood", name="changing", chat_id=noughts.id)
    assert sum(status == 200 for status in await sent(8)) == 5
    assert (await act("flood", name="changing"))["type"] == "error"
    await act("flood", name="refusal")
    assert await sent(2) == [429, 429]
    playground.clock.advance(31)
    assert await sent(2) == [200, 200]
    await act("flood", name="silent")
    assert isinstance(playground.flood.model, Silent)
    await act("flood", name="none")
    assert await sent(30) == [200] * 30


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("dance", {}),
        ("trouble", {"name": "rain", "on": True}),
        ("flood", {"name": "rain"}),
        ("order", {"what": "stop"}),
        ("advance", {}),
        ("rename_group", {"person": 5_000_000_001, "chat_id": 5_000_000_001, "title": "Me"}),
        ("rename_person", {"person": 1, "first_name": "x"}),
        ("topic", {"person": 5_000_000_001, "chat_id": -4_000_000_001, "name": "No forum"}),
        ("bot", {"person": 5_000_000_001, "chat_id": -4_000_000_001, "standing": "king"}),
    ],
)
async def test_what_cannot_be_done_is_told(act: Act, kind: str, what: Json) -> None:
    heard = await act(kind, **what)
    assert heard["type"] == "error"
    assert heard["text"]


async def test_a_drawer_hears_of_every_call_when_it_comes_and_when_it_is_answered(
    api: Api, playground: Playground
) -> None:
    await api("getMe")
    async with api.session.ws_connect(f"{playground.url}/page/ws") as page:
        assert (await page.receive_json(timeout=60))["type"] == "hello"
        assert (await page.receive_json(timeout=60))["type"] == "workshop"
        await page.send_json({"type": "watch"})
        calls = await page.receive_json(timeout=60)
        assert [call["method"] for call in calls["calls"]] == ["getMe"]
        await api.refused("sendMessage", chat_id=17, text="x")
        came, answered = [(await page.receive_json(timeout=60))["call"] for _ in range(2)]
        assert (came["number"], came["ok"], came["milliseconds"]) == (2, None, None)
        assert (answered["number"], answered["ok"], answered["parameters"]) == (
            2,
            False,
            {"chat_id": 17, "text": "x"},
        )
        assert answered["refusal"]["description"] == "Bad Request: chat not found"
        assert answered["milliseconds"] >= 0
