"""What Telegram's refusals mean: every description that its server is known to give, told apart."""

from __future__ import annotations

from datetime import timedelta

import pytest
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.delivery.errors import Failure, NotSent, is_outside, judge, pause

MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)


@pytest.mark.parametrize(
    ("description", "failure"),
    [
        (MODIFIED, Failure.UNCHANGED),
        ("Bad Request: message to edit not found", Failure.GONE),
        ("Bad Request: message can't be edited", Failure.GONE),
        ("Bad Request: there is no text in the message to edit", Failure.GONE),
        ("Bad Request: MESSAGE_ID_INVALID", Failure.GONE),
        ("Bad Request: invalid inline message identifier specified", Failure.GONE),
        ("Bad Request: message thread not found", Failure.NO_THREAD),
        ("Bad Request: TOPIC_DELETED", Failure.NO_THREAD),
        ("Bad Request: TOPIC_CLOSED", Failure.CLOSED),
        ("Bad Request: chat not found", Failure.CLOSED),
        ("Bad Request: not enough rights to send text messages to the chat", Failure.CLOSED),
        ("Bad Request: have no write access to the chat", Failure.CLOSED),
        ("Bad Request: CHAT_WRITE_FORBIDDEN", Failure.CLOSED),
        ("Bad Request: group chat was upgraded to a supergroup chat", Failure.MIGRATED),
        ("Bad Request: BUTTON_DATA_INVALID", Failure.OUR_FAULT),
        ("Bad Request: can't parse entities: unexpected end tag at byte offset 7", Failure.OUR_FAULT),
        ("Bad Request: reply markup is too long", Failure.OUR_FAULT),
        ("Bad Request: something that nobody has seen yet", Failure.OUR_FAULT),
    ],
)
def test_a_bad_request_is_told_by_its_words_in_any_case(description: str, failure: Failure) -> None:
    assert judge(BadRequest(description)) is failure
    assert judge(BadRequest(description.upper())) is failure


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (ChatMigrated(-1001), Failure.MIGRATED),
        (Forbidden("Forbidden: bot was blocked by the user"), Failure.CLOSED),
        (Forbidden("Forbidden: bot was kicked from the supergroup chat"), Failure.CLOSED),
        (TimedOut(), Failure.PASSING),
        (NetworkError("Bad Gateway"), Failure.PASSING),
        (NotSent("no connection"), Failure.PASSING),
        (InvalidToken(), Failure.OUR_FAULT),
        (TelegramError("?"), Failure.OUR_FAULT),
        (Conflict("Conflict: terminated by other getUpdates request"), Failure.OUR_FAULT),
    ],
)
def test_other_errors_are_told_by_their_class(error: TelegramError, failure: Failure) -> None:
    assert judge(error) is failure


def test_a_bad_request_is_no_passing_failure_though_it_is_a_network_error_by_class() -> None:
    assert isinstance(BadRequest("x"), NetworkError)
    assert judge(BadRequest("x")) is not Failure.PASSING


def test_the_pause_is_what_telegram_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # the library warns of the plain number it still gives by default
    error = RetryAfter(timedelta(seconds=7))
    assert judge(error) is Failure.SLOW_DOWN
    assert pause(error) == 7


def test_the_pause_is_understood_as_a_plain_number_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PTB_TIMEDELTA", raising=False)
    with pytest.deprecated_call():
        error = RetryAfter(7)
    with pytest.deprecated_call():
        assert pause(error) == 7


def test_other_errors_ask_for_no_pause() -> None:
    assert pause(TimedOut()) == 0


@pytest.mark.parametrize(
    ("description", "outside"),
    [
        ("Forbidden: bot was kicked from the supergroup chat", True),
        ("Forbidden: bot was kicked from the group chat", True),
        ("Forbidden: bot is not a member of the supergroup chat", True),
        ("Forbidden: the group chat was deleted", True),
        ("Forbidden: bot was blocked by the user", False),
        ("Forbidden: user is deactivated", False),
    ],
)
def test_who_is_outside_of_a_group_is_told_so(description: str, outside: bool) -> None:  # noqa: FBT001 - a case
    assert is_outside(Forbidden(description)) is outside
    assert not is_outside(BadRequest(description))
