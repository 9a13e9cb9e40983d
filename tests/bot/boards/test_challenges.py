"""The messages of challenges."""

from __future__ import annotations

import re

import pytest

from bot.boards.challenges import announcement, challenge_text, invitation
from bot.boards.players import Viewer
from bot.boards.translations import texts
from bot.boards.view import marks_of
from bot.game.actions import Cancel
from bot.game.attempt import Player
from bot.game.new_game import First
from storage.games.game import Termination
from tests.bot.games import ANN, BO, CEM, UNKNOWN, done, open_challenge

T = texts("en")
EYES = Viewer(None, T)


def plain(text: str) -> str:
    """A text without the isolates around names."""
    return text.translate({0x2068: None, 0x2069: None})


@pytest.mark.parametrize(
    ("first", "sentence"),
    [(True, "Ann plays ❌ and moves first."), (False, "Ann plays 🟡; the opponent plays ❌ and moves first.")],
)
def test_a_challenge_says_who_challenges_and_who_moves_first(*, first: bool, sentence: str) -> None:
    text = plain(challenge_text(open_challenge(first=first), None, EYES))
    assert text.startswith("⚔️ <b>Ann is looking for an opponent.</b> Who's in?")
    assert sentence in text


def test_a_challenge_speaks_of_the_marks_as_its_board_will_show_them() -> None:
    shapes = EYES._replace(marks=marks_of("shapes"))
    assert "Ann plays ▲ and moves first." in plain(challenge_text(open_challenge(), None, shapes))
    second = plain(challenge_text(open_challenge(first=False), None, shapes))
    assert "Ann plays ●; the opponent plays ▲ and moves first." in second
    assert "You play ● and" in challenge_text(
        open_challenge(first=False), "https://t.me/oxo_bot?start=abc", shapes
    )


def test_a_challenge_mentions_the_person_it_names_if_they_are_known() -> None:
    assert f'<a href="tg://user?id={BO.id}">' in challenge_text(open_challenge(rival=BO), None, EYES)
    by_name = plain(challenge_text(open_challenge(rival=UNKNOWN), None, EYES))
    assert "<b>@bo, Ann challenges you</b>" in by_name
    assert "tg://" not in by_name


@pytest.mark.parametrize(("first", "sentence"), [(True, "You play ❌ and"), (False, "You play 🟡 and")])
def test_a_challenge_by_link_shows_the_link_and_ones_own_mark(*, first: bool, sentence: str) -> None:
    text = challenge_text(open_challenge(first=first), "https://t.me/oxo_bot?start=abc", EYES)
    assert "https://t.me/oxo_bot?start=abc" in text
    assert sentence in text


@pytest.mark.parametrize(
    ("rival", "termination", "words"),
    [
        (BO, Termination.DECLINED, "小波 declined Ann's challenge."),
        (UNKNOWN, Termination.DECLINED, "@bo declined Ann's challenge."),
        (None, Termination.EXPIRED, "💤 Ann's challenge expired: nobody accepted it."),
        (BO, Termination.EXPIRED, "💤 Ann's challenge to 小波 expired without an answer."),
    ],
)
def test_a_challenge_that_came_to_nothing_keeps_both_people(
    rival: Player | None, termination: Termination, words: str
) -> None:
    closed = open_challenge(rival=rival)._replace(termination=termination)
    text = plain(challenge_text(closed, None, EYES))
    assert re.sub("</?a[^>]*>", "", text) == words
    assert (f"tg://user?id={ANN.id}" in text) is (termination is Termination.DECLINED), "she was waiting for it"


@pytest.mark.parametrize(
    ("rival", "who", "words"),
    [
        (None, ANN, "Ann withdrew the challenge."),
        (BO, ANN, "Ann withdrew the challenge to 小波."),
        (None, ANN._replace(name="Anna"), "Anna withdrew the challenge."),
        (None, CEM, "Cem, an admin, closed Ann's challenge."),
        (BO, CEM, "Cem, an admin, closed Ann's challenge to 小波."),
        (None, CEM._replace(name="<b>"), "&lt;b&gt;, an admin, closed Ann's challenge."),
        (None, CEM._replace(name=""), "An admin closed Ann's challenge."),
        (BO, CEM._replace(name=""), "An admin closed Ann's challenge to 小波."),
    ],
)
def test_a_withdrawn_challenge_says_who_did_it(rival: Player | None, who: Player, words: str) -> None:
    closed = done(open_challenge(rival=rival), Cancel(), who, is_admin=True)
    assert plain(challenge_text(closed, None, EYES)) == words


@pytest.mark.parametrize(
    ("termination", "words"), [(Termination.CANCELLED, "withdrawn"), (Termination.EXPIRED, "expired")]
)
def test_a_link_that_came_to_nothing_says_so_to_the_challenger(termination: Termination, words: str) -> None:
    closed = open_challenge()._replace(termination=termination)
    text = challenge_text(closed, "https://t.me/oxo_bot?start=abc", EYES)
    assert "our challenge" in text
    assert words in text
    assert "https" not in text, "it leads nowhere"


@pytest.mark.parametrize("first", First)
def test_what_inline_mode_offers_says_who_moves_first(first: First) -> None:
    texts_ = {invitation("Ann", each, T) for each in First}
    assert len(texts_) == len(First)
    assert "Ann is looking for an opponent" in invitation("Ann", first, T)


def test_a_game_against_the_computer_is_announced_with_its_level() -> None:
    assert announcement("Ann", "hard", T) == "Ann wants to play OXO (hard)."
