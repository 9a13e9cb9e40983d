"""Remembers in memory who has recently used inline mode, as nobody is stored before they start something."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bot.game.attempt import Player

REMEMBERED: Final = 4096


class RecentPeople:
    """The last people who used inline mode, so that the message they pick has their name, whoever taps it."""

    def __init__(self) -> None:
        """Nobody yet."""
        self._people: OrderedDict[int, Player] = OrderedDict()

    def learn(self, player: Player) -> None:
        """Remember a person for a while."""
        self._people[player.id] = player
        self._people.move_to_end(player.id)
        if len(self._people) > REMEMBERED:
            self._people.popitem(last=False)

    def find(self, person: int) -> Player | None:
        """A person who has recently used inline mode."""
        return self._people.get(person)

    def forget(self, person: int) -> None:
        """Forget a person."""
        self._people.pop(person, None)
