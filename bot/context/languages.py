"""The languages that people have chosen, which take precedence over Telegram's: few, and all kept in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.people import chats

if TYPE_CHECKING:
    from telegram import User

    from storage.store import Store

AGAIN_SECONDS: Final = 60.0
"""How often they are read again: another process may have heard of a choice."""


class Languages:
    """What was chosen, by person."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._chosen: dict[int, str] = {}

    def of(self, user: User) -> str | None:
        """The language to speak to somebody: the one that they have chosen, else Telegram's."""
        return self._chosen.get(user.id) or user.language_code

    def choose(self, person: int, language: str | None) -> None:
        """Note a choice; None is Telegram's language again."""
        if language is None:
            self._chosen.pop(person, None)
        else:
            self._chosen[person] = language

    async def read(self, store: Store) -> bool:
        """Read all choices; False, as there is nothing more to read at once.

        Raises:
            StorageError: if the database cannot be used.
        """
        self._chosen = dict(await store.read(chats.languages))
        return False
