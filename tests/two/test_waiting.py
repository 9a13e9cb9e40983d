"""Deadlines as pure functions: the time is given."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot import challenges, deadlines, play
from bot.deadlines import Patience, Verdict
from bot.play import Board, Player
from storage.game import EXPIRED, TIMEOUT, Game

ANN, BO = Player(1, "Ann"), Player(2, "Bo")
PATIENCE = Patience(challenge=100, move=400, computer=1000)
REMINDER = PATIENCE.reminder


def game_of_two(moves: str = "") -> Game:
    """A game that began at 0."""
    game = play.new_game(ANN, BO, board=Board(-1), language="en", now=0, due_at=REMINDER)
    return replace(game, moves=moves)


def test_a_challenge_expires_when_its_time_is_over() -> None:
    game = challenges.challenge(ANN, first=True, board=Board(-1), language="en", now=0, due_at=100)
    assert deadlines.first_look(game, PATIENCE) == 100
    assert deadlines.look(game, now=99, patience=PATIENCE) == (game, Verdict.WAIT)
    ended, verdict = deadlines.look(game, now=100, patience=PATIENCE)
    assert verdict is Verdict.END
    assert (ended.termination, ended.winner) == (EXPIRED, None)
    assert deadlines.look(ended, now=10_000, patience=PATIENCE) == (ended, Verdict.WAIT)


def test_a_game_is_reminded_once_and_then_lost_on_time() -> None:
    game = game_of_two("4")
    reminded, verdict = deadlines.look(game, now=REMINDER, patience=PATIENCE)
    assert verdict is Verdict.REMIND
    assert reminded.due_at == 400
    assert deadlines.look(reminded, now=399, patience=PATIENCE) == (reminded, Verdict.WAIT)
    lost, verdict = deadlines.look(reminded, now=400, patience=PATIENCE)
    assert verdict is Verdict.END
    assert (lost.termination, lost.winner) == (TIMEOUT, "X"), "O was to move"


def test_a_move_puts_the_deadline_off_without_touching_it() -> None:
    game, refusal = play.tap(game_of_two(), person=1, ply=0, cell=4, now=250, rng=Random(0))
    assert refusal is None
    assert game.due_at == REMINDER
    later, verdict = deadlines.look(game, now=REMINDER, patience=PATIENCE)
    assert verdict is Verdict.WAIT
    assert later.due_at == 250 + REMINDER
    assert later.termination is None


def test_after_an_outage_there_is_a_reminder_before_the_end() -> None:
    game = game_of_two("4")
    late = 5_000
    reminded, verdict = deadlines.look(game, now=late, patience=PATIENCE)
    assert verdict is Verdict.REMIND
    assert reminded.due_at == late + 400 - REMINDER


def test_each_move_earns_its_own_reminder() -> None:
    reminded, _ = deadlines.look(game_of_two("4"), now=REMINDER, patience=PATIENCE)
    moved, _ = play.tap(reminded, person=2, ply=1, cell=0, now=350, rng=Random(0))
    later, verdict = deadlines.look(moved, now=400, patience=PATIENCE)
    assert verdict is Verdict.WAIT
    again, verdict = deadlines.look(later, now=350 + REMINDER, patience=PATIENCE)
    assert verdict is Verdict.REMIND
    assert again.due_at == 350 + 400


@pytest.mark.parametrize("moves", ["", "40"])
def test_a_game_against_the_computer_just_closes(moves: str) -> None:
    game = play.new_game(ANN, play.computer(), board=Board(1), language="en", now=0, due_at=1000, level="easy")
    game = replace(game, moves=moves)
    assert deadlines.look(game, now=999, patience=PATIENCE) == (game, Verdict.WAIT)
    closed, verdict = deadlines.look(game, now=1000, patience=PATIENCE)
    assert verdict is Verdict.END
    assert (closed.termination, closed.winner) == (EXPIRED, None)
