"""A series of games between two people: when it continues and ends, and what starts the next game."""

from __future__ import annotations

import pytest

from bot.boards.board import rating_line, score_line, series_line
from bot.boards.keyboards import of_challenge, of_game
from bot.boards.players import Viewer
from bot.boards.rule_words import BadWord, read
from bot.boards.translations import texts
from bot.boards.wording import question_line
from bot.game.actions import Accept, Agree, LetComputerPlay, Rematch, SetSeries
from bot.game.attempt import DAY_SECONDS, Facts, Player, Question, Refusal, State, question_of, state_of
from engine import Mark
from storage.games.game import Game, Offer, Termination
from storage.results.result import score_of, series_goes_on
from tests.bot.games import ANN, BO, CEM, NOW, decided, done, drawn, game_of_two, open_challenge, refused

X_WON = drawn("XXX", "OO.", "...")
DRAWN = drawn("XOX", "XOO", "OXX")
T = texts("en")


def in_series(best_of: int, *score: int, moves: str = X_WON) -> Game:
    """The end of a game of a series, with the score before it."""
    x_wins, o_wins, draws = score
    return game_of_two(moves, best_of=best_of, x_wins=x_wins, o_wins=o_wins, draws=draws)


@pytest.mark.parametrize(
    ("ended", "goes_on"),
    [
        (in_series(3, 0, 0, 0), True),
        (in_series(3, 1, 0, 0), False),
        (in_series(3, 0, 1, 0), True),
        (in_series(3, 0, 0, 1), True),
        (in_series(3, 1, 1, 0), False),
        (in_series(3, 0, 0, 2, moves=DRAWN), False),
        (in_series(5, 2, 0, 0), False),
        (in_series(5, 1, 0, 1), True),
        (in_series(5, 1, 1, 1), True),
        (in_series(7, 3, 0, 0), False),
        (in_series(7, 3, 3, 0, moves=DRAWN), False),
    ],
)
def test_it_ends_when_nobody_can_be_caught_or_all_games_are_played(ended: Game, *, goes_on: bool) -> None:
    assert series_goes_on(ended) is goes_on
    assert ("Next game" in of_game(ended, T, None)) is goes_on
    assert ("Rematch" in of_game(ended, T, None)) is not goes_on
    assert (series_line(ended, Viewer(None, T)) is None) is goes_on, "only the last board names the winner"


@pytest.mark.parametrize(("who", "other"), [(ANN, BO), (BO, ANN)])
def test_the_next_game_begins_when_both_want_it_and_the_other_moves_first(who: Player, other: Player) -> None:
    asked = done(in_series(5, 1, 0, 1), Rematch(), who)
    assert state_of(asked) is State.REMATCH_ASKED
    assert refused(asked, Rematch(), who) is Refusal.ASKED, "nobody begins it alone"
    assert "ready for the next game" in (question_line(asked, Viewer(other.id, T)) or "")
    decision = decided(asked, Rematch(), other)
    begun = decision.following
    assert begun is not None
    assert begun == decided(asked, Agree(asked.ply), other).following
    assert (begun.x_seat, begun.o_seat, begun.best_of) == (BO.id, ANN.id, 5)
    assert (begun.x_wins, begun.o_wins, begun.draws) == (0, 2, 1)
    assert refused(decision.game._replace(next_game=9), Rematch(), who) is Refusal.FOLLOWED, "a second tap"
    assert refused(in_series(5, 1, 0, 1), Rematch(), CEM) is Refusal.NOT_YOURS


@pytest.mark.parametrize("again", [Rematch(), Agree(5)])
@pytest.mark.parametrize("score", [(0, 1, 0), (1, 1, 0)], ids=["in a series", "a rematch"])
def test_whoever_asked_for_another_game_is_waited_for_a_day(
    again: Rematch | Agree, score: tuple[int, ...]
) -> None:
    asked = done(in_series(3, *score), Rematch(), ANN)._replace(changed_at=NOW)
    assert decided(asked, again, BO, now=NOW + DAY_SECONDS).following is not None
    late = decided(asked, again, BO, now=NOW + DAY_SECONDS + 1)
    assert (late.following, question_of(late.game)) == (None, Question(Offer.REMATCH, Mark.O)), "Bo asks anew"
    assert question_of(done(asked, Rematch(), ANN, now=NOW + DAY_SECONDS + 1)) == Question(Offer.REMATCH, Mark.X)


@pytest.mark.parametrize("moves", ["", "4"])
@pytest.mark.parametrize("termination", [Termination.TIMEOUT, Termination.RESIGNATION, Termination.EXPIRED])
@pytest.mark.parametrize("winner", [Mark.X, Mark.O])
def test_a_game_in_which_somebody_never_moved_decides_nothing(
    moves: str, termination: Termination, winner: Mark
) -> None:
    won = None if termination is Termination.EXPIRED else winner
    ended = game_of_two(moves, best_of=5, x_wins=2, termination=termination, winner=won)
    assert score_of(ended) == (2, 0, 0)
    assert series_goes_on(ended)
    assert series_line(ended, Viewer(None, T)) is None
    assert "series" not in (rating_line(ended, Viewer(None, T)) or "")


def test_after_it_a_rematch_offers_a_new_series() -> None:
    asked = done(in_series(3, 1, 0, 0), Rematch(), BO)
    assert state_of(asked) is State.REMATCH_ASKED
    begun = decided(asked, Agree(asked.ply), ANN).following
    assert begun is not None
    assert (begun.best_of, begun.x_wins, begun.o_wins, begun.draws) == (3, 0, 0, 0)


def test_a_takeback_keeps_a_game_in_the_series_so_that_it_ends() -> None:
    ended = game_of_two(X_WON, best_of=3, takebacks=1)
    assert score_line(ended, Viewer(None, T)) is not None
    assert "counts in the series" in (rating_line(ended, Viewer(None, T)) or "")
    begun = decided(done(ended, Rematch(), ANN), Rematch(), BO).following
    assert begun is not None
    assert (begun.x_wins, begun.o_wins) == (0, 1)


def test_the_board_tells_the_score_and_each_their_result() -> None:
    running = game_of_two("4", best_of=3)
    assert score_line(running, Viewer(None, T)) == "Best of 3"
    ended = in_series(3, 1, 0, 0)
    assert "2 – 0" in (score_line(ended, Viewer(None, T)) or "")
    assert series_line(ended, Viewer(ANN.id, T)) == "🏆 <b>You win the series!</b>"
    assert "Ann" in (series_line(ended, Viewer(BO.id, T)) or "")
    assert "draw" in (series_line(in_series(3, 0, 0, 2, moves=DRAWN), Viewer(None, T)) or "")


def test_the_challenger_chooses_it_and_oxo_plays_none() -> None:
    challenge = open_challenge()
    assert [done(challenge, SetSeries(count)).best_of for count in (3, 7, 1)] == [3, 7, None]
    chosen = done(challenge, SetSeries(5))
    assert "Best of 5" in (of_challenge(chosen, T, None) or "")
    assert done(chosen, Accept(best_of=5), BO).best_of == 5
    assert decided(chosen, LetComputerPlay(), ANN, **Facts()._asdict()).game.best_of is None


@pytest.mark.parametrize("typed", ["bo3", "BO3", "best of 3", "Best-of-3", "bestof3"])
def test_it_can_be_typed(typed: str) -> None:
    wished = read([*typed.split(), "5x5", "2m"], T, "first", "clock", "rules")
    assert (wished["best_of"], wished["clock"], wished["rules"]) == ("3", "120", "5x5x4")


@pytest.mark.parametrize(
    ("typed", "kinds"), [("best of 4", ("clock", "rules")), ("best of 3", ("level", "rules"))]
)
def test_a_series_that_cannot_be_is_answered_with_a_word_that_was_typed(
    typed: str, kinds: tuple[str, ...]
) -> None:
    with pytest.raises(BadWord, match="best"):
        read(typed.split(), T, *kinds)
