"""Strategies that look a few plies ahead: three classic ones for 3 by 3, and others for any rules.

Of equally good cells the classic ones choose the first, the others any.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import Final

from engine.errors import NoMoveToChoose
from engine.players.strategy import Strategy
from engine.rules.base import Position, Rules
from engine.rules.geometry import THREE_BY_THREE, fills_one
from engine.rules.mnk import MnkPosition
from engine.search.exact import exact
from engine.search.values import Value

# Two classic evaluations of a 3 by 3 board for `own` against `other`, given as bitmasks

_OWN, _OTHERS = (0, 100, 1_000, 999_999), (0, -100, -10_000, -99_999)
"""The weights of a line by the number of its marks, with other to move."""


def has_line(marks: int) -> bool:
    """Whether these marks fill a line."""
    return fills_one(marks, THREE_BY_THREE.masks)


def open_lines(own: int, other: int) -> int:
    """60 for a win, -20 for a loss, else the lines without a mark of other minus those without a mark of own."""
    if has_line(own):
        return 60
    if has_line(other):
        return -20
    return sum((not other & mask) - (not own & mask) for mask in THREE_BY_THREE.masks)


def tempo(own: int, other: int) -> int:
    """The sum of the weights of all lines that have marks of one side only."""
    value = 0
    for mask in THREE_BY_THREE.masks:
        if not other & mask:
            value += _OWN[(own & mask).bit_count()]
        elif not own & mask:
            value += _OTHERS[(other & mask).bit_count()]
    return value


# The classic strategies


def best_by_open_lines(position: MnkPosition) -> tuple[int, ...]:
    """Two plies of minimax over `open_lines`; a won position is a leaf.

    Source: Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), with values for a win.
    """

    def value(own: int, other: int) -> int:
        replies = [] if has_line(own) else free_bits(own | other)
        return min([open_lines(own, other | reply) for reply in replies], default=open_lines(own, other))

    return first_best(position, value)


def best_by_tempo(position: MnkPosition) -> tuple[int, ...]:
    """Two plies of minimax over `tempo`; a reply is played and scored even after a win."""

    def value(own: int, other: int) -> int:
        replies = [tempo(own, other | reply) for reply in free_bits(own | other)]
        return min(replies, default=tempo(own, other))

    return first_best(position, value)


def first_safe(position: MnkPosition) -> tuple[int, ...]:
    """One ply: a cell that wins at once, else one after which other can't win at once, else the first."""
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
    """The first cell after which `value`, given own and other as bitmasks, is highest."""
    own, other = position.sides
    return (cell_of(max(free_bits(own | other), key=lambda bit: value(own | bit, other))),)


def free_bits(taken: int) -> list[int]:
    """The bits of the free cells, in ascending order."""
    return [1 << cell for cell in range(THREE_BY_THREE.cells) if not taken >> cell & 1]


def cell_of(bit: int) -> int:
    """The cell that a bit stands for."""
    return bit.bit_length() - 1


class Foresight(Strategy):
    """Plays any of the cells that look best so many plies ahead, where an unfinished game counts as drawn.

    With one ply it sees a win at once, and a line to avoid in misère; with two it sees what other could win next.

    Args:
        plies: How far it looks.
    """

    __slots__ = ("_plies",)

    def __init__(self, plies: int) -> None:
        super().__init__(f"foresight-{plies}")
        self._plies: Final = plies

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that look best, in ascending order.

        Raises:
            NoMoveToChoose: The game is over.
        """
        known: dict[Position, int] = {}
        scores = {
            cell: -_score(position.play(cell), self._plies - 1, known) for cell in super().candidates(position)
        }
        best = max(scores.values())
        return tuple([cell for cell, score in scores.items() if score == best])


class Slipping(Strategy):
    """Plays as one strategy, and every now and then as another.

    Args:
        careful: How it plays.
        careless: How it plays when it slips.
        slips: In how many moves of ten it slips.
    """

    __slots__ = ("_careful", "_careless", "_slips")

    def __init__(self, careful: Strategy, careless: Strategy, slips: int) -> None:
        super().__init__(f"slipping {careful.name}")
        self._careful: Final = careful
        self._careless: Final = careless
        self._slips: Final = slips

    def plays(self, rules: Rules) -> bool:
        """Whether both play these rules."""
        return self._careful.plays(rules) and self._careless.plays(rules)

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose: each as often as it is likely.

        Raises:
            NoMoveToChoose: The game is over, or one of the strategies doesn't play these rules.
        """
        careful, careless = self._careful.candidates(position), self._careless.candidates(position)
        slipping, not_slipping = len(careful) * self._slips, len(careless) * (10 - self._slips)
        shared = gcd(slipping, not_slipping)
        return careless * (slipping // shared) + careful * (not_slipping // shared)


class ByTable(Strategy):
    """Plays as `Foresight` does, but by a table of all positions; to the end, the soonest win or the latest loss.

    Args:
        rules: The rules that it plays.
        plies: How far it looks; None is to the end.
    """

    __slots__ = ("_plies", "_rules")

    def __init__(self, rules: Rules, plies: int | None) -> None:
        super().__init__(f"table-{plies or 'to the end'}")
        self._rules: Final = rules
        self._plies: Final = plies

    def plays(self, rules: Rules) -> bool:
        """Whether these are its rules."""
        return rules is self._rules

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that look best, in ascending order.

        Raises:
            NoMoveToChoose: The game is over, or the rules are others.
        """
        table = exact(self._rules)
        if table is None or position.rules is not self._rules:
            raise NoMoveToChoose(f"{self.name} plays {self._rules}, not {position.rules}.")
        scores = {
            cell: self._score(table.value(position.play(cell)).before(cell))
            for cell in super().candidates(position)
        }
        best = max(scores.values())
        return tuple([cell for cell, score in scores.items() if score == best])

    def _score(self, value: Value) -> float:
        if self._plies is None:
            return value.score
        return 0 if value.plies is None or value.plies > self._plies or value.result is None else value.result


def _score(position: Position, plies: int, known: dict[Position, int]) -> int:
    """1, 0 or -1 for the side to move, so many plies ahead; `known` needs no plies, as the position tells them."""
    if position.outcome is not None:
        winner = position.outcome.winner
        return 0 if winner is None else 1 if winner is position.turn else -1
    if not plies:
        return 0
    score = known.get(position)
    if score is None:
        score = -1
        for cell in position.legal_moves:
            score = max(score, -_score(position.play(cell), plies - 1, known))
            if score == 1:
                break
        known[position] = score
    return score
