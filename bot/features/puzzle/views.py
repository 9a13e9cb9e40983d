"""The day's puzzle: a board to solve it on, its solution, and who has solved it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import NullTranslations
from typing import Final, NamedTuple
from urllib.parse import quote

from bot.boards import names
from bot.boards.buttons import OpenPuzzle, RemindOfPuzzle, RetryPuzzle, ShowPuzzle, TryPuzzle
from bot.boards.cells import cell_name, short_name
from bot.boards.milestones import lines as milestone_lines
from bot.boards.rules import rules_line
from bot.boards.text_board import drawing
from bot.boards.themes import marks_of
from bot.boards.translations import in_order, sentences, texts
from bot.boards.view import View, button, keyboard
from engine import Mark, Position
from engine.analysis.puzzles import Goal, Puzzle
from storage.people.puzzles import Solver, Solving
from storage.results.milestone import PUZZLES

FIRST_DAY: Final = 20_780
"""The day of puzzle 1: 23 November 2026."""


class Shown(NamedTuple):
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


def page(puzzle: Puzzle, shown: Shown, link: str, language: str | None) -> View:
    """Today's puzzle, as far as somebody has got with it."""
    solving, t, marks = shown.solving, texts(language), marks_of(shown.theme)
    cells = puzzle.position.rules.read_moves(solving.moves)
    drawn = _in_text(puzzle, cells, t) if shown.as_text else ""
    lines = [_head(puzzle, solving.day, t, marks), drawn, _happened(puzzle, solving, cells, t, marks)]
    if shown.as_text and solving.solved_at is None:
        lines.append(_how_to_try(puzzle, right_moves(solving), t))
    if solving.solved_at is not None and solving.solved_at == shown.week_at:
        lines += milestone_lines([PUZZLES], t)
    rows = _cells(puzzle, cells, solving, marks)
    if solving.missed:
        rows.append([button(t.gettext("Try again"), RetryPuzzle(solving.day, solving.version), "primary")])
    if solving.solved_at is not None:
        told = _to_share(solving, t)
        address = f"https://t.me/share/url?url={quote(link, safe='')}&text={quote(told, safe='')}"
        rows.append([{"text": t.gettext("Share"), "url": address}])
    reminder = t.gettext("🔕 Stop reminders") if shown.is_reminded else t.gettext("🔔 Remind me daily")
    yesterday = button(t.gettext("Yesterday's solution"), ShowPuzzle(solving.day - 1))
    rows += [[yesterday], [button(reminder, RemindOfPuzzle(not shown.is_reminded))]]
    return View("\n".join(lines).rstrip(), keyboard(rows))


def solved_page(puzzle: Puzzle, day: int, cells: Sequence[int], shown: Shown, language: str | None) -> View:
    """The puzzle of an earlier day, with its solution."""
    t, marks = texts(language), marks_of(shown.theme)
    rules, turn = puzzle.position.rules, puzzle.position.turn
    told = [
        f"{marks[turn if number % 2 == 0 else turn.other]} {cell_name(cell, rules, t)}"
        for number, cell in enumerate(cells)
    ]
    drawn = _in_text(puzzle, cells, t) if shown.as_text else ""
    lines = [_head(puzzle, day, t, marks), drawn, t.gettext("<b>Solution</b>"), *told]
    rows = _cells(puzzle, cells, None, marks, day)
    rows.append([button(t.gettext("Today's puzzle"), ShowPuzzle(day + 1), "primary")])
    return View("\n".join(lines), keyboard(rows))


def group_page(puzzle: Puzzle, day: int, solvers: Sequence[Solver], t: NullTranslations) -> View:
    """Who in a group has solved a day's puzzle, without its board."""
    lines, nobody = [_head(puzzle, day, t, marks_of(None)), ""], t.gettext("Player")
    lines += [
        f"{number}. {names.shown(each.name, nobody)} · {_tries(each.tries, t)}{_fire(each.streak)}"
        for number, each in enumerate(solvers, 1)
    ] or [t.gettext("Nobody here has solved it yet.")]
    return View("\n".join(lines), keyboard([[button(t.gettext("Solve it"), OpenPuzzle(), "primary")]]))


def _head(puzzle: Puzzle, day: int, t: NullTranslations, marks: Mapping[Mark | None, str]) -> str:
    """The heading: which puzzle, on which board, and what to find."""
    if puzzle.goal is Goal.WIN:
        task = t.ngettext(
            "{mark} to move and win in {count}.", "{mark} to move and win in {count}.", puzzle.moves
        ).format(mark=marks[puzzle.position.turn], count=puzzle.moves)
    else:
        task = t.gettext("{mark} to move. Find the only move that draws.").format(mark=marks[puzzle.position.turn])
    title = t.gettext("🧩 <b>Puzzle #{number}</b>").format(number=day - FIRST_DAY + 1)
    board = rules_line(puzzle.position.rules.text, t)
    return "\n".join(filter(None, (title, board, task)))


def _happened(
    puzzle: Puzzle, solving: Solving, cells: Sequence[int], t: NullTranslations, marks: Mapping[Mark | None, str]
) -> str:
    """The result of the last try."""
    if solving.solved_at is not None:
        solved = t.gettext("✅ Solved in {tries}.").format(tries=_tries(solving.tries, t))
        days = t.ngettext("🔥 {count} day in a row", "🔥 {count} days in a row", solving.streak)
        return sentences(t, solved, days.format(count=solving.streak))
    if not cells:
        return ""
    rules, turn = puzzle.position.rules, puzzle.position.turn
    if solving.missed and len(cells) % 2:
        return t.gettext("❌ {cell}? That ends the game.").format(cell=cell_name(cells[-1], rules, t))
    words = {
        "mark": marks[turn],
        "cell": cell_name(cells[-2], rules, t),
        "other": marks[turn.other],
        "reply": cell_name(cells[-1], rules, t),
    }
    if not solving.missed:
        return t.gettext("Right! {other} answers: {reply}. Your move.").format(**words)
    if _after(puzzle, cells).is_over:
        return t.gettext("Not quite. {mark} {cell}? {other} answers: {reply}, and wins.").format(**words)
    if puzzle.goal is Goal.DRAW:
        return t.gettext("Not quite. {mark} {cell}? {other} answers: {reply}, and can't be stopped.").format(
            **words
        )
    return t.gettext("Not quite. {mark} {cell}? {other} answers: {reply}, and holds out.").format(**words)


def _cells(
    puzzle: Puzzle,
    cells: Sequence[int],
    solving: Solving | None,
    marks: Mapping[Mark | None, str],
    day: int = 0,
) -> list[list[dict[str, str]]]:
    """The board after these cells; without somebody's state it can't be played on."""
    position = _after(puzzle, cells)
    styles = dict.fromkeys(cells[-1:], "primary")
    if cells and solving is not None and solving.missed:
        styles |= {cells[-2 + len(cells) % 2]: "danger"}
    elif solving is None or solving.solved_at is not None:
        styles = dict.fromkeys(cells[::2], "success")
    day, version = (day, 0) if solving is None else (solving.day, solving.version)
    made = [
        button(marks[position.mark_at(cell)], TryPuzzle(day, version, cell), styles.get(cell))
        for cell in position.rules.layout.drawn
    ]
    width = position.rules.layout.columns
    return [made[start : start + width] for start in range(0, len(made), width)]


def _after(puzzle: Puzzle, cells: Sequence[int]) -> Position:
    """The position once these cells are played."""
    position = puzzle.position
    for cell in cells:
        position = position.play(cell)
    return position


def _in_text(puzzle: Puzzle, cells: Sequence[int], t: NullTranslations) -> str:
    """The board for people who cannot use buttons well."""
    return f"<pre>{in_order(drawing(_after(puzzle, cells)), t)}</pre>"


def _how_to_try(puzzle: Puzzle, moves: str, t: NullTranslations) -> str:
    """What they type."""
    rules = puzzle.position.rules
    cell = _after(puzzle, rules.read_moves(moves)).legal_moves[0]
    short, number = (f"<code>/puzzle {name}</code>" for name in (short_name(cell, rules), cell + 1))
    return t.gettext("Type a cell to play it: {short} or {number}.").format(short=short, number=number)


def _to_share(solving: Solving, t: NullTranslations) -> str:
    """What somebody who has solved it shares with others, without the answer."""
    told = t.gettext("OXO puzzle #{number} 🧩 solved in {tries}").format(
        number=solving.day - FIRST_DAY + 1, tries=_tries(solving.tries, t)
    )
    return told + _fire(solving.streak)


def _tries(count: int, t: NullTranslations) -> str:
    return t.ngettext("{count} try", "{count} tries", count).format(count=count)


def _fire(streak: int) -> str:
    return f" 🔥{streak}" if streak > 1 else ""
