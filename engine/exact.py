"""Exact values by a table of all positions that follow: for 3 by 3, usual or misère."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.values import Value, value_of_outcome

if TYPE_CHECKING:
    from engine.rules import Position, Rules


class Exact:
    """Looks every continuation up to the end, each position once; keep the board as small as 3 by 3."""

    def __init__(self) -> None:
        self._known: dict[Position, Value] = {}

    def value(self, position: Position) -> Value:
        """The proven value, with the plies to the end and the first of the best lines."""
        known = self._known.get(position)
        if known is None:
            known = value_of_outcome(position) or max(
                self.after_each(position).values(), key=lambda each: each.score
            )
            self._known[position] = known
        return known

    def after_each(self, position: Position) -> dict[int, Value]:
        """For every legal cell the value of playing it, for the side to move."""
        return {cell: self.value(position.play(cell)).before(cell) for cell in position.legal_moves}

    def keeping(self, position: Position) -> tuple[int, ...]:
        """The cells that keep the result, whatever the plies."""
        result = self.value(position).result
        return tuple(cell for cell, value in self.after_each(position).items() if value.result is result)

    def best(self, position: Position) -> tuple[int, ...]:
        """The cells that keep the result and hurry where it is won, delay where it is lost."""
        score = self.value(position).score
        return tuple(cell for cell, value in self.after_each(position).items() if value.score == score)


LARGEST = 9
"""The most cells of a board that `exact` takes."""


@cache
def exact(rules: Rules) -> Exact | None:
    """The table for these rules, which fills as it is asked; None where the board is too big for one."""
    return Exact() if rules.cells <= LARGEST else None
