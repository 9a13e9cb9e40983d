"""What the buttons carry: callback data, written and read in one place.

The format is `1` (its version), a letter for the kind, and the kind's values between colons: at most 64 bytes
(Bot API, InlineKeyboardButton). Anything may arrive from a changed client, so reading is strict, and what is read
opens nothing: the gate decides (`bot.game.gate`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from bot.game.acts import Act
from bot.game.gate import BY_THE_CLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_OTHERWISE: Final = BY_THE_CLOCK | {Act.MOVE, Act.TRY_CELL, Act.SET_LEVEL, Act.SET_FIRST, Act.SET_RULES, Act.TURN}
"""The acts whose buttons have other forms, or that have none."""

ON_BUTTONS: Final = {act.value: act for act in Act if act not in _OTHERWISE}
"""The acts that an `OnGame` may name, by the word that it sends."""


class Cell(NamedTuple):
    """A cell of a board, as it was shown at `ply`."""

    game_id: int
    ply: int
    cell: int
    is_small: bool = False
    """Whether it is one of a little board, in whose place another may have been a moment ago."""


class Try(NamedTuple):
    """A cell of a board in review, where the game stands at `ply`."""

    game_id: int
    ply: int
    cell: int


class OnGame(NamedTuple):
    """An act on a game as it was shown at `ply`; a review goes to that ply, a challenge is for `rules`."""

    game_id: int
    ply: int
    act: Act
    rules: str = ""


class SetLevel(NamedTuple):
    """The level of a fresh game."""

    game_id: int
    level: str


class SetFirst(NamedTuple):
    """Who moves first in a fresh game: `me` (the person) or `bot`."""

    game_id: int
    first: str


class SetRules(NamedTuple):
    """What is played in a fresh game or an open challenge."""

    game_id: int
    rules: str


class Turn(NamedTuple):
    """A page of a board (`bot.game.pages`), as it was shown at `ply`."""

    game_id: int
    ply: int
    page: str


class ChooseLevel(NamedTuple):
    """The level of new games in this chat."""

    level: str


class ChooseFirst(NamedTuple):
    """Who moves first in new games in this chat."""

    first: str


class Invite(NamedTuple):
    """A challenge to a friend, by link."""


class Play(NamedTuple):
    """A new game, as /newgame begins it."""


class Topic(NamedTuple):
    """A page of the help."""

    name: str


class AllowTakebacks(NamedTuple):
    """Whether others may ask the one who taps for takebacks: `on` or `off`."""

    word: str


class Setting(NamedTuple):
    """A page of the settings, or with a value the wish to have it; without a name, the first page."""

    name: str = ""
    value: str = ""


class Stats(NamedTuple):
    """Somebody's results: those of this chat or all, by one family of rules or by all; perhaps as a picture."""

    person: int
    here: bool = False
    family: str = ""
    picture: bool = False


class Top(NamedTuple):
    """A page, from 0, of the list of this chat or of everybody: by rating, or by wins of the week."""

    here: bool
    by_wins: bool = False
    family: str = ""
    page: int = 0


class Forget(NamedTuple):
    """The answer to whether one wants to be forgotten: `yes` or `no`."""

    word: str


class Queue(NamedTuple):
    """What somebody says to the queue of /play: `play`, perhaps by some rules, `stay` or `leave`."""

    word: str
    rules: str = ""


class Dare(NamedTuple):
    """A challenge to who has played a mark in a shared game, signed as the link to it is."""

    game: int
    mark: str
    sign: str


class Begin(NamedTuple):
    """A game that inline mode has offered and that nobody has begun: the signed offer (`bot.handlers.inline`)."""

    offer: str


Button: TypeAlias = (
    Cell
    | Try
    | OnGame
    | SetLevel
    | SetFirst
    | SetRules
    | Turn
    | ChooseLevel
    | ChooseFirst
    | AllowTakebacks
    | Setting
    | Topic
    | Play
    | Invite
    | Begin
    | Dare
    | Stats
    | Top
    | Forget
    | Queue
)

_ID: Final = "([1-9][0-9]{0,17})"  # fits 64 bits
_SMALL: Final = "([0-9]{1,2})"
_WORD: Final = "([a-z]{1,16})"
_RULES: Final = "([a-z0-9-]{1,16})"

_CELL: Final = re.compile(f"1t:{_ID}:{_SMALL}:{_SMALL}")
_ON_GAME: Final = re.compile(f"1g:{_ID}:{_SMALL}:{_WORD}(?::{_RULES})?")
_OTHERS: Final[dict[str, tuple[re.Pattern[str], Callable[..., Button]]]] = {
    "u": (
        re.compile(f"1u:{_ID}:{_SMALL}:{_SMALL}"),
        lambda game, ply, cell: Cell(int(game), int(ply), int(cell), is_small=True),
    ),
    "y": (re.compile(f"1y:{_ID}:{_SMALL}:{_SMALL}"), lambda *numbers: Try(*map(int, numbers))),
    "l": (re.compile(f"1l:{_ID}:{_WORD}"), lambda game, level: SetLevel(int(game), level)),
    "f": (re.compile(f"1f:{_ID}:{_WORD}"), lambda game, first: SetFirst(int(game), first)),
    "r": (re.compile(f"1r:{_ID}:{_RULES}"), lambda game, rules: SetRules(int(game), rules)),
    "v": (
        re.compile(f"1v:{_ID}:{_SMALL}:([a-z0-9]{{1,8}})"),
        lambda game, ply, page: Turn(int(game), int(ply), page),
    ),
    "d": (re.compile(f"1d:{_WORD}"), ChooseLevel),
    "o": (re.compile(f"1o:{_WORD}"), ChooseFirst),
    "b": (re.compile(f"1b:{_WORD}"), AllowTakebacks),
    "h": (re.compile(f"1h:{_WORD}"), Topic),
    "s": (
        re.compile("1s(?::([a-z]{1,9})(?::([a-z0-9-]{1,16}))?)?"),
        lambda *parts: Setting(*(p or "" for p in parts)),
    ),
    "q": (
        re.compile(f"1q:{_ID}:([hw]):([a-z]{{0,8}}):([tp])"),
        lambda person, place, family, form: Stats(int(person), place == "h", family, form == "p"),
    ),
    "k": (
        re.compile("1k:([hw]):([rv]):([a-z]{0,8}):([0-9]{1,4})"),
        lambda place, order, family, page: Top(place == "h", order == "v", family, int(page)),
    ),
    "x": (re.compile("1x:(yes|no)"), Forget),
    "w": (re.compile(f"1w:{_WORD}(?::{_RULES})?"), lambda word, rules: Queue(word, rules or "")),
    "c": (
        re.compile(f"1c:{_ID}:([XO]):([A-Za-z0-9_-]{{16}})"),
        lambda game, mark, sign: Dare(int(game), mark, sign),
    ),
    "p": (re.compile("1p"), Play),
    "n": (re.compile("1n"), Invite),
    "i": (re.compile("1i:([A-Za-z0-9_:-]{1,60})"), Begin),
}


_LETTERS: Final[Mapping[type[Button], str]] = {
    SetLevel: "l",
    SetFirst: "f",
    SetRules: "r",
    Turn: "v",
    ChooseLevel: "d",
    ChooseFirst: "o",
    AllowTakebacks: "b",
    Topic: "h",
    Forget: "x",
    Play: "p",
    Invite: "n",
    Begin: "i",
    Dare: "c",
}


def write(button: Button) -> str:
    """The callback data of a button."""
    match button:
        case Cell(game_id, ply, cell, is_small):
            return f"1{'u' if is_small else 't'}:{game_id}:{ply}:{cell}"
        case Try(game_id, ply, cell):
            return f"1y:{game_id}:{ply}:{cell}"
        case OnGame(game_id, ply, act, rules):
            return f"1g:{game_id}:{ply}:{act}{rules and f':{rules}'}"
        case Setting(name, value):
            return ":".join(part for part in ("1s", name, value) if part)
        case Stats(person, here, family, picture):
            return f"1q:{person}:{'h' if here else 'w'}:{family}:{'p' if picture else 't'}"
        case Queue(word, rules):
            return ":".join(part for part in ("1w", word, rules) if part)
        case Top(here, by_wins, family, page):
            return f"1k:{'h' if here else 'w'}:{'v' if by_wins else 'r'}:{family}:{page}"
    return ":".join((f"1{_LETTERS[type(button)]}", *map(str, button)))


def read(data: str | None) -> Button | None:
    """The button that carries this data, or None where no button of ours does."""
    if not data:
        return None
    if cell := _CELL.fullmatch(data):
        game_id, ply, number = cell.groups()
        return Cell(int(game_id), int(ply), int(number))
    if on_game := _ON_GAME.fullmatch(data):
        game_id, ply, word, rules = on_game.groups()
        return OnGame(int(game_id), int(ply), ON_BUTTONS[word], rules or "") if word in ON_BUTTONS else None
    if data[1:2] not in _OTHERS:
        return None
    pattern, make = _OTHERS[data[1:2]]
    found = pattern.fullmatch(data)
    return make(*found.groups()) if found else None


def game_of(data: str | None) -> int | None:
    """The game that a button belongs to, if it belongs to one."""
    match read(data):
        case Cell(game_id) | Try(game_id) | OnGame(game_id) | SetLevel(game_id) | SetFirst(game_id):
            return game_id
        case SetRules(game_id) | Turn(game_id):
            return game_id
    return None
