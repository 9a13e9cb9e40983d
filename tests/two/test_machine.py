"""Everything is pressed in every state: the bot's state machine and a model of the rules agree."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest

from bot.game.actions import Action, Move, SetFirst, SetLevel, SetRules, TakeBack
from bot.game.attempt import Refusal, State, state_of
from bot.game.machine import GATE, MACHINE, Who
from tests.two.model import (
    CHALLENGE_SECONDS,
    COMPUTER_SECONDS,
    MOVE_SECONDS,
)
from tests.two.presses import CLOCK
from tests.two.situations import PRESSES, SITUATIONS


@cache
def pressed(situation: str) -> tuple[set[tuple[State, type[Action]]], set[tuple[State, type[Action]]]]:
    """Press everything once, each on a copy of a situation; returns the cells reached, and the successes."""
    cells, done = set(), set()
    for press in PRESSES:
        both = SITUATIONS[situation].copy()
        if both.press(press):
            both.check_the_message()
        cells |= both.cells
        done |= both.done
    watched_now = state_of(SITUATIONS[situation].game) is State.WATCHED
    if watched_now or SITUATIONS[situation].table.thinking:
        for name in ("answer", "close") if watched_now else ("think",):
            both = SITUATIONS[situation].copy()
            getattr(both, name)()
            both.check_the_message()
            cells |= both.cells
            done |= both.done
    for seconds in (0, CHALLENGE_SECONDS, MOVE_SECONDS * 3 // 4, COMPUTER_SECONDS):
        both = SITUATIONS[situation].copy()
        both.pass_time(seconds)
        both.pass_time(MOVE_SECONDS)
        cells |= both.cells
        done |= both.done
    return cells, done


@pytest.mark.parametrize("situation", SITUATIONS)
def test_whatever_is_pressed_in_a_situation_the_model_says_the_same(situation: str) -> None:
    cells, _ = pressed(situation)
    game = SITUATIONS[situation].game
    state = state_of(game)
    nobody_plays = game.host is not None and game.is_over
    of_people = set(MACHINE) - CLOCK
    expected = {kind for kind in of_people if GATE[kind].who is Who.EVERYBODY} if nobody_plays else of_people
    assert {kind for reached, kind in cells if reached is state} >= expected


IDLE: Final = {
    (State.TAKEBACK_ASKED, TakeBack): "one question at a time",
    (State.TAKEBACK_ASKED, SetLevel): "only people are asked",
    (State.TAKEBACK_ASKED, SetFirst): "only people are asked",
    (State.TAKEBACK_ASKED, SetRules): "only people are asked",
    (State.THINKING, Move): "it is the computer's turn",
}
"""Steps that never do anything, because of what else holds in their state."""


def test_every_cell_of_the_machine_is_reached_and_every_step_of_it_taken() -> None:
    reached: set[tuple[State, type[Action]]] = set()
    taken: set[tuple[State, type[Action]]] = set()
    for situation in SITUATIONS:
        cells, done = pressed(situation)
        reached |= cells
        taken |= done
    everything = {(state, act) for act, row in MACHINE.items() for state in row}
    steps = {(state, act) for state, act in everything if not isinstance(MACHINE[act][state], Refusal)}
    assert everything - reached == {
        (state, act)
        for act in CLOCK
        for state in State
        if (state, act) not in steps or (state, act) in IDLE  # the clock ignores finished games by itself
    }
    assert steps - taken == set(IDLE)
    assert taken <= steps
