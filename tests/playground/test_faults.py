"""Injected faults and flood limits."""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

import aiohttp
import pytest

from playground import ApiError, Playground
from playground.chats import Chat
from playground.faults import Faults
from playground.flood import FloodError, Model, Published, Refusal, Silent
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api


@pytest.mark.parametrize(
    ("fault", "answer", "messages"),
    [
        ({"kind": "5xx", "status": 502}, (502, "text/html"), 0),
        ({"kind": "5xx", "status": 500}, (500, "application/json"), 0),
        ({"kind": "error", "error": ApiError(400, "Bad Request: TOPIC_CLOSED")}, (400, "application/json"), 0),
        ({"kind": "answer_before", "status": 200, "body": b"?"}, (200, "application/octet-stream"), 0),
        ({"kind": "answer_after", "status": 404}, (404, "application/octet-stream"), 1),
        ({"kind": "delay", "delay": 0.02}, (200, "application/json"), 1),
        ({"kind": "drop_before"}, None, 0),
        ({"kind": "drop_after"}, None, 1),
    ],
    ids=lambda given: given["kind"] if isinstance(given, dict) else "",
)
async def test_a_call_is_answered_wrongly_late_or_not_at_all_before_or_after_its_effect(
    api: Api, chat: Chat, fault: dict[str, Any], answer: tuple[int, str] | None, messages: int
) -> None:
    api.playground.faults.add(method="sendMessage", times=1, **fault)
    before, found = time.monotonic(), None
    with suppress(aiohttp.ClientError):
        async with api.session.post(api.url("sendMessage"), json={"chat_id": chat.id, "text": "x"}) as response:
            found = response.status, response.content_type
    assert (found, len(chat.messages)) == (answer, messages)
    assert time.monotonic() - before >= fault.get("delay", 0)
    await api("sendMessage", chat_id=chat.id, text="x")


async def test_a_fault_strikes_its_chat_and_never_polling_unless_named(
    api: Api, playground: Playground, chat: Chat, noughts: Group
) -> None:
    playground.faults.add(kind="429", chat=noughts.id)
    await api("sendMessage", chat_id=chat.id, text="x")
    assert (await api.refused("sendMessage", chat_id=noughts.id, text="x")).code == 429
    playground.faults.clear()
    playground.faults.add(kind="5xx", status=500)
    await api("getUpdates")
    assert (await api.refused("getMe")).code == 500
    playground.faults.add(kind="5xx", status=500, method="getUpdates")
    assert (await api.refused("getUpdates")).code == 500


def test_a_share_of_the_calls_is_struck_alike_for_a_seed() -> None:
    runs = []
    for _ in range(2):
        faults = Faults(seed=7)
        faults.add(kind="5xx", method="getMe", share=0.3)
        runs.append([faults.of_call("getMe", None) is not None for _ in range(100)])
    assert runs[0] == runs[1]
    assert 15 <= sum(runs[0]) <= 45


@pytest.mark.parametrize(("kind", "texts"), [("duplicate", ["a", "b", "a"]), ("reorder", ["b", "a"])])
async def test_an_update_comes_again_with_its_id_or_late(
    api: Api, playground: Playground, ann: Person, kind: Literal["duplicate", "reorder"], texts: list[str]
) -> None:
    playground.world.updates.repeat_pause = 0
    playground.faults.add(kind=kind, update="message", delay=0.01, times=1)
    for text in "ab":
        await ann.say(text)
    got: list[dict[str, Any]] = []
    while len(got) < len(texts):
        got += await api.updates(wait=5)
    assert [update["message"]["text"] for update in got] == texts
    ids = {update["message"]["text"]: update["update_id"] for update in got}
    assert [ids[update["message"]["text"]] for update in got] == [update["update_id"] for update in got]
    assert ids["b"] == ids["a"] + 1
    assert await api("getUpdates", offset=ids["b"] + 1) == []


@pytest.mark.parametrize("how", ["drop_after", "answer_after", "the bot hangs up"])
async def test_an_overtaken_update_comes_again_if_the_answer_with_it_was_lost(
    api: Api, playground: Playground, ann: Person, how: Literal["drop_after", "answer_after", "the bot hangs up"]
) -> None:
    updates = playground.world.updates
    updates.repeat_pause = 0
    for text in "ab":
        await ann.say(text)
    overtaken = replace(updates.pending()[0], out_of_order=True)
    await api.updates()
    if how != "the bot hangs up":
        playground.faults.add(kind=how, method="getUpdates", times=1)
    poll = asyncio.create_task(api.updates(wait=50))
    await updates.changes.until(lambda: None if updates.pending() else True, 60, lambda: "the poll")
    if how == "the bot hangs up":
        poll.cancel()
        for _ in range(100):  # until the server has noticed
            await asyncio.sleep(0)
    updates.push(overtaken)
    await asyncio.wait((poll,))
    assert [update["message"]["text"] for update in await api.updates()] == ["a"]
    await api("getUpdates", offset=api.offset + 1)
    assert not updates.pending(), "and only once if it was not"


async def test_a_flood_may_be_waited_out_or_refused_in_silence(
    api: Api, playground: Playground, chat: Chat, noughts: Group
) -> None:
    playground.flood.model = Silent(
        Published(per_group_minute=1, private_burst=1, per_private_second=20), seconds=0.1
    )
    before = time.monotonic()
    for _ in range(2):
        await api("sendMessage", chat_id=chat.id, text="x")
    assert time.monotonic() - before >= 0.04
    await api("sendMessage", chat_id=noughts.id, text="x")
    before = time.monotonic()
    refusal = await api.refused("sendMessage", chat_id=noughts.id, text="x")
    assert time.monotonic() - before >= 0.1
    assert refusal.parameters["retry_after"] == 60


def carried_out(model: Model, chat: int, times: Iterable[float]) -> list[float]:
    """The times at which a model executes calls made at these times, without refused ones."""
    found = []
    for now in times:
        with suppress(FloodError):
            found.append(now + model.check(chat, now))
    return found


def test_a_group_takes_20_calls_a_minute_and_a_private_chat_one_a_second_after_a_burst() -> None:
    model = Published()
    assert len(carried_out(model, -1, [0.0] * 30)) == 20
    assert len(carried_out(model, -1, [59.9, 60.0])) == 1
    assert carried_out(model, 1, [0, 0, 0, 0, 0, 0, 1, 4.9, 5, 6]) == [0, 0, 0, 0, 0, 5, 6]
    assert len(carried_out(model, 1, range(100, 200))) == 100


def test_a_refusal_says_when_the_call_would_have_been_accepted() -> None:
    for model in (Published(), Published(changing={-1: [(0, 3)]}), Refusal(0, 5), Silent(seconds=8)):
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
