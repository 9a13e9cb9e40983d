"""Deadlines, with an injected clock: when somebody is reminded, and when the game ends."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.actions import Accept, Agree, Move, Rematch, SetClock, TakeBack
from bot.game.attempt import MOVE_SECONDS, Attempt, Player, Refusal, TimeLimits, Where
from bot.game.deadlines import Due, look
from bot.game.machine import Ruling, decide_by_clock
from engine import Mark
from storage.games.game import Game, Limits, Termination
from storage.games.record import NEVER, Board, Decision, NoticeKind, Record
from tests.bot.games import (
    ANN,
    BO,
    GROUP,
    NOW,
    asking,
    board_in,
    computer_game,
    decided,
    done,
    game_of_two,
    open_challenge,
    refused,
)

DAY = 24 * 3600
LIMITS = TimeLimits()


def running(moves: str = "40", *, since: int = 0) -> Game:
    """A game of two whose last move was made at that time."""
    return game_of_two(moves, moved_at=NOW + since, due_at=NOW + since + LIMITS.reminder)


def at(game: Game, seconds: int, *boards: Board) -> Decision[Ruling]:
    """What the clock does this long after the start."""
    by = Attempt(Player(-1, ""), Where(), NOW + seconds, Random(0), LIMITS)
    return decide_by_clock(Record(game, boards or (board_in(),)), by)


def test_a_challenge_waits_for_a_day_a_move_for_three_and_the_computer_for_thirty() -> None:
    assert (LIMITS.challenge, LIMITS.move, LIMITS.computer) == (DAY, 3 * DAY, 30 * DAY)
    assert LIMITS.reminder == 54 * 3600


@pytest.mark.parametrize(("game", "seconds"), [(open_challenge(), DAY), (computer_game("40"), 30 * DAY)])
def test_an_abandoned_game_is_closed_and_not_before_its_time(game: Game, seconds: int) -> None:
    early = at(game, seconds - 1)
    assert (early.result.refusal, early.game) == (Refusal.STALE, game)
    closed = at(game._replace(**asking("resign:X")), seconds)
    assert closed.result.refusal is None
    assert (closed.game.termination, closed.game.winner, closed.game.offer) == (Termination.EXPIRED, None, None)
    assert closed.notices == ()


def test_between_two_people_the_one_to_move_is_reminded_once_and_then_has_lost() -> None:
    game = running()
    assert at(game, LIMITS.reminder - 1).result.refusal is Refusal.STALE
    reminded = at(game, LIMITS.reminder)
    assert reminded.game.reminded == game.ply
    assert [notice.kind for notice in reminded.notices] == [NoticeKind.REMINDER]
    again = at(reminded.game, LIMITS.reminder + 1)
    assert (again.result.refusal, again.notices) == (Refusal.STALE, ())
    assert at(reminded.game, 3 * DAY - 1).result.refusal is Refusal.STALE
    lost = at(reminded.game, 3 * DAY)
    assert (lost.game.termination, lost.game.winner) == (Termination.TIMEOUT, Mark.O)
    assert lost.notices == ()


@pytest.mark.parametrize(
    ("offered_by", "moves", "ended"),
    [
        (ANN, "", Termination.EXPIRED),
        (BO, "4", Termination.EXPIRED),
        (BO, "", Termination.TIMEOUT),
        (ANN, "40", Termination.TIMEOUT),
    ],
    ids=["X, who has not moved", "O, who has not moved", "not the one to move", "X, who has moved"],
)
def test_somebody_who_offered_an_inline_game_and_never_moved_loses_nothing(
    offered_by: Player, moves: str, ended: Termination
) -> None:
    """The offer may have been used in a message that somebody else sent."""
    game = running(moves)._replace(chat_id=None, inline_person=offered_by.id, inline_offer="AbCdEfGh")
    late = at(at(game, LIMITS.reminder).game, 3 * DAY)
    assert late.game.termination is ended


def test_a_late_reminder_still_leaves_the_time_after_it() -> None:
    """The bot was away for a week: nobody loses before they have been told."""
    reminded = at(running(), 7 * DAY)
    assert reminded.game.termination is None
    assert at(reminded.game, 7 * DAY + LIMITS.move - LIMITS.reminder - 1).game.termination is None
    assert at(reminded.game, 7 * DAY + LIMITS.move - LIMITS.reminder).game.termination is Termination.TIMEOUT


def test_a_move_restarts_the_time_without_changing_when_to_look() -> None:
    """Storing it would cost each tap an index update; looking up the row gives the true deadline."""
    game = running()
    moved = done(game, Move(2, 1), ANN, now=NOW + DAY)
    assert moved.due_at == game.due_at
    found = look(Record(moved, ()), NOW + LIMITS.reminder, LIMITS)
    assert found == (None, NOW + DAY + LIMITS.reminder)
    assert look(Record(moved, ()), NOW + DAY + LIMITS.reminder, LIMITS).due is Due.REMINDER


def test_a_reminder_is_good_for_its_ply_alone() -> None:
    reminded = at(running(), LIMITS.reminder).game
    moved = done(reminded, Move(2, 1), ANN, now=NOW + LIMITS.reminder + 1)
    assert at(moved, 3 * DAY).game.termination is None


def test_nothing_is_due_in_a_game_that_is_over_or_has_no_deadline() -> None:
    over = running()._replace(termination=Termination.RESIGNATION, winner=Mark.X)
    for game in (over, running()._replace(due_at=None)):
        assert look(Record(game, ()), NOW + 99 * DAY, LIMITS).due is None
        assert at(game, 99 * DAY).game is game


def test_the_reminder_goes_to_the_board_of_the_player_to_move_and_nowhere_for_inline_mode() -> None:
    anns = board_in(ANN.id, id=1, viewer=ANN.id)
    bos = board_in(BO.id, id=2, viewer=BO.id, language="zh-hans")
    (to_ann,) = at(running("40"), LIMITS.reminder, anns, bos).notices
    assert (to_ann.chat_id, to_ann.language, to_ann.ply) == (ANN.id, "en", 2)
    (to_bo,) = at(running("401"), LIMITS.reminder, anns, bos).notices
    assert (to_bo.chat_id, to_bo.language) == (BO.id, "zh-hans")
    (in_group,) = at(running(), LIMITS.reminder, board_in(thread_id=5)).notices
    assert (in_group.chat_id, in_group.thread_id) == (GROUP, 5)
    leaving, here = board_in(id=1, leaving=True, thread_id=1), board_in(id=2, thread_id=2)
    (moved,) = at(running(), LIMITS.reminder, leaving, here).notices
    assert moved.thread_id == 2
    inline = board_in(chat_id=None, message_id=None, inline_message_id="AAA")
    shown = at(running(), LIMITS.reminder, inline)
    assert (shown.notices, shown.game.reminded) == ((), 2)


def test_a_clock_runs_only_once_telegram_has_shown_the_move() -> None:
    game = running()._replace(clock=30, due_at=NOW + 22)
    lagging = board_in(wanted=2, shown=1)
    assert look(Record(game, (lagging,)), NOW + DAY, LIMITS) == (None, NOW + DAY + 1)
    shown = lagging._replace(shown=2, shown_at=NOW + 100)
    assert at(game, 100 + 21, shown).result.refusal is Refusal.STALE
    reminded = at(game, 100 + 22, shown)
    assert (reminded.game.reminded, reminded.notices) == (game.ply, ()), "for so short a time, the board is enough"
    assert at(reminded.game, 100 + 29, shown).game.termination is None
    lost = at(reminded.game, 100 + 30, shown).game
    assert (lost.termination, lost.winner) == (Termination.TIMEOUT, game.turn.other)


@pytest.mark.parametrize("clock", [30, 600, None])
def test_an_undo_gives_back_the_time_that_was_left_at_that_move(clock: int | None) -> None:
    limit = clock or LIMITS.move
    quarter = limit // 10
    game, now = game_of_two(clock=clock, moved_at=NOW, due_at=NOW + limit * 3 // 4), NOW
    for who, cell, tenths in ((ANN, 4, 2), (BO, 0, 1), (ANN, 1, 9), (BO, 7, 1)):
        now += tenths * quarter
        game = done(game, Move(game.ply, cell), who, now=now)
    asked = done(game, TakeBack(4), ANN, now=now + quarter)
    back = done(asked, Agree(4), BO, now=now + quarter)
    assert game_lost_at(back) == now + quarter + limit - 9 * quarter, "Ann thought for nine tenths"
    further = done(done(back, TakeBack(2), ANN, now=now + quarter), Agree(2), BO, now=now + quarter)
    assert game_lost_at(further) == now + quarter + limit - 2 * quarter, "and for two at her first move"
    moved = done(back, Move(2, 8), ANN, now=now + quarter + 1)
    assert moved.spent.split()[2] == str(9 * quarter + 1)
    again = done(done(moved, TakeBack(3), ANN), Agree(3), BO, now=now + 2 * quarter)
    assert game_lost_at(again) == now + 2 * quarter + limit - 9 * quarter - 1, "undoing twice gains nothing"


def game_lost_at(game: Game) -> int:
    """When a game is lost on time if the clock looks each second that it says."""
    assert game.due_at is not None
    now = game.due_at
    while True:
        game = at(game, max(now, game.moved_at) - NOW).game
        if game.is_over:
            return max(now, game.moved_at)
        now = look(Record(game, ()), now, LIMITS).again_at or now + 1


def test_the_board_of_the_person_to_move_counts_and_one_that_cannot_be_reached_holds_no_clock_up() -> None:
    game = running()._replace(clock=600, due_at=NOW + 1)
    mover, other = (game.seat(game.turn), game.seat(game.turn.other))
    theirs = board_in(ANN.id, viewer=mover, shown_at=NOW + 7)
    elsewhere = board_in(BO.id, viewer=other, wanted=2, shown=1)
    assert look(Record(game, (theirs, elsewhere)), NOW + 9, LIMITS).again_at == NOW + 7 + 450
    lost = board_in(ANN.id, viewer=mover, wanted=2, shown=1, look_at=NEVER)
    assert look(Record(game, (lost, elsewhere)), NOW + 9, LIMITS).again_at == NOW + 450


def test_a_clock_of_a_day_reminds_by_a_message_too() -> None:
    assert len(at(running()._replace(clock=DAY, due_at=NOW + 1), DAY).notices) == 1


def test_a_rematch_keeps_the_clock_and_games_from_matchmaking_have_their_own() -> None:
    over = running()._replace(clock=30, termination=Termination.RESIGNATION, winner=Mark.X)
    asked = done(over, Rematch(), ANN)
    following = decided(asked, Rematch(), BO).following
    assert following is not None
    assert following.clock == 30
    strangers = over._replace(clock=None, time_limits=Limits.STRANGERS)
    following = decided(done(strangers, Rematch(), ANN), Rematch(), BO).following
    assert following is not None
    assert following.clock == MOVE_SECONDS


def test_the_challenger_chooses_the_clock_until_somebody_accepts() -> None:
    challenge = open_challenge()
    assert [done(challenge, SetClock(seconds)).clock for seconds in (30, 0)] == [30, None]
    accepted = done(done(challenge, SetClock(120)), Accept(clock=120), BO)
    assert accepted.due_at == NOW + 90
    assert refused(accepted, SetClock(30)) is Refusal.BEGUN
