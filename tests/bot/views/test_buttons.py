"""Callback data: what is written is read back, and nothing else is read."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.game.acts import Act
from bot.views.buttons import (
    ON_BUTTONS,
    AllowTakebacks,
    Begin,
    Button,
    Cell,
    ChooseFirst,
    ChooseLevel,
    Dare,
    Invite,
    OnGame,
    Play,
    SetFirst,
    SetLevel,
    Stats,
    Top,
    Topic,
    Try,
    game_of,
    read,
    write,
)

IDS = st.integers(1, 10**18 - 1)
SMALL = st.integers(0, 99)
WORDS = st.text(string.ascii_lowercase, min_size=1, max_size=16)
OFFERS = st.text(string.ascii_letters + string.digits + "_:-", min_size=1, max_size=60)
SIGNS = st.text(string.ascii_letters + string.digits + "_-", min_size=16, max_size=16)
RULES = st.text(string.ascii_lowercase + string.digits + "-", max_size=16)
FAMILIES = st.text(string.ascii_lowercase, max_size=8)
BUTTONS: st.SearchStrategy[Button] = st.one_of(
    st.builds(Cell, IDS, SMALL, SMALL, st.booleans()),
    st.builds(Try, IDS, SMALL, SMALL),
    st.builds(OnGame, IDS, SMALL, st.sampled_from(sorted(ON_BUTTONS.values())), RULES),
    st.builds(SetLevel, IDS, WORDS),
    st.builds(SetFirst, IDS, WORDS),
    st.builds(ChooseLevel, WORDS),
    st.builds(ChooseFirst, WORDS),
    st.builds(Begin, OFFERS),
    st.builds(Dare, IDS, st.sampled_from("XO"), SIGNS),
    st.builds(AllowTakebacks, WORDS),
    st.builds(Topic, WORDS),
    st.builds(Stats, IDS, st.booleans(), FAMILIES, st.booleans()),
    st.builds(Top, st.booleans(), st.booleans(), FAMILIES, st.integers(0, 9999)),
    st.just(Play()),
    st.just(Invite()),
)


@given(BUTTONS)
def test_what_is_written_is_read_back(button: Button) -> None:
    assert read(write(button)) == button
    assert type(read(write(button))) is type(button)


@given(BUTTONS)
def test_callback_data_fits_telegrams_64_bytes(button: Button) -> None:
    assert 1 <= len(write(button).encode()) <= 64


@given(st.text(max_size=70))
@example("1t:01:0:0")
@example("1t:1:0:0\n")
@example("1t:1:0:+1")
@example("1t:\u0661:0:0")
def test_only_what_would_be_written_is_read(data: str) -> None:
    button = read(data)
    assert button is None or _canonical(write(button)) == _canonical(data)


@given(BUTTONS, st.data())
def test_a_changed_character_never_reads_as_something_unwritable(button: Button, data: st.DataObject) -> None:
    text = write(button)
    place = data.draw(st.integers(0, len(text)))
    changed = text[:place] + data.draw(st.characters()) + text[place + data.draw(st.integers(0, 1)) :]
    found = read(changed)
    assert found is None or _canonical(write(found)) == _canonical(changed)


def _canonical(data: str) -> list[str]:
    """The parts of callback data, with plies and cells such as 07 written as 7."""
    return [part.lstrip("0") or "0" if part.isascii() and part.isdigit() else part for part in data.split(":")]


@pytest.mark.parametrize(
    "data",
    [
        None,
        "",
        "1",
        "1t",
        "t:1:0:0",
        "0t:1:0:0",
        "2t:1:0:0",
        "1t:0:0:0",
        "1t:-1:0:0",
        "1t:1:0:0:0",
        "1t:1:0",
        "1t:1:0:100",
        "1t:1000000000000000000:0:0",
        "1t: 1:0:0",
        "1T:1:0:0",
        "1g:1:0:explode",
        "1g:1:0:",
        "1l:1:EASY",
        "1d:",
        "1d:easy:easy",
        "1i:",
        "1i:a b",
        "1n:",
        "1n1",
        "1p:",
        "1h:",
        "1b:ON",
        "1q:7:x::t",
        "1q:0:h::t",
        "1q:7:h:classical:t",
        "1k:h:r::10000",
        "1k:h:r",
        "null",
        "\x00",
        "❌",
        "1t:１:0:0",
    ],
)
def test_anything_else_is_no_button(data: str | None) -> None:
    assert read(data) is None


@given(BUTTONS)
def test_a_button_tells_whose_game_it_is(button: Button) -> None:
    assert game_of(write(button)) == getattr(button, "game_id", None)


def test_what_buttons_sent_before_is_what_they_send_today() -> None:
    """Boards that were sent years ago still have their buttons."""
    assert {act.value for act in ON_BUTTONS.values()} == {
        *("accept", "decline", "cancel", "computer", "undo", "resign", "giveup", "goon", "yes", "no"),
        *("rematch", "again", "swap", "hint", "bring"),
        *("stop", "faster", "takex", "takeo", "watch", "winner"),
        *("review", "try", "show", "leave"),
        *("share", "still"),
    }
    assert write(Cell(7, 2, 4)) == "1t:7:2:4"
    assert write(Cell(7, 2, 40, is_small=True)) == "1u:7:2:40"
    assert write(Try(7, 2, 4)) == "1y:7:2:4"
    assert write(OnGame(7, 2, Act.TAKEBACK)) == "1g:7:2:undo"
    assert write(OnGame(7, 0, Act.ACCEPT, "5x5x4")) == "1g:7:0:accept:5x5x4"
    assert write(SetLevel(7, "easy")) == "1l:7:easy"
    assert write(SetFirst(7, "bot")) == "1f:7:bot"
    assert write(ChooseLevel("easy")) == "1d:easy"
    assert write(ChooseFirst("me")) == "1o:me"
    assert write(Invite()) == "1n"
    assert write(Play()) == "1p"
    assert write(Topic("moves")) == "1h:moves"
    assert write(AllowTakebacks("off")) == "1b:off"
    assert write(Begin("x")) == "1i:x"
    assert write(Stats(7, here=True, family="misere")) == "1q:7:h:misere:t"
    assert write(Stats(7, picture=True)) == "1q:7:w::p"
    assert write(Top(here=True, by_wins=True, page=3)) == "1k:h:v::3"
