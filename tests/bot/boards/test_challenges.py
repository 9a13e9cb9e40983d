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
from storage.games.game import Game, Termination
from tests.bot.games import ANN, BO, CEM, UNKNOWN, done, open_challenge
from tests.bot.reading import plain

T = texts("en")
EYES = Viewer(None, T)
ANN_LINKED = f'<a href="tg://user?id={ANN.id}">Ann</a>'
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


def closed(why: Termination, rival: Player | None = None) -> Game:
    """A challenge that came to nothing."""
    return open_challenge(rival=rival, termination=why)


def withdrawn(who: Player, rival: Player | None = None) -> Game:
    """A challenge that was withdrawn, by an administrator if not by Ann."""
    return done(open_challenge(rival=rival), Cancel(), who, is_admin=True)


NAMELESS = CEM._replace(name="")


@pytest.mark.parametrize(
    ("game", "link", "words"),
    [
        (closed(Termination.DECLINED, BO), None, f"小波 declined {ANN_LINKED}'s challenge."),
        (closed(Termination.DECLINED, UNKNOWN), None, f"@bo declined {ANN_LINKED}'s challenge."),
        (closed(Termination.EXPIRED), None, "💤 Ann's challenge expired: nobody accepted it."),
        (closed(Termination.EXPIRED, BO), None, "💤 Ann's challenge to 小波 expired without an answer."),
        (closed(Termination.EXPIRED), LINK, "💤 Your challenge expired: nobody opened the link."),
        (closed(Termination.CANCELLED), LINK, "You've withdrawn your challenge. Its link no longer works."),
        (withdrawn(ANN), None, "Ann withdrew the challenge."),
        (withdrawn(ANN, BO), None, "Ann withdrew the challenge to 小波."),
        (withdrawn(ANN._replace(name="Anna")), None, "Anna withdrew the challenge."),
        (withdrawn(CEM), None, "Cem, an admin, closed Ann's challenge."),
        (withdrawn(CEM, BO), None, "Cem, an admin, closed Ann's challenge to 小波."),
        (withdrawn(CEM._replace(name="<b>")), None, "&lt;b&gt;, an admin, closed Ann's challenge."),
        (withdrawn(NAMELESS), None, "An admin closed Ann's challenge."),
        (withdrawn(NAMELESS, BO), None, "An admin closed Ann's challenge to 小波."),
    ],
)
def test_a_challenge_that_came_to_nothing_says_why_and_keeps_both_people(
    game: Game, link: str | None, words: str
) -> None:
    """Who waited for an answer is mentioned once it is declined."""
    assert plain(challenge_text(game, link, EYES)) == words


def test_what_inline_mode_offers_says_who_moves_first_or_the_level() -> None:
    offered = {invitation("Ann", first, T) for first in First}
    assert len(offered) == len(First)
    assert all("Ann is looking for an opponent" in text for text in offered)
    assert announcement("Ann", "hard", T) == "Ann wants to play OXO (hard)."
