"""The message that a tap comes from, reduced to what is needed of it.

Telegram sends the whole message with every tap, and parsing it tries a hundred fields and builds a button object a
cell: more than all else that a tap costs. Its text and keyboard are our own, so an incoming tap is made lighter
before it is parsed, and what remains travels in `CallbackQuery.api_kwargs`, where python-telegram-bot keeps fields
that it does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from telegram import CallbackQuery

FIELD: Final = "tapped"


class Tapped(NamedTuple):
    """Where a tapped message is, and what it is."""

    chat_id: int
    message_id: int
    first: str
    """The callback data of its first button: a changed client can send any data from any message."""
    thread_id: int | None = None
    """The forum topic that it stands in."""


def lighten(update: Any) -> None:  # noqa: ANN401 - anything may arrive
    """Replace the tapped message of an update, in place, by a `Tapped`; leave alone what has another form."""
    match update:
        case {
            "callback_query": {"message": {"chat": {"id": int(chat_id)}, "message_id": int(message_id), **rest}}
        }:
            first = ""
            match rest:
                case {"reply_markup": {"inline_keyboard": [[{"callback_data": str(data)}, *_], *_]}}:
                    first = data
            thread_id = None
            match rest:
                case {"is_topic_message": True, "message_thread_id": int(found)}:
                    thread_id = found
            query = update["callback_query"]
            del query["message"]
            query[FIELD] = Tapped(chat_id, message_id, first, thread_id)


def tapped(query: CallbackQuery) -> Tapped | None:
    """The message that a tap comes from; None for a message of inline mode, which the bot cannot see."""
    found = query.api_kwargs.get(FIELD)
    return found if isinstance(found, Tapped) else None
