"""A naive oracle: boards as lists of cells, lines by walking, values by trying all games."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st

from engine.search.mnk.bits import Board, board

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))


class Rules(NamedTuple):
    """A board, and whether a line loses."""

    m: int
    n: int
    k: int
    misere: bool = False

    @property
    def board(self) -> Board:
        """The bits of this board."""
        return board(self.m, self.n, self.k)


@cache
def lines(rules: Rules) -> tuple[frozenset[int], ...]:
    """All lines, each as its cells."""
    found = []
    for row in range(rules.n):
        for column in range(rules.m):
            for right, down in DIRECTIONS:
                cells = [(row + step * down, column + step * right) for step in range(rules.k)]
                if all(0 <= y < rules.n and 0 <= x < rules.m for y, x in cells):
                    found.append(frozenset(y * rules.m + x for y, x in cells))
    return tuple(found)


def has_line(rules: Rules, marks: frozenset[int]) -> bool:
    """Whether these marks fill a line."""
    return any(line <= marks for line in lines(rules))


def free(rules: Rules, own: frozenset[int], other: frozenset[int]) -> list[int]:
    """The empty cells."""
    return [cell for cell in range(rules.m * rules.n) if cell not in own | other]


@cache
def value(rules: Rules, own: frozenset[int], other: frozenset[int]) -> tuple[int, int]:
    """1, 0 or -1 for the side to move, and the plies to the end if the winner hurries and the loser delays."""
    best = (-2, 0)
    for cell in free(rules, own, other):
        after = own | {cell}
        if has_line(rules, after):
            found = (-1 if rules.misere else 1, 1)
        else:
            reply, plies = value(rules, other, after)
            found = (-reply, plies + 1)
        best = max(best, found, key=urgency)
    return best if best[0] > -2 else (0, 0)


def urgency(found: tuple[int, int]) -> tuple[int, int]:
    """What the side to move prefers: to win soon; if it can't, to lose late."""
    result, plies = found
    return result, -result * plies


def bits(rules: Rules, own: frozenset[int], other: frozenset[int]) -> tuple[int, int]:
    """A position in the engine's form."""
    return rules.board.marks(own), rules.board.marks(other)


@st.composite
def positions(draw: st.DrawFn, rules: Rules, least: int) -> tuple[frozenset[int], frozenset[int]]:
    """A position that isn't over, with at least this many marks; the side to move comes first."""
    cells = draw(st.permutations(range(rules.m * rules.n)))
    own: frozenset[int] = frozenset()
    other: frozenset[int] = frozenset()
    for cell in cells[: draw(st.integers(least, len(cells) - 1))]:
        if has_line(rules, own | {cell}):
            break
        own, other = other, own | {cell}
    return own, other
