"""Updates, by long polling and by webhook: offsets, kinds, lifetimes, conflicts, and what is heard in groups."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from playground import Playground
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from playground.texts import Text
from tests.playground.client import Api, Json


def texts(updates: list[Json]) -> list[str]:
    return [update["message"]["text"] for update in updates]


async def test_updates_come_again_until_an_offset_confirms_them(api: Api, ann: Person) -> None:
    for text in "abc":
        await ann.say(text)
    first, second, third = await api("getUpdates")
    assert [second["update_id"], third["update_id"]] == [first["update_id"] + 1, first["update_id"] + 2]
    assert await api("getUpdates") == [first, second, third]
    assert await api("getUpdates", offset=second["update_id"]) == [second, third]
    await ann.say("d")
    assert texts(await api("getUpdates", offset=third["update_id"] + 1)) == ["d"]
    assert texts(await api("getUpdates")) == ["d"]
    for text in "efg":
        await ann.say(text)
    assert texts(await api("getUpdates", offset=-1)) == ["g"]
    assert texts(await api("getUpdates")) == ["g"]
    for number in range(103):
        await ann.say(str(number))
    for limit, given in ((2, 2), (0, 100), (100, 100), (1000, 100)):
        assert len(await api("getUpdates", limit=limit)) == given


@pytest.mark.parametrize("offset", [0, 5])
async def test_a_short_poll_that_repeats_its_offset_waits_a_little(
    api: Api, ann: Person, playground: Playground, offset: int
) -> None:
    assert await api("getUpdates", offset=offset) == []
    repeated = asyncio.create_task(api("getUpdates", offset=offset))
    await api("getMe")
    assert not repeated.done()
    await ann.say("hello")
    assert texts(await repeated) == ["hello"]
    await api.updates()
    playground.world.updates.repeat_pause = 0.2
    before = asyncio.get_running_loop().time()
    assert [await api("getUpdates", offset=api.offset) for _ in range(2)] == [[], []]
    assert asyncio.get_running_loop().time() - before >= 0.2


async def test_what_the_bot_has_not_confirmed_is_counted(api: Api, ann: Person, playground: Playground) -> None:
    for expected in range(2):
        assert (await api("getWebhookInfo"))["pending_update_count"] == expected
        await ann.say("hello")
    await api.updates()
    with pytest.raises(TimeoutError, match="2 updates to be confirmed"):
        await playground.confirmed(within=0.01)
    await api("getUpdates", offset=api.offset - 1)
    assert (await api("getWebhookInfo"))["pending_update_count"] == 1
    await api.updates()
    await playground.confirmed(within=0.01)


async def test_a_second_poller_ends_the_first_with_a_conflict(
    api: Api, ann: Person, playground: Playground
) -> None:
    first = asyncio.create_task(api.refused("getUpdates", timeout=50))
    await playground.telegram.changes.until(lambda: playground.calls or None, 5, lambda: "the first poll")
    second = asyncio.create_task(api.updates(wait=50))
    refusal = await first
    assert (refusal.status, refusal.description) == (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    )
    await ann.say("hello")
    assert texts(await second) == ["hello"]


async def test_kinds_that_were_not_asked_for_are_not_kept_and_the_choice_persists(
    api: Api, ann: Person, playground: Playground
) -> None:
    playground.world.updates.repeat_pause = 0
    assert await api("getUpdates", allowed_updates=["callback_query", "no_such_kind"]) == []
    await ann.say("unheard")
    assert await api("getUpdates") == []
    assert (await api("getWebhookInfo"))["allowed_updates"] == ["callback_query"]
    assert await api("getUpdates", allowed_updates=[]) == []
    await ann.say("heard")
    assert texts(await api("getUpdates")) == ["heard"]


@pytest.mark.parametrize(("seconds", "kept"), [(149, 2), (151, 1), (86_401, 0)])
async def test_taps_are_kept_150_seconds_and_messages_a_day(
    api: Api, ann: Person, playground: Playground, seconds: int, kept: int
) -> None:
    board = await ann.say("a message to tap on")
    ann.press(board, "1")
    playground.clock.advance(seconds)
    assert len(await api("getUpdates")) == kept


async def test_after_an_idle_week_update_ids_start_again(api: Api, ann: Person, playground: Playground) -> None:
    ids = []
    for week in range(6):
        await ann.say(f"week {week}")
        (update,) = await api.updates()
        assert update["message"]["text"] == f"week {week}"
        ids.append(update["update_id"])
        playground.clock.advance(7 * 86_400)
    assert ids != sorted(ids)


async def test_edits_and_odd_names_arrive_as_they_are(api: Api, ann: Person, playground: Playground) -> None:
    await ann.edit(await ann.say("/newgam"), "/newgame")
    _, update = await api.updates()
    assert (update["edited_message"]["text"], update["edited_message"]["edit_date"] > 0) == ("/newgame", True)
    for name in ("", "\u202eevil", "אבג <b>", "x" * 5000):
        person = playground.add_person(name, key=f"odd {name}", language=None)
        await person.say("hi")
        (update,) = await api.updates()
        assert update["message"]["from"] == {"id": person.id, "is_bot": False, "first_name": name}


# By webhook.


SECRET = "a-Secret_1"  # noqa: S105 - made up for these tests


class Hook:
    """A bot's webhook with answers set by the test."""

    def __init__(self) -> None:
        self.arrivals: asyncio.Queue[tuple[dict[str, Any], str]] = asyncio.Queue()
        self.answers: list[tuple[int, dict[str, str]]] = []
        """Status and headers for the next deliveries; 200 when there are none left."""
        self.body = b""
        self.kind = "application/json"
        self.gate: asyncio.Event | None = None
        self.url = ""

    async def take(self, request: web.Request) -> web.Response:
        update = json.loads(await request.read())
        await self.arrivals.put((update, request.headers.get("X-Telegram-Bot-Api-Secret-Token", "")))
        if self.gate is not None:
            await self.gate.wait()
        status, headers = self.answers.pop(0) if self.answers else (200, {})
        return web.Response(status=status, headers=headers, body=self.body, content_type=self.kind)

    async def text(self) -> str:
        update, _ = await asyncio.wait_for(self.arrivals.get(), 60)
        return str(update["message"]["text"])


@pytest.fixture
async def hook(playground: Playground) -> AsyncIterator[Hook]:
    hook = Hook()
    application = web.Application()
    application.add_routes([web.post("/hook", hook.take)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    hook.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    playground.telegram.webhook.first_pause = 0.01
    yield hook
    if hook.gate is not None:
        hook.gate.set()
    await playground.telegram.webhook.close()
    await runner.cleanup()


async def test_an_update_is_brought_with_the_secret_until_it_is_taken(api: Api, hook: Hook, ann: Person) -> None:
    hook.answers = [(500, {}), (403, {}), (503, {"Retry-After": "0"})]
    await ann.say("hello")
    await api("setWebhook", url=hook.url, secret_token=SECRET)
    brought = [await hook.arrivals.get() for _ in range(4)]
    assert [(update["message"]["text"], secret) for update, secret in brought] == [("hello", SECRET)] * 4
    await api.playground.confirmed()
    info = await api("getWebhookInfo")
    assert info["pending_update_count"] == 0
    assert info["last_error_message"] == "Wrong response from the webhook: 503 Service Unavailable"


async def test_a_chats_messages_and_a_persons_taps_keep_their_order_and_others_do_not_wait(
    api: Api, hook: Hook, ann: Person, bo: Person, noughts: Group
) -> None:
    board = noughts.post(Message(noughts, ann, Text("a message to tap on")))
    hook.gate = asyncio.Event()
    await api("setWebhook", url=hook.url)
    for text in ("ann 1", "ann 2"):
        await ann.say(text)
    await bo.say("bo 1")
    assert {await hook.text(), await hook.text()} == {"ann 1", "bo 1"}
    for person in (ann, ann, bo):
        person.press(board, "1")
    arrived = [(await hook.arrivals.get())[0]["callback_query"]["from"]["id"] for _ in range(2)]
    assert set(arrived) == {ann.id, bo.id}
    assert hook.arrivals.empty()
    hook.gate.set()
    assert "ann 2" in str([await hook.arrivals.get() for _ in range(2)])


async def test_a_method_that_comes_as_the_answer_is_carried_out_if_it_is_said_to_be_json(
    api: Api, hook: Hook, ann: Person
) -> None:
    await api("setWebhook", url=hook.url)
    hook.body = json.dumps({"method": "sendMessage", "chat_id": ann.id, "text": "hello"}).encode()
    for hook.kind in ("text/plain", "application/json"):
        await ann.say("hi")
        await api.playground.confirmed()
    assert [message.text for message in ann.private.messages.values()] == ["hi", "hi", "hello"]


async def test_an_update_is_given_up_after_its_lifetime(
    api: Api, hook: Hook, ann: Person, playground: Playground
) -> None:
    hook.answers = [(500, {})]
    hook.gate = asyncio.Event()
    await api("setWebhook", url=hook.url)
    board = await ann.say("x")
    await hook.text()
    ann.press(board, "1")
    await hook.arrivals.get()
    playground.clock.advance(86_401)
    hook.gate.set()
    await api.playground.confirmed()
    assert hook.arrivals.empty()


async def test_a_webhook_and_polling_exclude_each_other_and_what_is_pending_stays(
    api: Api, hook: Hook, ann: Person, playground: Playground
) -> None:
    hook.answers = [(500, {})] * 1000
    poll = asyncio.create_task(api.refused("getUpdates", timeout=50))
    await playground.telegram.changes.until(lambda: playground.calls or None, 5, lambda: "the poll")
    await api("setWebhook", url=hook.url)
    assert (await poll).description == "Conflict: terminated by setWebhook request"
    await ann.say("hello")
    await hook.text()
    refusal = await api.refused("getUpdates")
    assert (refusal.status, refusal.description.partition(";")[0]) == (
        409,
        "Conflict: can't use getUpdates method while webhook is active",
    )
    for description in ("Webhook was deleted", "Webhook is already deleted"):
        assert (await api.answer("deleteWebhook"))[1]["description"] == description
    assert [update["message"]["text"] for update in await api.updates()] == ["hello"]


async def test_changing_the_webhook_twice_a_second_is_too_much(
    api: Api, hook: Hook, playground: Playground
) -> None:
    await api("setWebhook", url=hook.url)
    assert (await api.answer("setWebhook", url=hook.url))[1]["description"] == "Webhook is already set"
    refusal = await api.refused("setWebhook", url=hook.url, secret_token=SECRET)
    assert (refusal.status, refusal.parameters) == (429, {"retry_after": 1})
    playground.clock.advance(1)
    await api("setWebhook", url=hook.url, secret_token=SECRET)


# What a bot hears in groups.


MINE, OTHER = "@oxo_playground_bot", "@another_bot"


async def heard(api: Api) -> list[str]:
    return [update["message"].get("text", "(service)") for update in await api.updates() if "message" in update]


async def test_privacy_mode_lets_through_what_is_meant_for_the_bot(api: Api, ann: Person, noughts: Group) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="hello")
    to_mine = f"/newgame{MINE.upper()}"
    for text in ("just talking", f"hey {MINE}", f"/newgame{OTHER}", to_mine, "😀 /x", "/newgame"):
        await ann.say(text, in_=noughts)
    await ann.say("a reply", in_=noughts, reply_to=noughts.messages[sent["message_id"]])
    assert await heard(api) == [to_mine, "/newgame", "a reply"]
    noughts.other_bot_says("I am here too")
    for text in ("/newgame", f"/newgame{MINE}"):
        await ann.say(text, in_=noughts)
    await api("sendMessage", chat_id=noughts.id, text="me again")
    await ann.say("/board", in_=noughts)
    assert await heard(api) == [f"/newgame{MINE}", "/board"]
    noughts.set_bot("administrator")
    await ann.say("just talking", in_=noughts)
    assert await heard(api) == ["just talking"]


async def test_a_reply_in_a_supergroup_has_a_thread_that_is_no_topic(
    api: Api, ann: Person, playground: Playground
) -> None:
    group = playground.add_group("Super", [ann], kind="supergroup")
    first = last = await ann.say("/newgame", in_=group)
    for text in ("/again", "/and_again"):
        last = await ann.say(text, in_=group, reply_to=last)
    message = (await api.updates())[-1]["message"]
    assert (message["message_id"], message["message_thread_id"]) == (last.id, first.id)
    assert "is_topic_message" not in message
    sent = await api("sendMessage", chat_id=group.id, text="x", message_thread_id=first.id)
    assert sent["message_thread_id"] == first.id


async def test_nobody_speaks_or_taps_where_they_are_not(bo: Person, ann: Person, noughts: Group) -> None:
    board = ann.write("a message to tap on")
    noughts.remove(bo)
    for attempt in (bo.say("hello", in_=ann.private), bo.say("hello", in_=noughts), bo.tap(board, data="a")):
        with pytest.raises(ValueError, match="is not in"):
            await attempt
    noughts.disband()
    with pytest.raises(ValueError, match="is not in"):
        await ann.say("hello", in_=noughts)
