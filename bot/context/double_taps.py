"""Ignores the second tap of a double tap, if the first one has put another board under the finger.

Where a keyboard shows one region of several, each move, and each region that is opened, brings other cells to the
same place. Telegram sends what the button carries that the client has at that moment, so the second of two quick
taps may name a cell that nobody has looked at. Systems take two taps within 0.3 s (Android) to 0.5 s (Windows) for
one gesture; nobody can choose a cell so soon: what the first tap has changed has to reach the client, be seen, and
the tap has to come back.

This is kept in memory alone: with several processes a second tap that comes to another one is taken as it is. Rows
have whole seconds, which miss half of these taps or stop those that are meant; and a time that the buttons carry
would make a board more than what its rows say, so that to show one again would change it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

DOUBLE_SECONDS: Final = 0.5
"""Taps that come in so soon after each other are one gesture."""
REMEMBERED: Final = 1024
"""The most games whose last tap is known."""


class DoubleTaps:
    """By game, the person who last changed what it shows, and when their tap came in."""

    def __init__(self) -> None:
        """Nobody yet."""
        self._last: OrderedDict[int, tuple[int, float]] = OrderedDict()

    def note(self, game_id: int, person: int, arrived: float | None) -> None:
        """Remember a tap that has put something else under the finger; None is no tap."""
        if arrived is None:
            return
        self._last[game_id] = person, arrived
        self._last.move_to_end(game_id)
        if len(self._last) > REMEMBERED:
            self._last.popitem(last=False)

    def is_second(self, game_id: int, person: int, arrived: float | None) -> bool:
        """Whether a tap follows such a one of the same person too soon to mean what is there now."""
        who, before = self._last.get(game_id, (None, 0.0))
        return arrived is not None and who == person and arrived - before < DOUBLE_SECONDS
