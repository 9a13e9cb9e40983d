"""What needs another person's answer, or a second thought: takeback and resignation. Every move withdraws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.play import back_to, last_ply_of
from bot.game.refusals import Refusal
from bot.game.states import DECLINED, Question, question_of
from storage.game import Game, Offer, Termination

if TYPE_CHECKING:
    from bot.game.acts import Wish
    from engine import Mark


def take_back(game: Game, wish: Wish) -> Game | Refusal:
    """Take back one's last move and what followed: at once from the computer, from a person with their leave."""
    mark = game.mark_of(wish.who.id)
    if mark is None or last_ply_of(game, mark) is None:
        return Refusal.NOTHING_TO_TAKE_BACK
    if game.is_against_computer:
        return _taken_back(game, mark, wish.now)
    if not wish.takebacks_allowed:
        return Refusal.NO_TAKEBACKS
    if question_of(game) is not None:
        return Refusal.ASKED
    return game._replace(offer=str(Question(Offer.TAKEBACK, mark)))


def resign(game: Game, wish: Wish) -> Game | Refusal:
    """Say that one wants to resign; it counts once it is said again (`confirm`)."""
    mark = game.mark_of(wish.who.id)
    if mark is None:
        return Refusal.NOT_YOURS
    own = Question(Offer.RESIGN, mark)
    question = question_of(game)
    if question not in (None, own):
        return Refusal.ASKED
    return game if question == own else game._replace(offer=str(own))


def confirm(game: Game, wish: Wish) -> Game | Refusal:
    """Resign after a second thought."""
    question = question_of(game)
    if question is None or question.by is not game.mark_of(wish.who.id):
        return Refusal.NOT_ASKED
    return game._replace(offer=None, termination=Termination.RESIGNATION, winner=question.by.other)


def play_on(game: Game, wish: Wish) -> Game | Refusal:
    """Think better of resigning."""
    question = question_of(game)
    if question is None or question.by is not game.mark_of(wish.who.id):
        return Refusal.NOT_ASKED
    return game._replace(offer=None)


def agree(game: Game, wish: Wish) -> Game | Refusal:
    """Agree to the other's takeback."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    if question.by is game.mark_of(wish.who.id):
        return Refusal.OWN_QUESTION
    return _taken_back(game, question.by, wish.now)


def refuse(game: Game, wish: Wish) -> Game | Refusal:
    """Turn down the other's wish, which is told on the board, or withdraw one's own."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    own = question.by is game.mark_of(wish.who.id)
    return game._replace(offer=None if own else f"{DECLINED}{question}")


def _taken_back(game: Game, mark: Mark, now: int) -> Game:
    """The game before the last move of a side."""
    ply = last_ply_of(game, mark) or 0
    return back_to(game, ply)._replace(moved_at=now, reminded=None, takebacks=game.takebacks + 1)
