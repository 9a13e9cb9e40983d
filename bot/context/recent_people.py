"""Remembers in memory who has recently used inline mode, as nobody is stored before they start something."""

from __future__ import annotations

from typing import Final

from bot.game.attempt import Player
from bot.recent import Recent

REMEMBERED: Final = 4096


class RecentPeople:
    """The last people who used inline mode, so that the message they pick has their name, whoever taps it."""

    def __init__(self) -> None:
        """Nobody yet."""
        self._people: Recent[int, Player] = Recent(REMEMBERED)

    def learn(self, player: Player) -> None:
        """Remember a person for a while."""
        self._people[player.id] = player

    def find(self, person: int) -> Player | None:
        """A person who has recently used inline mode."""
        return self._people.get(person)

    def forget(self, person: int) -> None:
        """Forget a person."""
        self._people.pop(person, None)
