"""The classic strategies on 3 by 3 that look a few plies ahead; ties go to the first cell."""

from __future__ import annotations

from engine.evaluation import ONE_PLY_AHEAD, TO_MOVE, has_line, open_lines, tempo
from engine.geometry import CLASSIC

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.position import Position


def best_by_open_lines(position: Position) -> int:
    """Two plies of minimax over the open lines; a won position is a leaf.

    Source: Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), with values for a win.
    """

    def value(own: int, other: int) -> int:
        if has_line(own):
            return open_lines(own, other)
        return min(
            (open_lines(own, other | reply) for reply in _free(own | other)), default=open_lines(own, other)
        )

    return _first_best(position, value)


def best_by_tempo(position: Position) -> int:
    """Two plies of minimax over the tempo evaluation; a reply is played and scored even after a win."""

    def value(own: int, other: int) -> int:
        replies = [tempo(own, other | reply, ONE_PLY_AHEAD) for reply in _free(own | other)]
        return min(replies, default=tempo(own, other, ONE_PLY_AHEAD))

    return _first_best(position, value)


def best_by_mended_tempo(position: Position, depth: int) -> int:
    """A search over the tempo evaluation, `depth` plies deep, whose leaves are also won and full boards."""
    known: dict[tuple[int, int], int] = {}

    def value(own: int, other: int, plies: int, *, moving: bool) -> int:
        if (own, other) in known:
            return known[own, other]
        if not plies or own | other == CLASSIC.full or has_line(own) or has_line(other):
            found = tempo(own, other, TO_MOVE if moving else ONE_PLY_AHEAD)
        elif moving:
            found = max(value(own | bit, other, plies - 1, moving=False) for bit in _free(own | other))
        else:
            found = min(value(own, other | bit, plies - 1, moving=True) for bit in _free(own | other))
        known[own, other] = found
        return found

    return _first_best(position, lambda own, other: value(own, other, depth - 1, moving=False))


def first_safe(position: Position) -> int:
    """One ply: a cell that wins at once, else one after which other cannot, else the first."""
    own, other = position.sides
    free = _free(own | other)
    for bit in free:
        if has_line(own | bit):
            return _cell(bit)
    for bit in free:
        if not any(has_line(other | reply) for reply in free if reply != bit):
            return _cell(bit)
    return _cell(free[0])


def _first_best(position: Position, value: Callable[[int, int], int]) -> int:
    """The first cell after which own and other are worth most to own."""
    own, other = position.sides
    return _cell(max(_free(own | other), key=lambda bit: value(own | bit, other)))


def _free(taken: int) -> list[int]:
    """The empty cells' bits, ascending."""
    return [1 << cell for cell in range(CLASSIC.cells) if not taken >> cell & 1]


def _cell(bit: int) -> int:
    return bit.bit_length() - 1
