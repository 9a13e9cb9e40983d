"""Inline mode: the words that choose what is offered, and the buttons' data, signed offers each usable once."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.boards import buttons
from bot.boards.links import signing_key
from bot.features import inline
from bot.features.inline import USUAL, Begin, InlineOffer, InlineWish, challenge_title, first_mover, read_query
from bot.game.choices import ADAPTIVE, First
from bot.language import speaking
from engine import Level
from engine.rules.catalogue import MENU

KEY = signing_key("8123456789:AATokenForTests")
PEOPLE = st.integers(1, 2**52)
"""Telegram's ids have up to 52 bits (Bot API, User)."""
SEATS = st.from_regex("[+]?[1-9][0-9]{0,14}[xo]", fullmatch=True)
RIVALS = st.one_of(st.none(), SEATS, st.from_regex("@[A-Za-z][A-Za-z0-9_]{2,31}", fullmatch=True))
RULES = st.sampled_from([*MENU, "6x6x5", "8x3x4", "7x7x6-misere"])
OFFERS = st.builds(
    InlineOffer, st.sampled_from([*First, *Level]), PEOPLE, nonce=st.just(""), rival=RIVALS, rules=RULES
)
FITTING = OFFERS.map(inline.fitting)


@given(OFFERS)
def test_an_offer_fits_a_button_is_read_as_it_was_written_and_is_open_to_all_only_if_a_name_has_no_room(
    offer: InlineOffer,
) -> None:
    fitting = inline.fitting(offer)
    assert fitting in (offer, offer._replace(rival=None))
    is_short = offer.rules == "3x3x3" and len(f"{offer.person}{offer.rival}") <= 33
    assert fitting == offer or not is_short
    text = inline.write(fitting, KEY)
    found = inline.read_offer(text, KEY)
    assert found is not None
    assert found._replace(nonce="") == fitting
    assert len(found.nonce) == 8
    assert inline.write(fitting, KEY) != text, "each starts one game (D13)"
    data = buttons.write(Begin(text))
    assert len(data.encode()) <= 64
    assert buttons.read(data) == Begin(text)


@given(FITTING, st.integers(0, 63), st.characters(codec="utf-8"))
def test_an_altered_offer_is_none(offer: InlineOffer, place: int, character: str) -> None:
    text = inline.write(offer, KEY)
    place %= len(text)
    altered = text[:place] + character + text[place + 1 :]
    assert altered == text or inline.read_offer(altered, KEY) is None
    assert inline.read_offer(text, signing_key("8123456789:AAAnotherToken")) is None


@given(st.text())
def test_any_other_text_is_no_offer(text: str) -> None:
    assert inline.read_offer(text, KEY) is None


@pytest.mark.parametrize(
    ("query", "wish"),
    [
        *((query, USUAL) for query in ("", "@ann_annson", "@oxo_playground_bot", "@", "xyzzy", "ce", "Dee")),
        *((query, InlineWish((), (Level.HARD,))) for query in ("hard", " HA", "please play hard", "困")),
        ("medium", InlineWish((), (Level.MEDIUM,))),
        ("adapt", InlineWish((), (ADAPTIVE,))),
        ("me", InlineWish((First.ME,), (Level.MEDIUM,))),
        ("5x5 easy", InlineWish((), (Level.EASY,), rules="5x5x4")),
        ("ult", USUAL._replace(rules="ultimate")),
        ("easy perfect", InlineWish((), (Level.EASY, Level.STRONGEST))),
        ("random", InlineWish((First.RANDOM,), ())),
        ("@Bo_Bo", InlineWish((First.ME,), (), "@bo_bo")),
        ("@bo_bo bot", InlineWish((First.BOT,), (), "@bo_bo")),
        ("@Abbot_oz hard", InlineWish((First.ME,), (), "@abbot_oz")),
        ("@the_abbot", InlineWish((First.ME,), (), "@the_abbot")),
        ("cem", InlineWish((First.ME,), (), "Cem Öz", 103)),
        ("小波 me", InlineWish((First.ME,), (), "小波", 102)),
    ],
)
def test_levels_first_movers_names_and_parts_of_known_names_choose(query: str, wish: InlineWish) -> None:
    with speaking("zh"):
        known = {103: "Cem Öz", 102: "小波"}
        assert read_query(query, ("ann_annson", "OXO_playground_bot"), known) == wish


@given(st.text(max_size=256))
@example("")
def test_something_is_always_offered(query: str) -> None:
    wish = read_query(query, (), {1: query})
    assert wish.firsts or wish.levels


def test_a_challenge_says_who_it_is_for_and_who_moves_first() -> None:
    assert [challenge_title(rival) for rival in (None, "@bo")] == ["Challenge", "Challenge @bo"]
    assert len({first_mover(first) for first in First}) == len(First)
