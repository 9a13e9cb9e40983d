"""The state machine's table is complete, without bypass; `tests/two/test_machine.py` compares it with a model."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.boards.refusals import REFUSALS
from bot.game import actions as act
from bot.game.actions import Transition
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


OFFERS = {
    Offer.TAKEBACK: State.TAKEBACK_ASKED,
    Offer.RESIGN: State.RESIGNATION_ASKED,
    Offer.RESIGN_BOTH: State.RESIGNATION_ASKED,
    Offer.REMATCH: State.REMATCH_ASKED,
}


@pytest.mark.parametrize("offer", Offer)
@pytest.mark.parametrize("mark", Mark)
def test_every_offer_makes_a_state_of_its_own(offer: Offer, mark: Mark) -> None:
    over = ENDED if offer is Offer.REMATCH else {}
    assert state_of(game_of_two("40", offer=offer, offered_by=mark, **over)) is OFFERS[offer]


def test_every_refusal_has_a_sentence() -> None:
    assert set(REFUSALS) == set(Refusal)
    assert set(Refusal) >= OF_AN_OLD_BOARD


ACTIONS: list[Transition] = [
    *(act.Accept(), act.Decline(), act.Cancel(), act.LetComputerPlay(), act.Move(2, 4), act.TakeBack(2)),
    *(act.Resign(2), act.ConfirmResign(), act.PlayOn(), act.Agree(2), act.Refuse(2), act.Rematch()),
    *(act.PlayAgain(), act.SwapSides(), act.SetLevel(Level.EASY), act.SetFirst(is_person=True)),
    *(act.SetRules("3x3x3"), act.SetClock(30), act.SetSeries(3), act.Stop(), act.GoFaster()),
    *(act.WatchAgain(), act.PlayWinner()),
]


@pytest.mark.parametrize("state", State)
def test_an_action_that_changes_nothing_gives_the_very_game_back(state: State) -> None:
    """So that it is not stored, and no board is shown again (D25)."""
    game = EXAMPLES[state]
    for action in ACTIONS:
        decision = decided(game, action)
        assert (decision.game is game) or decision.game != game, action
