"""Somebody leaves the group of a game or is removed from it, and comes back."""

from itertools import product

import pytest

from bot.boards.keyboards import rows_of
from bot.boards.players import Scene
from bot.game.attempt import Player
from bot.game.deadlines import Due, look, runs_since
from bot.game.departures import LEFT_SECONDS, ClaimWin, may_claim_win, note_back, note_left, with_claim_open
from bot.game.play import Move
from bot.game.questions import TakeBack
from engine import Mark
from storage.games.game import Game, Limits, Termination
from storage.games.record import Record
from storage.results.result import counts, may_be_rated, score_of
from tests.bot.games import ANN, BO, CEM, GROUP, LIMITS, NOW, done, game_of_two

LATER = NOW + LIMITS.reminder

CLOSED = Termination.EXPIRED, None
X_RESIGNED = Termination.RESIGNATION, Mark.O
O_RESIGNED = Termination.RESIGNATION, Mark.X


def running(moves: str = "4018", **values: object) -> Game:
    return game_of_two(moves, **{"moved_at": NOW, "due_at": LATER, **values})


def left(game: Game, who: int = BO.id, *, removed: bool = False, chat_id: int = GROUP, now: int = NOW) -> Game:
    return note_left(Record(game, ()), person=who, chat_id=chat_id, now=now, removed=removed).game


def back(game: Game, who: int = BO.id, *, chat_id: int = GROUP, now: int = NOW) -> Game:
    return note_back(Record(game, ()), person=who, chat_id=chat_id, now=now).game


@pytest.mark.parametrize(
    ("rules", "moves", "who", "removed", "ended"),
    [
        ("3x3x3", "4018", BO, False, O_RESIGNED),
        ("3x3x3", "4018", ANN, False, X_RESIGNED),
        ("3x3x3", "4018", BO, True, CLOSED),
        ("3x3x3", "4018", ANN, True, CLOSED),
        ("3x3x3", "401", BO, False, CLOSED),
        ("3x3x3", "014", BO, False, O_RESIGNED),  # whoever answers a corner beside it is lost
        ("3x3x3", "01", BO, False, O_RESIGNED),
        ("3x3x3", "014", ANN, False, CLOSED),
        ("3x3x3", "014", BO, True, CLOSED),
        ("3x3x3-misere", "0", ANN, False, CLOSED),  # X is lost, but nobody has begun this game
        ("5x5x4", "012", BO, False, CLOSED),
        ("5x5x4", "0123", BO, False, O_RESIGNED),
    ],
)
@pytest.mark.parametrize("in_cup", [False, True])
def test_leaving_loses_what_resigning_would_have_and_being_removed_loses_nothing(
    rules: str, moves: str, who: Player, ended: tuple[Termination, Mark | None], *, removed: bool, in_cup: bool
) -> None:
    """In a cup at once, which goes on without them, and else once the opponent wants it."""
    limits = Limits.CUP if in_cup else Limits.USUAL
    game = running(moves, rules=rules, time_limits=limits, best_of=None if in_cup else 5)
    over = left(game, who.id, removed=removed)
    if not in_cup:
        over = with_claim_open(Record(over, ()), NOW + LEFT_SECONDS)
        other = BO if who is ANN else ANN
        said = "Claim win" if ended[1] else "Close the game"
        assert said in [key.label for row in rows_of(Scene(over)) for key in row]
        over = done(over, ClaimWin(), other)
    assert (over.termination, over.winner, over.left) == (*ended, over.mark_of(who.id))
    assert (counts(over) and may_be_rated(over)) is (ended is not CLOSED)
    assert sum(score_of(over)) == (ended is not CLOSED)


@pytest.mark.parametrize("away", [1, 10, LEFT_SECONDS - 1, LEFT_SECONDS], ids=str)
def test_a_minute_after_leaving_the_win_can_be_claimed_and_until_then_no_clock_runs(away: int) -> None:
    """Whoever is back has not left, and nobody has lost any time, whoever is to move, reminded or not."""
    for who, after, clock, reminded in product((ANN, BO), (0, 29), (30, None), (None, 4)):
        game = running(clock=clock, reminded=reminded, due_at=NOW + (clock or LIMITS.move))
        gone = left(game, who.id, now=NOW + after)
        waited = NOW + after + away
        assert look(Record(gone, ()), waited, LIMITS).due is (Due.CLAIM_WIN if away == LEFT_SECONDS else None)
        assert not may_claim_win(gone)
        there, opened = back(gone, who.id, now=waited), with_claim_open(Record(gone, ()), waited)
        assert (there.left, there.due_then) == (None, None)
        for moment in range(waited, waited + 65):
            earlier = look(Record(game, ()), moment - away, LIMITS)
            for each in (there, opened):
                assert look(Record(each, ()), moment, LIMITS).due is earlier.due
        assert may_claim_win(opened)
        assert not may_claim_win(back(opened, who.id, now=waited + 500))


def test_nobody_gains_more_than_a_minute_for_a_move_by_leaving_again_and_again() -> None:
    game = running(clock=30, due_at=NOW + 22)
    for now in range(NOW, NOW + 600, 50):
        game = back(left(game, ANN.id, now=now), ANN.id, now=now + 40)
    assert look(Record(game, ()), NOW + 600, LIMITS).due is Due.REMINDER
    assert runs_since(Record(game, ())) == NOW + LEFT_SECONDS


def test_somebody_else_who_leaves_later_is_seen_to_have_left() -> None:
    game = running()
    assert left(back(left(game, ANN.id), ANN.id), BO.id).left is Mark.O


def test_a_game_that_both_have_left_is_closed() -> None:
    over = left(left(running(), ANN.id), BO.id, removed=True)
    assert (over.termination, over.winner, over.left) == (*CLOSED, Mark.X)


def test_how_somebody_left_first_is_what_counts() -> None:
    """An administrator may ban somebody who has left already, or somebody who was removed may have left first."""
    for removed in (False, True):
        gone = left(running(), removed=removed)
        assert left(gone, removed=not removed) is gone


def test_only_a_running_game_of_theirs_in_that_group_changes() -> None:
    game, over = running(), running(termination=Termination.RESIGNATION, winner=Mark.X)
    gone = left(game)
    for same in (left(game, chat_id=GROUP - 1), left(game, CEM.id), back(game)):
        assert same is game
    for same in (back(gone, ANN.id), back(gone, CEM.id), back(gone, chat_id=GROUP - 1)):
        assert same is gone
    assert left(over) is over


def test_being_back_withdraws_no_question_and_a_move_means_being_back() -> None:
    asked = done(running(), TakeBack(4), ANN)
    assert back(left(asked)).offer is asked.offer is not None
    gone = left(running(), ANN.id, removed=True)
    moved = done(gone, Move(4, 2), ANN)
    assert (moved.left, moved.removed, moved.due_then) == (None, False, None)
