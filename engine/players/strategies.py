"""The classic strategies for 3 by 3, by name. Those that look ahead choose the first of equally good cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.errors import NoMoveToChoose
from engine.players.reasons import Reason
from engine.players.strategy import Perfect, Strategy
from engine.rules.base import Position, Rules
from engine.rules.geometry import THREE_BY_THREE, fills_one
from engine.rules.mnk import CLASSIC, MnkPosition
from engine.search.solved import table

_CENTRE = 4
_EDGES = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7
_OPPOSITE_CORNERS = (1 << 0 | 1 << 8, 1 << 2 | 1 << 6)
_COLUMN_BY_COLUMN = (0, 3, 6, 1, 4, 7, 2, 5, 8)
_PREFERENCE_OF_X = (0, 8, 2, 6, 4, 1, 3, 5, 7)
_PREFERENCE_OF_O = (4, 0, 8, 2, 6, 1, 3, 5, 7)


class Rule(NamedTuple):
    """The rule that applies to a position: the cell it plays, and why."""

    cell: int
    reason: Reason


def first_rule(position: MnkPosition) -> Rule:
    """The first rule that applies to a position on 3 by 3 that is not over."""
    own, other = position.sides
    free = THREE_BY_THREE.full & ~(own | other)
    opening = _opening(position.ply, other)
    if opening is not None and free >> opening & 1:
        return Rule(opening, Reason.OPENING)
    scanned = [cell for cell in _COLUMN_BY_COLUMN if free >> cell & 1]
    for cell in scanned:
        if _completes(cell, own):
            return Rule(cell, Reason.WIN)
    for cell in scanned:
        if _completes(cell, other):
            return Rule(cell, Reason.BLOCK)
    for cell in scanned:
        if _forks(cell, own, other):
            return Rule(cell, Reason.FORK)
    preference = _PREFERENCE_OF_O if position.ply % 2 else _PREFERENCE_OF_X
    return Rule(next(cell for cell in preference if free >> cell & 1), Reason.PREFERENCE)


def _opening(ply: int, other: int) -> int | None:
    """The cell for X's second ply against an edge, or for O's against two opposite corners."""
    if ply == 2 and other & _EDGES:
        return _CENTRE
    if ply == 3 and other in _OPPOSITE_CORNERS:
        return 1
    return None


def _completes(cell: int, marks: int) -> bool:
    return fills_one(marks | 1 << cell, THREE_BY_THREE.lines_through[cell])


def _forks(cell: int, own: int, other: int) -> bool:
    """Whether two or more lines through the empty cell hold one own mark and two empty cells."""
    masks = THREE_BY_THREE.lines_through[cell]
    return sum(not other & mask and (own & mask).bit_count() == 1 for mask in masks) > 1


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


class ClassicStrategy(Strategy):
    """A strategy that only plays on 3 by 3.

    `find` gives the cells that it may choose, in ascending order, in a position that isn't over.
    """

    __slots__ = ("_find",)

    def __init__(self, name: str, find: Callable[[MnkPosition], tuple[int, ...]]) -> None:
        super().__init__(name)
        self._find = find

    def plays(self, rules: Rules) -> bool:
        return rules is CLASSIC

    def candidates(self, position: Position) -> tuple[int, ...]:
        return self._find(_on_classic(position, self.name))


def _on_classic(position: Position, name: str) -> MnkPosition:
    """The same position, if a strategy of this name can play it."""
    if position.outcome is not None:
        raise NoMoveToChoose("The game is over, so there is no move to choose.")
    if position.rules is not CLASSIC or not isinstance(position, MnkPosition):
        raise NoMoveToChoose(f"{name} plays {CLASSIC}, not {position.rules}.")
    return position


def _named(*strategies: Strategy) -> Mapping[str, Strategy]:
    return MappingProxyType({strategy.name: strategy for strategy in strategies})


STRATEGIES: Final = _named(
    Strategy("random"),
    ClassicStrategy("blocker", first_safe),
    ClassicStrategy("open-lines", best_by_open_lines),
    ClassicStrategy("tempo", best_by_tempo),
    ClassicStrategy("rules", lambda position: (first_rule(position).cell,)),
    ClassicStrategy("alpha-beta", lambda position: table(CLASSIC).keeping(position)[:1]),
    ClassicStrategy("minimax", lambda position: table(CLASSIC).keeping(position)),
    Perfect(CLASSIC),
)
"""All strategies by name."""
