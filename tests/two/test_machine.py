"""Everything is pressed in every state: the bot's state machine and a model of the rules agree."""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

import pytest

from bot.game import actions as act
from bot.game.actions import Action
from bot.game.attempt import Refusal, State, state_of
from bot.game.machine import GATE, MACHINE, Who
from tests.two.both import Both
from tests.two.model import CHALLENGE_SECONDS, COMPUTER_SECONDS, MOVE_SECONDS
from tests.two.presses import CLOCK
from tests.two.situations import PRESSES, SITUATIONS

Cell: TypeAlias = tuple[State, type[Action]]
Reached: TypeAlias = tuple[set[Cell], set[Cell]]


@cache
def pressed(situation: str) -> Reached:
    """Press everything once, each on a copy of a situation; returns the cells reached, and the successes."""
    found: list[Both] = []

    def copy() -> Both:
        found.append(SITUATIONS[situation].copy())
        return found[-1]

    for press in PRESSES:
        both = copy()
        if both.press(press):
            both.check_the_message()
    watched = state_of(SITUATIONS[situation].game) is State.WATCHED
    thinking = SITUATIONS[situation].table.thinking
    for step in (Both.answer, Both.close) if watched else (Both.think,) if thinking else ():
        step(both := copy())
        both.check_the_message()
    for seconds in (0, CHALLENGE_SECONDS, MOVE_SECONDS * 3 // 4, COMPUTER_SECONDS):
        both = copy()
        both.pass_time(seconds)
        both.pass_time(MOVE_SECONDS)
    return {cell for both in found for cell in both.cells}, {cell for both in found for cell in both.done}


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
    (State.TAKEBACK_ASKED, act.TakeBack): "one question at a time",
    (State.TAKEBACK_ASKED, act.SetLevel): "only people are asked",
    (State.TAKEBACK_ASKED, act.SetFirst): "only people are asked",
    (State.TAKEBACK_ASKED, act.SetRules): "only people are asked",
    (State.THINKING, act.Move): "it is the computer's turn",
}
"""Steps that never do anything, because of what else holds in their state."""


def test_every_cell_of_the_machine_is_reached_and_every_step_of_it_taken() -> None:
    found = [pressed(situation) for situation in SITUATIONS]
    reached, taken = (set().union(*(each[number] for each in found)) for number in (0, 1))
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
