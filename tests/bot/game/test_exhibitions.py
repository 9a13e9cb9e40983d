"""Exhibitions: the computer plays itself at its pace."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.actions import (
    Answer,
    GoFaster,
    PlayWinner,
    SetRules,
    Stop,
    WatchAgain,
)
from bot.game.attempt import Attempt, Player, Refusal, State, Where, position_of, state_of
from bot.game.exhibitions import LATE_SECONDS, PACES, chosen, pace_of
from bot.game.machine import decide_by_computer
from engine import STRATEGIES, Level, Mark
from storage.games.game import Game, Termination
from storage.games.record import Record
from storage.results.result import counts
from tests.bot.games import (
    ANN,
    BO,
    LIMITS,
    NOW,
    board_in,
    decided,
    done,
    drawn,
    refused,
    watched_game,
)


def answered(game: Game, cell: int | None = None, *, ply: int | None = None, now: int = NOW) -> Game | Refusal:
    """The game after the computer's move, or why there is none."""
    cell = chosen(game, Random(0)) if cell is None else cell
    thought = position_of(game if ply is None else game._replace(moves=game.moves[:ply]))
    by = Attempt(Player(-1, ""), Where(), now, Random(0), LIMITS)
    decision = decide_by_computer(Record(game, (board_in(),)), Answer(cell, thought), by)
    return decision.result.refusal or decision.game


def alone(moves: str = "") -> Game:
    """A game that Ann watches in her own chat."""
    return watched_game(moves, chat_id=ANN.id)


@pytest.mark.parametrize("name", [*Level, *STRATEGIES])
def test_every_level_and_every_strategy_plays_itself_to_the_end(name: str) -> None:
    game = watched_game(x=name, o=name)
    for ply in range(9):
        if game.is_over:
            break
        assert (game.ply, state_of(game)) == (ply, State.WATCHED)
        after = answered(game)
        assert isinstance(after, Game)
        game = after
    assert game.check().is_over
    assert game.host == ANN.id, "nobody has played"


def test_a_move_is_made_for_one_ply_alone() -> None:
    game = watched_game("40")
    assert answered(game, 8, ply=1) is Refusal.STALE
    assert answered(game._replace(termination=Termination.CANCELLED), 8) is Refusal.OVER
    after = answered(game, 8)
    assert isinstance(after, Game)
    assert after.moves == "408"


def test_a_move_that_is_late_by_two_seconds_anybody_makes() -> None:
    game = answered(watched_game(), now=NOW + 60)
    assert isinstance(game, Game)
    assert (game.moved_at, game.due_at) == (NOW + 60, NOW + 60 + 2 + LATE_SECONDS)


def test_it_becomes_faster_twice_in_a_private_chat_and_stays_so() -> None:
    game = alone("40")
    for pace in (1.0, 0.5):
        game = done(game, GoFaster())
        assert pace_of(game) == pace
        after = answered(game, now=NOW + 60)
        assert isinstance(after, Game)
        assert pace_of(after) == pace
    assert refused(game, GoFaster()) is Refusal.FASTEST
    assert pace_of(game._replace(due_at=NOW + 99)) == PACES[-1], "a delayed move goes at the slowest pace"


def test_in_a_group_telegram_allows_no_faster() -> None:
    assert refused(watched_game("40"), GoFaster()) is Refusal.GROUPS_ARE_SLOW


def test_the_person_who_started_it_stops_it_and_so_does_an_administrator() -> None:
    assert refused(watched_game(), Stop(), BO) is Refusal.NOT_YOURS_TO_STOP
    for who, is_admin in ((ANN, False), (BO, True)):
        ended = done(watched_game("40"), Stop(), who, is_admin=is_admin)
        assert (ended.termination, ended.winner, ended.ended_by) == (Termination.CANCELLED, None, who.id)
        assert state_of(ended) is State.OVER


def test_once_more_is_the_same_whoever_asks() -> None:
    ended = watched_game(drawn("XXX", "OO.", "..."))
    following = decided(ended, WatchAgain(), BO).following
    assert following is not None
    assert (following.host, following.moves, following.x_wins) == (BO.id, "", 0)
    assert (following.x_level, following.o_level) == (ended.x_level, ended.o_level)
    assert state_of(following) is State.WATCHED


@pytest.mark.parametrize(
    ("drawing", "seat", "level"),
    [(("XXX", "OO.", "..."), Mark.O, "perfect"), (("OOO", "XX.", "X.."), Mark.X, "random")],
)
def test_the_winner_plays_the_person_who_asks_at_its_level(
    drawing: tuple[str, ...], seat: Mark, level: str
) -> None:
    following = decided(watched_game(drawn(*drawing)), PlayWinner(), BO).following
    assert following is not None
    assert following.mark_of(BO.id) is seat
    assert (following.level, following.host) == (level, None)
    assert following.ply == (1 if seat is Mark.O else 0), "the winner has moved if it goes first"


def test_a_draw_has_no_winner_to_play() -> None:
    assert refused(watched_game(drawn("XOX", "XXO", "OXO")), PlayWinner(), BO) is Refusal.STALE


def test_playing_the_winner_on_another_board_meets_a_level_that_plays_there() -> None:
    won = watched_game(drawn("XXX", "OO.", "..."), x="tempo", o="easy")
    following = decided(won, PlayWinner(), BO).following
    assert following is not None
    assert following.level == "tempo"
    assert done(following, SetRules("5x5x4"), BO).level == "medium"


def test_a_game_against_the_winner_counts() -> None:
    following = decided(watched_game(drawn("XXX", "OO.", "...")), PlayWinner(), BO).following
    assert following is not None
    assert counts(following._replace(moves="4081", termination=Termination.RESIGNATION, winner=Mark.X))
