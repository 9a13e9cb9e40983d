"""The puzzle's message: which cells stand out, what it says and offers."""

from bot.boards.cells import cell_name
from bot.boards.view import MARKS
from bot.features.puzzle.view import ShownPuzzle, puzzle_page, solved_page, to_share
from engine.puzzles import Goal, Puzzle, lost_in, puzzle_of, solution, try_cell
from storage.people.person import Solving
from tests.bot.reading import buttons

TASKS = {Goal.WIN: "wins in 2 moves", Goal.DRAW: "can draw"}
SOME_DAYS = range(20_780, 20_787)


def styles(keyboard: str | None, puzzle: Puzzle) -> list[str | None]:
    shown = [each.get("style") for row in buttons(keyboard) for each in row]
    return shown[: puzzle.position.rules.cells]


def test_a_solved_puzzle_colours_the_line_as_well_as_the_moves() -> None:
    lines = 0
    for day in SOME_DAYS:
        puzzle = puzzle_of(day)
        cells = solution(puzzle)
        position = puzzle.after(cells)
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
    grid, line = to_share(puzzle, Solving(1, 20_780, solved_at=1)).rsplit("\n", 1)
    assert set(grid) == set("❌🟡⬜\n")
    assert line == f"OXO #1 · Mon {stars} · {MARKS[puzzle.position.turn]} {TASKS[puzzle.goal]} · 🟩"
    for wrong, solved_at, squares in ((2, 1, "🟥🟥🟩"), (3, None, "🟥🟥🟥"), (99, 1, "🟥🟥🟥🟩")):
        shared = to_share(puzzle, Solving(1, 20_782, wrong=wrong, streak=4, solved_at=solved_at))
        assert shared.endswith(f" · {squares} · 🔥4")


def test_what_a_wrong_try_leads_to_names_no_other_cell() -> None:
    for day in SOME_DAYS:
        puzzle, rules = puzzle_of(day), puzzle_of(day).position.rules
        for cell in puzzle.position.legal_moves:
            tried = try_cell(puzzle, (), cell)
            if tried.is_right:
                continue
            missed = Solving(1, day, rules.moves_text([cell]), missed=True, wrong=1)
            shown = ShownPuzzle(missed, None, False, lost_in=lost_in(puzzle, [cell]))
            typed = puzzle_page(puzzle, shown._replace(as_text=True), "").text
            assert f"/puzzle {rules.name_of(cell)}<" not in typed, "nor is it offered once more"
            said = next(
                line
                for line in puzzle_page(puzzle, shown, "").text.split("\n")
                if "Not quite" in line or "?" in line
            )
            assert [other for other in range(rules.cells) if cell_name(other, rules) in said.split("?")[-1]] == []
            if len(tried.cells) > 1 and puzzle.position.play(cell).play(tried.cells[1]).is_over:
                assert said.endswith("wins in 1 move.")
