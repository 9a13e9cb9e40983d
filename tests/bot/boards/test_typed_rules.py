"""Boards as people type them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.rule_words import NoBoard, WordTwice, take, to_say, what_there_is
from bot.boards.translations import LANGUAGES, texts
from engine import parse_rules
from engine.rules.catalogue import MENU, is_offered

T = texts("en")


@pytest.mark.parametrize(
    ("typed", "rules"),
    [
        ("5x5", "5x5x4"),
        ("5X5", "5x5x4"),
        ("5×5", "5x5x4"),
        ("5*5", "5x5x4"),
        ("５×５", "5x5x4"),
        ("５ｘ５", "5x5x4"),
        ("3x3", "3x3x3"),
        ("classic", "3x3x3"),
        ("6x6x5", "6x6x5"),
        ("8x5x5", "8x5x5"),
        ("misere", "3x3x3-misere"),
        ("Misère", "3x3x3-misere"),
        (unicodedata.normalize("NFD", "misère"), "3x3x3-misere"),
        ("4x4x3 misere", "4x4x3-misere"),
        ("misere 4x4", "4x4x3-misere"),
        ("4x4x3-misere", "4x4x3-misere"),
        ("ultimate", "ultimate"),
        ("ULTIMATE", "ultimate"),
        ("5x5 5x5", "5x5x4"),
    ],
)
def test_a_board_may_be_typed_in_many_ways(typed: str, rules: str) -> None:
    assert take(typed.split(), T) == ([], rules)
    assert take(["hard", *typed.split(), "bot"], T) == (["hard", "bot"], rules)


@pytest.mark.parametrize(
    ("typed", "rules"),
    [("经典", "3x3x3"), ("反井字棋", "3x3x3-misere"), ("终极", "ultimate"), ("终极井字棋", "ultimate")],
)
def test_a_board_may_be_typed_in_ones_own_language(typed: str, rules: str) -> None:
    assert take([typed], texts("zh")) == ([], rules)
    assert take([typed], T) == ([typed], None)


@pytest.mark.parametrize("word", ["hard", "5", "5x", "x5", "5x5x", "5x5x4x3", "axb", "5x5-what", "", "x" * 4000])
def test_what_names_no_board_is_left_for_others_to_read(word: str) -> None:
    rest, rules = take([word], T)
    assert (rest, rules) == ([word], None)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("9x9", "3 to 8 cells"),
        ("2x2", "3 to 8 cells"),
        ("100x100x5", "3 to 8 cells"),
        ("0x0", "3 to 8 cells"),
        ("5x5x5", "3–4 in a row"),
        ("3x3x4", "3 in a row"),
        ("8x8x8", "3–6 in a row"),
        ("5x5x2", "3–4 in a row"),
        ("5x5x0 misere", "3–4 in a row"),
        ("misere ultimate", "no misère version"),
    ],
)
def test_a_board_that_is_not_there_gets_a_sentence(typed: str, said: str) -> None:
    with pytest.raises(NoBoard, match=said):
        take(typed.split(), T)


@pytest.mark.parametrize("typed", ["5x5 6x6", "ultimate 5x5", "3x3 5x5x4"])
def test_two_boards_are_one_too_many(typed: str) -> None:
    with pytest.raises(WordTwice):
        take(typed.split(), T)


@pytest.mark.parametrize("rules", MENU)
def test_what_menus_show_can_be_typed_too(rules: str) -> None:
    assert take([rules], T) == ([], rules)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_what_is_told_to_say_can_be_said(tag: str) -> None:
    for word in (*to_say(texts(tag)), "6x6x5"):
        assert word in what_there_is(texts(tag))
        rest, rules = take([word], texts(tag))
        assert not rest
        assert rules is not None


@given(st.lists(st.text(max_size=30), max_size=4))
def test_whatever_is_typed_names_a_board_that_is_offered_or_none(words: list[str]) -> None:
    try:
        _, rules = take(words, T)
    except (NoBoard, WordTwice):
        return
    assert rules is None or is_offered(parse_rules(rules))
