"""The daily puzzle: a position with exactly one right first move (apart from symmetry), the same for everybody.

The difficulty of a puzzle is measured by its `ways`: in how many ways as many plies as one has to look ahead can
be played on its empty cells. Each day of the week has its own range, so puzzles get harder from Monday to Sunday.

No puzzle comes twice in a year. On the smallest boards all possible puzzles take turns. On others, a position's
text, which symmetric positions share, decides in which of 54 weeks it may come.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache, reduce
from math import perm
from random import Random
from typing import Final, NamedTuple
from zlib import crc32

from engine.rules.mnk import MnkPosition, MnkRules, mnk_rules, symmetries
from engine.search.base import Budget, value_of_outcome
from engine.search.bits import board_of
from engine.search.solve import Solver
from engine.search.solved import solved

WEEKS: Final = 54
"""After how many weeks a position may come again: more than any 366 days touch."""
_MONDAY: Final = 3
"""Day 0, the first of 1970, was a Thursday."""
_FAR: Final = 99
"""More plies than any puzzle has."""
_SEEN: Final = 5
"""How many plies the opponent looks ahead on bigger boards."""


class Goal(StrEnum):
    """What the player has to find."""

    WIN = "win"
    """The quickest win, move by move."""
    DRAW = "draw"
    """The only move that does not lose."""


class Puzzle(NamedTuple):
    """A position in which there is something to find."""

    position: MnkPosition
    goal: Goal
    plies: int
    """How far one has to look ahead: to the end of the win, or of the longest loss after any other move."""

    def after(self, cells: Iterable[int]) -> MnkPosition:
        """The position after these plies."""
        return reduce(MnkPosition.play, cells, self.position)

    @property
    def moves(self) -> int:
        """How many moves it takes to solve it."""
        return (self.plies + 1) // 2 if self.goal is Goal.WIN else 1

    @property
    def ways(self) -> int:
        """In how many ways so many plies can be played on the empty cells."""
        return perm(len(self.position.legal_moves), self.plies)


class Try(NamedTuple):
    """The result of a try."""

    cells: tuple[int, ...]
    """The plies from the puzzle's position on: the tries, and the replies to them."""
    is_right: bool
    is_solved: bool


class _Kind(NamedTuple):
    """The kind of puzzle on a day of the week: rules, goal, plies to a win, number of empty cells, and `ways`."""

    rules: MnkRules
    goal: Goal
    plies: int
    empty: range
    ways: range


_SMALL: Final = (
    _Kind(mnk_rules(3, 3, 3), Goal.WIN, 3, range(4, 9), range(120)),
    _Kind(mnk_rules(3, 3, 3), Goal.DRAW, 0, range(4, 9), range(120)),
    _Kind(mnk_rules(3, 3, 3, misere=True), Goal.DRAW, 0, range(4, 9), range(120)),
)
"""For Mondays. There are so few that they take turns."""
_KINDS: Final = (
    _Kind(mnk_rules(4, 3, 3), Goal.WIN, 3, range(6, 9), range(120, 500)),
    _Kind(mnk_rules(4, 4, 3), Goal.WIN, 3, range(9, 11), range(500, 900)),
    _Kind(mnk_rules(5, 4, 4), Goal.WIN, 3, range(11, 14), range(900, 2000)),
    _Kind(mnk_rules(5, 4, 4), Goal.WIN, 3, range(14, 17), range(2000, 4000)),
    _Kind(mnk_rules(5, 5, 4), Goal.WIN, 3, range(17, 22), range(4000, 9000)),
    _Kind(mnk_rules(5, 5, 4), Goal.WIN, 5, range(14, 19), range(200_000, 2_000_000)),
)
"""From Tuesday to Sunday."""


@lru_cache(maxsize=8)
def puzzle_of(day: int) -> Puzzle:
    """The puzzle of a day, counted from 1 January 1970 in UTC."""
    week, weekday = divmod(day + _MONDAY, 7)
    if not weekday:
        small = _small()
        return small[week % len(small)]
    kind, rng = _KINDS[weekday - 1], Random(day)  # noqa: S311 - nothing is secret
    rules = kind.rules
    solver = _solver(rules)
    while True:
        cells = rng.sample(range(rules.cells), rules.cells - rng.choice(kind.empty))
        position = rules.start()
        for cell in cells:
            position = position.play(cell)
            if position.is_over:
                break
        else:
            is_turn = crc32(_text(position).encode()) % WEEKS == week % WEEKS
            if is_turn and (found := _puzzle(position, kind, solver)) is not None:
                return found


def try_cell(puzzle: Puzzle, cells: Sequence[int], cell: int) -> Try:
    """Try a cell after those that were right. The reply is the best defence, or the one that refutes it."""
    position = puzzle.after(cells)
    solver = _solver(position.rules)
    after, played = position.play(cell), (*cells, cell)
    is_right = cell in _right(position, puzzle.goal, puzzle.plies - len(cells), solver)
    is_solved = is_right and (after.is_over or puzzle.goal is Goal.DRAW)
    if not (is_solved or after.is_over):
        played += (_reply(after, solver),)
    return Try(played, is_right=is_right, is_solved=is_solved)


def lost_in(puzzle: Puzzle, cells: Sequence[int]) -> int | None:
    """In how many moves the opponent wins after a wrong try, the last of these plies; None if that isn't seen."""
    position = puzzle.after(cells)
    result, plies = (0, 0) if position.is_over else _ending(position, _SEEN, _solver(position.rules))
    return (plies + 1) // 2 if result > 0 else None


def solution(puzzle: Puzzle) -> tuple[int, ...]:
    """The right moves, with the best defence against them."""
    solver, found = _solver(puzzle.position.rules), Try((), is_right=True, is_solved=False)
    while not found.is_solved:
        cells = found.cells
        right = _right(puzzle.after(cells), puzzle.goal, puzzle.plies - len(cells), solver)
        found = try_cell(puzzle, cells, right[0])
    return found.cells


@cache
def _small() -> tuple[Puzzle, ...]:
    found = []
    for kind in _SMALL:
        solver = _solver(kind.rules)
        found += [puzzle for each in _positions(kind.rules) if (puzzle := _puzzle(each, kind, solver)) is not None]
    Random(0).shuffle(found)  # noqa: S311 - as above
    return tuple(found)


def _positions(rules: MnkRules) -> Iterator[MnkPosition]:
    """All positions that aren't over, one of each symmetry class."""
    layer = [rules.start()]
    while layer:
        yield from layer
        following = (each.play(cell) for each in layer for cell in each.legal_moves)
        layer = list({_text(each): each for each in following if not each.is_over}.values())


def _puzzle(position: MnkPosition, kind: _Kind, solver: Solver) -> Puzzle | None:
    """The puzzle in a position; None if it has none of this kind."""
    plies = kind.plies
    wanted = (1, plies) if kind.goal is Goal.WIN else (0, 0)
    if len(position.legal_moves) not in kind.empty or _ending(position, plies, solver) != wanted:
        return None
    right = _right(position, kind.goal, plies, solver)
    wrong = [cell for cell in position.legal_moves if cell not in right]
    if not wrong or len({_text(position.play(cell)) for cell in right}) != 1:
        return None
    if kind.goal is Goal.DRAW:
        plies = 1 + max(_ending(position.play(cell), 0, solver)[1] for cell in wrong)
    found = Puzzle(position, kind.goal, plies)
    return found if found.ways in kind.ways else None


def _right(position: MnkPosition, goal: Goal, plies: int, solver: Solver) -> list[int]:
    """The cells that win within so many plies, or that do not lose."""

    def is_right(cell: int) -> bool:
        result, left = _ending(position.play(cell), plies - 1, solver)
        return result == 0 if goal is Goal.DRAW else result < 0 and left < plies

    return [cell for cell in position.legal_moves if is_right(cell)]


def _reply(position: MnkPosition, solver: Solver) -> int:
    """The opponent's reply: its quickest win, else the longest defence that leaves the fewest wins."""

    def hope(cell: int) -> tuple[int, int]:
        after = position.play(cell)
        result, plies = _ending(after, _SEEN, solver)
        wins = [each for each in after.legal_moves if _ending(after.play(each), 0, solver) == (-1, 0)]
        return result * (_FAR - plies), len(wins)

    return min(position.legal_moves, key=hope)


def _ending(position: MnkPosition, plies: int, solver: Solver) -> tuple[int, int]:
    """The result for the side to move and the plies to the end; 0 for both unless so many plies show it.

    On nine cells it is exact.
    """
    if (everything := solved(position.rules)) is not None:
        return everything.ending(position)
    if ended := value_of_outcome(position):
        return ended.result or 0, 0
    own, other = map(solver.board.from_mask, position.sides)
    for left in range(1, plies + 1):
        result = solver.result_in(left)
        if solver.within(result, own, other, left, Budget()) > 0:
            return result, left
    return 0, 0


def _solver(rules: MnkRules) -> Solver:
    return Solver(board_of(rules), misere=rules.misere)


def _text(position: MnkPosition) -> str:
    """The cells as text, the same for all symmetric images."""
    marks, layout = position.marks, position.rules.layout
    return min("".join([marks[cell] for cell in image]) for image in symmetries(layout.columns, layout.rows))
