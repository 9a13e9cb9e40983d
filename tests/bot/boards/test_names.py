"""Names: whatever they contain, they show as one line or nothing, and their HTML is escaped."""

from __future__ import annotations

import html
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.translations import FIRST_STRONG_ISOLATE, LONGEST, POP_ISOLATE, clean, shown

DIRECTIONS = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
ANY = st.text(st.characters(codec=None), max_size=200)


@given(ANY)
def test_a_clean_name_is_short_on_one_line_and_turns_nothing_around(name: str) -> None:
    cleaned = clean(name)
    assert len(cleaned) <= LONGEST
    assert len(cleaned.splitlines()) <= 1
    assert not DIRECTIONS & set(cleaned)
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    cleaned.encode()  # nothing that can't be sent


@given(ANY)
def test_cleaning_twice_is_cleaning_once(name: str) -> None:
    assert clean(clean(name)) == clean(name)


@given(ANY)
def test_a_clean_name_has_something_to_see_or_is_empty(name: str) -> None:
    cleaned = clean(name)
    assert not cleaned or any(unicodedata.category(character)[0] in "LNPS" for character in cleaned)


@pytest.mark.parametrize(
    "name", ["", " ", "\u3164", "\u115f\u1160", "\u2800", "\uffa0", "\u200b\u200d", "\ufe0f", "\u0301", "\ue000"]
)
def test_a_name_without_anything_to_see_is_empty(name: str) -> None:
    assert clean(name) == ""
    assert shown(name, "Player") == f"{FIRST_STRONG_ISOLATE}Player{POP_ISOLATE}"


@pytest.mark.parametrize("name", ["Ann", "Cem Öz", "小波", "محمد علي", "👩‍👩‍👧", "O'Neil-Smith", "X", "7"])
def test_a_harmless_name_stays_as_it_is(name: str) -> None:
    assert clean(name) == name


@given(ANY)
def test_a_shown_name_is_text_between_isolates_and_no_markup(name: str) -> None:
    text = shown(name, "Player")
    assert text.startswith(FIRST_STRONG_ISOLATE)
    assert text.endswith(POP_ISOLATE)
    inside = text[1:-1]
    assert not DIRECTIONS & set(inside)
    assert not set("<>\"'") & set(inside)
    assert html.unescape(inside) == (clean(name) or "Player")


def test_no_name_at_all_gets_the_fallback() -> None:
    assert shown(None, "Player") == f"{FIRST_STRONG_ISOLATE}Player{POP_ISOLATE}"


def test_a_long_name_ends_in_an_ellipsis() -> None:
    assert clean("x" * 500) == "x" * (LONGEST - 1) + "…"
