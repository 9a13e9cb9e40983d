"""Challenges, new games, rematches, series and exhibitions: whose they are, how they end, and what is kept.

`tests/two/test_machine.py` compares what is done, and what isn't, with a model of the rules.
"""

from random import Random

import pytest

from bot.boards.board import rating_line, score_line, series_line
from bot.boards.players import Scene
from bot.boards.rule_words import BadWord, read
from bot.boards.wording import question_line
from bot.game.attempt import (
    Attempt,
    Facts,
    Player,
    Refusal,
    Where,
    next_thought,
)
from bot.game.choices import First
from bot.game.exhibitions import LATE_SECONDS, TEMPOS, ComputerMove, GoFaster, PlayWinner, next_move, tempo_of
from bot.game.gate import decide_by_computer
from bot.game.new_game import (
    Accept,
    Cancel,
    Decline,
    LetComputerPlay,
    SetSeries,
    goes_first,
    is_for,
    seen_with,
)
from bot.game.pages import OPTIONS
from bot.game.play import SetLevel, SetRules
from bot.game.questions import Agree, PlayAgain, Rematch
from engine import Level, Mark
from storage.columns import DAY
from storage.games.game import Game, Offer, Termination
from storage.games.record import Record
from storage.results.result import counts, score_of, series_goes_on
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    LIMITS,
    NOW,
    UNKNOWN,
    asking,
    board_in,
    computer_game,
    done,
    drawn,
    followed,
    game_of_two,
    open_challenge,
    refused,
    scored,
    watched_game,
)
from tests.bot.reading import keyboard_for

X_WON = drawn("XXX", "OO.", "...")
O_WON = drawn("XX.", "OOO", "X..")
DRAWN = drawn("XOX", "XOO", "OXX")


def test_random_is_a_fair_coin() -> None:
    rng = Random(7)
    assert 900 < sum(goes_first(First.RANDOM, rng) for _ in range(2000)) < 1100
    assert goes_first(First.ME, rng)
    assert not goes_first(First.BOT, rng)


# Challenges.


@pytest.mark.parametrize(
    ("rival", "player", "meant"),
    [
        *((UNKNOWN, BO._replace(username=name), True) for name in ("bo", "BO", "Bo")),
        *((UNKNOWN, BO._replace(username=name), False) for name in ("bob", "", None)),
        (BO, BO._replace(name="?", username=None), True),
        (BO, CEM._replace(name=BO.name, username=BO.username), False),
    ],
)
def test_a_rival_is_known_by_id_or_by_their_username_in_any_case(
    rival: Player, player: Player, *, meant: bool
) -> None:
    assert is_for(open_challenge(rival=rival), player) is meant


def test_a_challenge_is_accepted_by_the_rules_it_was_seen_with() -> None:
    changed = done(open_challenge(), SetRules("5x5x4"), ANN)
    for seen in ("3x3x3", ""):
        assert refused(changed, Accept(seen), BO) is Refusal.STALE
    for further in (changed._replace(clock=30), changed._replace(best_of=3)):
        assert refused(further, Accept("5x5x4"), BO) is Refusal.STALE
        assert done(further, seen_with(further), BO).o.seat == BO.id
    assert done(changed, Accept("5x5x4"), BO).rules == "5x5x4"


@pytest.mark.parametrize("rival", [BO, UNKNOWN])
def test_whoever_is_challenged_declines_by_name_and_is_counted_even_if_oxo_plays_instead(rival: Player) -> None:
    named = open_challenge(rival=rival)
    declined = done(named, Decline(), BO)
    assert (declined.rival_id, declined.name_of(BO.id)) == (BO.id, BO.name)
    game = done(named, LetComputerPlay(), ANN)
    assert (game.rival_id, game.rival_username) == (named.rival_id, named.rival_username)
    linked = open_challenge(rival=BO, link="a" * 22)
    assert refused(linked, LetComputerPlay(), ANN) is Refusal.STALE, "there is a board in the rival's chat"


def test_where_the_administrators_are_not_known_whoever_would_withdraw_it_is_told_so() -> None:
    assert refused(open_challenge(), Cancel(), CEM, is_admin=None) is Refusal.UNKNOWN


# The next game.


def test_an_adaptive_game_follows_the_last_one_until_a_level_is_chosen_on_a_fresh_board() -> None:
    ended = computer_game(X_WON, level="easy")._replace(next_level="medium")
    begun = followed(ended, PlayAgain())
    assert (begun.level, begun.next_level) == ("medium", "medium")
    fresh = computer_game(level="easy")._replace(next_level="easy")
    for level in (Level.EASY, Level.HARD):
        chosen = done(fresh, SetLevel(level))
        assert (chosen.level, chosen.next_level) == (level, None)
    other = done(fresh, SetRules("5x5x4"), facts=Facts(level=Level.HARD))
    assert (other.level, other.next_level) == ("hard", "hard"), "the level at which they play boards of this kind"


def in_series(best_of: int | None, *score: int, moves: str = X_WON) -> Game:
    """The end of a game of a series, or of any two games in a row, with the score before it."""
    x, o, draws = score
    return scored(game_of_two(moves, best_of=best_of, draws=draws), x, o)


@pytest.mark.parametrize(
    ("ended", "score"),
    [
        (in_series(None, 2, 1, 2), (1, 3, 2)),
        (in_series(None, 2, 1, 2, moves=O_WON), (2, 2, 2)),
        (in_series(None, 2, 1, 2, moves=DRAWN), (1, 2, 3)),
        (in_series(5, 1, 0, 1), (0, 2, 1)),
        (in_series(3, 1, 0, 0), (0, 0, 0)),
    ],
    ids=["X won", "O won", "a draw", "in a series", "a series that is over"],
)
def test_between_two_people_it_begins_once_both_want_it_with_the_sides_changed_and_the_score_carried_on(
    ended: Game, score: tuple[int, ...]
) -> None:
    for who, other in ((ANN, BO), (BO, ANN)):
        asked = done(ended, Rematch(), who)
        assert refused(asked, Rematch(), who) is Refusal.OWN_QUESTION, "nobody begins it alone"
        if series_goes_on(ended):
            assert "ready for the next game" in (question_line(Scene(asked, other.id)) or "")
        begun = followed(asked, Rematch(), other)
        assert begun == followed(asked, Agree, other)
        assert followed(asked, Rematch(), other, now=asked.changed_at + DAY).moves == ""
        late = done(asked, Rematch(), other, now=asked.changed_at + DAY + 1)
        assert (late.offer, late.offered_by) == (Offer.REMATCH, late.mark_of(other.id)), (
            "the first has gone by now"
        )
        assert (begun.x.seat, begun.o.seat, begun.best_of, begun.offer) == (BO.id, ANN.id, ended.best_of, None)
        assert (begun.x.wins, begun.o.wins, begun.draws) == score


# Series.


@pytest.mark.parametrize(
    ("ended", "goes_on"),
    [
        *((in_series(3, *score), True) for score in ((0, 0, 0), (0, 1, 0), (0, 0, 1))),
        *((in_series(3, *score), False) for score in ((1, 0, 0), (1, 1, 0))),
        (in_series(3, 0, 0, 2, moves=DRAWN), False),
        *((in_series(5, *score), True) for score in ((1, 0, 1), (1, 1, 1))),
        *((in_series(best_of, *score), False) for best_of, *score in ((5, 2, 0, 0), (7, 3, 0, 0))),
        (in_series(7, 3, 3, 0, moves=DRAWN), False),
    ],
)
def test_it_ends_when_nobody_can_be_caught_or_all_games_are_played(ended: Game, *, goes_on: bool) -> None:
    assert series_goes_on(ended) is goes_on
    assert ("Next game" in (keyboard_for(ended) or "")) is goes_on
    assert ("Rematch" in (keyboard_for(ended) or "")) is not goes_on
    assert (series_line(Scene(ended)) is None) is goes_on, "only the last board names the winner"


@pytest.mark.parametrize("moves", ["", "4"])
@pytest.mark.parametrize("termination", [Termination.TIMEOUT, Termination.RESIGNATION, Termination.EXPIRED])
@pytest.mark.parametrize("winner", Mark)
def test_a_game_in_which_somebody_never_moved_decides_nothing(
    moves: str, termination: Termination, winner: Mark
) -> None:
    won = None if termination is Termination.EXPIRED else winner
    ended = scored(game_of_two(moves, best_of=5, termination=termination, winner=won), 2, 0)
    assert (score_of(ended), series_goes_on(ended)) == ((2, 0, 0), True)
    assert series_line(Scene(ended)) is None
    assert "series" not in (rating_line(Scene(ended)) or "")


def test_a_takeback_keeps_a_game_in_the_series_so_that_it_ends_and_one_that_does_not_count_is_left_out() -> None:
    ended = in_series(3, 0, 0, 0)._replace(takebacks=1)
    assert score_line(Scene(ended)) is not None
    assert "counts in the series" in (rating_line(Scene(ended)) or "")
    begun = followed(done(ended, Rematch(), ANN), Rematch(), BO)
    assert (begun.x.wins, begun.o.wins) == (0, 1)
    ended = in_series(None, 2, 1, 0)._replace(**asking("rematch:O"), takebacks=1)
    ended = ended.with_side(Mark.X, rating="1500", rated="1512", reached="games")
    begun = followed(ended, Rematch(), ANN)
    assert (begun.o.wins, begun.x.wins, begun.draws) == (2, 1, 0)
    assert {begun.x.reached, begun.o.reached, begun.x.rating, begun.x.rated, begun.o.rated} == {None}


def test_the_board_tells_the_score_and_each_their_result() -> None:
    assert score_line(Scene(game_of_two("4", best_of=3))) == "Best of 3"
    ended = in_series(3, 1, 0, 0)
    assert "2 – 0" in (score_line(Scene(ended)) or "")
    assert series_line(Scene(ended, ANN.id)) == "🏆 <b>You win the series!</b>"
    assert "Ann" in (series_line(Scene(ended, BO.id)) or "")
    assert "draw" in (series_line(Scene(in_series(3, 0, 0, 2, moves=DRAWN))) or "")


def test_the_challenger_chooses_it_and_oxo_plays_none() -> None:
    assert [done(open_challenge(), SetSeries(count)).best_of for count in (3, 7, 1)] == [3, 7, None]
    chosen = done(open_challenge(), SetSeries(5))
    assert "Best of 5" in (keyboard_for(chosen, page=OPTIONS) or "")
    assert done(chosen, Accept(best_of=5), BO).best_of == 5
    assert done(chosen, LetComputerPlay(), ANN).best_of is None


def test_it_can_be_typed_and_one_that_cannot_be_is_answered_with_a_word_that_was_typed() -> None:
    for typed in ("bo3", "BO3", "best of 3", "Best-of-3", "bestof3"):
        wished = read([*typed.split(), "5x5", "2m"], "first", "clock", "series", "rules")
        assert (wished["best_of"], wished["clock"], wished["rules"]) == ("3", "120", "5x5x4")
    for typed, kind in (("best of 4", "series"), ("best of 3", "level")):
        with pytest.raises(BadWord, match="best"):
            read(typed.split(), kind, "rules")


# Exhibitions: the computer plays itself at its pace.

WATCHED = watched_game(X_WON)


def answered(game: Game, now: int = NOW) -> Game:
    answer = ComputerMove(next_move(game, Random(0)), next_thought(game))
    by = Attempt(Player(-1, ""), Where(), now, Random(0), LIMITS)
    return decide_by_computer(Record(game, (board_in(),)), answer, by).game


def test_a_move_that_is_late_by_two_seconds_anybody_makes_and_a_delayed_one_goes_at_the_slowest_pace() -> None:
    game = answered(watched_game(), now=NOW + 60)
    assert (game.moved_at, game.due_at) == (NOW + 60, NOW + 60 + 2 + LATE_SECONDS)
    fastest = done(done(watched_game("40", chat_id=ANN.id), GoFaster()), GoFaster())
    assert refused(fastest, GoFaster()) is Refusal.FASTEST
    assert tempo_of(fastest._replace(due_at=NOW + 99)) == TEMPOS[-1]


@pytest.mark.parametrize(
    ("winner", "level", "elsewhere"),
    [(Mark.X, "tempo", "medium"), (Mark.O, "easy", "easy")],
    ids=["a strategy", "a level"],
)
def test_playing_the_winner_with_the_other_mark_counts_and_on_another_board_meets_a_level_that_plays_there(
    winner: Mark, level: str, elsewhere: str
) -> None:
    watched = watched_game(X_WON, x="tempo", o="easy")._replace(winner=winner)
    following = followed(watched, PlayWinner(), BO)
    assert (following.mark_of(BO.id), following.level) == (winner.other, level)
    assert counts(following._replace(moves="4081", termination=Termination.RESIGNATION, winner=Mark.X))
    assert done(following, SetRules("5x5x4"), BO).level == elsewhere
