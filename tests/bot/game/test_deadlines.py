"""Deadlines, with an injected clock: when somebody is reminded, and when the game ends."""

from random import Random

import pytest

from bot.game.attempt import MOVE_SECONDS, Attempt, Player, Refusal, TimeLimits, Where
from bot.game.deadlines import NUDGE_SECONDS, Due, Nudge, look, may_nudge, timed
from bot.game.gate import decide, decide_by_clock
from bot.game.new_game import Accept, SetClock
from bot.game.play import Move
from bot.game.questions import Rematch
from engine import Mark
from storage.games.game import Game, Limits, Termination
from storage.games.record import LOOK_NEVER, Board, Decision, Record
from tests.bot.games import (
    ANN,
    BO,
    NOW,
    attempt,
    board_in,
    decided,
    done,
    followed,
    game_of_two,
    open_challenge,
    why_not,
)

DAY = 24 * 3600
LIMITS = TimeLimits()


def running(moves: str = "40", **values: object) -> Game:
    """A game of two whose last move was made just now."""
    return game_of_two(moves, **{"moved_at": NOW, "due_at": NOW + LIMITS.reminder, **values})


def at(game: Game, seconds: int, *boards: Board) -> Decision:
    """What the clock does this long after the start."""
    by = Attempt(Player(-1, ""), Where(), NOW + seconds, Random(0), LIMITS)
    return decide_by_clock(Record(game, boards or (board_in(),)), by)


SEEN, GONE = board_in(shown_at=NOW), board_in(wanted=2, shown=1, look_at=LOOK_NEVER)
HERS = board_in(ANN.id, id=1, viewer=ANN.id)
OFFERED = {"chat_id": None, "inline_offer": "AbCdEfGh"}
INLINE = board_in(chat_id=None, message_id=None, inline_message_id="AAA")
DELETED = INLINE._replace(wanted=2, shown=1, look_at=LOOK_NEVER)
SENT: dict[str, object] = {"chat_id": None, "clock": 300, "inline_person": ANN.id}
TIME_IS_UP: dict[str, tuple[str, dict[str, object], Board, Termination]] = {
    "who offered it inline and never moved": ("", {**OFFERED, "inline_person": ANN.id}, SEEN, Termination.EXPIRED),
    "even if they have O": ("4", {**OFFERED, "inline_person": BO.id}, SEEN, Termination.EXPIRED),
    "it's the other's turn": ("", {**OFFERED, "inline_person": BO.id}, SEEN, Termination.TIMEOUT),
    "they have moved": ("40", {**OFFERED, "inline_person": ANN.id}, SEEN, Termination.TIMEOUT),
    "the other has left": ("4018", {"left": Mark.O}, SEEN, Termination.EXPIRED),
    "who is to move has left": ("4018", {"left": Mark.X}, SEEN, Termination.TIMEOUT),
    "the other was removed": ("4018", {"left": Mark.O, "removed": True}, SEEN, Termination.EXPIRED),
    "who is to move was removed": ("4018", {"left": Mark.X, "removed": True}, SEEN, Termination.EXPIRED),
    "the group can't see the board": ("40", {}, GONE, Termination.EXPIRED),
    "a person can't see theirs": ("40", {}, HERS._replace(wanted=2, look_at=LOOK_NEVER), Termination.TIMEOUT),
    "its inline message takes nothing": ("40", SENT, DELETED, Termination.EXPIRED),
    "nobody has left, and all see it": ("40", {}, SEEN, Termination.TIMEOUT),
}


@pytest.mark.parametrize(("moves", "values", "board", "ended"), TIME_IS_UP.values(), ids=TIME_IS_UP)
def test_when_the_time_is_up_whoever_is_to_move_loses_unless_it_is_unfair(
    moves: str, values: dict[str, object], board: Board, ended: Termination
) -> None:
    """An offer may have been used in a message that somebody else sent; nobody loses to somebody who has left."""
    game = running(moves, **values)
    over = at(at(game, LIMITS.reminder).game, 6 * DAY, board).game
    assert over.termination is ended
    assert over.winner is (game.turn.other if ended is Termination.TIMEOUT else None)


def test_a_move_restarts_the_time_without_changing_when_to_look() -> None:
    """Storing it would cost each tap an index update; looking up the row gives the true deadline."""
    game = running()
    moved = done(game, Move(2, 1), ANN, now=NOW + DAY)
    assert moved.due_at == game.due_at
    assert look(Record(moved, ()), NOW + LIMITS.reminder, LIMITS) == (None, NOW + DAY + LIMITS.reminder)
    assert look(Record(moved, ()), NOW + DAY + LIMITS.reminder, LIMITS).due is Due.REMINDER
    reminded = at(game, LIMITS.reminder).game
    moved = done(reminded, Move(2, 1), ANN, now=NOW + LIMITS.reminder + 1)
    assert at(moved, 3 * DAY).game.termination is None, "a reminder is good for its ply alone"


def test_nothing_is_due_in_a_game_that_is_over_or_has_no_deadline() -> None:
    for game in (running(termination=Termination.RESIGNATION, winner=Mark.X), running(due_at=None)):
        assert look(Record(game, ()), NOW + 99 * DAY, LIMITS).due is None
        assert at(game, 99 * DAY).game is game


HIS = board_in(BO.id, id=2, viewer=BO.id, language="zh-hans")


REMINDED: dict[str, tuple[Game, tuple[Board, ...], list[int]]] = {
    "hers": (running("40"), (HERS, HIS), [HERS.id]),
    "his": (running("401"), (HERS, HIS), [HIS.id]),
    "her own rather than the group's": (running("40"), (board_in(id=3), HERS), [HERS.id]),
    "one that called her before": (running("40"), (HERS._replace(called=True, acted_at=NOW),), [HERS.id]),
    "not where it leaves": (running(), (board_in(leaving=True, thread_id=1), board_in(id=2, thread_id=2)), [2]),
    "inline mode": (running(), (INLINE,), []),
    "a clock of a day": (running(clock=DAY, due_at=NOW + 1), (board_in(),), [1]),
    "of ten minutes": (running(clock=600, due_at=NOW + 1), (board_in(),), []),
}


@pytest.mark.parametrize(("game", "boards", "coming"), REMINDED.values(), ids=REMINDED)
def test_the_board_of_the_player_to_move_comes_again_to_remind_them_unless_the_clock_is_short(
    game: Game, boards: tuple[Board, ...], coming: list[int]
) -> None:
    reminded = at(game, LIMITS.reminder, *boards)
    found = [board_id for board_id, each in reminded.attention.items() if each.to is not None]
    assert (found, reminded.game.reminded) == (coming, game.ply)


NUDGES: dict[str, tuple[int, int | None, Refusal | None]] = {
    "too soon": (NUDGE_SECONDS - 1, None, Refusal.NUDGED_SOON),
    "after half a day": (NUDGE_SECONDS, None, None),
    "again on that day": (DAY, DAY - 1, Refusal.NUDGED),
    "again a day later": (2 * DAY, DAY, None),
    "after another move, on that day": (NUDGE_SECONDS, NUDGE_SECONDS + 3600, Refusal.NUDGED),
}


@pytest.mark.parametrize(("waited", "nudged", "refused"), NUDGES.values(), ids=NUDGES)
def test_an_opponent_is_nudged_after_half_a_day_and_once_a_day(
    waited: int, nudged: int | None, refused: Refusal | None
) -> None:
    now = NOW + 9 * DAY
    game = running("40", moved_at=now - waited, nudged_at=None if nudged is None else now - nudged)
    assert may_nudge(game, attempt(BO, now=now)) is (refused is None)
    if refused is None:
        assert done(game, Nudge(2), BO, now=now).nudged_at == now
    else:
        assert why_not(decided, game, Nudge(2), BO, now=now) is refused


@pytest.mark.parametrize("is_blocked", [False, True])
def test_a_nudge_calls_the_opponent_even_if_they_were_called_before_but_nobody_who_has_blocked_it(
    *, is_blocked: bool
) -> None:
    game = running("40", moved_at=NOW - DAY)
    for boards, own in (((HERS._replace(called=True), HIS), HERS), ((board_in(called=True),), board_in())):
        by = attempt(BO, Where(boards[-1].chat_id, message_id=9), is_blocked=is_blocked)
        nudged = decide(Record(game, boards), Nudge(2), by)
        comes = {board for board, each in nudged.attention.items() if each.to is not None}
        assert comes == (set() if is_blocked else {own.id})
        assert nudged.game.hushed is is_blocked


def test_a_clock_runs_only_once_telegram_has_shown_the_move() -> None:
    game = running(clock=30, due_at=NOW + 22)
    lagging = board_in(wanted=2, shown=1)
    assert look(Record(game, (lagging,)), NOW + DAY, LIMITS) == (None, NOW + DAY + 1)
    shown = lagging._replace(shown=2, shown_at=NOW + 100)
    assert at(game, 100 + 21, shown).game is game
    reminded = at(game, 100 + 22, shown).game
    assert reminded.reminded == game.ply
    assert at(reminded, 100 + 29, shown).game.termination is None
    lost = at(reminded, 100 + 30, shown).game
    assert (lost.termination, lost.winner) == (Termination.TIMEOUT, game.turn.other)


def test_the_board_of_the_person_to_move_counts_and_one_that_cannot_be_reached_holds_no_clock_up() -> None:
    game = running(clock=600, due_at=NOW + 1)
    elsewhere = HIS._replace(wanted=2, shown=1)
    for theirs, begun in ((HERS._replace(shown_at=NOW + 7), 7), (HERS._replace(wanted=2, look_at=LOOK_NEVER), 0)):
        assert look(Record(game, (theirs, elsewhere)), NOW + 9, LIMITS).again_at == NOW + begun + 450


@pytest.mark.parametrize("moves", ["", "40"])
@pytest.mark.parametrize("time_limits", [Limits.USUAL, Limits.CUP])
@pytest.mark.parametrize("reminded", [False, True])
def test_nobody_loses_on_time_what_their_group_has_not_seen(
    moves: str, time_limits: Limits, *, reminded: bool
) -> None:
    at_ply = len(moves) if reminded else None
    game = running(moves, clock=300, due_at=NOW + 1, time_limits=time_limits, reminded=at_ply)
    for look_at, again_after in ((0, 1), (LOOK_NEVER, 60)):
        board = board_in(wanted=2, shown=1, look_at=look_at)
        assert look(Record(game, (board,)), NOW + DAY, LIMITS) == (None, NOW + DAY + again_after)
        assert at(game, 4 * DAY, board).game.termination is Termination.EXPIRED
        seen = board._replace(shown_at=NOW + 4 * DAY)
        assert at(game, 4 * DAY, seen).game.termination is not Termination.EXPIRED


def test_a_move_has_no_more_than_its_time_once_a_closed_group_is_open_again() -> None:
    for spent, again_after in (("", 22), ("1 1 15", 7), ("1 1 25", 1)):
        game = running(clock=30, due_at=NOW + 1, spent=spent)
        assert look(Record(game, (GONE,)), NOW + DAY, LIMITS) == (None, NOW + DAY + again_after)


def test_without_a_clock_a_board_that_is_hidden_as_the_time_runs_out_may_still_come_again() -> None:
    game = running(due_at=NOW + 1)
    hidden = board_in(wanted=2, shown=1)
    assert look(Record(game, (hidden,)), NOW + 3 * DAY, LIMITS) == (None, NOW + 3 * DAY + 1)
    assert at(game, 6 * DAY, hidden).game.termination is Termination.EXPIRED


def test_the_challenger_chooses_the_clock_a_rematch_keeps_it_and_games_from_matchmaking_have_their_own() -> None:
    accepted = done(done(open_challenge(), SetClock(120)), Accept(clock=120), BO)
    assert accepted.due_at == NOW + 90
    over = running(clock=30, termination=Termination.RESIGNATION, winner=Mark.X)
    strangers = over._replace(clock=None, time_limits=Limits.STRANGERS)
    for game, clock in ((over, 30), (strangers, MOVE_SECONDS)):
        assert followed(done(game, Rematch(), ANN), Rematch(), BO).clock == clock


@pytest.mark.parametrize(
    ("values", "first", "after"),
    [
        ({"time_limits": Limits.CUP, "clock": 30}, 225, 22),
        ({"time_limits": Limits.CUP, "clock": 120}, 225, 90),
        ({"time_limits": Limits.CUP, "clock": DAY}, DAY * 3 // 4, DAY * 3 // 4),
        ({"time_limits": Limits.STRANGERS}, 135, 90),
        ({"clock": 30}, 22, 22),
        ({}, LIMITS.reminder, LIMITS.reminder),
    ],
    ids=[
        "a cup of 30 seconds",
        "a cup of 2 minutes",
        "a cup of a day",
        "strangers",
        "a challenge with a clock",
        "without a clock",
    ],
)
def test_after_the_longer_first_moves_the_clock_is_kept_from_the_next_move_on(
    values: dict[str, object], first: int, after: int
) -> None:
    game = timed(game_of_two("4", **values), NOW, LIMITS)
    assert game.due_at == NOW + first
    moved = done(game, Move(1, 0), BO, now=NOW + 1)
    assert look(Record(moved, ()), NOW + 1 + after, LIMITS).due is not None
    assert done(moved, Move(2, 1), ANN, now=NOW + 3).due_at == moved.due_at, "a later look costs a tap nothing"
