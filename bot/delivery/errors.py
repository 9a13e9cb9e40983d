"""What Telegram's refusals mean for delivery: one reading of its errors.

python-telegram-bot keeps the description but changes its case, and several classes say the same thing, so the
words decide (tdlib/telegram-bot-api, Client.cpp, lists them).
"""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING, Final

from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

if TYPE_CHECKING:
    from telegram.error import TelegramError


class NotSent(NetworkError):
    """A call that never left: no connection came about, so it cannot have had any effect."""


class Failure(Enum):
    """What to do about a failed call."""

    UNCHANGED = "unchanged"
    """The message already looks so: as good as done."""
    SLOW_DOWN = "slow down"
    """This chat gets nothing for a while."""
    GONE = "gone"
    """The message is no longer there, or no longer ours to edit."""
    CLOSED = "closed"
    """The chat takes nothing from us: blocked, kicked, muted, deleted."""
    MIGRATED = "migrated"
    """The group has become a supergroup with another id."""
    NO_FILE = "no file"
    """Telegram does not keep the file whose id it was given."""
    NO_THREAD = "no thread"
    """The forum topic is not there."""
    PASSING = "passing"
    """The network or Telegram failed; the call may or may not have had its effect."""
    OUR_FAULT = "our fault"
    """Telegram refuses what we sent, and would again."""


_WORDS: Final = (
    ("message is not modified", Failure.UNCHANGED),
    ("message to edit not found", Failure.GONE),
    ("message can't be edited", Failure.GONE),
    ("there is no text in the message", Failure.GONE),
    ("message_id_invalid", Failure.GONE),
    ("invalid inline message identifier", Failure.GONE),
    ("wrong file", Failure.NO_FILE),
    ("wrong remote file", Failure.NO_FILE),
    ("can't use file of type", Failure.NO_FILE),
    ("file reference", Failure.NO_FILE),
    ("message thread not found", Failure.NO_THREAD),
    ("topic_deleted", Failure.NO_THREAD),
    ("topic_closed", Failure.CLOSED),
    ("chat not found", Failure.CLOSED),
    ("not enough rights", Failure.CLOSED),
    ("have no write access", Failure.CLOSED),
    ("need administrator rights", Failure.CLOSED),
    ("chat_write_forbidden", Failure.CLOSED),
    ("chat_restricted", Failure.CLOSED),
    ("user_is_blocked", Failure.CLOSED),
    ("peer_id_invalid", Failure.CLOSED),
    ("group chat was upgraded", Failure.MIGRATED),
)

_OUTSIDE: Final = ("bot was kicked", "bot is not a member", "group chat was deleted")


def judge(error: TelegramError) -> Failure:
    """Tell what a failed call means."""
    if isinstance(error, RetryAfter):
        return Failure.SLOW_DOWN
    if isinstance(error, ChatMigrated):
        return Failure.MIGRATED
    if isinstance(error, Forbidden):
        return Failure.CLOSED
    if isinstance(error, BadRequest):
        words = error.message.lower()
        return next((failure for part, failure in _WORDS if part in words), Failure.OUR_FAULT)
    return Failure.PASSING if isinstance(error, NetworkError) else Failure.OUR_FAULT


def is_outside(error: TelegramError) -> bool:
    """Whether an error says that the bot is in a group no more, or that there is no such group any more."""
    words = error.message.lower()
    return isinstance(error, Forbidden) and any(part in words for part in _OUTSIDE)


def pause(error: TelegramError) -> float:
    """For how many seconds the chat must be left alone after `Failure.SLOW_DOWN`."""
    after = error.retry_after if isinstance(error, RetryAfter) else 0
    return after.total_seconds() if isinstance(after, timedelta) else float(after)
