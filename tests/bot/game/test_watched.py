"""A game that the computer plays against itself: one ply at a time, at its pace, until somebody sits down."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.acts import Act, Player, Wish
from bot.game.gate import Where
from bot.game.lessons import known_lesson
from bot.game.machine import decide_by_computer
from bot.game.refusals import Refusal
from bot.game.reviews import can_try
from bot.game.states import State, free_seat, state_of
from bot.game.watched import LATE_SECONDS, PACES, chosen, pace_of
from engine import STRATEGIES, Level, Mark
from storage.game import COMPUTER, Game, Termination
from storage.record import Record
from storage.result import counts, results_of
from tests.bot.games import (
    ANN,
    BO,
    CEM,
    LIMITS,
    NOW,
    board_in,
    decided,
    done,
    drawn,
    game_of_two,
    refused,
    watched_game,
)


def answered(game: Game, cell: int | None = None, *, ply: int | None = None, now: int = NOW) -> Game | Refusal:
    """The game after the computer's move, or why there is none."""
    cell = chosen(game, Random(0)) if cell is None else cell
    ply = game.ply if ply is None else ply
    wish = Wish(Act.ANSWER, Player(-1, ""), Where(), now, Random(0), LIMITS, ply=ply, cell=cell)
    decision = decide_by_computer(Record(game, (board_in(),)), wish)
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
        game = done(game, Act.FASTER)
        assert pace_of(game) == pace
        after = answered(game, now=NOW + 60)
        assert isinstance(after, Game)
        assert pace_of(after) == pace
    assert refused(game, Act.FASTER) is Refusal.FASTEST
    assert pace_of(game._replace(due_at=NOW + 99)) == PACES[-1], "what was put off goes at the slowest"


def test_in_a_group_telegram_allows_no_faster() -> None:
    assert refused(watched_game("40"), Act.FASTER) is Refusal.GROUPS_ARE_SLOW


def test_who_has_let_it_begin_stops_it_and_so_does_an_administrator() -> None:
    assert refused(watched_game(), Act.STOP, BO) is Refusal.NOT_YOURS_TO_STOP
    for who, is_admin in ((ANN, False), (BO, True)):
        ended = done(watched_game("40"), Act.STOP, who, is_admin=is_admin)
        assert (ended.termination, ended.winner, ended.ended_by) == (Termination.CANCELLED, None, who.name)
        assert state_of(ended) is State.OVER


def test_whoever_takes_a_seat_plays_on_from_there_against_the_others_strategy() -> None:
    game = watched_game("40", x="perfect", o="open-lines")
    taken = done(game, Act.TAKE_X, BO)
    assert (taken.x_seat, taken.x_name, taken.x_level) == (BO.id, BO.name, None)
    assert (taken.o_seat, taken.o_level) == (COMPUTER, "open-lines")
    assert (taken.host, taken.moves, state_of(taken)) == (None, "40", State.RUNNING)
    assert taken.due_at == NOW + LIMITS.computer
    moved = done(taken, Act.MOVE, BO, cell=8, ply=2)
    assert moved.ply == 4, "the computer answers at once"


def test_who_takes_the_seat_that_is_not_to_move_sees_the_computers_move() -> None:
    taken = done(watched_game("40"), Act.TAKE_O, BO)
    assert (taken.ply, taken.turn) == (3, Mark.O)


def test_two_may_take_both_seats_until_the_first_of_them_moves() -> None:
    taken = done(watched_game("40"), Act.TAKE_X, BO)
    assert free_seat(taken) is Mark.O
    assert refused(taken, Act.TAKE_O, BO) is Refusal.SEATED
    assert refused(taken, Act.TAKE_X, CEM) is Refusal.SEAT_TAKEN
    both = done(taken, Act.TAKE_O, CEM)
    assert (both.x_seat, both.o_seat, both.level) == (BO.id, CEM.id, None)
    assert not both.is_against_computer
    assert both.due_at == NOW + LIMITS.reminder
    moved = done(taken, Act.MOVE, BO, cell=8, ply=2)
    assert refused(moved, Act.TAKE_O, CEM) is Refusal.SEAT_TAKEN


def test_in_a_private_chat_there_is_nobody_else_to_sit_down() -> None:
    assert free_seat(done(alone("40"), Act.TAKE_X)) is None


def test_once_more_is_the_same_for_whoever_asks() -> None:
    ended = watched_game(drawn("XXX", "OO.", "..."))
    following = decided(ended, Act.WATCH, BO).following
    assert following is not None
    assert (following.host, following.moves, following.x_wins) == (BO.id, "", 0)
    assert (following.x_level, following.o_level) == (ended.x_level, ended.o_level)
    assert state_of(following) is State.WATCHED


@pytest.mark.parametrize(
    ("drawing", "seat", "level"),
    [(("XXX", "OO.", "..."), Mark.O, "perfect"), (("OOO", "XX.", "X.."), Mark.X, "random")],
)
def test_the_winner_plays_who_asks_at_its_level(drawing: tuple[str, ...], seat: Mark, level: str) -> None:
    following = decided(watched_game(drawn(*drawing)), Act.WINNER, BO).following
    assert following is not None
    assert following.mark_of(BO.id) is seat
    assert (following.level, following.host) == (level, None)
    assert following.ply == (1 if seat is Mark.O else 0), "the winner has moved if it begins"


def test_a_draw_has_no_winner_to_play() -> None:
    assert refused(watched_game(drawn("XOX", "XXO", "OXO")), Act.WINNER, BO) is Refusal.STALE


def test_who_chooses_another_board_then_meets_a_level_that_plays_there() -> None:
    taken = done(watched_game(x="tempo", o="tempo"), Act.TAKE_X)
    elsewhere = done(taken, Act.SET_RULES, value="5x5x4")
    assert elsewhere.level == "medium"
    assert done(done(watched_game(o="easy"), Act.TAKE_X), Act.SET_RULES, value="5x5x4").level == "easy"


def resigned(game: Game, who: Player) -> Game:
    """The game after somebody has given it up, twice asked."""
    return done(done(game, Act.RESIGN, who, ply=game.ply), Act.CONFIRM, who, ply=game.ply)


@pytest.mark.parametrize("act", [Act.TAKE_X, Act.TAKE_O])
@pytest.mark.parametrize("moves", ["", "40", "401"])
def test_a_game_that_was_watched_first_does_not_count_and_a_rematch_of_it_does(act: Act, moves: str) -> None:
    ended = resigned(done(alone(moves), act), ANN)
    assert ended.watched == len(moves)
    assert not counts(ended._replace(moves="4081")), "however much was played in it"
    following = decided(ended, Act.AGAIN).following
    assert following is not None
    assert (following.watched, following.is_against_computer) == (None, True)
    assert counts(following._replace(moves="4081", termination=Termination.RESIGNATION, winner=Mark.X))


def test_a_game_in_which_two_took_both_seats_counts_for_neither() -> None:
    both = done(done(watched_game("40"), Act.TAKE_O, BO), Act.TAKE_X, CEM)
    assert (both.moves[:2], both.watched) == ("40", 3), "the computer has moved between the two"
    assert [both.mover_of(ply) for ply in range(1, 5)] == [COMPUTER, COMPUTER, COMPUTER, BO.id]
    ended = resigned(both, BO)
    assert results_of(ended._replace(moves="4081"), NOW) == []
    asked = done(ended, Act.REMATCH, BO)
    following = decided(asked, Act.AGREE, CEM).following
    assert following is not None
    again = following._replace(moves="4081", termination=Termination.RESIGNATION, winner=Mark.X)
    assert len(results_of(again, NOW)) == 2


def test_a_game_against_the_winner_is_a_new_one_and_counts() -> None:
    following = decided(watched_game(drawn("XXX", "OO.", "...")), Act.WINNER, BO).following
    assert following is not None
    assert following.watched is None
    assert counts(following._replace(moves="4081", termination=Termination.RESIGNATION, winner=Mark.X))


def test_what_is_taken_back_of_the_computers_moves_and_played_anew_is_ones_own() -> None:
    taken = done(watched_game("40"), Act.TAKE_X, BO)
    undone = done(taken, Act.TAKEBACK, BO, ply=2)
    assert (undone.moves, undone.watched) == ("", 0)
    moved = done(undone, Act.MOVE, BO, cell=8, ply=0)
    assert moved.mover_of(1) == BO.id


@pytest.mark.parametrize(
    ("act", "value"), [(Act.SET_FIRST, "me"), (Act.SET_LEVEL, "easy"), (Act.SET_RULES, "4x4x4")]
)
def test_who_begins_from_an_empty_board_has_made_all_of_their_moves(act: Act, value: str) -> None:
    anew = done(done(alone("4"), Act.TAKE_O), act, value=value)
    assert anew.watched == 0
    assert not counts(anew._replace(moves="4081", termination=Termination.RESIGNATION, winner=Mark.X))


def test_one_tries_only_ones_own_moves_again() -> None:
    slipped = game_of_two("0863214")
    game = done(watched_game("0863"), Act.TAKE_O, BO)._replace(
        moves=slipped.moves, termination=slipped.termination, winner=slipped.winner
    )
    lesson = known_lesson(game)
    assert lesson is not None
    assert lesson.steps[1].is_slip
    assert not can_try(game, BO.id, 2, lesson), "the computer gave that away"
    assert can_try(slipped, BO.id, 2, lesson)
