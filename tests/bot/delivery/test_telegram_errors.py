"""What Telegram's refusals mean: those in the table are final, and no others."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

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
    Refusal,
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
def test_a_known_refusal_is_told_by_its_status_and_its_words_in_any_case(refusal: Refusal) -> None:
    kind, beginning = CLASSES[refusal.status]
    other, _ = CLASSES[403 if refusal.status == 400 else 400]
    for words in (refusal.words, refusal.words.upper(), f"{refusal.words}: and more"):
        assert judge(kind(f"{beginning}: {words}")) is refusal.failure
        assert judge(other(f"{beginning}: {words}")) is Failure.PASSING
        assert judge(NetworkError(words)) is Failure.PASSING
        assert judge(kind(f"{beginning}: what a proxy says of {words}")) is Failure.PASSING


@pytest.mark.parametrize(
    "error",
    [
        BadRequest("Bad Request: something that nobody has seen yet"),
        Forbidden("Forbidden"),
        Forbidden("Forbidden: something that nobody has seen yet"),
        InvalidToken("Unauthorized"),
        InvalidToken("Not Found"),
        Conflict("Conflict: terminated by other getUpdates request"),
        TimedOut(),
        NetworkError("Bad Gateway"),
        NotSent("no connection"),
        Foreign(403),
        TelegramError("?"),
    ],
)
def test_whatever_the_table_does_not_have_is_passing(error: TelegramError) -> None:
    assert judge(error) is Failure.PASSING


def test_the_documented_table_is_the_one_in_force() -> None:
    page = (Path(__file__).parents[3] / "docs" / "delivery.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| `(.+)` \| (.+) \| (.+) \|$", page, re.MULTILINE)
    assert rows == [
        (str(refusal.status), refusal.words, refusal.failure.value, refusal.source) for refusal in REFUSALS
    ]


def refused(status: int, description: object = "Bad Request: chat not found", **more: object) -> bytes:
    return json.dumps({"ok": False, "error_code": status, "description": description, **more}).encode()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b'{"ok":true,"result":true}'),
        (200, b'{"result": [], "ok": true}'),
        (400, refused(400)),
        (502, refused(502, "Bad Gateway")),
        (429, refused(429, "Too Many Requests", parameters={"retry_after": 3})),
        (400, refused(400, parameters={"migrate_to_chat_id": -100})),
    ],
)
def test_what_has_the_shape_of_telegrams_answers_passes(status: int, body: bytes) -> None:
    vet(status, body)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>Welcome to the hotel</html>"),
        (200, b""),
        (200, b'{"ok": true}'),
        (200, b'{"ok": false, "result": true}'),
        (201, b'{"ok":true,"result":true}'),
        (204, b""),
        (206, refused(206)),
        (302, b""),
        (302, refused(302)),
        (403, b"<html>Forbidden: bot was blocked by the user</html>"),
        (403, b'"Forbidden: bot was blocked by the user"'),
        (403, b"[" * 100_000),
        (403, b'{"description": "Forbidden: bot was blocked by the user"}'),
        (403, refused(400, "Forbidden: bot was blocked by the user")),
        (400, refused(400, None)),
        (400, refused(400, parameters=[])),
        (500, refused(500, parameters={"retry_after": 10**9})),
        (429, refused(429, parameters={"retry_after": "soon"})),
        (500, refused(500, parameters={"migrate_to_chat_id": -100})),
    ],
)
def test_nothing_else_passes_for_telegrams(status: int, body: bytes) -> None:
    with pytest.raises(Foreign) as caught:
        vet(status, body)
    assert caught.value.status == status


def test_what_was_refused_may_be_said_again_and_what_was_cut_off_may_not() -> None:
    sure = (
        NotSent("x"),
        Foreign(403),
        Foreign(302),
        InvalidToken("Unauthorized"),
        Forbidden("x"),
        BadRequest("x"),
    )
    assert all(map(was_refused, sure))
    unsure = (TimedOut(), Unanswered("x"), Foreign(200), Foreign(502), NetworkError("Bad Gateway"))
    assert not any(map(was_refused, unsure))
    assert [was_answered(error) for error in unsure] == [False, False, True, True, True]


def test_a_token_that_is_not_accepted_is_told_from_what_is_not_found() -> None:
    assert is_unauthorized(InvalidToken("Unauthorized"))
    assert is_unauthorized(Foreign(401))
    assert not is_unauthorized(InvalidToken("Not Found"))
    assert not is_unauthorized(Foreign(404))


def test_the_pause_is_what_telegram_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # the library warns of the plain number it still gives by default
    error = RetryAfter(timedelta(seconds=7))
    assert judge(error) is Failure.SLOW_DOWN
    assert pause(error) == 7
    assert pause(TimedOut()) == 0
    assert judge(ChatMigrated(-1001)) is Failure.MIGRATED


def test_the_pause_is_understood_as_a_plain_number_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PTB_TIMEDELTA", raising=False)
    with pytest.deprecated_call():
        error = RetryAfter(7)
    with pytest.deprecated_call():
        assert pause(error) == 7


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
    description: str,
    outside: bool,  # noqa: FBT001 - a case
    blocked: bool,  # noqa: FBT001 - a case
) -> None:
    assert is_outside(Forbidden(description)) is outside
    assert is_blocked(Forbidden(description)) is blocked
    assert not is_outside(BadRequest(description))
    assert not is_blocked(BadRequest(description))
