"""Exhibitions: the computer plays itself at its pace; `tests/two/test_machine.py` presses everything in them."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.actions import Answer, GoFaster, PlayWinner, SetRules, Stop, WatchAgain
from bot.game.attempt import Attempt, Player, Refusal, State, Where, position_of, state_of
from bot.game.exhibitions import LATE_SECONDS, PACES, chosen, pace_of
from bot.game.machine import decide_by_computer
from engine import STRATEGIES, Level, Mark
from storage.games.game import Game, Termination
from storage.games.record import Record
from storage.results.result import counts
from tests.bot.games import ANN, BO, LIMITS, NOW, board_in, done, drawn, followed, refused, watched_game

WON = watched_game(drawn("XXX", "OO.", "..."))


def answered(game: Game, cell: int | None = None, *, now: int = NOW, thought_of: Game | None = None) -> Game:
    """The game after the computer's move, which it may have thought of for another one."""
    cell = chosen(game, Random(0)) if cell is None else cell
    by = Attempt(Player(-1, ""), Where(), now, Random(0), LIMITS)
    answer = Answer(cell, position_of(thought_of or game))
    return decide_by_computer(Record(game, (board_in(),)), answer, by).game


@pytest.mark.parametrize("name", [*Level, *STRATEGIES])
def test_every_level_and_every_strategy_plays_itself_to_the_end(name: str) -> None:
    game = watched_game(x=name, o=name)
    for ply in range(9):
        if game.is_over:
            break
        assert (game.ply, state_of(game)) == (ply, State.WATCHED)
        game = answered(game)
    assert game.check().is_over
    assert game.host == ANN.id, "nobody has played"


def test_a_move_is_made_for_one_ply_alone() -> None:
    game = watched_game("40")
    assert answered(game, 8, thought_of=watched_game("4")) is game
    assert answered(game, 8).moves == "408"


def test_a_move_that_is_late_by_two_seconds_anybody_makes() -> None:
    game = answered(watched_game(), now=NOW + 60)
    assert (game.moved_at, game.due_at) == (NOW + 60, NOW + 60 + 2 + LATE_SECONDS)


def test_it_becomes_faster_twice_in_a_private_chat_and_stays_so() -> None:
    game = watched_game("40", chat_id=ANN.id)
    for pace in (1.0, 0.5):
        game = done(game, GoFaster())
        assert pace_of(game) == pace_of(answered(game, now=NOW + 60)) == pace
    assert refused(game, GoFaster()) is Refusal.FASTEST
    assert pace_of(game._replace(due_at=NOW + 99)) == PACES[-1], "a delayed move goes at the slowest pace"


def test_the_person_who_started_it_stops_it_and_so_does_an_administrator() -> None:
    assert refused(watched_game(), Stop(), BO, is_admin=None) is Refusal.UNKNOWN
    for who, is_admin in ((ANN, False), (BO, True)):
        ended = done(watched_game("40"), Stop(), who, is_admin=is_admin)
        assert (ended.termination, ended.winner, ended.ended_by) == (Termination.CANCELLED, None, who.id)


def test_once_more_is_the_same_whoever_asks() -> None:
    following = followed(WON, WatchAgain(), BO)
    assert (following.host, following.moves, following.x_wins) == (BO.id, "", 0)
    assert (following.x_level, following.o_level) == (WON.x_level, WON.o_level)


@pytest.mark.parametrize(
    ("won", "seat", "level"),
    [(WON, Mark.O, "perfect"), (watched_game(drawn("OOO", "XX.", "X..")), Mark.X, "random")],
    ids=["X", "O"],
)
def test_the_winner_plays_the_person_who_asks_at_its_level_and_that_counts(
    won: Game, seat: Mark, level: str
) -> None:
    following = followed(won, PlayWinner(), BO)
    assert (following.mark_of(BO.id), following.level, following.host) == (seat, level, None)
    assert following.ply == (1 if seat is Mark.O else 0), "the winner has moved if it goes first"
    assert counts(following._replace(moves="4081", termination=Termination.RESIGNATION, winner=Mark.X))


def test_a_draw_has_no_winner_to_play() -> None:
    assert refused(watched_game(drawn("XOX", "XXO", "OXO")), PlayWinner(), BO) is Refusal.STALE


def test_playing_the_winner_on_another_board_meets_a_level_that_plays_there() -> None:
    following = followed(WON._replace(x_level="tempo", o_level="easy"), PlayWinner(), BO)
    assert following.level == "tempo"
    assert done(following, SetRules("5x5x4"), BO).level == "medium"
