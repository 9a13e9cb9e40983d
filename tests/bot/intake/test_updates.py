"""Updates: a tap is read once and stripped of its payload; those of one chat are handled in order."""

import asyncio
import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Bot

from bot.game.attempt import Where
from bot.intake.updates import Incoming, Order, Tap, chat_of, parsed

BOT = Bot("1:secret")
ANN = {"id": 1, "is_bot": False, "first_name": "Ann"}
GROUP = {"id": -100, "type": "supergroup", "title": "G"}
SHOWN = {"message_id": 9, "date": 1, "chat": GROUP}
SAID = {**SHOWN, "from": ANN, "text": "/help"}
TAP = {"id": "7", "from": ANN, "chat_instance": "c", "data": "m:7:0:4"}
CHOSEN = {"result_id": "r", "from": ANN, "query": "", "inline_message_id": "AAA"}


def update_of(**content: Any) -> Incoming:  # noqa: ANN401 - an update as Telegram sends it
    found = parsed({"update_id": 1, **content}, BOT)
    assert found is not None
    return found


def callback(data: str) -> dict[str, str]:
    return {"text": "·", "callback_data": data}


def keyboard(*buttons: dict[str, str]) -> dict[str, Any]:
    return {"reply_markup": {"inline_keyboard": [list(buttons)] if buttons else []}}


HERE = Where(-100, message_id=9)
MESSAGES: dict[str, tuple[dict[str, Any], Where]] = {
    "a message": ({}, HERE),
    "a board": (keyboard(callback("m:7:0:0"), callback("x")), HERE._replace(first="m:7:0:0", shows=7)),
    "a menu": (keyboard(callback("set:level:easy")), HERE._replace(first="set:level:easy")),
    "a link": (keyboard({"text": "Share", "url": "https://example.org"}), HERE),
    "no buttons": (keyboard(), HERE),
    "a topic": ({"is_topic_message": True, "message_thread_id": 3}, HERE._replace(thread_id=3)),
    "a chain of replies": ({"message_thread_id": 3}, HERE._replace(reply_to=9)),
    "too old to read": ({"date": 0}, HERE._replace(is_lost=True)),
}


@pytest.mark.parametrize(("message", "where"), MESSAGES.values(), ids=MESSAGES)
def test_a_tap_knows_where_it_was_made(message: dict[str, Any], where: Where) -> None:
    tap = update_of(callback_query={**TAP, "message": SHOWN | message})
    assert isinstance(tap, Tap)
    assert (tap.where, tap.reply, tap.data) == (where, None, "m:7:0:4")


@pytest.mark.parametrize(
    ("given_", "where"),
    [
        ({"inline_message_id": "AAA"}, Where(inline_message_id="AAA")),
        ({}, None),
        ({"origin": [{"chat_id": -5}, 1.0, "x"]}, None),
    ],
    ids=["on an inline message", "from nowhere", "with fields that Telegram would not pass on"],
)
def test_a_client_cannot_say_where_it_is(given_: dict[str, Any], where: Where | None) -> None:
    tap = update_of(callback_query=TAP | given_)
    assert isinstance(tap, Tap)
    assert (tap.where, tap.reply) == (where, None)


FIELDS = st.sampled_from(["message", "chat", "id", "message_id", "inline_message_id", "from", "chat_instance"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner),
    max_leaves=12,
)


@given(st.sampled_from(["callback_query", "message"]), JSON)
def test_an_update_of_any_form_is_parsed_or_set_aside(kind: str, content: Any) -> None:  # noqa: ANN401 - anything
    update = {"update_id": 1, kind: content}
    before = copy.deepcopy(update)
    found = parsed(update, BOT)
    assert found is None or found.update_id == 1
    assert update == before


@pytest.mark.parametrize(
    ("content", "chat"),
    [
        ({"message": SAID}, -100),
        ({"callback_query": {**TAP, "message": SAID}}, -100),
        ({"callback_query": {**TAP, "inline_message_id": "AAA"}}, "AAA"),
        ({"chosen_inline_result": CHOSEN}, "AAA"),
        ({"inline_query": {"id": "8", "from": ANN, "query": "", "offset": ""}}, None),
        ({"callback_query": TAP | {"inline_message_id": []}}, None),
        ({"message": SAID | {"chat": GROUP | {"id": []}}}, None),
        ({"edited_message": SAID | {"chat": GROUP | {"id": {}}}}, None),
        ({"edited_message": SAID | {"chat": GROUP | {"id": -(1 << 70)}}}, None),
    ],
)
def test_an_update_belongs_to_its_chat_or_its_message_of_inline_mode_if_it_names_one(
    content: dict[str, Any], chat: object
) -> None:
    assert chat_of(update_of(**content)) == chat


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
    async def fail() -> None:
        raise KeyError

    order = Order()
    failing, following = order.start(1, fail()), order.start(1, asyncio.sleep(0))
    await following
    assert isinstance(failing.exception(), KeyError)
