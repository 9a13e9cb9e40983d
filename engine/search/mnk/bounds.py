"""The weight of a side's open lines, which bounds its chances and orders cells.

A line without a mark of the other side weighs 2^-(the number of marks that it lacks). Here weights are counted in
units of 2^-k, so that a line of k own marks would weigh 2^k. An own mark on a line doubles its weight, and a mark
of the other side removes it.

If a line wins, a side can't force one if its lines weigh less than 1 in all with the other side to move, or less
than 1/2 with itself to move: the other side takes the heaviest cell each time, and the total never grows (Erdős
and Selfridge, On a Combinatorial Game, 1973). In misère, a side whose lines weigh less than 1/2 never has to
complete one: it takes the lightest cell each time, and the next mark of the other side removes at least as much as
that added, so when it is to move no line lacks
only one mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add

from engine.search.mnk.bits import Board

_WIDEST = 2_500


def weight(missing: Iterable[int], half: int) -> int:
    """The weight of lines, given their starts by how many marks they lack, from one up; `half` is 2^(k-1)."""
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
    """Weighs the lines through cells, on one board and if no line lacks only one mark.

    On small boards this takes one operation a cell: the starts of lines that weigh 2^i are copied 2^i times into
    one integer, whose bits on the cell's lines are counted.
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
        """The weight of the lines through each of these cells, given the starts by how many marks they lack."""
        if not self._is_wide:
            return weights(missing, self._half, [self._through[cell] for cell in cells])
        wide = 0
        for starts, repeat in zip(missing[1:], self._repeat, strict=False):
            wide |= starts * repeat
        lines = self._wide
        return [(wide & lines[cell]).bit_count() for cell in cells]
