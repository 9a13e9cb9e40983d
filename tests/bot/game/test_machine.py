"""The state machine's table is complete, without bypass; `tests/two/test_machine.py` compares it with a model."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.boards.refusals import REFUSALS
from bot.game.actions import (
    Accept,
    Agree,
    Cancel,
    ConfirmResign,
    Decline,
    GoFaster,
    LetComputerPlay,
    Move,
    PlayAgain,
    PlayOn,
    PlayWinner,
    Refuse,
    Rematch,
    Resign,
    SetClock,
    SetFirst,
    SetLevel,
    SetRules,
    SetSeries,
    Stop,
    SwapSides,
    TakeBack,
    Transition,
    WatchAgain,
)
from bot.game.attempt import OF_AN_OLD_BOARD, Refusal, State, state_of
from bot.game.machine import MACHINE
from engine import Level, Mark
from storage.games.game import Offer
from tests.bot.games import ENDED, EXAMPLES, decided, game_of_two


def test_every_change_has_its_place_in_every_state() -> None:
    assert set(MACHINE) == set(get_args(Transition))
    for kind, row in MACHINE.items():
        assert set(row) == set(State), kind


@pytest.mark.parametrize("state", State)
def test_every_state_is_read_off_a_game(state: State) -> None:
    assert state_of(EXAMPLES[state]) is state


@pytest.mark.parametrize("offer", Offer)
@pytest.mark.parametrize("mark", Mark)
def test_every_offer_makes_a_state_of_its_own(offer: Offer, mark: Mark) -> None:
    game = game_of_two("40", offer=offer, offered_by=mark)
    over = {Offer.REMATCH}
    state = state_of(game._replace(**ENDED) if offer in over else game)
    assert (
        state
        is {
            Offer.TAKEBACK: State.TAKEBACK_ASKED,
            Offer.RESIGN: State.RESIGNATION_ASKED,
            Offer.RESIGN_BOTH: State.RESIGNATION_ASKED,
            Offer.REMATCH: State.REMATCH_ASKED,
        }[offer]
    )


def test_every_refusal_has_a_sentence() -> None:
    assert set(REFUSALS) == set(Refusal)
    assert set(Refusal) >= OF_AN_OLD_BOARD


ACTIONS: list[Transition] = [
    *(Accept(), Decline(), Cancel(), LetComputerPlay(), Move(2, 4), TakeBack(2), Resign(2), ConfirmResign()),
    *(PlayOn(), Agree(2), Refuse(2), Rematch(), PlayAgain(), SwapSides(), SetLevel(Level.EASY), Stop()),
    *(
        SetFirst(is_person=True),
        SetRules("3x3x3"),
        SetClock(30),
        SetSeries(3),
        GoFaster(),
        WatchAgain(),
        PlayWinner(),
    ),
]


@pytest.mark.parametrize("state", State)
def test_an_action_that_changes_nothing_gives_the_very_game_back(state: State) -> None:
    """So that it is not stored, and no board is shown again (D25)."""
    game = EXAMPLES[state]
    for action in ACTIONS:
        decision = decided(game, action)
        assert (decision.game is game) or decision.game != game, action
