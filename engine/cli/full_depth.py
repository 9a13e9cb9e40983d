"""Minimax and alpha-beta to the end of the game, with the number of nodes that they take, for the audit.

A position is worth 1 if it is won, 0 if it is drawn and -1 if it is lost, for the side to move.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules.geometry import fills_one
from engine.rules.mnk import MnkPosition, MnkRules
from engine.rules.symmetry import packed_images, symmetries

CENTRE_CORNERS_EDGES = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""The cells of 3 by 3 by the number of their lines, an order that lets alpha-beta cut early."""

_BOUND = 2
"""Beyond every evaluation."""


class FullDepth:
    """Searches on one board that share a table. They follow every game to its end, so the board should be small.

    Args:
        rules: The rules of that board.
        order: All cells in the order in which they are tried; reading order by default.
        table: Whether transpositions are looked up instead of being searched again.
        symmetric: Whether, with the table, turned and reflected positions are looked up too.
    """

    nodes: int
    """The calls of the search so far. Roots and finished positions count, positions found in the table don't."""

    def __init__(
        self,
        rules: MnkRules,
        *,
        order: Iterable[int] | None = None,
        table: bool = False,
        symmetric: bool = False,
    ) -> None:
        geometry = rules.geometry
        self.nodes = 0
        # What a line is worth to the side to move, which has not made it.
        self._line = 1 if rules.misere else -1
        self._full = geometry.full
        cells = range(geometry.cells) if order is None else order
        self._cells = [(1 << cell, geometry.lines_through[cell]) for cell in cells]
        # The lowest and the highest evaluation that a position can have, for own and other.
        self._table: dict[tuple[int, int], tuple[int, int]] | None = {} if table else None
        self._images_of = packed_images(geometry, geometry.cells) if symmetric else ()
        self._lanes = [lane * geometry.cells for lane in range(len(symmetries(geometry.m, geometry.n)))]

    def minimax(self, position: MnkPosition) -> int:
        """The evaluation, by looking at every continuation."""
        return self._minimax(*position.sides, line=_has_line(position))

    def alpha_beta(self, position: MnkPosition) -> int:
        """The evaluation, without the continuations that cannot change it.

        Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975); with a table it holds bounds.
        """
        return self._alpha_beta(*position.sides, -_BOUND, _BOUND, line=_has_line(position))

    def _minimax(self, own: int, other: int, *, line: bool) -> int:
        if self._table is not None and (bounds := self._table.get((own, other))):
            return bounds[0]
        self.nodes += 1
        if line or own | other == self._full:
            value = self._line if line else 0
        else:
            value = -_BOUND
            for bit, masks in self._cells:
                if not (own | other) & bit:
                    reply = self._minimax(other, own | bit, line=fills_one(own | bit, masks))
                    value = max(value, -reply)
        self._remember(own, other, value, value)
        return value

    def _alpha_beta(self, own: int, other: int, alpha: int, beta: int, *, line: bool) -> int:
        if self._table is not None and (bounds := self._table.get((own, other))):
            low, high = bounds
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            alpha, beta = max(alpha, low), min(beta, high)
        self.nodes += 1
        if line or own | other == self._full:
            value = self._line if line else 0
            self._remember(own, other, value, value)
            return value
        value = alpha
        for bit, masks in self._cells:
            if not (own | other) & bit:
                reply = self._alpha_beta(other, own | bit, -beta, -value, line=fills_one(own | bit, masks))
                value = max(value, -reply)
                if value >= beta:
                    value = beta
                    break
        self._remember(own, other, value if value > alpha else -_BOUND, value if value < beta else _BOUND)
        return value

    def _remember(self, own: int, other: int, low: int, high: int) -> None:
        if self._table is None:
            return
        if not self._images_of:
            self._table[own, other] = low, high
            return
        own_images, other_images = self._images(own), self._images(other)
        for lane in self._lanes:
            self._table[own_images >> lane & self._full, other_images >> lane & self._full] = low, high

    def _images(self, marks: int) -> int:
        images = 0
        while marks:
            images |= self._images_of[(marks & -marks).bit_length() - 1]
            marks &= marks - 1
        return images


def _has_line(position: MnkPosition) -> bool:
    return position.outcome is not None and not position.outcome.is_draw
