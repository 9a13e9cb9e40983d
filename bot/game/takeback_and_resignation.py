"""Takebacks, which the opponent has to allow, and resignations, which must be confirmed. A move withdraws both."""

from __future__ import annotations

from bot.game.attempt import Attempt
from bot.game.play import back_to, last_ply_of
from bot.game.refusals import Refusal
from bot.game.states import Question, asking, question_of
from engine import Mark
from storage.games.game import Game, Offer, Termination


def take_back(game: Game, attempt: Attempt) -> Game | Refusal:
    """Take back one's last move and what followed; against a person, ask them first."""
    mark = game.mark_of(attempt.who.id)
    if mark is None or last_ply_of(game, mark) is None:
        return Refusal.NOTHING_TO_TAKE_BACK
    if game.is_against_computer:
        return _taken_back(game, mark, attempt.now)
    if not attempt.facts.takebacks_allowed:
        return Refusal.NO_TAKEBACKS
    if question_of(game) is not None:
        return Refusal.ASKED
    return asking(game, Question(Offer.TAKEBACK, mark))


def resign(game: Game, attempt: Attempt) -> Game | Refusal:
    """Offer to resign; it counts once it is confirmed (`confirm`)."""
    mark = game.mark_of(attempt.who.id)
    if mark is None:
        return Refusal.NOT_YOURS
    own = Question(Offer.RESIGN, mark)
    question = question_of(game)
    if question not in (None, own):
        return Refusal.ASKED
    return game if question == own else asking(game, own)


def confirm(game: Game, attempt: Attempt) -> Game | Refusal:
    """Confirm the resignation."""
    question = question_of(game)
    if question is None or question.by is not game.mark_of(attempt.who.id):
        return Refusal.NOT_ASKED
    return game.with_nothing_asked()._replace(termination=Termination.RESIGNATION, winner=question.by.other)


def play_on(game: Game, attempt: Attempt) -> Game | Refusal:
    """Decide against resigning."""
    question = question_of(game)
    if question is None or question.by is not game.mark_of(attempt.who.id):
        return Refusal.NOT_ASKED
    return game.with_nothing_asked()


def agree(game: Game, attempt: Attempt) -> Game | Refusal:
    """Agree to the opponent's takeback."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    if question.by is game.mark_of(attempt.who.id):
        return Refusal.OWN_QUESTION
    return _taken_back(game, question.by, attempt.now)


def refuse(game: Game, attempt: Attempt) -> Game | Refusal:
    """Decline what the opponent asks for, which the board then says, or withdraw one's own question."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    mark = game.mark_of(attempt.who.id)
    answered = game.with_nothing_asked()
    return answered if mark is question.by else answered._replace(declined=question.offer, declined_by=mark)


def _taken_back(game: Game, mark: Mark, now: int) -> Game:
    """The game before the last move of a side."""
    ply = last_ply_of(game, mark) or 0
    return back_to(game, ply)._replace(moved_at=now, reminded=None, takebacks=game.takebacks + 1)
