"""How much a side's open lines weigh: what bounds its chances, and orders its cells.

A line with no mark of the other side weighs 2^-(the marks that it misses); weights are counted here in units of
2^-k, so that a line of k own marks would weigh 2^k. Every own mark on a line doubles its weight, and every
mark of the other side takes it away.

Where lines win, a side whose lines weigh less than 1 in all with the other side to move, or less than 1/2 with
itself to move, cannot force one: the other side takes the heaviest cell each time, and the total never grows
(Erdős and Selfridge, On a Combinatorial Game, 1973). Where lines lose, a side whose lines weigh less than 1/2
need never complete one: it takes the lightest cell each time, the other side's next mark takes away at least as
much as that added, and the last ply of a line of weight 1/2 never comes.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.search.mnk.bits import Board

_WIDEST = 2_500


def weight(missing: Iterable[int], half: int) -> int:
    """The weight of lines, given their starts by how many marks they miss, from one up; `half` is 2^(k-1)."""
    total = 0
    for starts in missing:
        total += starts.bit_count() * half
        half >>= 1
    return total


def weights(missing: Iterable[int], half: int, cells: Iterable[int]) -> list[int]:
    """The weight of the lines through each cell, given the starts of all lines through it."""
    cells = list(cells)
    totals = [0] * len(cells)
    for starts in missing:
        if starts:
            totals = list(map(add, totals, [(starts & through).bit_count() * half for through in cells]))
        half >>= 1
    return totals


class Scales:
    """Weighs the lines through cells on one board, where no line misses one mark alone.

    On small boards all weights are counted at once: the starts of lines that weigh 2^i are copied 2^i times
    into one integer.
    """

    def __init__(self, board: Board) -> None:
        self._half = 1 << board.k - 1
        self._through = board.through
        width = board.full.bit_length()
        copies = [1 << board.k - 1 - misses for misses in range(1, board.k)]
        self._is_wide = width * sum(copies) <= _WIDEST
        if not self._is_wide:
            return
        repeat = [sum(1 << width * copy for copy in range(count)) for count in copies]
        self._repeat = [each << width * sum(copies[:place]) for place, each in enumerate(repeat)]
        self._wide = [starts * sum(self._repeat) for starts in board.through]

    def weigh(self, missing: Sequence[int], cells: Iterable[int]) -> list[int]:
        """The weight of the lines through each of these cells, given the starts by how many marks they miss."""
        if not self._is_wide:
            return weights(missing, self._half, [self._through[cell] for cell in cells])
        wide = 0
        for starts, repeat in zip(missing[1:], self._repeat, strict=False):
            wide |= starts * repeat
        lines = self._wide
        return [(wide & lines[cell]).bit_count() for cell in cells]
