"""The line on the board for what one player asked the other, and for the answer."""

from __future__ import annotations

from typing import assert_never

from bot.boards.cells import cell_name
from bot.boards.players import Viewer, mention, named
from bot.boards.translations import sentences
from bot.game.play import last_ply_of
from bot.game.states import Question, declined_in, question_of
from storage.games.game import Game, Offer, rules_of


def question_line(game: Game, viewer: Viewer) -> str | None:
    """What was asked and who has to answer, or that it was declined."""
    if (question := question_of(game)) is not None:
        return _asked(game, question, viewer)
    if (declined := declined_in(game)) is not None:
        return _declined(game, declined, viewer)
    return None


def _asked(game: Game, question: Question, viewer: Viewer) -> str:
    t = viewer.t
    own = game.seat(question.by) == viewer.person
    words = {"name": named(game, question.by, viewer), "other": named(game, question.by.other, viewer)}
    match question.offer:
        case Offer.RESIGN:
            if own:
                return t.gettext("🏳 Do you really want to resign?")
            if viewer.person is None:
                return t.gettext("🏳 {name}, do you really want to resign?").format(**words)
            return t.gettext("🏳 {name} is thinking about resigning.").format(**words)
        case Offer.REMATCH:
            mine = t.gettext("🔁 You asked for a rematch.")
            theirs = t.gettext("🔁 {name} wants a rematch.")
        case Offer.TAKEBACK:
            rules = rules_of(game.rules)
            moved = rules.read_moves(game.moves)[last_ply_of(game, question.by) or 0]
            words |= {"mark": viewer.marks[question.by], "cell": cell_name(moved, rules, t)}
            mine = t.gettext("↩️ You asked to take back {mark} {cell}.")
            theirs = t.gettext("↩️ {name} asks to take back {mark} {cell}.")
        case unknown:
            assert_never(unknown)
    if own:
        line = sentences(t, mine, t.gettext("Waiting for {other}…"))
    elif viewer.person is None:
        words["other"] = mention(game, question.by.other, viewer)
        line = sentences(t, theirs, t.gettext("{other}, OK with you?"))
    else:
        line = sentences(t, theirs, t.gettext("OK with you?"))
    return line.format(**words)


def _declined(game: Game, question: Question, viewer: Viewer) -> str | None:
    t = viewer.t
    by_viewer = viewer.person is not None and game.seat(question.by.other) == viewer.person
    other = named(game, question.by.other, viewer)
    asker = mention(game, question.by, viewer)
    match question.offer:
        case Offer.TAKEBACK if by_viewer:
            return t.gettext("↩️ You declined the takeback: the move stands.")
        case Offer.TAKEBACK if viewer.person is None:
            words = t.gettext("↩️ {other} declined {name}'s takeback: the move stands.")
            return words.format(other=other, name=asker)
        case Offer.TAKEBACK:
            return t.gettext("↩️ {other} declined the takeback: the move stands.").format(other=other)
        case Offer.REMATCH if by_viewer:
            return t.gettext("🔁 You declined the rematch.")
        case Offer.REMATCH if viewer.person is None:
            return t.gettext("🔁 {other} declined {name}'s rematch.").format(other=other, name=asker)
        case Offer.REMATCH:
            return t.gettext("🔁 {other} declined the rematch.").format(other=other)
        case Offer.RESIGN:
            return None
        case unknown:
            assert_never(unknown)
