"""The data in inline mode's buttons: signed offers, each usable once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.boards import buttons
from bot.features import inline
from bot.features.inline import InlineOffer
from bot.game.new_game import First
from engine import Level
from engine.rules.catalogue import MENU

KEY = inline.signing_key("8123456789:AATokenForTests")
KINDS = st.sampled_from([*First, *Level])
PEOPLE = st.integers(1, 2**52)
"""Telegram's ids have up to 52 bits (Bot API, User)."""
RULES = st.sampled_from([*MENU, "6x6x5", "8x3x4", "7x7x6-misere"])
RIVALS = st.one_of(PEOPLE.map(str), st.from_regex("@[A-Za-z][A-Za-z0-9_]{2,31}", fullmatch=True))


@given(kind=KINDS, person=PEOPLE)
def test_an_offer_is_read_as_it_was_written_and_fits_a_button(kind: str, person: int) -> None:
    text = inline.write(InlineOffer(kind, person), KEY)
    found = inline.read_offer(text, KEY)
    assert found is not None
    assert (found.kind, found.person) == (kind, person)
    assert len(buttons.write(buttons.Begin(text)).encode()) <= 64
    assert buttons.read(buttons.write(buttons.Begin(text))) == buttons.Begin(text)


@given(kind=st.sampled_from(First), person=PEOPLE, rival=RIVALS)
def test_an_offer_names_the_person_it_is_for_if_there_is_room(kind: str, person: int, rival: str) -> None:
    text = inline.write(InlineOffer(kind, person, rival=rival), KEY)
    found = inline.read_offer(text, KEY)
    assert found is not None
    assert (found.kind, found.person) == (kind, person)
    assert found.rival in (rival, None)
    assert found.rival == rival or len(str(person)) + len(rival) > 22
    assert len(buttons.write(buttons.Begin(text)).encode()) <= 64
    assert len(found.nonce) <= 32, "as it fits the games' column"


@given(kind=KINDS, person=PEOPLE, rules=RULES, rival=RIVALS)
def test_an_offer_carries_its_rules_whatever_else_it_names(kind: str, person: int, rules: str, rival: str) -> None:
    for named in (None, rival):
        text = inline.write(InlineOffer(kind, person, rival=named, rules=rules), KEY)
        found = inline.read_offer(text, KEY)
        assert found is not None
        assert (found.kind, found.person, found.rules) == (kind, person, rules)
        assert found.rival in (named, None)
        assert len(buttons.write(buttons.Begin(text)).encode()) <= 64


@given(kind=KINDS, person=PEOPLE)
def test_no_two_offers_are_equal_and_each_keeps_its_token(kind: str, person: int) -> None:
    """Each starts one game (D13)."""
    one, two = (inline.write(InlineOffer(kind, person), KEY) for _ in range(2))
    tokens = {found.nonce for text in (one, two) if (found := inline.read_offer(text, KEY))}
    assert len(tokens) == 2
    assert all(0 < len(token) <= 32 for token in tokens), "as it fits the games' column"
    assert inline.read_offer(one, KEY) == inline.read_offer(one, KEY)


@given(kind=KINDS, person=PEOPLE, place=st.integers(0, 63), character=st.characters(codec="utf-8"))
def test_an_altered_offer_is_none(kind: str, person: int, place: int, character: str) -> None:
    text = inline.write(InlineOffer(kind, person), KEY)
    place %= len(text)
    altered = text[:place] + character + text[place + 1 :]
    if altered != text:
        assert inline.read_offer(altered, KEY) is None
    assert inline.read_offer(text, inline.signing_key("8123456789:AAAnotherToken")) is None


@given(st.text())
def test_any_other_text_is_no_offer(text: str) -> None:
    assert inline.read_offer(text, KEY) is None
