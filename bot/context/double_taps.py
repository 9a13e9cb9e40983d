"""Ignores the second tap of a double tap, if the first one has put another board under the finger.

Where a keyboard shows one region of several, every move, and every region that is opened, puts other cells in the
same place. Telegram sends the data of whatever button the client shows at that moment, so the second of two quick
taps may name a cell nobody has looked at. Systems treat two taps within 0.3 s (Android) to 0.5 s (Windows) as one
gesture, and nobody can choose a cell that fast: the change has to reach the client, be seen, and the tap has to
come back.

It is only in memory: with several processes, a second tap that reaches another one counts. Rows have whole
seconds, which would miss half of these taps or stop intended ones, and a time in the buttons would make a board
depend on more than its rows, so that showing it again would change it.
"""

from __future__ import annotations

from typing import Final

from bot.recent import Recent

DOUBLE_SECONDS: Final = 0.5
"""Two taps that come in within this many seconds are one gesture."""
REMEMBERED: Final = 1024
"""The most games whose last tap is remembered."""


class DoubleTaps:
    """By game, the person who last changed what it shows, and when their tap came in."""

    def __init__(self) -> None:
        """Nobody yet."""
        self._last: Recent[int, tuple[int, float]] = Recent(REMEMBERED)

    def note(self, game_id: int, person: int, arrived: float | None) -> None:
        """Remember when a tap came in that has put something else under the finger; None if it was no tap."""
        if arrived is None:
            return
        self._last[game_id] = person, arrived

    def is_second(self, game_id: int, person: int, arrived: float | None) -> bool:
        """Whether a tap follows one of the same person's too soon to mean what is there now."""
        who, before = self._last.get(game_id, (None, 0.0))
        return arrived is not None and who == person and arrived - before < DOUBLE_SECONDS
