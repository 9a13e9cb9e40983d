"""The machine as a table: whole, and with nothing beside it; `tests/two/test_machine.py` holds it to a model."""

from __future__ import annotations

import pytest

from bot.game.acts import Act
from bot.game.machine import MACHINE, OF_A_PLY
from bot.game.pages import ALL
from bot.game.refusals import OF_AN_OLD_BOARD, Refusal
from bot.game.states import State, state_of
from bot.views.refusals import REFUSALS
from engine import Mark
from storage.game import Game, Offer, Termination
from tests.bot.games import computer_game, decided, game_of_two, open_challenge, watched_game

ENDED = {"termination": Termination.RESIGNATION, "winner": Mark.X}
EXAMPLES: dict[State, Game] = {
    State.OPEN: open_challenge(),
    State.RUNNING: game_of_two("40"),
    State.THINKING: computer_game("4", rules="4x4x4"),
    State.WATCHED: watched_game("40"),
    State.TAKEBACK_ASKED: game_of_two("40", offer="takeback:O"),
    State.RESIGNATION_ASKED: game_of_two("40", offer="resign:O"),
    State.OVER: game_of_two("40", **ENDED),
    State.REMATCH_ASKED: game_of_two("40", offer="rematch:O", **ENDED),
    State.FOLLOWED: game_of_two("40", next_game=8, **ENDED),
    State.CLOSED: open_challenge(termination=Termination.EXPIRED),
}


def test_every_act_has_its_place_in_every_state() -> None:
    assert set(MACHINE) == set(Act)
    for act, row in MACHINE.items():
        assert set(row) == set(State), act
        assert all(isinstance(cell, Refusal) or callable(cell) for cell in row.values()), act


@pytest.mark.parametrize("state", State)
def test_every_state_is_read_off_a_game(state: State) -> None:
    assert state_of(EXAMPLES[state]) is state


@pytest.mark.parametrize("offer", Offer)
@pytest.mark.parametrize("mark", Mark)
def test_every_offer_makes_a_state_of_its_own(offer: Offer, mark: Mark) -> None:
    game = game_of_two("40", offer=f"{offer}:{mark}")
    over = {Offer.REMATCH}
    state = state_of(game._replace(**ENDED) if offer in over else game)  # type: ignore[arg-type]
    assert (
        state
        is {
            Offer.TAKEBACK: State.TAKEBACK_ASKED,
            Offer.RESIGN: State.RESIGNATION_ASKED,
            Offer.REMATCH: State.REMATCH_ASKED,
        }[offer]
    )


def test_every_refusal_has_a_sentence() -> None:
    assert set(REFUSALS) == set(Refusal)
    assert set(Refusal) >= OF_AN_OLD_BOARD


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize("state", State)
def test_an_act_that_changes_nothing_gives_the_very_game_back(act: Act, state: State) -> None:
    """So that it is not stored, and no board is shown anew (D25)."""
    game = EXAMPLES[state]
    decision = decided(game, act, ply=game.ply, cell=4)
    assert (decision.game is game) or decision.game != game


@pytest.mark.parametrize("act", sorted(OF_A_PLY))
def test_where_it_does_not_matter_what_was_seen_no_ply_is_asked_for(act: Act) -> None:
    """A command names no board."""
    assert decided(EXAMPLES[State.RUNNING], act, cell=1, value=ALL).result.refusal is not Refusal.STALE
