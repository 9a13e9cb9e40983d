"""Injected faults and flood limits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import aiohttp
import pytest

from playground import ApiError, Playground
from playground.chats import Chat
from playground.faults import Kind
from playground.flood import Changing, FloodError, Model, Published, Refusal, Silent
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api


async def test_a_429_asks_for_a_pause_as_often_as_told(api: Api, playground: Playground, chat: Chat) -> None:
    fault = playground.faults.add(kind="429", method="sendMessage", retry_after=7, times=2)
    for _ in range(2):
        refusal = await api.refused("sendMessage", chat_id=chat.id, text="x")
        assert (refusal.status, refusal.code, refusal.parameters) == (429, 429, {"retry_after": 7})
        assert refusal.description == "Too Many Requests: retry after 7"
    await api("sendMessage", chat_id=chat.id, text="x")
    assert fault.struck == 2
    assert len(chat.messages) == 1


async def test_a_5xx_is_a_page_or_json(api: Api, playground: Playground) -> None:
    playground.faults.add(kind="5xx", method="getMe", status=502, times=1)
    async with api.session.get(api.url("getMe")) as response:
        assert (response.status, response.content_type) == (502, "text/html")
    playground.faults.add(kind="5xx", method="getMe", status=500, times=1)
    assert (await api.refused("getMe")).description == "Internal Server Error"


async def test_any_refusal_can_be_injected(api: Api, playground: Playground, chat: Chat) -> None:
    error = ApiError(400, "Bad Request: TOPIC_CLOSED")
    playground.faults.add(kind="error", method="sendMessage", error=error, times=1)
    assert (await api.refused("sendMessage", chat_id=chat.id, text="x")).description == error.description


@pytest.mark.parametrize(("kind", "messages"), [("drop_before", 0), ("drop_after", 1)])
async def test_a_connection_breaks_before_or_after_the_effect(
    api: Api, playground: Playground, chat: Chat, kind: Kind, messages: int
) -> None:
    playground.faults.add(kind=kind, method="sendMessage", times=1)
    with pytest.raises(aiohttp.ClientError):
        await api("sendMessage", chat_id=chat.id, text="x")
    assert len(chat.messages) == messages


async def test_a_delayed_call_takes_effect_late(api: Api, playground: Playground, chat: Chat) -> None:
    playground.faults.add(kind="delay", method="sendMessage", delay=0.05, times=1)
    before = asyncio.get_running_loop().time()
    await api("sendMessage", chat_id=chat.id, text="x")
    assert asyncio.get_running_loop().time() - before >= 0.05


async def test_a_fault_strikes_its_chat_and_never_polling_unless_named(
    api: Api, playground: Playground, chat: Chat, noughts: Group
) -> None:
    playground.faults.add(kind="429", chat=noughts)
    await api("sendMessage", chat_id=chat.id, text="x")
    assert (await api.refused("sendMessage", chat_id=noughts.id, text="x")).code == 429
    playground.faults.clear()
    playground.faults.add(kind="5xx", status=500)
    await api("getUpdates")
    assert (await api.refused("getMe")).code == 500


async def test_a_share_of_the_calls_is_struck_alike_for_a_seed(api: Api, playground: Playground) -> None:
    playground.faults.add(kind="5xx", status=500, method="getMe", share=0.3)
    runs = []
    for _ in range(2):
        playground.faults.seed(7)
        runs.append([(await api.answer("getMe"))[0] for _ in range(100)])
    assert runs[0] == runs[1]
    assert 15 <= runs[0].count(500) <= 45


async def test_a_duplicate_update_comes_again_with_its_id(api: Api, playground: Playground, ann: Person) -> None:
    playground.faults.add(kind="duplicate", update="message", delay=0, times=1)
    await ann.say("a")
    await ann.say("b")
    got: list[dict[str, Any]] = []
    while len(got) < 3:
        got += await api.updates(wait=5)
    texts = [update["message"]["text"] for update in got]
    assert sorted(texts) == ["a", "a", "b"]
    assert len({update["update_id"] for update in got}) == 2


async def test_an_overtaken_update_comes_late_and_is_not_lost(
    api: Api, playground: Playground, ann: Person
) -> None:
    playground.faults.add(kind="reorder", update="message", delay=0.05, times=1)
    await ann.say("a")
    await ann.say("b")
    got = [*await api.updates(wait=5), *await api.updates(wait=5)]
    assert [update["message"]["text"] for update in got] == ["b", "a"]
    assert got[0]["update_id"] > got[1]["update_id"]
    assert await api("getUpdates", offset=got[0]["update_id"] + 2) == []


async def test_while_the_server_is_stopped_telegram_is_away_and_keeps_everything(
    api: Api, playground: Playground, ann: Person
) -> None:
    await playground.stop()
    with pytest.raises(aiohttp.ClientError):
        await api("getMe")
    await ann.say("are you there?")
    await playground.start()
    assert [update["message"]["text"] for update in await api.updates()] == ["are you there?"]


async def test_a_group_takes_20_messages_and_edits_a_minute(
    api: Api, playground: Playground, noughts: Group, chat: Chat
) -> None:
    playground.flood.enabled = True
    sent = await api("sendMessage", chat_id=noughts.id, text="0")
    for number in range(1, 20):
        await api("editMessageText", chat_id=noughts.id, message_id=sent["message_id"], text=str(number))
    refusal = await api.refused("editMessageText", chat_id=noughts.id, message_id=sent["message_id"], text="x")
    assert (refusal.status, 55 <= refusal.parameters["retry_after"] <= 60) == (429, True)
    await api("sendMessage", chat_id=chat.id, text="elsewhere")
    playground.clock.advance(61)
    await api("editMessageText", chat_id=noughts.id, message_id=sent["message_id"], text="x")


async def test_a_private_chat_takes_a_short_burst_and_then_one_a_second(
    api: Api, playground: Playground, chat: Chat
) -> None:
    playground.flood.enabled = True
    for number in range(5):
        await api("sendMessage", chat_id=chat.id, text=str(number))
    refusal = await api.refused("sendMessage", chat_id=chat.id, text="x")
    assert refusal.parameters == {"retry_after": 5}
    playground.clock.advance(5)
    await api("sendMessage", chat_id=chat.id, text="x")


async def test_all_chats_together_have_no_limit(api: Api, playground: Playground) -> None:
    playground.flood.enabled = True
    people = [playground.add_person(f"P{number}", started=True) for number in range(100)]
    for person in people:
        await api("sendMessage", chat_id=person.id, text="x")


async def test_everything_may_be_refused_for_a_while_answers_too(
    api: Api, playground: Playground, chat: Chat
) -> None:
    playground.flood.enabled = True
    now = playground.clock.now()
    playground.flood.model = Refusal(now, now + 30)
    for method, parameters in (
        ("sendMessage", {"chat_id": chat.id, "text": "x"}),
        ("answerCallbackQuery", {"callback_query_id": "1"}),
    ):
        refusal = await api.refused(method, **parameters)
        assert (refusal.code, 29 <= refusal.parameters["retry_after"] <= 30) == (429, True)
    await api("getUpdates")
    playground.clock.advance(30)
    await api("sendMessage", chat_id=chat.id, text="x")


async def test_a_short_flood_may_be_waited_out_in_silence(api: Api, playground: Playground, chat: Chat) -> None:
    playground.flood.enabled = True
    playground.flood.model = Silent(Published(private_burst=1, per_private_second=10))
    before = asyncio.get_running_loop().time()
    for _ in range(3):
        await api("sendMessage", chat_id=chat.id, text="x")
    assert asyncio.get_running_loop().time() - before >= 0.19


async def test_a_long_flood_is_refused_after_a_silence(api: Api, playground: Playground, noughts: Group) -> None:
    playground.flood.enabled = True
    playground.flood.model = Silent(Published(per_group_minute=1), seconds=0.2)
    await api("sendMessage", chat_id=noughts.id, text="x")
    before = asyncio.get_running_loop().time()
    refusal = await api.refused("sendMessage", chat_id=noughts.id, text="x")
    assert asyncio.get_running_loop().time() - before >= 0.2
    assert refusal.parameters["retry_after"] == 60


def carried_out(model: Model, chat: int, times: Iterable[float]) -> list[float]:
    """The times at which a model executes calls made at these times, without refused ones."""
    found = []
    for now in times:
        with suppress(FloodError):
            found.append(now + model.check(chat, now))
    return found


def test_a_chat_may_take_less_than_others_and_what_it_takes_changes() -> None:
    model = Changing(-1, [(0, 6), (600, 12)])
    seconds = range(1200)
    taken = carried_out(model, -1, seconds)
    assert [sum(60 * minute <= time < 60 * minute + 60 for time in taken) for minute in (1, 5, 11, 15)] == [
        *(6, 6),
        *(12, 12),
    ]
    assert len(carried_out(model, -2, seconds)) == 20 * 20


def test_a_refusal_says_when_the_call_would_have_been_accepted() -> None:
    for model in (Published(), Changing(-1, [(0, 3)]), Refusal(0, 5), Silent(seconds=8)):
        now = 0.0
        for _ in range(50):
            try:
                now += model.check(-1, now)
            except FloodError as flood:
                now += flood.silence + flood.pause
                model.check(-1, now)


def test_a_silence_is_no_longer_than_it_can_be() -> None:
    model = Silent(Published(per_group_minute=2), seconds=8)
    assert carried_out(model, -1, [0.0, 5.0]) == [0.0, 5.0]
    assert carried_out(model, -1, [53.0]) == [60.0], "it waits the seven seconds"
    with pytest.raises(FloodError) as refused:
        model.check(-1, 54.0)
    assert (refused.value.silence, refused.value.pause) == (8.0, 3.0)


async def test_a_waiting_poll_breaks_off_when_telegram_goes_away(api: Api, playground: Playground) -> None:
    poll = asyncio.create_task(api.updates(wait=50))
    await playground.telegram.changes.until(lambda: playground.calls or None, 5, lambda: "the poll")
    await playground.stop()
    with pytest.raises(aiohttp.ClientError):
        await poll
