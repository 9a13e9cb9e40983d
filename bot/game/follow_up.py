"""The game after a finished one: at once against the computer, between two people once both want it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.acts import Act, Begun
from bot.game.deadlines import timed
from bot.game.play import let_computer_move, with_sides_swapped
from bot.game.refusals import Refusal
from bot.game.states import Question, question_of
from engine import Mark
from storage.game import Game, Offer, Termination, has_left

if TYPE_CHECKING:
    from bot.game.acts import Wish


def again(game: Game, wish: Wish) -> Game | Begun | Refusal:
    """Play again; between two people that is the wish for a rematch."""
    if game.is_against_computer:
        return _begun(game, wish, swap=wish.act is not Act.AGAIN)
    return rematch(game, wish)


def rematch(game: Game, wish: Wish) -> Game | Begun | Refusal:
    """Ask for a rematch, which agrees to it where the other has asked already."""
    mark = game.mark_of(wish.who.id)
    question = question_of(game)
    if game.is_against_computer:
        return _begun(game, wish, swap=True)
    if mark is None:
        return Refusal.NOT_YOURS
    if has_left(game.seat(mark.other)):
        return Refusal.LEFT
    if question is None:
        return game._replace(offer=str(Question(Offer.REMATCH, mark)))
    return Refusal.ASKED if question.by is mark else _begun(game, wish, swap=True)


def agree(game: Game, wish: Wish) -> Game | Begun | Refusal:
    """Agree to the other's wish for a rematch."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    if question.by is game.mark_of(wish.who.id):
        return Refusal.OWN_QUESTION
    return _begun(game, wish, swap=True)


def _begun(game: Game, wish: Wish, *, swap: bool) -> Begun:
    """The finished game, and another between the same two, not stored yet; the series goes on."""
    following = game._replace(
        id=0,
        moves="",
        offer=None,
        takebacks=0,
        watched=None,
        token=None,
        termination=None,
        winner=None,
        ended_by=None,
        x_wins=game.x_wins + (game.winner is Mark.X),
        o_wins=game.o_wins + (game.winner is Mark.O),
        draws=game.draws + (game.termination is Termination.FULL_BOARD),
        next_game=None,
        created_at=wish.now,
        changed_at=wish.now,
        update_id=wish.update_id,
        seen_updates="",
        version=1,
    )
    if swap:
        following = with_sides_swapped(following)
    following = let_computer_move(timed(following, wish.now, wish.limits), wish.rng, wish.now)
    return Begun(game._replace(offer=None), following)
