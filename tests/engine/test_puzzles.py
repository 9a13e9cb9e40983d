"""The daily puzzles, each proved again by a plain search over boards as text."""

import subprocess
import sys
from functools import cache
from math import perm

import pytest

from engine import puzzles
from engine.puzzles import Goal, Puzzle, puzzle_of, solution, try_cell
from tests.engine import naive
from tests.engine.naive import Game, free, value
from tests.soak import SOAK

FIRST = 20_780  # a Monday
DAYS = range(FIRST, FIRST + (70 if SOAK else 7))
WEEKS = 4
"""So many are walked without `make soak`, which walks all of them."""


class Plain(Game):
    """The rules of a puzzle, and searches that know nothing of the engine."""

    def __init__(self, puzzle: Puzzle) -> None:
        m, n, k = map(int, puzzle.position.rules.text.partition("-")[0].split("x"))
        super().__init__(m, n, k, misere=puzzle.position.rules.misere)
        self.start = puzzle.position.marks

    def ended(self, board: str) -> int | None:
        """The value of an ended game for the side to move."""
        return value(self, board)[0] if self.is_over(board) else None

    def wins(self, board: str, plies: int) -> bool:
        """Whether the side to move can force a win within this many plies."""
        if self.is_over(board) or plies < 1:
            return False
        children = [naive.play(board, cell) for cell in free(board)]
        if any(self.ended(child) == -1 for child in children):
            return True
        return plies > 2 and any(
            self.ended(child) is None
            and all(self.wins(naive.play(child, cell), plies - 2) for cell in free(child))
            for child in children
        )

    def is_right(self, board: str, cell: int, goal: Goal, plies: int) -> bool:
        child = naive.play(board, cell)
        if goal is Goal.DRAW:
            return value(self, child)[0] == 0
        if self.is_over(child):
            return self.ended(child) == -1
        return plies > 1 and all(self.wins(naive.play(child, each), plies - 2) for each in free(child))

    def images(self, board: str) -> set[str]:
        rows = [board[start : start + self.m] for start in range(0, len(board), self.m)]
        mirrored = [rows, rows[::-1], [row[::-1] for row in rows], [row[::-1] for row in rows[::-1]]]
        if self.m == self.n:
            mirrored += [["".join(column) for column in zip(*each, strict=True)] for each in mirrored]
        return {"".join(each) for each in mirrored}


@cache
def right_moves(day: int) -> list[int]:
    puzzle = puzzle_of(day)
    plain = Plain(puzzle)
    return [cell for cell in free(plain.start) if plain.is_right(plain.start, cell, puzzle.goal, puzzle.plies)]


@pytest.mark.parametrize("day", DAYS)
def test_exactly_one_first_move_is_right_but_for_symmetry(day: int) -> None:
    puzzle = puzzle_of(day)
    plain = Plain(puzzle)
    if puzzle.goal is Goal.WIN:
        assert not plain.wins(plain.start, puzzle.plies - 2)
    else:
        assert value(plain, plain.start)[0] == 0
    right = right_moves(day)
    assert right
    assert len(right) < len(free(plain.start))
    assert all(naive.play(plain.start, cell) in plain.images(naive.play(plain.start, right[0])) for cell in right)
    assert puzzle.ways == perm(len(free(plain.start)), puzzle.plies)


@pytest.mark.parametrize("day", DAYS)
def test_each_try_is_judged_rightly_and_a_wrong_one_is_refuted(day: int) -> None:
    puzzle = puzzle_of(day)
    plain = Plain(puzzle)
    for cell in free(plain.start):
        tried = try_cell(puzzle, (), cell)
        assert tried.is_right == (cell in right_moves(day))
        assert tried.cells[0] == cell
        if tried.is_right or len(tried.cells) == 1:
            continue
        after = naive.play(naive.play(plain.start, cell), tried.cells[1])
        if puzzle.goal is Goal.DRAW:
            assert value(plain, after)[0] == -1
        else:
            assert not plain.wins(after, puzzle.plies - 2)


@pytest.mark.parametrize("day", DAYS)
def test_the_solution_is_right_to_its_end_against_the_longest_defence(day: int) -> None:
    puzzle = puzzle_of(day)
    plain, board = Plain(puzzle), Plain(puzzle).start
    cells = solution(puzzle)
    assert len(cells) == (puzzle.plies if puzzle.goal is Goal.WIN else 1)
    for number, cell in enumerate(cells):
        if number % 2 == 0:
            assert plain.is_right(board, cell, puzzle.goal, puzzle.plies - number)
        board = naive.play(board, cell)
    assert (plain.ended(board) == -1) == (puzzle.goal is Goal.WIN)


def test_a_day_has_the_same_puzzle_for_ever() -> None:
    """Also where another Python chooses differently: people are in the middle of them."""
    found = [puzzle_of(day).position for day in range(FIRST, FIRST + 7)]
    assert [(position.rules.text, position.x, position.o) for position in found] == [
        ("3x3x3-misere", 386, 48),
        ("4x3x3", 24, 2049),
        ("4x4x3", 17420, 4099),
        ("5x4x4", 25728, 524294),
        ("5x4x4", 393472, 41),
        ("5x5x4", 8421380, 4352),
        ("5x5x4", 1578, 32964),
    ]


def test_a_missed_last_move_is_wrong() -> None:
    puzzle = puzzle_of(FIRST + 1)
    *first, last = solution(puzzle)
    position = puzzle.after(first)
    other = next(cell for cell in position.legal_moves if position.play(cell).outcome is None)
    missed = try_cell(puzzle, first, other)
    assert not missed.is_right
    assert not missed.is_solved
    assert try_cell(puzzle, first, last).is_solved


def test_none_comes_twice_in_a_year_and_each_is_harder_than_the_day_before_but_on_mondays() -> None:
    seen: set[tuple[str, str]] = set()
    before = 0
    for day in range(FIRST, FIRST + 7 * (puzzles.WEEKS if SOAK else WEEKS)):
        puzzle = puzzle_of(day)
        plain = Plain(puzzle)
        known = puzzle.position.rules.text, min(plain.images(plain.start))
        assert known not in seen, day
        seen.add(known)
        assert (day - FIRST) % 7 == 0 or puzzle.ways > before
        before = puzzle.ways


@pytest.mark.slow
def test_other_processes_make_the_same() -> None:
    days = FIRST, FIRST + 1, FIRST + 6
    code = f"from engine.puzzles import puzzle_of; print([puzzle_of(day) for day in {days}])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str([puzzle_of(day) for day in days])
