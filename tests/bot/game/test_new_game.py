"""New games: who plays X, and a fair coin."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.attempt import Player
from bot.game.new_game import First, challenge, goes_first
from engine import Mark
from storage.games.game import COMPUTER
from tests.bot.games import ANN, GROUP, LIMITS, NOW, computer_game, open_challenge


def test_random_is_a_fair_coin() -> None:
    rng = Random(7)
    heads = sum(goes_first(First.RANDOM, rng) for _ in range(2000))
    assert 900 < heads < 1100
    assert goes_first(First.ME, rng)
    assert not goes_first(First.BOT, rng)


@pytest.mark.parametrize("first", [True, False])
def test_a_game_against_the_computer_has_its_level_on_the_computers_seat(first: bool) -> None:  # noqa: FBT001
    game = computer_game(first=first, level="hard")
    assert (game.x_seat, game.o_seat) == ((ANN.id, COMPUTER) if first else (COMPUTER, ANN.id))
    assert (game.x_level, game.o_level) == ((None, "hard") if first else ("hard", None))
    assert game.names == {ANN.id: "Ann"}
    assert game.due_at == NOW + LIMITS.computer


def test_a_challenge_keeps_the_person_it_is_for() -> None:
    game = open_challenge(rival=Player(5, "Bo"))
    assert (game.rival_id, game.name_of(5), game.is_challenge) == (5, "Bo", True)
    assert game.due_at == NOW + LIMITS.challenge


def test_a_name_that_shows_nothing_is_none() -> None:
    game = challenge(Player(5, ""), first=True, chat_id=GROUP, now=NOW, limits=LIMITS)
    assert game.name(Mark.X) is None
