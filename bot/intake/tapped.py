"""Reads a tap once into a value: who, where, on which message, and when.

Telegram sends the whole message with every tap. Parsing it would try a hundred fields and build a button object
per cell, which costs more than the rest of a tap. Its text and keyboard are the bot's own anyway, so the payload
is stripped before it is parsed; what is needed travels in `CallbackQuery.api_kwargs`, where python-telegram-bot
keeps fields it doesn't know.
"""

from __future__ import annotations

import time
from typing import Any, Final

from telegram import CallbackQuery

from bot.boards.buttons import game_of
from bot.delivery.callback_answers import Reply
from bot.game.attempt import Where

FIELD: Final = "where"
ARRIVED: Final = "arrived"
REPLY: Final = "reply"
"""The names in `api_kwargs` of what is kept of a tap."""


def strip_payload(update: Any) -> None:  # noqa: ANN401 - anything may arrive
    """Replace the tapped message of an update, in place, by a `Where`; leave alone what has another form."""
    match update:
        case {
            "callback_query": {"message": {"chat": {"id": int(chat_id)}, "message_id": int(message_id), **rest}}
        }:
            query = update["callback_query"]
            del query["message"]
            query[ARRIVED] = time.perf_counter()
            first = _first_of(rest)
            query[FIELD] = Where(chat_id, _thread_of(rest), message_id, first=first, shows=game_of(first))
        case {"callback_query": {"inline_message_id": str(inline_message_id)}}:
            query = update["callback_query"]
            query[ARRIVED] = time.perf_counter()
            query[FIELD] = Where(inline_message_id=inline_message_id)


def where_of(query: CallbackQuery) -> Where | None:
    """Where a tap comes from; None if Telegram doesn't say."""
    found = query.api_kwargs.get(FIELD)
    return found if isinstance(found, Where) else None


def arrival_of(query: CallbackQuery) -> float:
    """When a tap came in, by `time.perf_counter`."""
    arrived = query.api_kwargs.get(ARRIVED)
    return arrived if isinstance(arrived, float) else time.perf_counter()


def reply_of(query: CallbackQuery) -> Reply | None:
    """The room for an answer in the response to the webhook request of a tap; None if there is none."""
    found = query.api_kwargs.get(REPLY)
    return found if isinstance(found, Reply) else None


def _first_of(message: dict[Any, Any]) -> str | None:
    match message:
        case {"reply_markup": {"inline_keyboard": [[{"callback_data": str(data)}, *_], *_]}}:
            return data
    return None


def _thread_of(message: dict[Any, Any]) -> int | None:
    match message:
        case {"is_topic_message": True, "message_thread_id": int(found)}:
            return found
    return None
