"""Challenges, new games, rematches and series: whose they are, how they end, and what the next game keeps."""

from __future__ import annotations

from random import Random

import pytest

from bot.boards.board import rating_line, score_line, series_line
from bot.boards.keyboards import of_challenge, of_game
from bot.boards.players import Viewer
from bot.boards.rule_words import BadWord, read
from bot.boards.translations import texts
from bot.boards.wording import question_line
from bot.game import actions as act
from bot.game.actions import Transition
from bot.game.attempt import DAY_SECONDS, Facts, Player, Question, Refusal, question_of
from bot.game.new_game import First, challenge, challenger_of, closed_by_other, goes_first, is_for, seen_with
from engine import Level, Mark
from storage.games.game import COMPUTER, Game, Offer, Termination
from storage.results.result import score_of, series_goes_on
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    GROUP,
    LIMITS,
    NOW,
    UNKNOWN,
    asking,
    computer_game,
    done,
    drawn,
    followed,
    game_of_two,
    open_challenge,
    refused,
)

X_WON = drawn("XXX", "OO.", "...")
O_WON = drawn("XX.", "OOO", "X..")
DRAWN = drawn("XOX", "XOO", "OXX")
T = texts("en")
NOBODY = Viewer(None, T)


def test_random_is_a_fair_coin() -> None:
    rng = Random(7)
    assert 900 < sum(goes_first(First.RANDOM, rng) for _ in range(2000)) < 1100
    assert goes_first(First.ME, rng)
    assert not goes_first(First.BOT, rng)


@pytest.mark.parametrize("first", [True, False])
def test_a_game_against_the_computer_has_its_level_on_the_computers_seat(*, first: bool) -> None:
    begun = computer_game(first=first, level="hard")
    taken = done(open_challenge(first=first), act.LetComputerPlay(), ANN, now=NOW + 50, level=Level.HARD)
    for game, now in ((begun, NOW), (taken, NOW + 50)):
        assert (game.x_seat, game.o_seat) == ((ANN.id, COMPUTER) if first else (COMPUTER, ANN.id))
        assert (game.x_level, game.o_level) == ((None, "hard") if first else ("hard", None))
        assert (game.names, game.due_at) == ({ANN.id: "Ann"}, now + LIMITS.computer)


# Challenges.


@pytest.mark.parametrize("first", [True, False])
def test_accepting_gives_the_empty_seat_and_starts_the_time(*, first: bool) -> None:
    open_ = open_challenge(first=first, rival=BO)
    own, other = (Mark.O, Mark.X) if first else (Mark.X, Mark.O)
    assert (challenger_of(open_), open_.rival_id, open_.name_of(BO.id)) == (other, BO.id, BO.name)
    assert open_.due_at == NOW + LIMITS.challenge
    accepted = done(open_, act.Accept(), BO, now=NOW + 50)
    assert (accepted.seat(own), accepted.name(own), accepted.name(other)) == (BO.id, BO.name, ANN.name)
    assert (accepted.moved_at, accepted.due_at) == (NOW + 50, NOW + 50 + LIMITS.reminder)
    assert accepted.rival_id is None, "nobody is named any more"


def test_a_name_that_shows_nothing_is_none() -> None:
    game = challenge(Player(5, ""), first=True, chat_id=GROUP, now=NOW, limits=LIMITS)
    assert game.name(Mark.X) is None


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
    changed = done(open_challenge(), act.SetRules("5x5x4"), ANN)
    for seen in ("3x3x3", ""):
        assert refused(changed, act.Accept(seen), BO) is Refusal.STALE
    for further in (changed._replace(clock=30), changed._replace(best_of=3)):
        assert refused(further, act.Accept("5x5x4"), BO) is Refusal.STALE
        assert done(further, seen_with(further), BO).o_seat == BO.id
    assert done(changed, act.Accept("5x5x4"), BO).rules == "5x5x4"


@pytest.mark.parametrize("rival", [BO, UNKNOWN])
def test_whoever_is_challenged_declines_by_name_and_is_counted_even_if_oxo_plays_instead(rival: Player) -> None:
    named = open_challenge(rival=rival)
    declined = done(named, act.Decline(), BO)
    assert (declined.termination, declined.rival_id, declined.name_of(BO.id)) == (
        Termination.DECLINED,
        BO.id,
        "小波",
    )
    game = done(named, act.LetComputerPlay(), ANN)
    assert (game.rival_id, game.rival_username) == (named.rival_id, named.rival_username)


def test_the_challenger_and_administrators_may_withdraw_it_and_the_record_says_who_did() -> None:
    for who, by_other in ((ANN, False), (CEM, True)):
        closed = done(open_challenge(), act.Cancel(), who, is_admin=True)
        assert (closed.termination, closed.ended_by) == (Termination.CANCELLED, who.id)
        assert closed_by_other(closed) is by_other
    assert refused(open_challenge(), act.Cancel(), CEM, is_admin=None) is Refusal.UNKNOWN


def test_oxo_takes_no_seat_in_a_challenge_that_has_a_board_in_the_rivals_chat() -> None:
    assert refused(open_challenge(rival=BO, link="a" * 22), act.LetComputerPlay(), ANN) is Refusal.STALE


# The next game.


@pytest.mark.parametrize("action", [act.PlayAgain(), act.SwapSides(), act.Rematch()])
def test_only_an_ended_game_is_followed_and_only_once(action: Transition) -> None:
    for game in (computer_game("40"), game_of_two("40")):
        assert refused(game, action) is Refusal.STALE
    assert refused(computer_game(X_WON)._replace(next_game=8), action) is Refusal.FOLLOWED


@pytest.mark.parametrize(
    ("action", "swap"), [(act.PlayAgain(), False), (act.SwapSides(), True), (act.Rematch(), True)]
)
def test_against_the_computer_it_begins_immediately_with_its_level(action: Transition, *, swap: bool) -> None:
    ended = computer_game(X_WON, level="easy")._replace(version=7, seen_updates="1 2", link="t")
    begun = followed(ended, action, now=NOW + 60, update_id=5)
    assert (begun.id, begun.termination, begun.winner, begun.next_game, begun.link) == (0, None, None, None, None)
    assert (begun.level, begun.chat_id, begun.update_id) == ("easy", ended.chat_id, 5)
    assert (begun.version, begun.seen_updates) == (1, "")
    mark = Mark.O if swap else Mark.X
    assert (begun.mark_of(ANN.id), begun.name(mark), begun.ply) == (mark, "Ann", 1 if swap else 0)
    assert (begun.created_at, begun.moved_at, begun.due_at) == (NOW + 60, NOW + 60, NOW + 60 + LIMITS.computer)
    followed(computer_game("40")._replace(termination=Termination.EXPIRED), action)


def test_the_next_adaptive_game_has_the_level_that_the_last_one_has_led_to() -> None:
    ended = computer_game(X_WON, level="easy")._replace(next_level="medium")
    for action in (act.PlayAgain(), act.SwapSides()):
        begun = followed(ended, action)
        assert (begun.level, begun.next_level) == ("medium", "medium")


def test_a_level_that_is_chosen_on_a_fresh_board_ends_the_adaptive_game() -> None:
    fresh = computer_game(level="easy")._replace(next_level="easy")
    for level in (Level.EASY, Level.HARD):
        chosen = done(fresh, act.SetLevel(level))
        assert (chosen.level, chosen.next_level) == (level, None)
    other = done(fresh, act.SetRules("5x5x4"), facts=Facts(level=Level.HARD))
    assert (other.level, other.next_level) == ("hard", "hard"), "the level at which they play boards of this kind"


def in_series(best_of: int | None, *score: int, moves: str = X_WON) -> Game:
    """The end of a game of a series, or of any two games in a row, with the score before it."""
    x_wins, o_wins, draws = score
    return game_of_two(moves, best_of=best_of, x_wins=x_wins, o_wins=o_wins, draws=draws)


@pytest.mark.parametrize(("who", "other"), [(ANN, BO), (BO, ANN)])
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
    ended: Game, score: tuple[int, ...], who: Player, other: Player
) -> None:
    asked = done(ended, act.Rematch(), who)
    assert (asked.offer, asked.offered_by) == (Offer.REMATCH, ended.mark_of(who.id))
    assert refused(asked, act.Rematch(), who) is Refusal.ASKED, "nobody begins it alone"
    assert refused(asked, act.Agree, who) is Refusal.OWN_QUESTION
    assert refused(ended, act.Agree, who) is Refusal.NOT_ASKED
    assert refused(ended, act.Rematch(), CEM) is Refusal.NOT_YOURS
    if series_goes_on(ended):
        assert "ready for the next game" in (question_line(asked, Viewer(other.id, T)) or "")
    begun = followed(asked, act.Rematch(), other)
    assert begun == followed(asked, act.Agree, other)
    assert (begun.x_seat, begun.o_seat, begun.best_of, begun.offer) == (BO.id, ANN.id, ended.best_of, None)
    assert (begun.x_wins, begun.o_wins, begun.draws) == score


def test_a_game_that_does_not_count_is_left_out_and_no_rating_is_carried_on() -> None:
    ended = in_series(None, 2, 1, 0)._replace(**asking("rematch:O"), takebacks=1)
    ended = ended._replace(x_rating="1500", x_rated="1512", x_reached="games")
    begun = followed(ended, act.Rematch(), ANN)
    assert (begun.o_wins, begun.x_wins, begun.draws) == (2, 1, 0)
    assert (begun.x_reached, begun.o_reached) == (None, None)
    assert (begun.x_rating, begun.x_rated, begun.o_rating, begun.o_rated) == (None, None, None, None)


@pytest.mark.parametrize("again", [act.Rematch(), act.Agree(5)])
@pytest.mark.parametrize("score", [(0, 1, 0), (1, 1, 0)], ids=["in a series", "a rematch"])
def test_whoever_asked_for_another_game_is_waited_for_a_day(again: Transition, score: tuple[int, ...]) -> None:
    asked = done(in_series(3, *score), act.Rematch(), ANN)._replace(changed_at=NOW)
    followed(asked, again, BO, now=NOW + DAY_SECONDS)
    late = done(asked, again, BO, now=NOW + DAY_SECONDS + 1)
    assert question_of(late) == Question(Offer.REMATCH, Mark.O), "Bo asks anew"
    anew = done(asked, act.Rematch(), ANN, now=NOW + DAY_SECONDS + 1)
    assert question_of(anew) == Question(Offer.REMATCH, Mark.X)


# Series.


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
    assert (series_line(ended, NOBODY) is None) is goes_on, "only the last board names the winner"


@pytest.mark.parametrize("moves", ["", "4"])
@pytest.mark.parametrize("termination", [Termination.TIMEOUT, Termination.RESIGNATION, Termination.EXPIRED])
@pytest.mark.parametrize("winner", Mark)
def test_a_game_in_which_somebody_never_moved_decides_nothing(
    moves: str, termination: Termination, winner: Mark
) -> None:
    won = None if termination is Termination.EXPIRED else winner
    ended = game_of_two(moves, best_of=5, x_wins=2, termination=termination, winner=won)
    assert (score_of(ended), series_goes_on(ended)) == ((2, 0, 0), True)
    assert series_line(ended, NOBODY) is None
    assert "series" not in (rating_line(ended, NOBODY) or "")


def test_a_takeback_keeps_a_game_in_the_series_so_that_it_ends() -> None:
    ended = in_series(3, 0, 0, 0)._replace(takebacks=1)
    assert score_line(ended, NOBODY) is not None
    assert "counts in the series" in (rating_line(ended, NOBODY) or "")
    begun = followed(done(ended, act.Rematch(), ANN), act.Rematch(), BO)
    assert (begun.x_wins, begun.o_wins) == (0, 1)


def test_the_board_tells_the_score_and_each_their_result() -> None:
    assert score_line(game_of_two("4", best_of=3), NOBODY) == "Best of 3"
    ended = in_series(3, 1, 0, 0)
    assert "2 – 0" in (score_line(ended, NOBODY) or "")
    assert series_line(ended, Viewer(ANN.id, T)) == "🏆 <b>You win the series!</b>"
    assert "Ann" in (series_line(ended, Viewer(BO.id, T)) or "")
    assert "draw" in (series_line(in_series(3, 0, 0, 2, moves=DRAWN), NOBODY) or "")


def test_the_challenger_chooses_it_and_oxo_plays_none() -> None:
    assert [done(open_challenge(), act.SetSeries(count)).best_of for count in (3, 7, 1)] == [3, 7, None]
    chosen = done(open_challenge(), act.SetSeries(5))
    assert "Best of 5" in (of_challenge(chosen, T, None) or "")
    assert done(chosen, act.Accept(best_of=5), BO).best_of == 5
    assert done(chosen, act.LetComputerPlay(), ANN).best_of is None


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
