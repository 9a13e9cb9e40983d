"""Handles updates of one chat in order, and different chats in parallel."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable

from telegram import Update

from bot.intake.tapped import where_of


def chat_of(update: Update) -> int | str | None:
    """A key for the chat of an update; None if it belongs to no chat, or names none that makes sense."""
    query, choice = update.callback_query, update.chosen_inline_result
    found: object
    if query is not None:
        where = where_of(query)
        found = None if where is None else where.chat_id or where.inline_message_id
    elif choice is not None:
        found = choice.inline_message_id
    else:
        chat = update.effective_chat
        found = None if chat is None else chat.id
    return found if isinstance(found, int | str) else None


class Order:
    """Runs the work of one chat in order, and that of different chats in parallel."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._last: dict[Hashable, asyncio.Task[None]] = {}

    def start(self, chat: Hashable, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Start some work once all earlier work for the same chat is done."""
        before = self._last.get(chat)
        if before is None or chat is None:
            task = asyncio.create_task(work)
        else:
            task = asyncio.create_task(_after(before, work))
        if chat is not None:
            self._last[chat] = task
            task.add_done_callback(lambda done: self._forget(chat, done))
        return task

    def _forget(self, chat: Hashable, task: asyncio.Task[None]) -> None:
        if self._last.get(chat) is task:
            del self._last[chat]


async def _after(before: asyncio.Task[None], work: Coroutine[None, None, None]) -> None:
    await asyncio.wait((before,))
    await work
