"""What inline mode's buttons carry: signed offers, each told apart from all others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.game.new_game import First
from bot.handlers import inline
from bot.handlers.inline import InlineOffer
from bot.views import buttons
from engine import Level

KEY = inline.signing_key("8123456789:AATokenForTests")
KINDS = st.sampled_from([*First, *Level])
PEOPLE = st.integers(1, 2**52)
"""Telegram's ids have up to 52 bits (Bot API, User)."""


@given(kind=KINDS, person=PEOPLE)
def test_an_offer_is_read_as_it_was_written_and_fits_a_button(kind: str, person: int) -> None:
    text = inline.write(InlineOffer(kind, person), KEY)
    read = inline.read(text, KEY)
    assert read is not None
    assert (read.kind, read.person) == (kind, person)
    assert len(buttons.write(buttons.Begin(text)).encode()) <= 64
    assert buttons.read(buttons.write(buttons.Begin(text))) == buttons.Begin(text)


@given(kind=KINDS, person=PEOPLE)
def test_no_two_offers_are_equal_and_what_tells_them_apart_fits_its_column(kind: str, person: int) -> None:
    offers = [inline.read(inline.write(InlineOffer(kind, person), KEY), KEY) for _ in range(2)]
    tokens = [offer.token for offer in offers if offer is not None]
    assert len(set(tokens)) == 2
    assert all(0 < len(token) <= 32 for token in tokens)


@given(kind=KINDS, person=PEOPLE, place=st.integers(0, 63), character=st.characters(codec="utf-8"))
def test_an_altered_offer_is_none(kind: str, person: int, place: int, character: str) -> None:
    text = inline.write(InlineOffer(kind, person), KEY)
    place %= len(text)
    altered = text[:place] + character + text[place + 1 :]
    if altered != text:
        assert inline.read(altered, KEY) is None
    assert inline.read(text, inline.signing_key("8123456789:AAAnotherToken")) is None


@given(st.text())
def test_any_other_text_is_no_offer(text: str) -> None:
    assert inline.read(text, KEY) is None
