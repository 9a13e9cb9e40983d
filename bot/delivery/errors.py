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


class Fault(Enum):
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
    NO_THREAD = "no thread"
    """The forum topic is not there."""
    PASSING = "passing"
    """The network or Telegram failed; the call may or may not have had its effect."""
    OUR_FAULT = "our fault"
    """Telegram refuses what we sent, and would again."""


_WORDS: Final = (
    ("message is not modified", Fault.UNCHANGED),
    ("message to edit not found", Fault.GONE),
    ("message can't be edited", Fault.GONE),
    ("there is no text in the message", Fault.GONE),
    ("message_id_invalid", Fault.GONE),
    ("invalid inline message identifier", Fault.GONE),
    ("message thread not found", Fault.NO_THREAD),
    ("topic_deleted", Fault.NO_THREAD),
    ("topic_closed", Fault.CLOSED),
    ("chat not found", Fault.CLOSED),
    ("not enough rights", Fault.CLOSED),
    ("have no write access", Fault.CLOSED),
    ("need administrator rights", Fault.CLOSED),
    ("chat_write_forbidden", Fault.CLOSED),
    ("chat_restricted", Fault.CLOSED),
    ("user_is_blocked", Fault.CLOSED),
    ("peer_id_invalid", Fault.CLOSED),
    ("group chat was upgraded", Fault.MIGRATED),
)


def judge(error: TelegramError) -> Fault:
    """Tell what a failed call means."""
    if isinstance(error, RetryAfter):
        return Fault.SLOW_DOWN
    if isinstance(error, ChatMigrated):
        return Fault.MIGRATED
    if isinstance(error, Forbidden):
        return Fault.CLOSED
    if isinstance(error, BadRequest):
        words = error.message.lower()
        return next((fault for part, fault in _WORDS if part in words), Fault.OUR_FAULT)
    return Fault.PASSING if isinstance(error, NetworkError) else Fault.OUR_FAULT


def pause(error: TelegramError) -> float:
    """For how many seconds the chat must be left alone after `Fault.SLOW_DOWN`."""
    after = error.retry_after if isinstance(error, RetryAfter) else 0
    return after.total_seconds() if isinstance(after, timedelta) else float(after)
