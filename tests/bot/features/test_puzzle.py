"""The puzzle's message: which cells stand out."""

from bot.features.puzzle.view import ShownPuzzle, puzzle_page, solved_page, to_share
from engine.puzzles import Goal, Puzzle, puzzle_of, solution, try_cell
from storage.people.person import Solving
from tests.bot.reading import buttons

SOME_DAYS = range(20_780, 20_787)


def styles(keyboard: str | None, puzzle: Puzzle) -> list[str | None]:
    shown = [each.get("style") for row in buttons(keyboard) for each in row]
    return shown[: puzzle.position.rules.cells]


def test_a_solved_puzzle_colours_the_line_as_well_as_the_moves() -> None:
    lines = 0
    for day in SOME_DAYS:
        puzzle = puzzle_of(day)
        cells, position = solution(puzzle), puzzle.position
        for cell in cells:
            position = position.play(cell)
        line = {cell for each in (position.outcome.lines if position.outcome else ()) for cell in each}
        assert bool(line) or puzzle.goal is Goal.DRAW
        lines += bool(line)
        rules = position.rules
        wanted = ["success" if cell in line | set(cells[::2]) else None for cell in rules.layout.drawn]
        solved = ShownPuzzle(Solving(1, day, rules.moves_text(cells), solved_at=day), None, False)
        assert styles(puzzle_page(puzzle, solved, "").keyboard, puzzle) == wanted
        assert styles(solved_page(puzzle, day, cells, solved).keyboard, puzzle) == wanted
    assert lines


def test_a_wrong_try_is_not_red_on_red() -> None:
    for day in SOME_DAYS:
        puzzle = puzzle_of(day)
        right = solution(puzzle)[0]
        wrong = next(cell for cell in puzzle.position.legal_moves if cell != right)
        moves = puzzle.position.rules.moves_text(try_cell(puzzle, (), wrong).cells)
        missed = ShownPuzzle(Solving(1, day, moves, missed=True, wrong=1), None, False)
        assert "danger" not in styles(puzzle_page(puzzle, missed, "").keyboard, puzzle)


def test_what_is_shared_tells_the_day_how_hard_it_was_each_try_and_the_streak() -> None:
    puzzle = puzzle_of(20_780)
    stars = "★" * puzzle.moves
    assert to_share(puzzle, Solving(1, 20_780)) == f"OXO #1 · Mon {stars} · 🟩"
    assert to_share(puzzle, Solving(1, 20_782, wrong=2, streak=4)) == f"OXO #3 · Wed {stars} · 🟥🟥🟩 · 🔥4"
    assert to_share(puzzle, Solving(1, 20_786, wrong=99)).count("🟥") == 9
