"""The puzzle's message: which cells stand out."""

from __future__ import annotations

import json

from bot.features.puzzle import Shown, puzzle_page, solved_page
from engine.analysis.puzzles import Goal, play, puzzle_of, solution
from storage.people.puzzles import Solving

SOME_DAYS = range(20_780, 20_787)


def styles(keyboard: str | None, cells: int) -> list[str | None]:
    """The colours of the cells, row by row."""
    buttons = [each for row in json.loads(keyboard or "")["inline_keyboard"] for each in row]
    return [each.get("style") for each in buttons[:cells]]


def test_a_solved_puzzle_colours_the_line_as_well_as_the_moves() -> None:
    lines = 0
    for day in SOME_DAYS:
        puzzle = puzzle_of(day)
        cells, rules = solution(puzzle), puzzle.position.rules
        position = puzzle.position
        for cell in cells:
            position = position.play(cell)
        line = {cell for each in (position.outcome.lines if position.outcome else ()) for cell in each}
        assert bool(line) or puzzle.goal is Goal.DRAW
        lines += bool(line)
        wanted = ["success" if cell in line | set(cells[::2]) else None for cell in rules.layout.drawn]
        solved = Solving(1, day, rules.moves_text(cells), solved_at=day)
        assert styles(puzzle_page(puzzle, Shown(solved, None, False), "", "en").keyboard, rules.cells) == wanted
        assert (
            styles(solved_page(puzzle, day, cells, Shown(solved, None, False), "en").keyboard, rules.cells)
            == wanted
        )
    assert lines


def test_a_wrong_try_is_not_red_on_red() -> None:
    for day in SOME_DAYS:
        puzzle = puzzle_of(day)
        rules, right = puzzle.position.rules, solution(puzzle)[0]
        wrong = next(cell for cell in puzzle.position.legal_moves if cell != right)
        tried = play(puzzle, (), wrong)
        missed = Solving(1, day, rules.moves_text(tried.cells), missed=True, wrong=1)
        assert "danger" not in styles(
            puzzle_page(puzzle, Shown(missed, None, False), "", "en").keyboard, rules.cells
        )
