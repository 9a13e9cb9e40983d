"""The languages that people and groups have chosen, which override Telegram's; few, so all are in memory."""

from __future__ import annotations

from typing import Final

from telegram import User

from bot.boards.translations import code_of
from storage.people import chats
from storage.store import Store

AGAIN_SECONDS: Final = 60.0
"""How often they are read again, as another process may have stored a choice."""


class Languages:
    """What was chosen, by chat: a person's own is their private chat."""

    def __init__(self, default: str = "en") -> None:
        """Nothing yet; the `default` is for people whose language the bot doesn't speak."""
        self._chosen: dict[int, str] = {}
        self.default = default

    def of(self, user: User | None, chat_id: int | None = None) -> str:
        """The language to speak to somebody in a chat: its choice, their own, Telegram's, or the default."""
        told = None if user is None else self._chosen.get(user.id) or user.language_code
        chosen = self._chosen.get(chat_id or 0) or told
        return chosen if chosen and code_of(chosen) else self.default

    def choose(self, chat_id: int, language: str | None) -> None:
        """Note a choice; None for Telegram's language again."""
        if language is None:
            self._chosen.pop(chat_id, None)
        else:
            self._chosen[chat_id] = language

    async def read(self, store: Store) -> bool:
        """Read all choices; returns False, as there is nothing more to read right away.

        Raises:
            StorageError: if the database cannot be used.
        """
        self._chosen = dict(await store.read(chats.languages))
        return False
