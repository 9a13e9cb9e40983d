"""An incoming tap: read once, and stripped of its payload before it is parsed."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import CallbackQuery, Update

from bot.game.attempt import Where
from bot.intake.updates import arrival_of, reply_of, strip_payload, where_of

ANN = {"id": 1, "is_bot": False, "first_name": "Ann"}


def tap(**message: Any) -> dict[str, Any]:  # noqa: ANN401 - a message as Telegram sends it
    """A tap on a message, as Telegram sends it."""
    shown = {"message_id": 9, "date": 1, "chat": {"id": -100, "type": "supergroup", "title": "G"}, **message}
    query = {"id": "7", "from": ANN, "chat_instance": "c", "data": "2m:7:0:4", "message": shown}
    return {"update_id": 1, "callback_query": query}


def parsed(update: dict[str, Any]) -> CallbackQuery:
    """The tap without its payload."""
    strip_payload(update)
    found = Update.de_json(update, None)
    assert found is not None
    assert found.callback_query is not None
    return found.callback_query


BOARD = {"inline_keyboard": [[{"text": "·", "callback_data": "2m:7:0:0"}, {"text": "·", "callback_data": "x"}]]}
MENU = {"inline_keyboard": [[{"text": "easy", "callback_data": "2set:level:easy"}]]}
LINK = {"inline_keyboard": [[{"text": "Share", "url": "https://example.org"}]]}


@pytest.mark.parametrize(
    ("message", "where"),
    [
        ({}, Where(-100, message_id=9)),
        ({"reply_markup": BOARD}, Where(-100, message_id=9, first="2m:7:0:0", shows=7)),
        ({"reply_markup": MENU}, Where(-100, message_id=9, first="2set:level:easy")),
        ({"reply_markup": LINK}, Where(-100, message_id=9)),
        ({"reply_markup": {"inline_keyboard": []}}, Where(-100, message_id=9)),
        ({"is_topic_message": True, "message_thread_id": 3}, Where(-100, 3, message_id=9)),
        ({"message_thread_id": 3}, Where(-100, message_id=9)),
        ({"date": 0}, Where(-100, message_id=9)),
    ],
    ids=[
        "a message",
        "a board",
        "a menu",
        "a link",
        "no buttons",
        "a topic",
        "a chain of replies",
        "one too old to read",
    ],
)
def test_a_tap_knows_where_it_was_made(message: dict[str, Any], where: Where) -> None:
    query = parsed(tap(**message))
    assert where_of(query) == where
    assert query.message is None, "it isn't parsed"
    assert query.data == "2m:7:0:4"
    assert reply_of(query) is None


def test_a_tap_on_an_inline_message_knows_that_message() -> None:
    update = tap()
    del update["callback_query"]["message"]
    update["callback_query"]["inline_message_id"] = "AAA"
    assert where_of(parsed(update)) == Where(inline_message_id="AAA")


def test_a_tap_from_nowhere_is_from_nowhere() -> None:
    update = tap()
    del update["callback_query"]["message"]
    assert where_of(parsed(update)) is None


def test_a_client_cannot_say_where_it_is() -> None:
    """Telegram doesn't pass on what a client adds, and a field of that name is no `Where`."""
    update = tap()
    del update["callback_query"]["message"]
    update["callback_query"] |= {"where": {"chat_id": -5}, "arrived": "now", "reply": "x"}
    query = parsed(update)
    assert where_of(query) is None
    assert isinstance(arrival_of(query), float)
    assert reply_of(query) is None


def test_the_time_of_arrival_is_kept() -> None:
    query = parsed(tap())
    assert arrival_of(query) == arrival_of(query)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["callback_query", "message", "chat", "id", "message_id", "inline_message_id"]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_what_has_another_form_is_left_alone(update: Any) -> None:  # noqa: ANN401 - anything may arrive
    before = copy.deepcopy(update)
    strip_payload(update)
    match before:
        case {"callback_query": {"inline_message_id": str()}}:
            return
        case {"callback_query": {"message": {"chat": {"id": int()}, "message_id": int()}}}:
            assert "message" not in update["callback_query"]
        case _:
            assert update == before
