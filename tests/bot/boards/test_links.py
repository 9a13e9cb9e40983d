"""Links to reviews: good for one person and one game."""

import re

import pytest

from bot.boards.buttons import read as read_button
from bot.boards.buttons import write as write_button
from bot.boards.links import BEAT, CHALLENGE, REVIEW, SHARE, meaning, read, sign_of_challenge, signing_key, write
from bot.features.new_games import TOKEN, ChallengePlayer
from engine import Mark
from tests.bot.games import ANN, BO

KEY = signing_key("123456:token")
LARGEST = 10**18 - 1


@pytest.mark.parametrize("game", [1, 7, LARGEST])
def test_a_link_leads_its_person_to_its_game(game: int) -> None:
    text = write(game, ANN.id, KEY)
    assert re.fullmatch("[A-Za-z0-9_-]{1,64}", text), "what a start parameter may be"
    assert read(text, ANN.id, KEY) == (game,)


def test_a_link_to_share_a_game_is_no_link_to_look_back_on_it() -> None:
    text = write(7, ANN.id, KEY, SHARE)
    assert read(text, ANN.id, KEY, SHARE) == (7,)
    assert read(text, ANN.id, KEY, REVIEW) is None
    assert read(text.replace("s7", "v7"), ANN.id, KEY, REVIEW) is None
    assert len(write(LARGEST, ANN.id, KEY, SHARE)) <= 64


def test_a_link_to_a_position_is_for_everybody_and_leads_to_no_other_ply() -> None:
    text = write(LARGEST, 0, KEY, BEAT, 80)
    assert re.fullmatch("[A-Za-z0-9_-]{1,64}", text)
    assert read(text, 0, KEY, BEAT) == (LARGEST, 80)
    assert read(text.replace("_80-", "_8-"), 0, KEY, BEAT) is None
    assert read(text.replace("_80-", "-"), 0, KEY, BEAT) is None


def test_it_leads_nobody_else_and_to_no_other_game() -> None:
    text = write(7, ANN.id, KEY)
    assert read(text, BO.id, KEY) is None
    assert read(text, ANN.id, signing_key("123456:another")) is None
    assert read(text.replace("v7-", "v8-"), ANN.id, KEY) is None
    assert read(text[:-1] + ("A" if text[-1] != "A" else "B"), ANN.id, KEY) is None


def test_the_button_that_challenges_a_player_works_whatever_its_signature() -> None:
    """One in 300 signatures contains the game's id and a dash, which also come before it in the link."""
    for number in range(2000):
        key = number.to_bytes(4, "big")
        button = read_button(write_button(ChallengePlayer(7, Mark.X, sign_of_challenge(7, key))))
        assert isinstance(button, ChallengePlayer)
        assert read(f"{CHALLENGE}7-{button.sign}", 0, key, CHALLENGE) == (7,)


@pytest.mark.parametrize("begins", ["-", "--", *(f"{letter}-" for letter in "vscb")])
@pytest.mark.parametrize("terms", ["", "-5x5x4-120-3"])
def test_the_random_letters_of_a_challenge_may_begin_with_a_dash(begins: str, terms: str) -> None:
    text = begins + "A" * (TOKEN - len(begins)) + terms
    assert meaning(text, ANN.id, KEY) == ("", (text,))


@pytest.mark.parametrize("text", ["", "v7", "v7-", "v-x", "7", f"v7-{'A' * 16}", f"v0-{'A' * 16}", "é", "v٧-A"])
def test_what_was_made_up_leads_nowhere(text: str) -> None:
    assert read(text, ANN.id, KEY) is None
