"""The messages of challenges."""

from __future__ import annotations

import pytest

from bot.game.acts import Player
from bot.game.new_game import First
from bot.views.challenges import announcement, challenge_text, invitation
from bot.views.texts import texts
from storage.game import Termination
from tests.bot.games import BO, open_challenge

T = texts("en")


def plain(text: str) -> str:
    """A text without the isolates around names."""
    return text.translate({0x2068: None, 0x2069: None})


@pytest.mark.parametrize(
    ("first", "sentence"),
    [(True, "Ann plays ❌ and moves first."), (False, "Ann plays ⭕; the other side has ❌ and moves first.")],
)
def test_a_challenge_says_who_challenges_and_who_moves_first(*, first: bool, sentence: str) -> None:
    text = plain(challenge_text(open_challenge(first=first), None, T))
    assert text.startswith("⚔️ <b>Ann is looking for an opponent.</b> Who's in?")
    assert sentence in text


def test_a_challenge_mentions_whom_it_names_where_that_is_known() -> None:
    assert f'<a href="tg://user?id={BO.id}">' in challenge_text(open_challenge(rival=BO), None, T)
    by_name = plain(challenge_text(open_challenge(rival=Player(0, "@bo")), None, T))
    assert "<b>@bo, Ann challenges you</b>" in by_name
    assert "tg://" not in by_name


@pytest.mark.parametrize(("first", "sentence"), [(True, "You play ❌ and"), (False, "You play ⭕ and")])
def test_a_challenge_by_link_shows_the_link_and_ones_own_mark(*, first: bool, sentence: str) -> None:
    text = challenge_text(open_challenge(first=first), "https://t.me/oxo_bot?start=abc", T)
    assert "https://t.me/oxo_bot?start=abc" in text
    assert sentence in text


@pytest.mark.parametrize(
    ("rival", "termination", "words"),
    [
        (None, Termination.CANCELLED, "Ann's challenge was withdrawn."),
        (BO, Termination.CANCELLED, "Ann's challenge to 小波 was withdrawn."),
        (BO, Termination.DECLINED, "小波 declined Ann's challenge."),
        (Player(0, "@bo"), Termination.DECLINED, "@bo declined Ann's challenge."),
        (None, Termination.EXPIRED, "💤 Ann's challenge has expired: nobody took it up."),
        (BO, Termination.EXPIRED, "💤 Ann's challenge to 小波 has expired without an answer."),
    ],
)
def test_a_challenge_that_came_to_nothing_keeps_who_and_whom(
    rival: Player | None, termination: Termination, words: str
) -> None:
    assert plain(challenge_text(open_challenge(rival=rival)._replace(termination=termination), None, T)) == words


@pytest.mark.parametrize(
    ("termination", "words"), [(Termination.CANCELLED, "withdrawn"), (Termination.EXPIRED, "expired")]
)
def test_a_link_that_came_to_nothing_says_so_to_who_made_it(termination: Termination, words: str) -> None:
    closed = open_challenge()._replace(termination=termination)
    text = challenge_text(closed, "https://t.me/oxo_bot?start=abc", T)
    assert "Your challenge" in text
    assert words in text
    assert "https" not in text, "it leads nowhere"


@pytest.mark.parametrize("first", First)
def test_what_inline_mode_offers_says_who_moves_first(first: First) -> None:
    texts_ = {invitation("Ann", each, T) for each in First}
    assert len(texts_) == len(First)
    assert "Ann is looking for an opponent" in invitation("Ann", first, T)


def test_a_game_against_the_computer_is_announced_with_its_level() -> None:
    assert announcement("Ann", "hard", T) == "Ann is about to play OXO at level hard."
