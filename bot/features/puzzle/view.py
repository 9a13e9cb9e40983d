"""What the puzzle's messages show, and what their buttons carry."""

import time
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from bot.boards import names
from bot.boards.board import drawing
from bot.boards.buttons import Menu, Play, ShowPuzzle
from bot.boards.cells import cell_name, emoji_grid
from bot.boards.rules import line_length, rules_line
from bot.boards.translations import in_order, sentences
from bot.boards.view import Key, Row, View, in_rows, keyboard, marks_of, sending
from bot.boards.wording import milestone_lines
from bot.game.choices import Day, Flag, Small, Version
from bot.language import N_, _, n_
from engine import Mark
from engine.puzzles import Goal, Puzzle
from storage.columns import DAY
from storage.people.person import HEARTS, Solving
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


class ShowHow(Menu, word="how"):
    """Shows how a wrong try at a day's puzzle is answered or, once all hearts are gone, the solution."""

    day: Day
    version: Version


class FoldPuzzle(Menu, word="fold"):
    """Folds a day's puzzle to a few lines, with what else there is to do, or unfolds it."""

    day: Day
    folded: Flag


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
    is_new: bool = False
    """Whether they have never finished a game."""
    better_than: int | None = None
    """Of how many percent of the others they have done better."""
    lost_in: int | None = None
    """In how many moves the opponent wins after their wrong try, if it does."""


def right_moves(solving: Solving) -> str:
    """The moves on a board without a wrong try at the end: tries and replies in pairs."""
    return solving.moves[: (len(solving.moves) - 1) // 2 * 2] if solving.missed else solving.moves


def puzzle_page(puzzle: Puzzle, shown: ShownPuzzle, link: str) -> View:
    """Today's puzzle, as far as somebody has got with it; while they solve it, with two controls."""
    solving, marks = shown.solving, marks_of(shown.theme)
    cells = puzzle.position.rules.read_moves(solving.moves)
    is_done = solving.solved_at is not None or solving.is_lost
    lines = [_head(puzzle, solving.day, marks)]
    if shown.is_new and not is_done:
        lines.append(_rule(puzzle, marks))
    lines += [_in_text(puzzle, cells) if shown.as_text else "", _happened(puzzle, shown, cells, marks)]
    if not is_done:
        lines.append("❤️" * (HEARTS - solving.wrong) + "🤍" * solving.wrong)
        lines += [_how_to_try(puzzle, solving)] if shown.as_text else []
    if solving.solved_at is not None and solving.solved_at == shown.week_at:
        lines += milestone_lines([MANY_PUZZLES])
    rows = _cells(puzzle, cells, solving, marks)
    rows += _when_done(puzzle, shown, link) if is_done else [_controls(solving, len(cells))]
    return View("\n".join([*filter(None, lines), *_late(solving.day)]), keyboard(rows))


def folded_page(puzzle: Puzzle, shown: ShownPuzzle) -> View:
    """A day's puzzle in a few lines, with what else there is to do."""
    day, left = shown.solving.day, HEARTS - shown.solving.wrong
    lines = [_head(puzzle, day, marks_of(shown.theme)), "❤️" * left + "🤍" * shown.solving.wrong, *_late(day)]
    solve = Key(_("Solve it"), FoldPuzzle(day, folded=False), "primary")
    return View("\n".join(lines), keyboard([[solve], [_other_day(day)._replace(style=None)], [_bell(shown)]]))


def _controls(solving: Solving, count: int) -> Row:
    fold = Key("✕", FoldPuzzle(solving.day, folded=True))
    if not solving.missed:
        return [fold]
    if count % 2:  # the answer isn't shown
        return [Key(_("Show me"), ShowHow(solving.day, solving.version)), fold]
    return [Key(_("Try again"), RetryPuzzle(solving.day, solving.version)), fold]


def _when_done(puzzle: Puzzle, shown: ShownPuzzle, link: str) -> list[Row]:
    """What there is to do once a puzzle is solved or lost: three buttons."""
    solving = shown.solving
    share = sending(_("Share"), link, to_share(puzzle, solving))
    if solving.missed:
        return [[Key(_("Show me"), ShowHow(solving.day, solving.version), "primary")], [share], [_bell(shown)]]
    is_todays = solving.day == current_day()
    following = Key(_("Play me"), Play(), "primary") if shown.is_new and is_todays else _other_day(solving.day)
    return [[share], [following], [_bell(shown)]]


def _bell(shown: ShownPuzzle) -> Key:
    label = _("🔕 Stop reminders") if shown.is_reminded else _("🔔 Remind me daily")
    return Key(label, RemindOfPuzzle(not shown.is_reminded))


def _other_day(day: int) -> Key:
    if day < current_day():
        return Key(_("Today's puzzle"), ShowPuzzle(day + 1), "primary")
    return Key(_("Yesterday's solution"), ShowPuzzle(day - 1))


def _late(day: int) -> Sequence[str]:
    return [_("Yesterday's puzzle still counts until 1:00 UTC.")] if day < current_day() else []


def solved_page(puzzle: Puzzle, day: int, cells: Sequence[int], shown: ShownPuzzle) -> View:
    """The puzzle of an earlier day, with its solution."""
    marks = marks_of(shown.theme)
    drawn = _in_text(puzzle, cells) if shown.as_text else ""
    lines = [_head(puzzle, day, marks), *([drawn] if drawn else []), *_solution(puzzle, cells, marks)]
    rows = _cells(puzzle, cells, None, marks, day)
    rows.append([Key(_("Today's puzzle"), ShowPuzzle(day + 1), "primary")])
    return View("\n".join(lines), keyboard(rows))


def _solution(puzzle: Puzzle, cells: Sequence[int], marks: Mapping[Mark | None, str]) -> Sequence[str]:
    rules, turn = puzzle.position.rules, puzzle.position.turn
    told = [
        f"{marks[turn if number % 2 == 0 else turn.other]} {cell_name(cell, rules)}"
        for number, cell in enumerate(cells)
    ]
    return [_("<b>Solution</b>"), *told]


def group_page(puzzle: Puzzle, day: int, solvers: Sequence[PuzzleSolver], trying: int, streak: int) -> View:
    """The day's puzzle in a group: the position, who has solved it, and for how many days somebody there has."""
    nobody = _("Player")
    solved = [
        f"{_squares(each.wrong)}🟩 {names.shown(each.name, nobody)}"
        + (f" 🔥{each.streak}" if each.streak > 1 else "")
        for each in solvers
    ]
    count = [_("{count} of {all}").format(count=len(solvers), all=trying)] if solvers else []
    days = n_("this group 🔥 {count} day", "this group 🔥 {count} days", streak).format(count=streak)
    lines = [
        _head(puzzle, day, marks_of(None)),
        "",
        _grid(puzzle),
        "",
        " · ".join(solved) or _("Nobody here has solved it yet."),
        " · ".join([*count, *([days] if streak > 1 else [])]),
    ]
    return View("\n".join(lines).rstrip(), keyboard([[Key(_("Solve it ↗"), OpenPuzzle(), "primary")]]))


def _head(puzzle: Puzzle, day: int, marks: Mapping[Mark | None, str]) -> str:
    """The puzzle in a line: its number, how hard it is, and what is to be found; misère is explained."""
    rules = puzzle.position.rules
    parts = [
        _("🧩 <b>#{number}</b>").format(number=day - FIRST_DAY + 1),
        _stars(puzzle, day),
        _task(puzzle, marks),
    ]
    if rules.misere:
        return " · ".join(parts) + f"\n{rules_line(rules.text)}"
    return " · ".join([*parts, line_length(rules.text)])


def _task(puzzle: Puzzle, marks: Mapping[Mark | None, str]) -> str:
    mark = marks[puzzle.position.turn]
    if puzzle.goal is Goal.WIN:
        return n_("{mark} wins in {count} move", "{mark} wins in {count} moves", puzzle.moves).format(
            mark=mark, count=puzzle.moves
        )
    return _("{mark} can draw").format(mark=mark)


def _rule(puzzle: Puzzle, marks: Mapping[Mark | None, str]) -> str:
    """What somebody has to know who has never played."""
    mark, line = marks[puzzle.position.turn], line_length(puzzle.position.rules.text)
    if puzzle.goal is Goal.WIN:
        said = _("You're {mark}: get {line} before {other} does. Tap a cell.")
    else:
        said = _("You're {mark}. Tap the only cell that doesn't lose.")
    return said.format(mark=mark, line=line, other=marks[puzzle.position.turn.other])


def _stars(puzzle: Puzzle, day: int) -> str:
    return f"{_(WEEKDAYS[day % 7])} {'★' * puzzle.moves}"


def _grid(puzzle: Puzzle) -> str:
    """The position to look at, in emoji."""
    return in_order(emoji_grid(puzzle.position, None, over=True))


def _happened(puzzle: Puzzle, shown: ShownPuzzle, cells: Sequence[int], marks: Mapping[Mark | None, str]) -> str:
    solving = shown.solving
    if solving.solved_at is not None:
        said = [_("✅ Solved in {tries}.").format(tries=_tries(solving.wrong + 1))]
        days = n_("🔥 {count} day in a row", "🔥 {count} days in a row", solving.streak)
        said.append(days.format(count=solving.streak))
        if shown.better_than:
            said.append(_("Better than {percent}% of today's players.").format(percent=shown.better_than))
        return "\n".join([sentences(*said[:2]), *said[2:]])
    if solving.is_lost and not solving.missed:
        return "\n".join(_solution(puzzle, cells, marks))
    if not cells:
        return ""
    said = [_answered(puzzle, shown, cells, marks)]
    if solving.is_lost:
        said.append(_("💔 No hearts left. There's a new puzzle tomorrow."))
    return sentences(*said)


def _answered(puzzle: Puzzle, shown: ShownPuzzle, cells: Sequence[int], marks: Mapping[Mark | None, str]) -> str:
    """What follows from the last try; how a wrong one is answered only once that is shown."""
    rules, turn = puzzle.position.rules, puzzle.position.turn
    words = {"mark": marks[turn], "other": marks[turn.other], "cell": cell_name(cells[-1], rules)}
    if shown.solving.missed and len(cells) % 2:
        if puzzle.after(cells).is_over:
            return _("❌ {cell}? That ends the game.").format(**words)
        if (count := shown.lost_in) is None:
            return _("Not quite: {other} can stop that.").format(**words)
        said = n_("Not quite: {other} wins in {count} move.", "Not quite: {other} wins in {count} moves.", count)
        return said.format(**words, count=count)
    words |= {"cell": cell_name(cells[-2], rules), "reply": words["cell"]}
    if not shown.solving.missed:
        return _("Right! {other} answers: {reply}. Your move.").format(**words)
    return _("After {mark} {cell}, {other} plays {reply}.").format(**words)


def _cells(
    puzzle: Puzzle,
    cells: Sequence[int],
    solving: Solving | None,
    marks: Mapping[Mark | None, str],
    day: int = 0,
) -> list[Row]:
    """The board after these cells; without somebody's state it can't be played on."""
    position = puzzle.after(cells)
    styles = dict.fromkeys(cells[-1:], "primary")
    if solving is None or solving.solved_at is not None or (solving.is_lost and not solving.missed):
        lines = () if position.outcome is None else position.outcome.lines
        styles = dict.fromkeys([*cells[::2], *chain(*lines)], "success")
    day, version = (day, 0) if solving is None else (solving.day, solving.version)
    made = [
        Key(marks[position.mark_at(cell)], TryPuzzle(day, version, cell), styles.get(cell))
        for cell in position.rules.layout.drawn
    ]
    return in_rows(made, position.rules.layout.columns)


def _in_text(puzzle: Puzzle, cells: Sequence[int]) -> str:
    """The board for people who cannot use buttons well."""
    return f"<pre>{in_order(drawing(puzzle.after(cells)))}</pre>"


def _how_to_try(puzzle: Puzzle, solving: Solving) -> str:
    """How a cell is typed, shown by one that isn't the wrong try."""
    rules, tried = puzzle.position.rules, puzzle.position.rules.read_moves(solving.moves)
    free = puzzle.after(rules.read_moves(right_moves(solving))).legal_moves
    cell = next(cell for cell in free if cell not in tried)
    short, number = (f"<code>/puzzle {name}</code>" for name in (rules.name_of(cell), cell + 1))
    return _("Type a cell to play it: {short} or {number}.").format(short=short, number=number)


WEEKDAYS: Final = (N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"), N_("Mon"), N_("Tue"), N_("Wed"))
"""From 1 January 1970 on."""


def to_share(puzzle: Puzzle, solving: Solving) -> str:
    """What somebody shares, without the answer: the position, a star for each move, and a square for each try."""
    parts = [
        f"OXO #{solving.day - FIRST_DAY + 1}",
        _stars(puzzle, solving.day),
        _task(puzzle, marks_of(None)),
        _squares(solving.wrong) + ("" if solving.is_lost else "🟩"),
        *([f"🔥{solving.streak}"] if solving.streak > 1 else []),
    ]
    return f"{_grid(puzzle)}\n{' · '.join(parts)}"


def _squares(wrong: int) -> str:
    """A square for each wrong try; before there were hearts, there might be more."""
    return "🟥" * min(wrong, HEARTS)


def _tries(count: int) -> str:
    return n_("{count} try", "{count} tries", count).format(count=count)


AFTER_DAY_SECONDS: Final = 3600
"""How long after its day a puzzle may still be solved by those who haven't begun the next."""


def current_day() -> int:
    """Today, in UTC, as days since 1970."""
    return int(time.time()) // DAY


def is_open(day: int, at: float | None = None) -> bool:
    """Whether the puzzle of a day may be tried at a time, by default now."""
    return 0 <= (time.time() if at is None else at) - day * DAY < DAY + AFTER_DAY_SECONDS
