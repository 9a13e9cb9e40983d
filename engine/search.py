"""Full-depth search for a position's evaluation, with the nodes it took.

An evaluation is 1 for a won position, 0 for a drawn and −1 for a lost one, always for the side to move. A
node is a call of the search: root and finished positions count, what is found in the table does not.
"""

from __future__ import annotations

from engine.symmetry import packed_images
from engine.values import Value

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.position import Position

CENTRE_CORNERS_EDGES = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""The cells of 3 by 3 from the most to the least valuable, an order that lets alpha-beta cut early."""

_BOUND = 2
"""Beyond every evaluation."""


class Analysis(Value):
    """What a search found: the evaluation for the side to move, and the nodes that it took."""

    __slots__ = ("evaluation", "nodes")

    evaluation: int
    nodes: int

    def __init__(self, evaluation: int, nodes: int) -> None:
        object.__setattr__(self, "evaluation", evaluation)
        object.__setattr__(self, "nodes", nodes)


def minimax(position: Position, *, table: bool = False, symmetric: bool = False) -> Analysis:
    """Search every continuation; only on small boards does it end.

    Args:
        position: Where to start.
        table: Look transpositions up instead of searching them again.
        symmetric: With the table, look turns and reflections up too.
    """
    search = _Search(position, table=table, symmetric=symmetric)
    return Analysis(search.minimax(*position.sides, lost=_is_lost(position)), search.nodes)


def alpha_beta(
    position: Position, *, order: Iterable[int] | None = None, table: bool = False, symmetric: bool = False
) -> Analysis:
    """Search all but the continuations that cannot change the evaluation.

    Args:
        position: Where to start.
        order: All cells in the order in which they are tried; reading order by default.
        table: Look transpositions up instead of searching them again.
        symmetric: With the table, look turns and reflections up too.

    Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975), with the bounds that a table needs.
    """
    search = _Search(position, order=order, table=table, symmetric=symmetric)
    evaluation = search.alpha_beta(*position.sides, -_BOUND, _BOUND, lost=_is_lost(position))
    return Analysis(evaluation, search.nodes)


def _is_lost(position: Position) -> bool:
    return position.outcome is not None and not position.outcome.is_draw


class _Search:
    """One search's board, table and count. Sides are bitmasks, the one to move first."""

    def __init__(
        self, position: Position, *, order: Iterable[int] | None = None, table: bool, symmetric: bool
    ) -> None:
        geometry = position.geometry
        self.nodes = 0
        self._full = geometry.full
        self._cells = [(1 << cell, geometry.lines_through[cell]) for cell in order or range(geometry.cells)]
        self._table: dict[tuple[int, int], tuple[int, int]] | None = {} if table else None
        self._packed = packed_images(geometry, geometry.cells) if symmetric else ()
        self._lanes = range(0, (8 if geometry.m == geometry.n else 4) * geometry.cells, geometry.cells)

    def minimax(self, own: int, other: int, *, lost: bool) -> int:
        """The evaluation; `lost` says that other has just completed a line."""
        if self._table is not None and (bounds := self._table.get((own, other))):
            return bounds[0]
        self.nodes += 1
        if lost:
            value = -1
        elif own | other == self._full:
            value = 0
        else:
            value = -_BOUND
            for bit, masks in self._cells:
                if (own | other) & bit:
                    continue
                after = own | bit
                reply = self.minimax(other, after, lost=_completes(after, masks))
                value = max(value, -reply)
        self._remember(own, other, value, value)
        return value

    def alpha_beta(self, own: int, other: int, alpha: int, beta: int, *, lost: bool) -> int:
        """The evaluation where it lies between alpha and beta, else a bound on its side of them."""
        if self._table is not None and (bounds := self._table.get((own, other))):
            low, high = bounds
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            alpha, beta = max(alpha, low), min(beta, high)
        self.nodes += 1
        if lost or own | other == self._full:
            value = -1 if lost else 0
            self._remember(own, other, value, value)
            return value
        value = alpha
        for bit, masks in self._cells:
            if (own | other) & bit:
                continue
            after = own | bit
            reply = self.alpha_beta(other, after, -beta, -value, lost=_completes(after, masks))
            value = max(value, -reply)
            if value >= beta:
                break
        self._remember(own, other, value if value > alpha else -_BOUND, value if value < beta else _BOUND)
        return value

    def _remember(self, own: int, other: int, low: int, high: int) -> None:
        if self._table is None:
            return
        if not self._packed:
            self._table[own, other] = low, high
            return
        own_images, other_images = self._images(own), self._images(other)
        for lane in self._lanes:
            key = own_images >> lane & self._full, other_images >> lane & self._full
            self._table[key] = low, high

    def _images(self, marks: int) -> int:
        images = 0
        while marks:
            images |= self._packed[(marks & -marks).bit_length() - 1]
            marks &= marks - 1
        return images


def _completes(marks: int, masks: Sequence[int]) -> bool:
    """Whether the marks fill one of these lines."""
    for mask in masks:  # noqa: SIM110 - a generator would make the search half as slow again
        if marks & mask == mask:
            return True
    return False
