"""What one player has asked the other, and what became of it, in a line on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from bot.game.play import last_ply_of
from bot.game.states import declined_in, question_of
from bot.views.cells import cell_name
from bot.views.people import mention, named
from bot.views.texts import sentences
from storage.game import Offer, rules_of

if TYPE_CHECKING:
    from bot.game.states import Question
    from bot.views.people import Eyes
    from storage.game import Game


def question_line(game: Game, eyes: Eyes) -> str | None:
    """What waits for somebody's answer and whose, or that it was turned down."""
    if (question := question_of(game)) is not None:
        return _asked(game, question, eyes)
    if (declined := declined_in(game)) is not None:
        return _declined(game, declined, eyes)
    return None


def _asked(game: Game, question: Question, eyes: Eyes) -> str:
    t = eyes.t
    own = game.seat(question.by) == eyes.viewer
    words = {"name": named(game, question.by, eyes), "other": named(game, question.by.other, eyes)}
    match question.offer:
        case Offer.RESIGN:
            if own:
                return t.gettext("🏳 Do you really want to resign?")
            if eyes.viewer is None:
                return t.gettext("🏳 {name}, do you really want to resign?").format(**words)
            return t.gettext("🏳 {name} is thinking about resigning.").format(**words)
        case Offer.REMATCH:
            mine = t.gettext("🔁 You would like a rematch.")
            theirs = t.gettext("🔁 {name} would like a rematch.")
        case Offer.TAKEBACK:
            rules = rules_of(game.rules)
            moved = rules.read_moves(game.moves)[last_ply_of(game, question.by) or 0]
            words |= {"mark": eyes.marks[question.by], "cell": cell_name(moved, rules, t)}
            mine = t.gettext("↩️ You asked to take back {mark} {cell}.")
            theirs = t.gettext("↩️ {name} asks to take back {mark} {cell}.")
        case unknown:
            assert_never(unknown)
    if own:
        line = sentences(t, mine, t.gettext("Waiting for {other} …"))
    elif eyes.viewer is None:
        words["other"] = mention(game, question.by.other, eyes)
        line = sentences(t, theirs, t.gettext("{other}, is that all right with you?"))
    else:
        line = sentences(t, theirs, t.gettext("Is that all right with you?"))
    return line.format(**words)


def _declined(game: Game, question: Question, eyes: Eyes) -> str | None:
    t = eyes.t
    by_viewer = eyes.viewer is not None and game.seat(question.by.other) == eyes.viewer
    other = named(game, question.by.other, eyes)
    asker = mention(game, question.by, eyes)
    match question.offer:
        case Offer.TAKEBACK if by_viewer:
            return t.gettext("↩️ You declined the takeback: the move stands.")
        case Offer.TAKEBACK if eyes.viewer is None:
            words = t.gettext("↩️ {other} declined {name}'s takeback: the move stands.")
            return words.format(other=other, name=asker)
        case Offer.TAKEBACK:
            return t.gettext("↩️ {other} declined the takeback: the move stands.").format(other=other)
        case Offer.REMATCH if by_viewer:
            return t.gettext("🔁 You declined the rematch.")
        case Offer.REMATCH if eyes.viewer is None:
            return t.gettext("🔁 {other} declined {name}'s rematch.").format(other=other, name=asker)
        case Offer.REMATCH:
            return t.gettext("🔁 {other} declined the rematch.").format(other=other)
        case Offer.RESIGN:
            return None
        case unknown:
            assert_never(unknown)
