"""What Telegram's refusals mean: a table of those that are final. All others are tried again.

Only Telegram's own JSON with a known status and known words is final. Proxies, captive portals and load balancers
answer with any status, and so does Telegram on a bad day; none of that may end a game or lose a board.
docs/delivery.md says what follows from each.
"""

from datetime import timedelta
from enum import Enum
from http import HTTPStatus
from typing import Final, NamedTuple

from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.network.transport import Foreign, NotSent, Unanswered


class Failure(Enum):
    """What to do about a failed call."""

    UNCHANGED = "unchanged"
    """The message already looks so: as good as done."""
    SLOW_DOWN = "slow down"
    """The chat takes nothing for a while."""
    GONE = "gone"
    """The message no longer exists, or can't be edited any more."""
    CLOSED = "closed"
    """The chat takes nothing from the bot: blocked, kicked, muted, deleted."""
    NO_MEDIA = "no media"
    """The chat takes texts, but not this kind of picture or file."""
    MIGRATED = "migrated"
    """The group has become a supergroup, with another id."""
    NO_FILE = "no file"
    """Telegram no longer has the file with this id."""
    NO_THREAD = "no thread"
    """The forum topic does not exist."""
    TOO_OLD = "too old"
    """Nobody waits for the answer any more, or the message can no longer be deleted."""
    OUR_FAULT = "our fault"
    """Telegram refuses what the bot sent, and would again."""
    PASSING = "passing"
    """Everything else: tried again, for a day."""


class Rejection(NamedTuple):
    """A final refusal: its HTTP status, how its description begins, what it means, and the source for that."""

    status: int
    words: str
    """In lower case, without "Bad Request: " or "Forbidden: "."""
    failure: Failure
    source: str


_SERVER: Final = "telegram-bot-api, Client.cpp"
_MESSAGES: Final = "td, MessagesManager.cpp"
_FILES: Final = "td, FileManager.cpp"
_SENDING: Final = "core.telegram.org, messages.sendMessage"
_EDITING: Final = "core.telegram.org, messages.editMessage"
_MEDIA: Final = "core.telegram.org, messages.sendMedia"
_REPORTED: Final = "reported by other bots"
_BLOCKED: Final = ("bot was blocked by the user", "user is deactivated")
_OUTSIDE: Final = ("bot was kicked from", "bot is not a member of", "the group chat was deleted")

REFUSALS: Final = (
    Rejection(400, "message is not modified", Failure.UNCHANGED, _SERVER),
    Rejection(400, "message to edit not found", Failure.GONE, _SERVER),
    Rejection(400, "message to delete not found", Failure.GONE, _SERVER),
    Rejection(400, "message can't be edited", Failure.GONE, _MESSAGES),
    Rejection(400, "there is no text in the message to edit", Failure.GONE, _MESSAGES),
    Rejection(400, "message_id_invalid", Failure.GONE, _EDITING),
    *(Rejection(400, words, Failure.GONE, _EDITING) for words in ("msg_id_invalid", "message_author_required")),
    Rejection(400, "message_edit_time_expired", Failure.GONE, _EDITING),
    Rejection(400, "invalid inline message identifier specified", Failure.GONE, "td, InlineMessageManager.cpp"),
    Rejection(400, "query is too old and response timeout expired", Failure.TOO_OLD, _SERVER),
    Rejection(400, "message can't be deleted", Failure.TOO_OLD, _SERVER),
    *(Rejection(403, words, Failure.CLOSED, _SERVER) for words in (*_BLOCKED, *_OUTSIDE)),
    Rejection(403, "bot can't initiate conversation with a user", Failure.CLOSED, _MESSAGES),
    Rejection(400, "chat not found", Failure.CLOSED, _SERVER),
    Rejection(400, "private chat not found", Failure.CLOSED, _SERVER),
    Rejection(400, "not enough rights to send text messages", Failure.CLOSED, "td, MessageContent.cpp"),
    Rejection(400, "not enough rights to send", Failure.NO_MEDIA, "td, MessageContent.cpp"),
    Rejection(400, "have no write access to the chat", Failure.CLOSED, "td, DialogManager.cpp"),
    Rejection(400, "need administrator rights in the channel chat", Failure.CLOSED, _REPORTED),
    Rejection(400, "topic_closed", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_write_forbidden", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_send_plain_forbidden", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_send_", Failure.NO_MEDIA, _MEDIA),
    Rejection(400, "chat_restricted", Failure.CLOSED, _SENDING),
    Rejection(400, "user_banned_in_channel", Failure.CLOSED, _SENDING),
    Rejection(400, "channel_private", Failure.CLOSED, _SENDING),
    Rejection(400, "peer_id_invalid", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_forbidden", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_admin_required", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_guest_send_forbidden", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_id_invalid", Failure.CLOSED, _SENDING),
    Rejection(400, "channel_invalid", Failure.CLOSED, _SENDING),
    Rejection(400, "allow_payment_required_", Failure.CLOSED, _SENDING),
    Rejection(400, "user_id_invalid", Failure.CLOSED, _SENDING),
    Rejection(400, "input_user_deactivated", Failure.CLOSED, _SENDING),
    Rejection(400, "user_is_blocked", Failure.CLOSED, _SENDING),
    Rejection(400, "user_is_bot", Failure.CLOSED, _SENDING),
    Rejection(400, "you_blocked_user", Failure.CLOSED, _SENDING),
    Rejection(400, "privacy_premium_required", Failure.CLOSED, _SENDING),
    Rejection(400, "premium_account_required", Failure.CLOSED, _SENDING),
    Rejection(400, "chat_invalid", Failure.CLOSED, _REPORTED),
    Rejection(400, "channel direct messages topic must be specified", Failure.CLOSED, "td, MessageTopic.cpp"),
    Rejection(403, "bot can't send messages to bots", Failure.CLOSED, _SERVER),
    Rejection(403, "bots can't send messages to bots", Failure.CLOSED, _REPORTED),
    Rejection(403, "the bot can't send messages to the bot", Failure.CLOSED, _REPORTED),
    Rejection(400, "topic_deleted", Failure.NO_THREAD, _SENDING),
    Rejection(400, "message thread not found", Failure.NO_THREAD, _SERVER),
    Rejection(400, "group chat was upgraded to a supergroup chat", Failure.MIGRATED, _SERVER),
    Rejection(400, "wrong file identifier", Failure.NO_FILE, _REPORTED),
    Rejection(400, "wrong remote file identifier specified", Failure.NO_FILE, _FILES),
    Rejection(400, "can't use file of type", Failure.NO_FILE, _FILES),
    Rejection(400, "file_reference_", Failure.NO_FILE, _MEDIA),
    Rejection(400, "can't parse entities", Failure.OUR_FAULT, "td, SynchronousRequests.cpp"),
    Rejection(400, "message text is empty", Failure.OUR_FAULT, _SERVER),
    Rejection(400, "text must be non-empty", Failure.OUR_FAULT, _REPORTED),
    Rejection(400, "text is too long", Failure.OUR_FAULT, _SERVER),
    Rejection(400, "message is too long", Failure.OUR_FAULT, _REPORTED),
    Rejection(400, "message_too_long", Failure.OUR_FAULT, _EDITING),
    Rejection(400, "message caption is too long", Failure.OUR_FAULT, _REPORTED),
    Rejection(400, "text must be encoded in utf-8", Failure.OUR_FAULT, _REPORTED),
    Rejection(400, "reply markup is too long", Failure.OUR_FAULT, _SERVER),
    Rejection(400, "button_data_invalid", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "button_url_invalid", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "inline keyboard button url", Failure.OUR_FAULT, _REPORTED),
    Rejection(400, "can't parse inline keyboard button", Failure.OUR_FAULT, _SERVER),
    Rejection(400, "message_empty", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "entities_too_long", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "entity_bounds_invalid", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "reply_markup_invalid", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "reply_markup_too_long", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "button_type_invalid", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "button_user_invalid", Failure.OUR_FAULT, _SENDING),
    Rejection(400, "media_caption_too_long", Failure.OUR_FAULT, _MEDIA),
    Rejection(400, "photo_invalid_dimensions", Failure.OUR_FAULT, _MEDIA),
    Rejection(400, "image_process_failed", Failure.OUR_FAULT, _MEDIA),
)
"""Also final are `retry_after` of a 429 and `migrate_to_chat_id` of a 400 (Bot API, ResponseParameters).

Names with underscores come from Telegram itself; telegram-bot-api passes them on, always with status 400. It puts
some into words (`fail_query_with_error` in Client.cpp).
"""


def judge(error: TelegramError) -> Failure:
    """What a failed call means."""
    if isinstance(error, RetryAfter):
        return Failure.SLOW_DOWN
    if isinstance(error, ChatMigrated):
        return Failure.MIGRATED
    status, words = _status_of(error), _words_of(error)
    return next(
        (refusal.failure for refusal in REFUSALS if refusal.status == status and words.startswith(refusal.words)),
        Failure.PASSING,
    )


def is_unknown(error: TelegramError) -> bool:
    """Whether Telegram itself refuses a call, in words that aren't in the table."""
    return isinstance(error, BadRequest | Forbidden) and judge(error) is Failure.PASSING


def is_outside(error: TelegramError) -> bool:
    """Whether an error says that the bot is no longer in a group, or that the group no longer exists."""
    return isinstance(error, Forbidden) and _words_of(error).startswith(_OUTSIDE)


def is_blocked(error: TelegramError) -> bool:
    """Whether an error says that a person has blocked the bot, or that their account is deleted."""
    return isinstance(error, Forbidden) and _words_of(error).startswith(_BLOCKED)


def is_unauthorized(error: TelegramError) -> bool:
    """Whether the bot's token is not accepted: it was revoked, or a proxy wants a password."""
    if isinstance(error, Foreign):
        return error.status == HTTPStatus.UNAUTHORIZED
    return isinstance(error, InvalidToken) and _words_of(error).startswith("unauthorized")


def was_refused(error: TelegramError) -> bool:
    """Whether a failed call surely had no effect, so that making it again can't send anything twice."""
    if isinstance(error, Foreign):
        return HTTPStatus.MULTIPLE_CHOICES <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, NotSent | BadRequest | Forbidden | InvalidToken | Conflict)


def was_answered(error: TelegramError) -> bool:
    """Whether a failed call had any answer, instead of none or a broken connection."""
    return not isinstance(error, TimedOut | Unanswered | NotSent)


def pause(error: TelegramError) -> float:
    """For how many seconds the chat takes nothing after `Failure.SLOW_DOWN`."""
    if not isinstance(error, RetryAfter):
        return 0
    after = error.retry_after
    return after.total_seconds() if isinstance(after, timedelta) else float(after)


def _status_of(error: TelegramError) -> int:
    """The HTTP status by which python-telegram-bot has chosen the class; 0 for those that are never final."""
    if isinstance(error, Forbidden):
        return HTTPStatus.FORBIDDEN
    return HTTPStatus.BAD_REQUEST if isinstance(error, BadRequest) else 0


def _words_of(error: TelegramError) -> str:
    """The description in lower case, without its class, which python-telegram-bot leaves there or not."""
    return error.message.lower().removeprefix("bad request: ").removeprefix("forbidden: ")
