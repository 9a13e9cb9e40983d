"""Callback data: what we write can be parsed, and nothing else can."""

import string
from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.boards.buttons import MENUS, Button, OnGame, game_id_of, read, write
from bot.boards.keyboards import PLACEHOLDER
from bot.boards.players import DIFFICULTIES
from bot.features.stats import Stats
from bot.game import choices
from bot.game.actions import ACTION_KINDS
from bot.game.choices import CLOCKS, SERIES
from bot.game.deadlines import BeginAgain, Expire, Remind
from bot.game.exhibitions import ComputerMove
from bot.game.gate import ACTIONS
from bot.game.new_game import Accept
from bot.game.pages import Share, TryCell
from bot.game.play import Move, SetFirst
from bot.game.questions import TakeBack
from engine import Mark
from engine.rules.catalogue import FAMILIES, MENU

IDS = st.integers(1, 10**18 - 1)
SIGNED = string.ascii_letters + string.digits + "_-"
VALUES: dict[object, st.SearchStrategy[object]] = {
    choices.CarriedId: IDS,
    choices.Small: st.integers(0, 99),
    choices.PageNumber: st.integers(0, 9999),
    choices.Day: st.integers(0, 10**6 - 1),
    choices.Version: st.integers(0, 10**9 - 1),
    choices.Difficulty: st.sampled_from(DIFFICULTIES),
    choices.ClockSeconds: st.sampled_from((0, *CLOCKS)),
    choices.Series: st.sampled_from(SERIES),
    choices.Side: st.sampled_from(Mark),
    choices.Offered: st.sampled_from(MENU),
    choices.OfferedOrNone: st.sampled_from(("", *MENU)),
    choices.SettingValue: st.text(string.ascii_letters + string.digits + "/_+-", max_size=32),
    choices.SeenRules: st.text(string.ascii_lowercase + string.digits + "-", max_size=16),
    choices.Family: st.sampled_from(("", *FAMILIES)),
    choices.Flag: st.booleans(),
}
NAMED: dict[str, st.SearchStrategy[object]] = {
    "topic": st.text(string.ascii_lowercase, min_size=1, max_size=16),
    "name": st.text(string.ascii_lowercase, max_size=16),
    "sign": st.text(SIGNED, min_size=16, max_size=16),
    "link": st.text(SIGNED, min_size=22, max_size=56),
    "wish": st.sampled_from(("join", "leave", "start")),
    "offer": st.text(f"{SIGNED}:", min_size=1, max_size=60),
}


def built(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Values of a class of buttons, by the types of its fields; a text of one button only, by its name."""
    hints = get_type_hints(kind, include_extras=True)
    return st.builds(
        kind, *(NAMED[each.name] if each.name in NAMED else VALUES[hints[each.name]] for each in fields(kind))
    )


MADE = {kind: built(kind) for kind in (*ACTIONS.values(), *MENUS.values())}
EDITIONS = st.integers(0, 10**9 - 1)
BUTTONS: st.SearchStrategy[Button] = st.one_of(
    *(st.builds(OnGame, IDS, MADE[kind], EDITIONS) for kind in ACTIONS.values()),
    *(MADE[kind] for kind in MENUS.values()),
)


@given(BUTTONS)
def test_what_is_written_fits_telegrams_64_bytes_and_is_read_back(button: Button) -> None:
    data = write(button)
    assert len(data.encode()) <= 64
    assert read(data) == button
    assert game_id_of(data) == getattr(button, "game_id", None)


@st.composite
def changed(draw: st.DrawFn) -> str:
    """What a button carries, with one character put in or replaced."""
    text = write(draw(BUTTONS))
    place = draw(st.integers(1, len(text)))
    return text[:place] + draw(st.characters()) + text[place + draw(st.integers(0, 1)) :]


WORDS = st.builds("{}:{}".format, st.sampled_from([*ACTIONS, *MENUS]), st.text())


@given(changed() | WORDS | st.text(max_size=70))
@example("m:01:0:0")
@example("m:1:0:0\n")
@example("m:1:0:+1")
@example("m:\u0661:0:0")
def test_only_what_would_be_written_is_read(data: str) -> None:
    button = read(data)
    assert button is None or _canonical(write(button)) == _canonical(data)


def _canonical(data: str) -> list[str]:
    """The parts of callback data, with plies and cells like 07 normalised to 7."""
    return [part.lstrip("0") or "0" if part.isascii() and part.isdigit() else part for part in data.split(":")]


MOVES = "2m:1:0:0|m:0:0:0|m:-1:0:0|m:1:0:0:0|m:1:0|m:1:0:100|m:1000000000000000000:0:0|m: 1:0:0"
OTHERS = "2M:1:0:0|m:１:0:0|m:1:0:0:|m:1.0:0:0|1m:1:0:0|22m:1:0:0|cancel|cancel:|cancel:7:|cancel:7:1"
CHOICES = "level:7:EASY|rules:7:9x9|rules:7:|first:7:2|first:7:me|play:|play:1|set:level|i:|i:a b"
NONE = "stats:7:1::2|top:1:1::10000|remind:7|expire:7|answer:7:4|explode:7|2|m|null|\x00|❌|"


@pytest.mark.parametrize("data", [None, *f"{MOVES}|{OTHERS}|{CHOICES}|{NONE}".split("|")])
def test_anything_else_is_no_button(data: str | None) -> None:
    assert read(data) is None


def test_every_button_has_a_word_of_its_own() -> None:
    assert not ACTIONS.keys() & MENUS.keys()
    assert len({*ACTIONS.values(), *MENUS.values()}) == len(ACTIONS) + len(MENUS)
    of_the_clock = {ComputerMove, Remind, Expire, BeginAgain}
    assert {*ACTION_KINDS} - {*ACTIONS.values()} == of_the_clock, "no button does what the clock does"


def test_what_buttons_carry_stays_as_it_is() -> None:
    """Boards sent today keep their buttons for years, so a new format needs its own marker and parser."""
    known: dict[str, Button] = {
        "m:7:2:4": OnGame(7, Move(2, 4)),
        "m:7.3:2:4": OnGame(7, Move(2, 4), edition=3),
        "c:7:2:4": OnGame(7, TryCell(2, 4)),
        "undo:7:2": OnGame(7, TakeBack(2)),
        "accept:7:5x5x4:0:1": OnGame(7, Accept("5x5x4")),
        "first:7:1": OnGame(7, SetFirst(is_person=True)),
        "share:7:0": OnGame(7, Share()),
        "stats:7:1:misere:0": Stats(7, here=True, family="misere"),
    }
    assert {data: read(data) for data in known} == known
    assert read(f"m:{PLACEHOLDER}:0:0") is not None, "the longest id fits"
