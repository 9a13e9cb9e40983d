"""A review as people see it: the board at one ply of its game, what is to be said of that ply, and the stepper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.acts import Act
from bot.game.lessons import is_pending, known_lesson
from bot.game.reviews import Mode, can_try, choice_of, reviewer_of
from bot.views import keyboards
from bot.views.boards import ending, playing
from bot.views.buttons import OnGame
from bot.views.cells import cell_name
from bot.views.looks import LETTERS, marks_of
from bot.views.people import Eyes, mover
from bot.views.questions import question_line
from bot.views.rules import rules_line
from bot.views.text_board import drawing
from bot.views.texts import listed, sentences, texts
from bot.views.ultimate import overview
from bot.views.verdicts import reason_against, reason_for, verdict_sentence
from bot.views.view import View, button
from engine import Mark
from engine.lessons import most_telling
from storage.game import rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.game.reviews import Page
    from bot.views.keyboards import Row
    from engine.lessons import Choice, Lesson
    from storage.board import Board
    from storage.game import Game


def review_view(game: Game, board: Board, page: Page) -> View:
    """A board of a finished game that shows a page of its review."""
    look = LETTERS if board.as_text else board.look
    eyes = Eyes(board.viewer, texts(board.language), marks_of(look))
    lesson = known_lesson(game)
    marked = page.cell if page.mode in (Mode.FOUND, Mode.ANSWER) else None
    then = _then(game, page.ply, marked)
    if board.as_text:
        drawn: Sequence[str | None] = (f"<pre>{drawing(then)}</pre>",)
    else:
        drawn = (*overview(then, eyes, look, None)[-1:], "")
    commands = listed(eyes.t, _commands(game, page, lesson, board)) if board.as_text and board.viewer else None
    lines = [
        *said(game, page, lesson, eyes),
        question_line(game, eyes),
        *drawn,
        rules_line(game.rules, eyes.t),
        playing(game, eyes, board),
        commands,
    ]
    text = "\n".join(line for line in lines if line is not None)
    if commands is not None:
        return View(text)
    rows = [_stepper(game, page), _chances(game, page, lesson, eyes, reviewer_of(board, page))]
    if not page.is_aside:
        rows += keyboards.follow_up(game, eyes.t, eyes.viewer, look)
    part = _part(game, page, lesson)
    return View(text, keyboards.of_review(then, marked, look, part, [row for row in rows if row]))


def _then(game: Game, ply: int, marked: int | None) -> Game:
    """The game as it was after so many plies, with a cell that might have been played next."""
    moves = game.moves[:ply]
    if marked is not None:
        moves += rules_of(game.rules).move_text(marked)
    return game if moves == game.moves else game._replace(moves=moves, termination=None, winner=None)


def _part(game: Game, page: Page, lesson: Lesson | None) -> str | None:
    """Of a choice among little boards, the one that is shown: where the next move was, or a better one is."""
    if lesson is None or page.ply == game.ply:
        return None
    step = lesson.steps[page.ply]
    cell = step.cell if page.mode is Mode.LOOK or not step.choices else most_telling(step.choices).cell
    return str(cell // 9)


def said(game: Game, page: Page, lesson: Lesson | None, eyes: Eyes) -> list[str]:
    """What is told on a page, a line each, as HTML."""
    t = eyes.t
    if lesson is None:
        unsaid = (
            t.gettext("I am looking at this game …")
            if is_pending(game)
            else t.gettext("I cannot judge this game.")
        )
        return [_head(game, page.ply, eyes), unsaid]
    if page.mode is Mode.LOOK:
        return [_head(game, page.ply, eyes), *_judged(game, page.ply, lesson, eyes)]
    step = lesson.steps[page.ply]
    rules = rules_of(game.rules)
    played = cell_name(step.cell, rules, t)
    choice = choice_of(step, page.cell)
    if page.mode is Mode.TRY or choice is None:
        return [t.gettext("🤔 <b>Which cell is better than {cell}?</b>").format(cell=played)]
    cell = cell_name(page.cell, rules, t)
    match page.mode:
        case Mode.FOUND:
            praise = t.gettext("🎉 <b>Well found, {cell}:</b> {reason}.")
            return [praise.format(cell=cell, reason=reason_for(choice, t))]
        case Mode.ANSWER:
            answer = t.gettext("💡 <b>{cell} was better:</b> {reason}.")
            return [answer.format(cell=cell, reason=reason_for(choice, t))]
    return [
        missed(choice, game, eyes),
        t.gettext("🤔 <b>Which cell is better than {cell}?</b>").format(cell=played),
    ]


def missed(choice: Choice, game: Game, eyes: Eyes) -> str:
    """What is told about a cell that was tried and is no better."""
    t = eyes.t
    cell = cell_name(choice.cell, rules_of(game.rules), t)
    why = reason_against(choice.reason, choice.verdict, t)
    return t.gettext("✖️ Not {cell}: {reason}.").format(cell=cell, reason=why)


def _head(game: Game, ply: int, eyes: Eyes) -> str:
    """Where in the game this is, and who has moved there."""
    t = eyes.t
    if not ply:
        return sentences(t, t.gettext("🔎 <b>Review.</b>"), ending(game, eyes))
    here = t.gettext("🔎 <b>Move {number} of {count}.</b>").format(number=ply, count=game.ply)
    return sentences(t, here, _moved(game, ply, eyes))


def _moved(game: Game, ply: int, eyes: Eyes) -> str:
    rules = rules_of(game.rules)
    mark = Mark.X if ply % 2 else Mark.O
    cell = cell_name(rules.read_moves(game.moves)[ply - 1], rules, eyes.t)
    return eyes.t.gettext("{mark} {name}: {cell}.").format(
        mark=eyes.marks[mark], name=mover(game, ply, eyes), cell=cell
    )


def _judged(game: Game, ply: int, lesson: Lesson, eyes: Eyes) -> list[str]:
    """The verdict on the move that led to a ply; at the start, where the game turned."""
    t = eyes.t
    turning = lesson.turning_point
    if ply:
        verdict = verdict_sentence(lesson.steps[ply - 1], t)
        return [sentences(t, verdict, t.gettext("Here the game turned.")) if turning == ply - 1 else verdict]
    if turning is None:
        lines = [t.gettext("✨ Nobody has given anything away.")]
    else:
        turned = t.gettext("⚡ <b>The game turned with move {number}.</b>").format(number=turning + 1)
        lines = [sentences(t, turned, _moved(game, turning + 1, eyes)), verdict_sentence(lesson.steps[turning], t)]
    if lesson.depth == 0:
        lines.append(t.gettext("I had no time to look ahead everywhere: that proves nothing."))
    elif lesson.depth is not None:
        depth = t.ngettext(
            "I have looked {count} ply ahead: that proves nothing.",
            "I have looked {count} plies ahead: that proves nothing.",
            lesson.depth,
        )
        lines.append(depth.format(count=lesson.depth))
    return lines


def _stepper(game: Game, page: Page) -> Row:
    """The way through the game and out of the review; it ends where the button stood that has opened it."""
    last = game.ply
    targets = {"⏮": 0, "◀": max(0, page.ply - 1), "▶": min(last, page.ply + 1), "⏭": last}
    row = [button(label, OnGame(game.id, ply, Act.REVIEW)) for label, ply in targets.items()]
    return [*row, button("✕", OnGame(game.id, page.ply, Act.LEAVE))]


def _chances(game: Game, page: Page, lesson: Lesson | None, eyes: Eyes, person: int | None) -> Row:
    """A row that all pages of a review have, or none: to try a move again, and to go where the game turned."""
    t = eyes.t
    if lesson is None or lesson.turning_point is None:
        return []
    row = []
    if page.mode is Mode.MISSED:
        row = [button(t.gettext("Show me"), OnGame(game.id, page.ply, Act.SHOW))]
    else:
        number = page.ply if page.mode is Mode.LOOK else page.ply + 1
        if can_try(game, person, number, lesson):
            row = [button(t.gettext("Try again"), OnGame(game.id, number, Act.TRY_AGAIN), "primary")]
    label = t.gettext("⚡ Move {number}").format(number=lesson.turning_point + 1)
    return [*row, button(label, OnGame(game.id, lesson.turning_point + 1, Act.REVIEW))]


def _commands(game: Game, page: Page, lesson: Lesson | None, board: Board) -> list[str]:
    """What can be said instead of tapping."""
    here = page.mode is Mode.LOOK
    words = ["/next"] if page.ply < game.ply else []
    words += ["/back"] if page.ply else []
    if lesson is not None and here and can_try(game, board.viewer, page.ply, lesson):
        words.append("/try")
    if page.mode in (Mode.TRY, Mode.MISSED):
        words.append("/try 5")
    if page.mode is Mode.MISSED:
        words.append("/answer")
    return [*words, "/leave"]
