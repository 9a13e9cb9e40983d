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

from bot.faults import Fault, judge, pause

MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)


@pytest.mark.parametrize(
    ("description", "fault"),
    [
        (MODIFIED, Fault.UNCHANGED),
        ("Bad Request: message to edit not found", Fault.GONE),
        ("Bad Request: message can't be edited", Fault.GONE),
        ("Bad Request: there is no text in the message to edit", Fault.GONE),
        ("Bad Request: MESSAGE_ID_INVALID", Fault.GONE),
        ("Bad Request: invalid inline message identifier specified", Fault.GONE),
        ("Bad Request: message thread not found", Fault.NO_THREAD),
        ("Bad Request: TOPIC_DELETED", Fault.NO_THREAD),
        ("Bad Request: TOPIC_CLOSED", Fault.CLOSED),
        ("Bad Request: chat not found", Fault.CLOSED),
        ("Bad Request: not enough rights to send text messages to the chat", Fault.CLOSED),
        ("Bad Request: have no write access to the chat", Fault.CLOSED),
        ("Bad Request: CHAT_WRITE_FORBIDDEN", Fault.CLOSED),
        ("Bad Request: group chat was upgraded to a supergroup chat", Fault.MIGRATED),
        ("Bad Request: BUTTON_DATA_INVALID", Fault.OUR_FAULT),
        ("Bad Request: can't parse entities: unexpected end tag at byte offset 7", Fault.OUR_FAULT),
        ("Bad Request: reply markup is too long", Fault.OUR_FAULT),
        ("Bad Request: something that nobody has seen yet", Fault.OUR_FAULT),
    ],
)
def test_a_bad_request_is_told_by_its_words_in_any_case(description: str, fault: Fault) -> None:
    assert judge(BadRequest(description)) is fault
    assert judge(BadRequest(description.upper())) is fault


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ChatMigrated(-1001), Fault.MIGRATED),
        (Forbidden("Forbidden: bot was blocked by the user"), Fault.CLOSED),
        (Forbidden("Forbidden: bot was kicked from the supergroup chat"), Fault.CLOSED),
        (TimedOut(), Fault.PASSING),
        (NetworkError("Bad Gateway"), Fault.PASSING),
        (InvalidToken(), Fault.OUR_FAULT),
        (TelegramError("?"), Fault.OUR_FAULT),
        (Conflict("Conflict: terminated by other getUpdates request"), Fault.OUR_FAULT),
    ],
)
def test_other_errors_are_told_by_their_class(error: TelegramError, fault: Fault) -> None:
    assert judge(error) is fault


def test_a_bad_request_is_no_passing_fault_though_it_is_a_network_error_by_class() -> None:
    assert isinstance(BadRequest("x"), NetworkError)
    assert judge(BadRequest("x")) is not Fault.PASSING


def test_the_pause_is_what_telegram_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # the library warns of the plain number it still gives by default
    error = RetryAfter(timedelta(seconds=7))
    assert judge(error) is Fault.SLOW_DOWN
    assert pause(error) == 7


def test_the_pause_is_understood_as_a_plain_number_too() -> None:
    with pytest.deprecated_call():
        error = RetryAfter(7)
    with pytest.deprecated_call():
        assert pause(error) == 7


def test_other_errors_ask_for_no_pause() -> None:
    assert pause(TimedOut()) == 0
