"""What the buttons carry: callback data, written and read in one place.

The format is `1` (its version), a letter for the action, and the action's values between colons: at most 64 bytes
(Bot API, InlineKeyboardButton). Anything may arrive from a changed client, so reading is strict, and what is read
opens nothing: seats are checked by the use cases.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable


class Tap(NamedTuple):
    """A cell of a board, as it was shown at `ply`."""

    game_id: int
    ply: int
    cell: int


class SetLevel(NamedTuple):
    """The level of a fresh game."""

    game_id: int
    level: str


class SetFirst(NamedTuple):
    """Who moves first in a fresh game: `me` (the person) or `bot`."""

    game_id: int
    first: str


class Again(NamedTuple):
    """Another game like a finished one, with the sides swapped or not."""

    game_id: int
    swap: bool


class ChooseLevel(NamedTuple):
    """The level of new games in this chat."""

    level: str


class ChooseFirst(NamedTuple):
    """Who moves first in new games in this chat."""

    first: str


Button: TypeAlias = Tap | SetLevel | SetFirst | Again | ChooseLevel | ChooseFirst

_ID: Final = "([1-9][0-9]{0,17})"  # fits 64 bits
_SMALL: Final = "([0-9]{1,2})"
_WORD: Final = "([a-z]{1,16})"

_TAP: Final = re.compile(f"1t:{_ID}:{_SMALL}:{_SMALL}")
_OTHERS: Final[dict[str, tuple[re.Pattern[str], Callable[..., Button]]]] = {
    "l": (re.compile(f"1l:{_ID}:{_WORD}"), lambda game, level: SetLevel(int(game), level)),
    "f": (re.compile(f"1f:{_ID}:{_WORD}"), lambda game, first: SetFirst(int(game), first)),
    "a": (re.compile(f"1a:{_ID}:([01])"), lambda game, swap: Again(int(game), swap == "1")),
    "d": (re.compile(f"1d:{_WORD}"), ChooseLevel),
    "o": (re.compile(f"1o:{_WORD}"), ChooseFirst),
}


def write(button: Button) -> str:
    """The callback data of a button."""
    match button:
        case Tap(game_id, ply, cell):
            return f"1t:{game_id}:{ply}:{cell}"
        case SetLevel(game_id, level):
            return f"1l:{game_id}:{level}"
        case SetFirst(game_id, first):
            return f"1f:{game_id}:{first}"
        case Again(game_id, swap):
            return f"1a:{game_id}:{int(swap)}"
        case ChooseLevel(level):
            return f"1d:{level}"
        case ChooseFirst(first):
            return f"1o:{first}"


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
    return make(*found.groups()) if found else None
