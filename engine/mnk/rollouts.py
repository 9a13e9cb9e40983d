"""What replies look like to somebody who values them by random games, as Monte Carlo tree search does.

Thousands of random games are played at once: in the integer of a cell and a side every game has one bit, which
says whether that side takes the cell, and a line is complete in the games whose bits its cells share.
"""

from __future__ import annotations

from functools import lru_cache
from math import log, sqrt
from operator import mul
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.bits import Board
    from engine.mnk.budget import Budget

_GAMES = 128
"""How many games begin with each pair of a reply and its answer."""
_STAGES = 6, 11
"""After so many plies, and at the end, it is looked who has a line; who had one first has won."""
_VISITS = 400
"""How many times the search in mind comes to every reply,"""
_CURIOSITY = 2.0
"""and how curious it is about answers that look worse: the constant of its upper confidence bounds."""
_FEWEST = 5
"""Where fewer cells are empty, random games tell nothing that tree search does not see by itself."""
_STEPS = 3
"""Of Newton's method, which find the bound."""
_NODES = 150
"""What the valuation of a position's replies takes is about what so many nodes of a search take."""


class _Games(NamedTuple):
    """Random games on a number of empty cells, which are filled one after the other.

    The block of the games that begin with the empty cells number i and j lies at place i * (that number) + j.
    """

    stages: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """By the plies played: the games in which the side that begins has each cell, and those of the other side."""
    blocks: tuple[int, ...]
    """For each reply the games that begin with it, but for those in which its answer is the same cell."""
    games: int
    """All games."""


class RollOuts:
    """Values replies on one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        lines = [board.cell_at[first : first + board.k] for first in range(1, len(board.cell_at) - board.k + 1)]
        self._lines = [(cells, _marks(cells)) for cells in lines if min(cells) >= 0]

    def values(self, own: int, other: int, budget: Budget) -> dict[int, float]:
        """For each cell of the side to move what tree search makes of it, from -1 for a loss to 1.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            budget: Pays for it.

        Raises:
            Spent: The budget does not suffice.
        """
        for _ in range(_NODES):
            budget.spend()
        board = self._board
        cells = board.cells_of(board.full ^ own ^ other)
        if len(cells) < _FEWEST:
            return dict.fromkeys(cells, 0.0)
        mine, theirs = _marks(board.cells_of(own)), _marks(board.cells_of(other))
        if ends := self._gaps(mine, theirs):
            return {cell: float(ends >> cell & 1) for cell in cells}
        if forced := self._gaps(theirs, mine):
            return {cell: 0.0 if forced == 1 << cell else -1.0 for cell in cells}
        values = {}
        for cell, answers in zip(cells, self._after(mine, theirs, cells), strict=True):
            visits = _visits(answers)
            values[cell] = -sum(map(mul, visits, answers)) / sum(visits)
        return values

    def _after(self, own: int, other: int, cells: list[int]) -> list[list[float]]:
        """For each reply what the answers to it that make sense are worth for the side that answers."""
        count = len(cells)
        pairs = _difference(*self._play(own, other, cells), count)
        threats = {j: self._gaps(other | 1 << answer, own) for j, answer in enumerate(cells)}
        parried: dict[tuple[int, int], dict[int, float]] = {}
        found = []
        for i, reply in enumerate(cells):
            row = [-worth for worth in pairs[i * count : (i + 1) * count]]
            for j, gaps in threats.items():
                rest = gaps & ~(1 << reply)
                if i == j or not rest:
                    continue
                if rest & rest - 1:
                    row[j] = 1.0
                    continue
                if (j, rest) not in parried:
                    parried[j, rest] = self._with_each(own | rest, other | 1 << cells[j])
                row[j] = -parried[j, rest][reply]
            must = self._gaps(own | 1 << reply, other)
            if must & must - 1:
                row = [-1.0]
            elif must:
                row = [row[cells.index(must.bit_length() - 1)]]
            else:
                del row[i]
            found.append(row)
        return found

    def _with_each(self, own: int, other: int) -> dict[int, float]:
        """What each cell is worth for the side to move where all goes on at random."""
        cells = [cell for cell in range(self._board.cells) if not (own | other) >> cell & 1]
        wins, losses = self._play(own, other, cells)
        return {
            cell: ((wins & block).bit_count() - (losses & block).bit_count()) / block.bit_count()
            for cell, block in zip(cells, _games(len(cells)).blocks, strict=True)
        }

    def _play(self, own: int, other: int, cells: list[int]) -> tuple[int, int]:
        """The random games in which the side to move wins, and those in which the other one does."""
        games = _games(len(cells))
        place = {cell: number for number, cell in enumerate(cells)}
        open_lines = [
            [[place[cell] for cell in line if cell in place] for line, marks in self._lines if not marks & against]
            for against in (other, own)
        ]
        going_on, won = games.games, [0, 0]
        for stage in games.stages:
            new = [0, 0]
            for side, lines in enumerate(open_lines):
                has = stage[side]
                for first, *rest in lines:
                    complete = has[first]
                    for number in rest:
                        complete &= has[number]
                    new[side] |= complete
            won[0] |= new[0] & going_on
            won[1] |= new[1] & going_on
            going_on &= ~(new[0] | new[1])
        return won[0], won[1]

    def _gaps(self, own: int, other: int) -> int:
        """The cells, as bits, that complete a line."""
        almost = self._board.k - 1
        gaps = 0
        for _, marks in self._lines:
            if not marks & other and (marks & own).bit_count() == almost:
                gaps |= marks & ~own
        return gaps


def _marks(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)


def _difference(wins: int, losses: int, count: int) -> list[float]:
    """The share of wins less that of losses, block by block."""
    step = _GAMES // 8
    size = count * count * step
    one, two = wins.to_bytes(size, "little"), losses.to_bytes(size, "little")
    return [
        (_number(one[start : start + step]).bit_count() - _number(two[start : start + step]).bit_count()) / _GAMES
        for start in range(0, size, step)
    ]


def _visits(values: Sequence[float]) -> list[float]:
    """How often upper confidence bounds lead to each of some values.

    Cells are visited until all bounds, value + curiosity * sqrt(log(visits of all) / visits), are the same.
    """
    scale = _CURIOSITY * sqrt(log(_VISITS))
    unit = scale / sqrt(_VISITS)
    bound = max(values) + unit
    for _ in range(_STEPS):
        inverse = [1 / (bound - value) for value in values]
        squares = sum([each**2 for each in inverse])
        cubes = sum([each**3 for each in inverse])
        bound += (unit - squares**-0.5) / (cubes * squares**-1.5)
    return [(scale / (bound - value)) ** 2 for value in values]


@lru_cache(maxsize=32)
def _games(count: int) -> _Games:
    """The random games on so many empty cells, always the same."""
    rng = Random(count)  # noqa: S311 - no secret
    # By game: whether a cell comes at some place of the order, and before another cell.
    at, before = ([[0] * count for _ in range(count)] for _ in range(2))
    for game in range(_GAMES):
        order = rng.sample(range(count), count)
        for place, cell in enumerate(order):
            at[cell][place] |= 1 << game
            for later in order[place + 1 :]:
                before[cell][later] |= 1 << game
    none, each = _block(0), _block((1 << _GAMES) - 1)
    everything = _number(each * count * count)
    replies = [_number(none * count * i + each * count + none * count * (count - 1 - i)) for i in range(count)]
    answers = [_number((none * j + each + none * (count - 1 - j)) * count) for j in range(count)]
    ends = [*(end for end in _STAGES if end < count), count]
    stages: list[tuple[list[int], list[int]]] = [([], []) for _ in ends]
    for cell in range(count):
        # The order goes on after two plies: cells behind these two in it come one or two places earlier.
        one = _number(b"".join(_block(before[i][cell]) * count for i in range(count)))
        two = _number(b"".join(_block(before[j][cell]) for j in range(count)) * count)
        is_odd = one ^ two ^ _number(_block(sum(at[cell][1::2])) * count * count)
        others = everything & ~(replies[cell] | answers[cell])
        for end, (first, second) in zip(ends, stages, strict=True):
            early, next_to, behind = (
                _number(_block(sum(at[cell][: end - 2 + more])) * count * count) for more in range(3)
            )
            played = others & (early | next_to & (one | two) | behind & one & two)
            first.append(played & ~is_odd | replies[cell])
            second.append(played & is_odd | answers[cell])
    blocks = tuple(reply & ~answer for reply, answer in zip(replies, answers, strict=True))
    return _Games(tuple((tuple(first), tuple(second)) for first, second in stages), blocks, everything)


def _block(games: int) -> bytes:
    return games.to_bytes(_GAMES // 8, "little")


def _number(blocks: bytes) -> int:
    return int.from_bytes(blocks, "little")
