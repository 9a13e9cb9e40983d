"""Perfect play on 3 by 3, by the table of `engine.search.exact`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.errors import NoMoveToChoose
from engine.players.strategy import Strategy
from engine.rules.base import Position, Rules
from engine.rules.mnk import MnkPosition, MnkRules
from engine.search.exact import exact_mnk


class Perfect(Strategy):
    """Perfect play on 3 by 3. The first choice computes the table.

    Args:
        rules: The ordinary rules, or misère.
    """

    __slots__ = ("_cells", "_rules")

    def __init__(self, rules: MnkRules) -> None:
        super().__init__("perfect")
        self._rules: Final = rules
        self._cells: Mapping[int, tuple[int, ...]] = {}

    def plays(self, rules: Rules) -> bool:
        """Whether these are its rules."""
        return rules is self._rules

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The best cells, in ascending order.

        Raises:
            NoMoveToChoose: The game is over, or the rules are others.
        """
        if position.rules is self._rules and isinstance(position, MnkPosition):
            return self._cells.get(position.x << 9 | position.o) or self._looked_up(position)
        raise NoMoveToChoose(f"{self.name} plays {self._rules}, not {position.rules}.")

    def _looked_up(self, position: MnkPosition) -> tuple[int, ...]:
        """The best cells, if the table isn't there yet, or has none because the game is over."""
        super().candidates(position)
        self._cells = exact_mnk(self._rules).perfect
        return self._cells[position.x << 9 | position.o]
