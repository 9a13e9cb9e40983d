"""The words typed after the bot's name choose what is offered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.translations import texts
from bot.features.inline import USUAL, InlineWish, challenge_title, first_mover, read_query
from bot.game.new_game import ADAPTIVE, First
from engine import Level

T, ZH = texts("en"), texts("zh")


@pytest.mark.parametrize(
    ("query", "wish"),
    [
        ("", USUAL),
        ("hard", InlineWish((), (Level.HARD,))),
        (" HA", InlineWish((), (Level.HARD,))),
        ("medium", InlineWish((), (Level.MEDIUM,))),
        ("adapt", InlineWish((), (ADAPTIVE,))),
        ("me", InlineWish((First.ME,), (Level.MEDIUM,))),
        ("easy perfect", InlineWish((), (Level.EASY, Level.PERFECT))),
        ("random", InlineWish((First.RANDOM,), ())),
        ("please play hard", InlineWish((), (Level.HARD,))),
        ("@Bo_Bo", InlineWish((First.ME,), (), "@bo_bo")),
        ("@bo_bo bot", InlineWish((First.BOT,), (), "@bo_bo")),
        ("@ann_annson", USUAL),
        ("@oxo_playground_bot", USUAL),
        ("@Abbot_oz hard", InlineWish((First.ME,), (), "@abbot_oz")),
        ("@the_abbot", InlineWish((First.ME,), (), "@the_abbot")),
        ("@", USUAL),
        ("xyzzy", USUAL),
    ],
)
def test_levels_first_movers_and_names_choose(query: str, wish: InlineWish) -> None:
    assert read_query(query, T, ("ann_annson", "OXO_playground_bot"), {}) == wish


def test_people_one_knows_are_found_by_a_part_of_their_name() -> None:
    known = {103: "Cem Öz", 102: "小波"}
    assert read_query("cem", T, (), known) == InlineWish((First.ME,), (), "Cem Öz", 103)
    assert read_query("小波 me", T, (), known) == InlineWish((First.ME,), (), "小波", 102)
    assert read_query("ce", T, (), known) == read_query("Dee", T, (), known) == USUAL


def test_the_levels_of_ones_own_language_choose_too() -> None:
    assert read_query("困", ZH, (), {}) == read_query("hard", ZH, (), {}) == InlineWish((), (Level.HARD,))


@given(st.text(max_size=256))
def test_something_is_always_offered(query: str) -> None:
    wish = read_query(query, T, (), {1: query})
    assert wish.firsts or wish.levels


def test_a_challenge_says_who_it_is_for_and_who_moves_first() -> None:
    assert [challenge_title(rival, T) for rival in (None, "@bo")] == ["Challenge", "Challenge @bo"]
    assert len({first_mover(first, T) for first in First}) == len(First)
