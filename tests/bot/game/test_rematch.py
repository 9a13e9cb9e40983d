"""The game after a finished one: who may start it, and what it keeps."""

from __future__ import annotations

import pytest

from bot.game.actions import Agree, PlayAgain, Rematch, SetLevel, SetRules, SwapSides, Transition
from bot.game.attempt import Facts, Question, Refusal, question_of
from engine import Level, Mark
from storage.games.game import Offer, Termination
from tests.bot.games import ANN, BO, LIMITS, NOW, asking, computer_game, decided, done, drawn, game_of_two, refused

X_WON = drawn("XXX", "OO.", "...")
O_WON = drawn("XX.", "OOO", "X..")
DRAWN = drawn("XOX", "XOO", "OXX")


@pytest.mark.parametrize("action", [PlayAgain(), SwapSides(), Rematch()])
def test_only_an_ended_game_is_followed_and_only_once(action: Transition) -> None:
    assert refused(computer_game("40"), action) is Refusal.STALE
    assert refused(game_of_two("40"), action) is Refusal.STALE
    over = computer_game(X_WON)._replace(next_game=8)
    assert refused(over, action) is Refusal.FOLLOWED


@pytest.mark.parametrize(("action", "swap"), [(PlayAgain(), False), (SwapSides(), True), (Rematch(), True)])
def test_against_the_computer_it_begins_immediately_with_its_level(action: Transition, *, swap: bool) -> None:
    ended = computer_game(X_WON, level="easy")._replace(version=7, seen_updates="1 2", link="t")
    decision = decided(ended, action, now=NOW + 60, update_id=5)
    begun = decision.following
    assert begun is not None
    assert decision.game == ended
    assert (begun.id, begun.termination, begun.winner, begun.next_game, begun.link) == (0, None, None, None, None)
    assert (begun.level, begun.chat_id, begun.update_id) == ("easy", ended.chat_id, 5)
    assert (begun.version, begun.seen_updates) == (1, "")
    assert begun.mark_of(ANN.id) is (Mark.O if swap else Mark.X)
    assert begun.ply == (1 if swap else 0)
    assert begun.name(Mark.O if swap else Mark.X) == "Ann"
    assert (begun.created_at, begun.moved_at, begun.due_at) == (NOW + 60, NOW + 60, NOW + 60 + LIMITS.computer)


def test_between_two_people_it_begins_once_both_want_it() -> None:
    asked = done(game_of_two(X_WON), Rematch(), BO)
    assert question_of(asked) == Question(Offer.REMATCH, Mark.O)
    assert decided(asked, Rematch(), BO).result.refusal is Refusal.ASKED
    for action in (Agree(5), Rematch()):
        decision = decided(asked, action, ANN)
        assert decision.following is not None
        assert (decision.following.x_seat, decision.following.o_seat) == (BO.id, ANN.id)
        assert (decision.game.offer, decision.following.offer) == (None, None)


def test_nobody_agrees_to_what_they_asked_themselves_or_nobody_asked() -> None:
    asked = game_of_two(X_WON, **asking("rematch:O"))
    assert refused(asked, Agree(5), BO) is Refusal.OWN_QUESTION
    assert refused(game_of_two(X_WON), Agree(5), BO) is Refusal.NOT_ASKED


@pytest.mark.parametrize(
    ("moves", "wins_ann", "wins_bo", "draws"), [(X_WON, 3, 1, 2), (O_WON, 2, 2, 2), (DRAWN, 2, 1, 3)]
)
def test_the_series_goes_on_with_the_sides_changed(moves: str, wins_ann: int, wins_bo: int, draws: int) -> None:
    ended = game_of_two(moves, **asking("rematch:O"), x_wins=2, o_wins=1, draws=2)
    begun = decided(ended, Rematch(), ANN).following
    assert begun is not None
    assert (begun.o_wins, begun.x_wins, begun.draws) == (wins_ann, wins_bo, draws)


def test_a_game_that_does_not_count_is_left_out_of_the_series() -> None:
    ended = game_of_two(
        X_WON,
        **asking("rematch:O"),
        x_wins=2,
        o_wins=1,
        takebacks=1,
        x_rating="1500",
        x_rated="1512",
        x_reached="games",
    )
    begun = decided(ended, Rematch(), ANN).following
    assert begun is not None
    assert (begun.o_wins, begun.x_wins, begun.draws) == (2, 1, 0)
    assert (begun.x_reached, begun.o_reached) == (None, None)
    assert (begun.x_rating, begun.x_rated, begun.o_rating, begun.o_rated) == (None, None, None, None)


def test_a_game_that_was_closed_can_be_followed_too() -> None:
    closed = computer_game("40")._replace(termination=Termination.EXPIRED)
    assert decided(closed, PlayAgain()).following is not None


def test_the_next_adaptive_game_has_the_level_that_the_last_one_has_led_to() -> None:
    ended = computer_game(X_WON, level="easy")._replace(next_level="medium")
    for action in (PlayAgain(), SwapSides()):
        begun = decided(ended, action).following
        assert begun is not None
        assert (begun.level, begun.next_level) == ("medium", "medium")


def test_a_level_that_is_chosen_on_a_fresh_board_ends_the_adaptive_game() -> None:
    fresh = computer_game(level="easy")._replace(next_level="easy")
    for level in (Level.EASY, Level.HARD):
        chosen = done(fresh, SetLevel(level))
        assert (chosen.level, chosen.next_level) == (level, None)
    other = done(fresh, SetRules("5x5x4"), facts=Facts(level=Level.HARD))
    assert (other.level, other.next_level) == ("hard", "hard"), "the level at which they play boards of this kind"
