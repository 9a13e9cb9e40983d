"""The classic strategies on 3 by 3 that look a few plies ahead; ties go to the first cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation import ONE_PLY_AHEAD, has_line, open_lines, tempo
from engine.geometry import THREE_BY_THREE

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.mnk_rules import MnkPosition


def best_by_open_lines(position: MnkPosition) -> tuple[int, ...]:
    """Two plies of minimax over the open lines; a won position is a leaf.

    Source: Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), with values for a win.
    """

    def value(own: int, other: int) -> int:
        replies = [] if has_line(own) else free_bits(own | other)
        return min([open_lines(own, other | reply) for reply in replies], default=open_lines(own, other))

    return first_best(position, value)


def best_by_tempo(position: MnkPosition) -> tuple[int, ...]:
    """Two plies of minimax over the tempo evaluation; a reply is played and scored even after a win."""

    def value(own: int, other: int) -> int:
        replies = [tempo(own, other | reply, ONE_PLY_AHEAD) for reply in free_bits(own | other)]
        return min(replies, default=tempo(own, other, ONE_PLY_AHEAD))

    return first_best(position, value)


def first_safe(position: MnkPosition) -> tuple[int, ...]:
    """One ply: a cell that wins at once, else one after which other cannot, else the first."""
    own, other = position.sides
    free = free_bits(own | other)
    for bit in free:
        if has_line(own | bit):
            return (cell_of(bit),)
    for bit in free:
        if not any(has_line(other | reply) for reply in free if reply != bit):
            return (cell_of(bit),)
    return (cell_of(free[0]),)


def first_best(position: MnkPosition, value: Callable[[int, int], int]) -> tuple[int, ...]:
    """The first cell after which own and other, as bitmasks, are worth most to own."""
    own, other = position.sides
    return (cell_of(max(free_bits(own | other), key=lambda bit: value(own | bit, other))),)


def free_bits(taken: int) -> list[int]:
    """The bits of the cells that are not taken, ascending."""
    return [1 << cell for cell in range(THREE_BY_THREE.cells) if not taken >> cell & 1]


def cell_of(bit: int) -> int:
    """The cell that a bit stands for."""
    return bit.bit_length() - 1
