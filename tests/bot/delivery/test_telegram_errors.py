"""What Telegram's refusals mean: those in the table are final, and no others."""

import json
from contextlib import nullcontext
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

from bot.delivery.telegram_errors import (
    REFUSALS,
    Failure,
    Rejection,
    is_blocked,
    is_outside,
    is_unauthorized,
    judge,
    pause,
    was_answered,
    was_refused,
)
from bot.network.transport import Foreign, NotSent, Unanswered, vet

CLASSES = {400: (BadRequest, "Bad Request"), 403: (Forbidden, "Forbidden")}


@pytest.mark.parametrize("refusal", REFUSALS, ids=[f"{refusal.status} {refusal.words}" for refusal in REFUSALS])
def test_a_known_refusal_is_told_by_its_status_and_its_words_in_any_case(refusal: Rejection) -> None:
    kind, beginning = CLASSES[refusal.status]
    other, _ = CLASSES[403 if refusal.status == 400 else 400]
    for words in (refusal.words, refusal.words.upper(), f"{refusal.words}: and more"):
        assert judge(kind(f"{beginning}: {words}")) is refusal.failure
        assert judge(other(f"{beginning}: {words}")) is Failure.PASSING
        assert judge(NetworkError(words)) is Failure.PASSING
        assert judge(kind(f"{beginning}: what a proxy says of {words}")) is Failure.PASSING


@pytest.mark.parametrize(
    ("error", "was"),
    [
        (BadRequest("Bad Request: something that nobody has seen yet"), "refused, answered"),
        (Forbidden("Forbidden"), "refused, answered"),
        (Forbidden("Forbidden: something that nobody has seen yet"), "refused, answered"),
        (InvalidToken("Unauthorized"), "refused, answered, unauthorized"),
        (InvalidToken("Not Found"), "refused, answered"),
        (Conflict("Conflict: terminated by other getUpdates request"), "refused, answered"),
        (NetworkError("Bad Gateway"), "answered"),
        (TelegramError("?"), "answered"),
        (Foreign(200), "answered"),
        (Foreign(302), "refused, answered"),
        (Foreign(401), "refused, answered, unauthorized"),
        (Foreign(404), "refused, answered"),
        (Foreign(502), "answered"),
        (NotSent("no connection"), "refused"),
        (TimedOut(), ""),
        (Unanswered("x"), ""),
    ],
    ids=repr,
)
def test_whatever_the_table_does_not_have_is_passing_and_may_be_said_again_if_it_was_refused(
    error: TelegramError, was: str
) -> None:
    assert judge(error) is Failure.PASSING
    told = {"refused": was_refused, "answered": was_answered, "unauthorized": is_unauthorized}
    assert ", ".join(word for word, holds in told.items() if holds(error)) == was


def refused(status: int, description: object = "Bad Request: chat not found", **more: object) -> bytes:
    return json.dumps({"ok": False, "error_code": status, "description": description, **more}).encode()


@pytest.mark.parametrize(
    ("status", "body", "passes"),
    [
        (200, b'{"ok":true,"result":true}', True),
        (200, b'{"result": [], "ok": true}', True),
        (400, refused(400), True),
        (502, refused(502, "Bad Gateway"), True),
        (429, refused(429, "Too Many Requests", parameters={"retry_after": 3}), True),
        (400, refused(400, parameters={"migrate_to_chat_id": -100}), True),
        (200, b"<html>Welcome to the hotel</html>", False),
        (200, b"", False),
        (200, b'{"ok": true}', False),
        (200, b'{"ok": false, "result": true}', False),
        (201, b'{"ok":true,"result":true}', False),
        (204, b"", False),
        (206, refused(206), False),
        (302, b"", False),
        (302, refused(302), False),
        (403, b"<html>Forbidden: bot was blocked by the user</html>", False),
        (403, b'"Forbidden: bot was blocked by the user"', False),
        (403, b"[" * 100_000, False),
        (403, b'{"description": "Forbidden: bot was blocked by the user"}', False),
        (403, refused(400, "Forbidden: bot was blocked by the user"), False),
        (400, refused(400, None), False),
        (400, refused(400, parameters=[]), False),
        (500, refused(500, parameters={"retry_after": 10**9}), False),
        (429, refused(429, parameters={"retry_after": "soon"}), False),
        (500, refused(500, parameters={"migrate_to_chat_id": -100}), False),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_only_what_has_the_shape_of_telegrams_answers_passes_for_one(
    status: int, body: bytes, *, passes: bool
) -> None:
    with nullcontext() if passes else pytest.raises(Foreign, match=f"HTTP {status}"):
        vet(status, body)


def test_the_pause_is_what_telegram_asks_for_in_either_form(monkeypatch: pytest.MonkeyPatch) -> None:
    error = RetryAfter(timedelta(seconds=7))
    assert (judge(error), pause(error), pause(TimedOut())) == (Failure.SLOW_DOWN, 7, 0)
    assert judge(ChatMigrated(-1001)) is Failure.MIGRATED
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # the form that the library will have one day
    assert pause(RetryAfter(7)) == 7


@pytest.mark.parametrize(
    ("description", "outside", "blocked"),
    [
        ("Forbidden: bot was kicked from the supergroup chat", True, False),
        ("Forbidden: bot is not a member of the supergroup chat", True, False),
        ("Forbidden: the group chat was deleted", True, False),
        ("Forbidden: bot was blocked by the user", False, True),
        ("Forbidden: user is deactivated", False, True),
        ("Forbidden: bot can't initiate conversation with a user", False, False),
    ],
)
def test_a_chat_that_is_gone_is_told_apart_from_one_that_removed_the_bot(
    description: str, *, outside: bool, blocked: bool
) -> None:
    assert (is_outside(Forbidden(description)), is_blocked(Forbidden(description))) == (outside, blocked)
    assert (is_outside(BadRequest(description)), is_blocked(BadRequest(description))) == (False, False)
