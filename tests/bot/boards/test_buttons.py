"""Callback data: what we write can be parsed, and nothing else can."""

from __future__ import annotations

import string
from inspect import signature
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.boards.buttons import ACTIONS, MARK, MENUS, Button, Menu, OnGame, Stats, game_of, read, write
from bot.boards.keyboards import PLACEHOLDER
from bot.boards.players import DIFFICULTIES
from bot.game import actions
from bot.game.actions import Action
from bot.game.attempt import CLOCKS
from bot.game.new_game import SERIES, First
from engine import Mark
from engine.rules.catalogue import FAMILIES, MENU

IDS = st.integers(1, 10**18 - 1)
SMALL = st.integers(0, 99)
SIGNED = string.ascii_letters + string.digits + "_-"
VALUES: dict[str, st.SearchStrategy[object]] = {
    **dict.fromkeys(("ply", "cell", "region"), SMALL),
    **dict.fromkeys(("person", "shared"), IDS),
    "page": st.integers(0, 9999),
    "day": st.integers(0, 10**6 - 1),
    "version": st.integers(0, 10**9 - 1),
    "level": st.sampled_from(DIFFICULTIES),
    "clock": st.sampled_from((0, *CLOCKS)),
    "best_of": st.sampled_from(SERIES),
    "first": st.sampled_from(First),
    "mark": st.sampled_from(Mark),
    "rules": st.sampled_from(MENU),
    "wanted_rules": st.sampled_from(("", *MENU)),
    "wanted_board": st.sampled_from(("any", *MENU)),
    "seen_rules": st.text(string.ascii_lowercase + string.digits + "-", max_size=16),
    "family": st.sampled_from(("", *FAMILIES)),
    "topic": st.text(string.ascii_lowercase, min_size=1, max_size=16),
    "name": st.text(string.ascii_lowercase, max_size=16),
    "value": st.text(string.ascii_lowercase + string.digits + "-", max_size=16),
    "sign": st.text(SIGNED, min_size=16, max_size=16),
    "link": st.text(SIGNED, min_size=22, max_size=56),
    "offer": st.text(f"{SIGNED}:", min_size=1, max_size=60),
    **dict.fromkeys(
        ("is_person", "as_picture", "allowed", "here", "picture", "by_wins", "is_sure", "wanted"), st.booleans()
    ),
}
MADE = {
    kind: st.builds(kind, *(VALUES[name] for name in signature(kind).parameters))
    for kind in (*ACTIONS.values(), *MENUS.values())
}
EDITIONS = st.integers(0, 10**9 - 1)
BUTTONS: st.SearchStrategy[Button] = st.one_of(
    *(st.builds(OnGame, IDS, MADE[kind], EDITIONS) for kind in ACTIONS.values()),
    *(MADE[kind] for kind in MENUS.values()),
)


@given(BUTTONS)
def test_what_is_written_fits_telegrams_64_bytes_and_is_read_back(button: Button) -> None:
    data = write(button)
    assert data.startswith(MARK)
    assert len(data.encode()) <= 64
    assert read(data) == button
    assert game_of(data) == getattr(button, "game_id", None)


@st.composite
def changed(draw: st.DrawFn) -> str:
    """What a button carries, with one character put in or replaced."""
    text = write(draw(BUTTONS))
    place = draw(st.integers(1, len(text)))
    return text[:place] + draw(st.characters()) + text[place + draw(st.integers(0, 1)) :]


WORDS = st.builds(f"{MARK}{{}}:{{}}".format, st.sampled_from([*ACTIONS, *MENUS]), st.text())


@given(changed() | WORDS | st.text(max_size=70))
@example("2m:01:0:0")
@example("2m:1:0:0\n")
@example("2m:1:0:+1")
@example("2m:\u0661:0:0")
def test_only_what_would_be_written_is_read(data: str) -> None:
    button = read(data)
    assert button is None or _canonical(write(button)) == _canonical(data)


def _canonical(data: str) -> list[str]:
    """The parts of callback data, with plies and cells like 07 normalised to 7."""
    return [part.lstrip("0") or "0" if part.isascii() and part.isdigit() else part for part in data.split(":")]


MOVES = "m:1:0:0|3m:1:0:0|2m:0:0:0|2m:-1:0:0|2m:1:0:0:0|2m:1:0|2m:1:0:100|2m:1000000000000000000:0:0|2m: 1:0:0"
OTHERS = "2M:1:0:0|2m:１:0:0|2m:1:0:0:|2m:1.0:0:0|1m:1:0:0|22m:1:0:0|2cancel|2cancel:|2cancel:7:|2cancel:7:1"
CHOICES = "2level:7:EASY|2rules:7:9x9|2rules:7:|2first:7:2|2first:7:me|2play:|2play:1|2set:level|2i:|2i:a b"
NONE = "2stats:7:1::2|2top:1:1::10000|2remind:7|2expire:7|2answer:7:4|2explode:7|2|2m|null|\x00|❌|"


@pytest.mark.parametrize("data", [None, *f"{MOVES}|{OTHERS}|{CHOICES}|{NONE}".split("|")])
def test_anything_else_is_no_button(data: str | None) -> None:
    assert read(data) is None


def test_every_button_has_a_word_of_its_own() -> None:
    assert not ACTIONS.keys() & MENUS.keys()
    assert len({*ACTIONS.values(), *MENUS.values()}) == len(ACTIONS) + len(MENUS)
    by_the_clock = {actions.Answer, actions.Remind, actions.Expire}
    assert set(ACTIONS.values()) == set(get_args(Action)) - by_the_clock
    assert set(MENUS.values()) == set(get_args(Menu))


def test_what_buttons_carry_stays_as_it_is() -> None:
    """Boards sent today keep their buttons for years, so a new format needs its own marker and parser."""
    known: dict[str, Button] = {
        "2m:7:2:4": OnGame(7, actions.Move(2, 4)),
        "2m:7.3:2:4": OnGame(7, actions.Move(2, 4), edition=3),
        "2c:7:2:4": OnGame(7, actions.TryCell(2, 4)),
        "2undo:7:2": OnGame(7, actions.TakeBack(2)),
        "2accept:7:5x5x4:0:1": OnGame(7, actions.Accept("5x5x4")),
        "2first:7:1": OnGame(7, actions.SetFirst(is_person=True)),
        "2share:7:0": OnGame(7, actions.Share()),
        "2stats:7:1:misere:0": Stats(7, here=True, family="misere"),
    }
    assert {data: read(data) for data in known} == known
    assert read(f"2m:{PLACEHOLDER}:0:0") is not None, "the longest id fits"
