"""Callback data: what a button carries, with one writer and one reader, made from the classes of buttons.

The format is a word for what the button does, and its values separated by colons: at most 64 bytes (Bot API,
InlineKeyboardButton). A modified client can send anything, so reading is strict, and what is read gives access to
nothing: the gate decides (`bot.game.gate`).
"""

import re
from collections.abc import Container
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, NamedTuple, TypeAlias, dataclass_transform

from bot.game.actions import Action, Permission
from bot.game.choices import (
    CarriedId,
    Day,
    OfferedOrNone,
    PageNumber,
    Readers,
    SettingValue,
    matching,
    number,
    readers_of,
)
from bot.game.gate import ACTIONS


class OnGame(NamedTuple):
    """An action on a game, or with it."""

    game_id: int
    action: Action
    edition: int = 0
    """Which of the game's positions at that ply it was made for (`bot.game.play.edition_of`)."""


@dataclass_transform(frozen_default=True)
class Menu:
    """A button that belongs to no game in progress; its `word` says in its data what it does."""

    as_chat: ClassVar[bool] = False
    """Whether anonymous administrators may use it for their chat."""

    def __init_subclass__(cls, *, word: str, as_chat: bool = False) -> None:
        super().__init_subclass__()
        cls.as_chat = as_chat
        MENUS[word] = dataclass(frozen=True)(cls)
        _WORDS[cls], _READERS[cls] = word, readers_of(cls)


Button: TypeAlias = OnGame | Menu

MENUS: Final[dict[str, type[Menu]]] = {}
"""The classes of buttons that belong to no game, by their word; a feature's own stand in its file."""
NOT_DONE: Final[set[type[Menu | Action]]] = set()
"""What no feature of this bot does, so that no button for it is shown."""
_WORDS: Final[dict[type[Action | Menu], str]] = {kind: word for word, kind in ACTIONS.items()}
_READERS: Final[dict[type[Action | Menu], Readers]] = {kind: readers_of(kind) for kind in ACTIONS.values()}


class Invite(Menu, word="invite"):
    """A challenge to a friend, by link."""


class Play(Menu, word="play"):
    """Starts a new game, as /newgame does."""


class Setting(Menu, word="set", as_chat=True):
    """Opens a page of the settings (without a name, the first one), or with a value chooses it."""

    name: Annotated[str, matching("[a-z]{0,16}")] = ""
    value: SettingValue = ""


class FindOpponent(Menu, word="find"):
    """Looks for an opponent, perhaps for certain rules."""

    rules: OfferedOrNone = ""


class NewCup(Menu, word="newcup"):
    """Holds a cup in a group."""


class ShowPuzzle(Menu, word="puzzle"):
    """Shows today's puzzle, or yesterday's with its solution."""

    day: Day


class Block(Menu, word="block"):
    """Blocks the challenger of a challenge in one's private chat."""

    game: CarriedId


class ShowBlocked(Menu, word="blocked"):
    """Shows a page (from 0) of whom one has blocked."""

    page: PageNumber = 0


class Unblock(Menu, word="unblock"):
    """Lets somebody of one's list reach one again."""

    number: CarriedId


_OF_GAME: Final = re.compile("([a-z]+):([1-9][0-9]{0,17})(?![0-9])")
_GAME: Final = number("[1-9][0-9]{0,17}")  # fits 64 bits
_EDITION: Final = number("[1-9][0-9]{0,8}")


def offer(done: Container[type[Menu | Action]]) -> None:
    """Show only buttons for what is done; an action that changes its game is done by itself."""
    NOT_DONE.clear()
    NOT_DONE.update(kind for kind in MENUS.values() if kind not in done)
    NOT_DONE.update(kind for kind in ACTIONS.values() if issubclass(kind, Permission) and kind not in done)


def is_offered(button: Button) -> bool:
    """Whether a feature does what a button is for."""
    return type(button.action if isinstance(button, OnGame) else button) not in NOT_DONE


def write(button: Button) -> str:
    """The callback data of a button."""
    if isinstance(button, OnGame):
        carried: Action | Menu = button.action
        said = [_WORDS[type(carried)], game_text(button.game_id, button.edition)]
    else:
        carried, said = button, [_WORDS[type(button)]]
    for name in _READERS[type(carried)]:
        value = getattr(carried, name)
        said.append(f"{value:d}" if isinstance(value, int) else value)
    return ":".join(said)


def game_text(game_id: int, edition: int) -> str:
    """A game as a button names it."""
    return f"{game_id}.{edition}" if edition else str(game_id)


def read(data: str | None) -> Button | None:
    """The button with this data; None if the bot makes no such button."""
    word, *given = (data or "").split(":", 1)
    try:
        if (menu := MENUS.get(word)) is not None:
            return menu(*_fields(menu, given))
        if (action := ACTIONS.get(word)) is not None:
            game, *given = given[0].split(":", 1) if given else [""]
            game_id, dot, edition = game.partition(".")
            return OnGame(_GAME(game_id), action(*_fields(action, given)), _EDITION(edition) if dot else 0)
    except ValueError:
        pass
    return None


def game_id_of(data: str | None) -> int | None:
    """The id of the game that a button of ours belongs to; None if it belongs to none."""
    found = _OF_GAME.match(data or "")
    return int(found[2]) if found is not None and found[1] in ACTIONS else None


def _fields(kind: type[Action | Menu], given: list[str]) -> list[object]:
    """The values of a button, given in one text; the last of them may contain colons."""
    readers = _READERS[kind].values()
    values = given[0].split(":", max(0, len(readers) - 1)) if given else []
    return [read_(text) for read_, text in zip(readers, values, strict=True)]
