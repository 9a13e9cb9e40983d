"""The next game after a finished one: immediate against the computer, by agreement between two people."""

from __future__ import annotations

from bot.game.actions import Begun
from bot.game.attempt import Attempt
from bot.game.deadlines import clock_of, timed
from bot.game.new_game import between_the_same
from bot.game.play import let_computer_move, with_level, with_sides_swapped
from bot.game.refusals import Refusal
from bot.game.states import Question, asking, question_of
from storage.games.game import Game, Limits, Offer, is_erased
from storage.results.result import Score, score_of, series_goes_on


def again(game: Game, attempt: Attempt, *, swap: bool) -> Game | Begun | Refusal:
    """Play the computer again, perhaps with sides swapped; between two people, ask for a rematch."""
    if game.is_against_computer:
        return _begun(game, attempt, swap=swap)
    return ask(game, attempt)


def ask(game: Game, attempt: Attempt) -> Game | Begun | Refusal:
    """Ask for a rematch, or agree to it if the opponent has asked already.

    The next game of a series begins as soon as either wants it, as both agreed to the series.
    """
    mark = game.mark_of(attempt.who.id)
    question = question_of(game)
    if game.is_against_computer:
        return _begun(game, attempt, swap=True)
    if mark is None:
        return Refusal.NOT_YOURS
    if is_erased(game.seat(mark.other)):
        return Refusal.LEFT
    if series_goes_on(game):
        return _begun(game, attempt, swap=True)
    if question is None:
        return asking(game, Question(Offer.REMATCH, mark))
    return Refusal.ASKED if question.by is mark else _begun(game, attempt, swap=True)


def agree(game: Game, attempt: Attempt) -> Game | Begun | Refusal:
    """Agree to the opponent's rematch."""
    question = question_of(game)
    if question is None:
        return Refusal.NOT_ASKED
    if question.by is game.mark_of(attempt.who.id):
        return Refusal.OWN_QUESTION
    return _begun(game, attempt, swap=True)


def _begun(game: Game, attempt: Attempt, *, swap: bool) -> Begun:
    """The finished game and the next one, not stored yet; the score of the series carries on, or starts again."""
    score = score_of(game) if not game.best_of or series_goes_on(game) else Score(0, 0, 0)
    following = between_the_same(game, attempt)._replace(
        time_limits=Limits.USUAL if game.is_between_strangers else game.time_limits,
        clock=clock_of(game),
        x_wins=score.x_wins,
        o_wins=score.o_wins,
        draws=score.draws,
    )
    if game.next_level is not None:
        following = with_level(following, game.next_level)
    if swap:
        following = with_sides_swapped(following)
    following = let_computer_move(timed(following, attempt.now, attempt.limits), attempt.rng, attempt.now)
    return Begun(game.with_nothing_asked(), following)
