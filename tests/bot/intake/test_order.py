"""Updates of one chat are handled in order, different chats concurrently."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from telegram import Update

from bot.intake.updates import Order, chat_of, strip_payload

ANN = {"id": 1, "is_bot": False, "first_name": "Ann"}
GROUP = {"id": -100, "type": "supergroup", "title": "G"}
MESSAGE = {"message_id": 5, "date": 1, "chat": GROUP, "from": ANN, "text": "/help"}
TAP = {"id": "7", "from": ANN, "chat_instance": "c", "data": "2invite"}


def parsed(**content: Any) -> Update:  # noqa: ANN401 - an update as Telegram sends it
    """An update, parsed by the intake from what Telegram sends."""
    update = {"update_id": 1, **content}
    strip_payload(update)
    found = Update.de_json(update, None)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("content", "chat"),
    [
        ({"message": MESSAGE}, -100),
        ({"callback_query": {**TAP, "message": MESSAGE}}, -100),
        ({"callback_query": {**TAP, "inline_message_id": "AAA"}}, "AAA"),
        (
            {"chosen_inline_result": {"result_id": "r", "from": ANN, "query": "", "inline_message_id": "AAA"}},
            "AAA",
        ),
        ({"inline_query": {"id": "8", "from": ANN, "query": "", "offset": ""}}, None),
    ],
)
def test_an_update_belongs_to_its_chat_or_its_message_of_inline_mode(
    content: dict[str, Any], chat: object
) -> None:
    assert chat_of(parsed(**content)) == chat


async def test_work_of_a_chat_runs_in_order_and_that_of_others_in_parallel() -> None:
    order, done, gate = Order(), [], asyncio.Event()

    async def work(name: str, *, waits: bool = False) -> None:
        done.append(f"{name} begins")
        if waits:
            await gate.wait()
        done.append(f"{name} ends")

    tasks = [order.start(1, work("a1", waits=True)), order.start(1, work("a2")), order.start(2, work("b1"))]
    tasks += [order.start(None, work("n1", waits=True)), order.start(None, work("n2"))]
    await tasks[2]
    await tasks[4]
    assert done == ["a1 begins", "b1 begins", "b1 ends", "n1 begins", "n2 begins", "n2 ends"]
    gate.set()
    await asyncio.gather(*tasks)
    assert done[6:] == ["a1 ends", "n1 ends", "a2 begins", "a2 ends"]


async def test_work_that_fails_does_not_stop_what_follows() -> None:
    order = Order()

    async def fail() -> None:
        raise KeyError

    done = []

    async def work() -> None:
        done.append("done")

    failing, following = order.start(1, fail()), order.start(1, work())
    await following
    assert done == ["done"]
    assert isinstance(failing.exception(), KeyError)


@pytest.mark.parametrize(
    "content",
    [
        {"callback_query": TAP | {"inline_message_id": []}},
        {"callback_query": TAP | {"inline_message_id": {}}},
        {"message": MESSAGE | {"chat": GROUP | {"id": []}}},
        {"edited_message": MESSAGE | {"chat": GROUP | {"id": {}}}},
    ],
)
def test_something_that_cannot_name_a_chat_names_none(content: dict[str, Any]) -> None:
    assert chat_of(parsed(**content)) is None
