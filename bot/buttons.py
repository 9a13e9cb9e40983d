"""What the buttons carry: callback data, written and read in one place.

The format is `1` (its version), a letter for the kind, and the kind's values between colons: at most 64 bytes
(Bot API, InlineKeyboardButton). Anything may arrive from a changed client, so reading is strict, and what is read
opens nothing: seats are checked by the use cases.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

ACTIONS: Final = frozenset(
    {
        "accept",
        "decline",
        "cancel",
        "computer",
        "undo",
        "resign",
        "giveup",
        "goon",
        "yes",
        "no",
        "hint",
        "rematch",
        "again",
        "swap",
        "bring",
    }
)
"""What can be done to a game beside playing a cell."""


class Tap(NamedTuple):
    """A cell of a board, as it was shown at `ply`."""

    game_id: int
    ply: int
    cell: int


class Act(NamedTuple):
    """One of `ACTIONS`, on a game as it was shown at `ply`."""

    game_id: int
    ply: int
    action: str


class SetLevel(NamedTuple):
    """The level of a fresh game."""

    game_id: int
    level: str


class SetFirst(NamedTuple):
    """Who moves first in a fresh game: `me` (the person) or `bot`."""

    game_id: int
    first: str


class ChooseLevel(NamedTuple):
    """The level of new games in this chat."""

    level: str


class ChooseFirst(NamedTuple):
    """Who moves first in new games in this chat."""

    first: str


class Invite(NamedTuple):
    """A challenge to a friend, by link."""


class Begin(NamedTuple):
    """A game that inline mode has offered and that nobody has begun: the signed offer (`bot.inline`)."""

    offer: str


Button: TypeAlias = Tap | Act | SetLevel | SetFirst | ChooseLevel | ChooseFirst | Invite | Begin

_ID: Final = "([1-9][0-9]{0,17})"  # fits 64 bits
_SMALL: Final = "([0-9]{1,2})"
_WORD: Final = "([a-z]{1,16})"

_TAP: Final = re.compile(f"1t:{_ID}:{_SMALL}:{_SMALL}")
_OTHERS: Final[dict[str, tuple[re.Pattern[str], Callable[..., Button]]]] = {
    "g": (re.compile(f"1g:{_ID}:{_SMALL}:{_WORD}"), lambda game, ply, word: Act(int(game), int(ply), word)),
    "l": (re.compile(f"1l:{_ID}:{_WORD}"), lambda game, level: SetLevel(int(game), level)),
    "f": (re.compile(f"1f:{_ID}:{_WORD}"), lambda game, first: SetFirst(int(game), first)),
    "d": (re.compile(f"1d:{_WORD}"), ChooseLevel),
    "o": (re.compile(f"1o:{_WORD}"), ChooseFirst),
    "n": (re.compile("1n"), Invite),
    "i": (re.compile("1i:([A-Za-z0-9_:-]{1,60})"), Begin),
}


def write(button: Button) -> str:
    """The callback data of a button."""
    match button:
        case Tap(game_id, ply, cell):
            return f"1t:{game_id}:{ply}:{cell}"
        case Act(game_id, ply, action):
            return f"1g:{game_id}:{ply}:{action}"
        case SetLevel(game_id, level):
            return f"1l:{game_id}:{level}"
        case SetFirst(game_id, first):
            return f"1f:{game_id}:{first}"
        case ChooseLevel(level):
            return f"1d:{level}"
        case ChooseFirst(first):
            return f"1o:{first}"
        case Begin(offer):
            return f"1i:{offer}"
        case Invite():
            return "1n"


def read(data: str | None) -> Button | None:
    """The button that carries this data, or None where no button of ours does."""
    if not data:
        return None
    if tap := _TAP.fullmatch(data):
        game_id, ply, cell = tap.groups()
        return Tap(int(game_id), int(ply), int(cell))
    if data[1:2] not in _OTHERS:
        return None
    pattern, make = _OTHERS[data[1:2]]
    found = pattern.fullmatch(data)
    button = make(*found.groups()) if found else None
    return None if isinstance(button, Act) and button.action not in ACTIONS else button
