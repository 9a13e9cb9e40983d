"""What the puzzle's messages show, and what their buttons carry."""

import time
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from bot.boards import names
from bot.boards.board import drawing
from bot.boards.buttons import Menu
from bot.boards.cells import cell_name
from bot.boards.rules import rules_line
from bot.boards.translations import in_order, sentences
from bot.boards.view import Key, Row, View, in_rows, keyboard, marks_of, sending
from bot.boards.wording import milestone_lines
from bot.game.choices import Day, Flag, Small, Version
from bot.language import N_, _, n_
from engine import Mark, Position
from engine.puzzles import Goal, Puzzle
from storage.columns import DAY
from storage.people.person import Solving
from storage.people.puzzles import PuzzleSolver
from storage.results.result import MANY_PUZZLES


class TryPuzzle(Menu, word="z"):
    """Tries a cell of a day's puzzle, on one's board as it was at that version."""

    day: Day
    version: Version
    cell: Small


class RetryPuzzle(Menu, word="tryagain"):
    """Takes back a wrong try at a day's puzzle."""

    day: Day
    version: Version


class ShowPuzzle(Menu, word="puzzle"):
    """Shows today's puzzle, or yesterday's with its solution."""

    day: Day


class RemindOfPuzzle(Menu, word="remind"):
    """Turns a daily reminder of the puzzle on, at this time of day, or off."""

    wanted: Flag


class OpenPuzzle(Menu, word="solve"):
    """Leads from a group to the puzzle in the private chat."""


FIRST_DAY: Final = 20_780
"""The day of puzzle 1: 23 November 2026."""


class ShownPuzzle(NamedTuple):
    """What the puzzle's message depends on besides the puzzle."""

    solving: Solving
    theme: str | None
    is_reminded: bool
    week_at: int | None = None
    """The day on which they first had a streak of a week."""
    as_text: bool = False
    """Whether the board is drawn in the text too."""


def right_moves(solving: Solving) -> str:
    """The moves on a board without a wrong try at the end: tries and replies in pairs."""
    return solving.moves[: (len(solving.moves) - 1) // 2 * 2] if solving.missed else solving.moves


def puzzle_page(puzzle: Puzzle, shown: ShownPuzzle, link: str) -> View:
    """Today's puzzle, as far as somebody has got with it."""
    solving, marks = shown.solving, marks_of(shown.theme)
    cells = puzzle.position.rules.read_moves(solving.moves)
    drawn = _in_text(puzzle, cells) if shown.as_text else ""
    lines = [_head(puzzle, solving.day, marks), drawn, _happened(puzzle, solving, cells, marks)]
    if shown.as_text and solving.solved_at is None:
        lines.append(_how_to_try(puzzle, right_moves(solving)))
    if solving.solved_at is not None and solving.solved_at == shown.week_at:
        lines += milestone_lines([MANY_PUZZLES])
    rows = _cells(puzzle, cells, solving, marks)
    if solving.missed:
        rows.append([Key(_("Try again"), RetryPuzzle(solving.day, solving.version), "primary")])
    if solving.solved_at is not None:
        rows.append([sending(_("Share"), link, to_share(puzzle, solving))])
    reminder = _("🔕 Stop reminders") if shown.is_reminded else _("🔔 Remind me daily")
    yesterday = Key(_("Yesterday's solution"), ShowPuzzle(solving.day - 1))
    if solving.day < current_day():
        lines.append(_("Yesterday's puzzle still counts until 1:00 UTC."))
        yesterday = Key(_("Today's puzzle"), ShowPuzzle(solving.day + 1), "primary")
    rows += [[yesterday], [Key(reminder, RemindOfPuzzle(not shown.is_reminded))]]
    return View("\n".join(lines).rstrip(), keyboard(rows))


def solved_page(puzzle: Puzzle, day: int, cells: Sequence[int], shown: ShownPuzzle) -> View:
    """The puzzle of an earlier day, with its solution."""
    marks = marks_of(shown.theme)
    rules, turn = puzzle.position.rules, puzzle.position.turn
    told = [
        f"{marks[turn if number % 2 == 0 else turn.other]} {cell_name(cell, rules)}"
        for number, cell in enumerate(cells)
    ]
    drawn = _in_text(puzzle, cells) if shown.as_text else ""
    lines = [_head(puzzle, day, marks), drawn, _("<b>Solution</b>"), *told]
    rows = _cells(puzzle, cells, None, marks, day)
    rows.append([Key(_("Today's puzzle"), ShowPuzzle(day + 1), "primary")])
    return View("\n".join(lines), keyboard(rows))


def group_page(puzzle: Puzzle, day: int, solvers: Sequence[PuzzleSolver]) -> View:
    """Who in a group has solved a day's puzzle, without its board."""
    lines, nobody = [_head(puzzle, day, marks_of(None)), ""], _("Player")
    lines += [
        f"{number}. {names.shown(each.name, nobody)} · {_tries(each.tries)}{_fire(each.streak)}"
        for number, each in enumerate(solvers, 1)
    ] or [_("Nobody here has solved it yet.")]
    return View("\n".join(lines), keyboard([[Key(_("Solve it"), OpenPuzzle(), "primary")]]))


def _head(puzzle: Puzzle, day: int, marks: Mapping[Mark | None, str]) -> str:
    if puzzle.goal is Goal.WIN:
        task = n_("{mark} to move and win in {count}.", "{mark} to move and win in {count}.", puzzle.moves).format(
            mark=marks[puzzle.position.turn], count=puzzle.moves
        )
    else:
        task = _("{mark} to move. Find the only move that draws.").format(mark=marks[puzzle.position.turn])
    title = _("🧩 <b>Puzzle #{number}</b>").format(number=day - FIRST_DAY + 1)
    board = rules_line(puzzle.position.rules.text)
    return "\n".join(filter(None, (title, board, task)))


def _happened(puzzle: Puzzle, solving: Solving, cells: Sequence[int], marks: Mapping[Mark | None, str]) -> str:
    if solving.solved_at is not None:
        solved = _("✅ Solved in {tries}.").format(tries=_tries(solving.tries))
        days = n_("🔥 {count} day in a row", "🔥 {count} days in a row", solving.streak)
        return sentences(solved, days.format(count=solving.streak))
    if not cells:
        return ""
    rules, turn = puzzle.position.rules, puzzle.position.turn
    if solving.missed and len(cells) % 2:
        return _("❌ {cell}? That ends the game.").format(cell=cell_name(cells[-1], rules))
    words = {
        "mark": marks[turn],
        "cell": cell_name(cells[-2], rules),
        "other": marks[turn.other],
        "reply": cell_name(cells[-1], rules),
    }
    if not solving.missed:
        return _("Right! {other} answers: {reply}. Your move.").format(**words)
    if _after(puzzle, cells).is_over:
        return _("Not quite. {mark} {cell}? {other} answers: {reply}, and wins.").format(**words)
    if puzzle.goal is Goal.DRAW:
        return _("Not quite. {mark} {cell}? {other} answers: {reply}, and can't be stopped.").format(**words)
    return _("Not quite. {mark} {cell}? {other} answers: {reply}, and holds out.").format(**words)


def _cells(
    puzzle: Puzzle,
    cells: Sequence[int],
    solving: Solving | None,
    marks: Mapping[Mark | None, str],
    day: int = 0,
) -> list[Row]:
    """The board after these cells; without somebody's state it can't be played on."""
    position = _after(puzzle, cells)
    styles = dict.fromkeys(cells[-1:], "primary")
    if solving is None or solving.solved_at is not None:
        lines = () if position.outcome is None else position.outcome.lines
        styles = dict.fromkeys([*cells[::2], *chain(*lines)], "success")
    day, version = (day, 0) if solving is None else (solving.day, solving.version)
    made = [
        Key(marks[position.mark_at(cell)], TryPuzzle(day, version, cell), styles.get(cell))
        for cell in position.rules.layout.drawn
    ]
    return in_rows(made, position.rules.layout.columns)


def _after(puzzle: Puzzle, cells: Sequence[int]) -> Position:
    position = puzzle.position
    for cell in cells:
        position = position.play(cell)
    return position


def _in_text(puzzle: Puzzle, cells: Sequence[int]) -> str:
    """The board for people who cannot use buttons well."""
    return f"<pre>{in_order(drawing(_after(puzzle, cells)))}</pre>"


def _how_to_try(puzzle: Puzzle, moves: str) -> str:
    rules = puzzle.position.rules
    cell = _after(puzzle, rules.read_moves(moves)).legal_moves[0]
    short, number = (f"<code>/puzzle {name}</code>" for name in (rules.name_of(cell), cell + 1))
    return _("Type a cell to play it: {short} or {number}.").format(short=short, number=number)


WEEKDAYS: Final = (N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"), N_("Mon"), N_("Tue"), N_("Wed"))
"""From 1 January 1970 on."""


def to_share(puzzle: Puzzle, solving: Solving) -> str:
    """What somebody who has solved it shares with others, without the answer: a star a move, a square a try."""
    parts = [
        f"OXO #{solving.day - FIRST_DAY + 1}",
        f"{_(WEEKDAYS[solving.day % 7])} {'★' * puzzle.moves}",
        f"{'🟥' * min(solving.wrong, MOST_SQUARES)}🟩",
        *([f"🔥{solving.streak}"] if solving.streak > 1 else []),
    ]
    return " · ".join(parts)


MOST_SQUARES: Final = 9
"""The most wrong tries that are shown, so that it stays one line."""


def _tries(count: int) -> str:
    return n_("{count} try", "{count} tries", count).format(count=count)


def _fire(streak: int) -> str:
    return f" 🔥{streak}" if streak > 1 else ""


AFTER_DAY_SECONDS: Final = 3600
"""How long after its day a puzzle may still be solved by those who haven't begun the next."""


def current_day() -> int:
    """Today, in UTC, as days since 1970."""
    return int(time.time()) // DAY


def is_open(day: int, at: float | None = None) -> bool:
    """Whether the puzzle of a day may be tried at a time, by default now."""
    return 0 <= (time.time() if at is None else at) - day * DAY < DAY + AFTER_DAY_SECONDS
