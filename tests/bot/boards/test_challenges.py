"""The messages of challenges."""

from __future__ import annotations

import pytest

from bot.boards.challenges import announcement, challenge_text, invitation
from bot.boards.players import Viewer
from bot.boards.translations import texts
from bot.boards.view import marks_of
from bot.game.actions import Cancel
from bot.game.attempt import Player
from bot.game.new_game import First
from engine import Mark
from storage.games.game import Termination
from tests.bot.games import ANN, BO, CEM, UNKNOWN, done, open_challenge
from tests.bot.reading import bare, plain

T = texts("en")
EYES = Viewer(None, T)
LINK = "https://t.me/oxo_bot?start=abc"


@pytest.mark.parametrize("theme", ["classic", "shapes"])
@pytest.mark.parametrize("first", [True, False])
def test_a_challenge_says_who_moves_first_in_the_marks_of_its_board(theme: str, *, first: bool) -> None:
    game, viewer = open_challenge(first=first), EYES._replace(marks=marks_of(theme))
    x, o = (marks_of(theme)[mark] for mark in Mark)
    lines = plain(challenge_text(game, None, viewer)).splitlines()
    assert lines[0] == "⚔️ <b>Ann is looking for an opponent.</b> Who's in?"
    assert lines[2] == (
        f"Ann plays {x} and moves first." if first else f"Ann plays {o}; the opponent plays {x} and moves first."
    )
    by_link = challenge_text(game, LINK, viewer).splitlines()
    assert by_link[1] == LINK
    assert by_link[3] == (f"You play {x} and move first." if first else f"You play {o} and move second.")


def test_a_challenge_mentions_the_person_it_names_if_they_are_known() -> None:
    assert f'<a href="tg://user?id={BO.id}">' in challenge_text(open_challenge(rival=BO), None, EYES)
    by_name = plain(challenge_text(open_challenge(rival=UNKNOWN), None, EYES))
    assert by_name.startswith("⚔️ <b>@bo, Ann challenges you</b>")


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
    text = challenge_text(open_challenge(rival=rival, termination=termination), None, EYES)
    assert bare(text) == words
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
    ("termination", "words"),
    [
        (Termination.CANCELLED, "You've withdrawn your challenge. Its link no longer works."),
        (Termination.EXPIRED, "💤 Your challenge expired: nobody opened the link."),
    ],
)
def test_a_link_that_came_to_nothing_says_so_to_the_challenger(termination: Termination, words: str) -> None:
    assert challenge_text(open_challenge(termination=termination), LINK, EYES) == words


def test_what_inline_mode_offers_says_who_moves_first_or_the_level() -> None:
    offered = {invitation("Ann", first, T) for first in First}
    assert len(offered) == len(First)
    assert all("Ann is looking for an opponent" in text for text in offered)
    assert announcement("Ann", "hard", T) == "Ann wants to play OXO (hard)."
