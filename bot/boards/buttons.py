"""Callback data: what a button carries, with one writer and one reader, made from the classes of buttons.

The format is a word for what the button does, and its values separated by colons: at most 64 bytes (Bot API,
InlineKeyboardButton). A modified client can send anything, so reading is strict, and what is read gives access to
nothing: the gate decides (`bot.game.machine`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple, TypeAlias, TypeVar, dataclass_transform

from bot.game.actions import Action
from bot.game.choices import (
    CarriedId,
    Day,
    Family,
    Flag,
    OfferedOrNone,
    PageNumber,
    SeenRules,
    Side,
    Small,
    Version,
    matching,
    number,
    readers_of,
)
from bot.game.machine import ACTIONS


class OnGame(NamedTuple):
    """An action on a game, or with it."""

    game_id: int
    action: Action
    edition: int = 0
    """Which of the game's positions at that ply it was made for (`bot.game.play.edition_of`)."""


class Menu:
    """A button that belongs to no game in progress."""

    __slots__ = ()


Button: TypeAlias = OnGame | Menu

T = TypeVar("T", bound=Menu)

MENUS: Final[dict[str, type[Menu]]] = {}
"""The classes of buttons that belong to no game, by their word."""


@dataclass_transform(frozen_default=True)
def button(word: str) -> Callable[[type[T]], type[T]]:
    """Make a class a button; `word` says in its data what it does, a letter where room is short."""

    def register(kind: type[T]) -> type[T]:
        made = dataclass(frozen=True, slots=True)(kind)
        MENUS[word] = made
        return made

    return register


@button("invite")
class Invite(Menu):
    """A challenge to a friend, by link."""


@button("play")
class Play(Menu):
    """Starts a new game, as /newgame does."""


@button("help")
class Topic(Menu):
    """A page of the help."""

    topic: Annotated[str, matching("[a-z]{1,16}")]


@button("set")
class Setting(Menu):
    """Opens a page of the settings (without a name, the first one), or with a value chooses it."""

    name: Annotated[str, matching("[a-z]{0,16}")] = ""
    value: SeenRules = ""


@button("stats")
class Stats(Menu):
    """Shows somebody's results in this chat or everywhere, for one family of rules or all; or as a picture."""

    person: CarriedId
    here: Flag = False
    family: Family = ""
    picture: Flag = False


@button("top")
class Top(Menu):
    """Shows a page (from 0) of the leaderboard of this chat or of everybody: by rating, or by wins this week."""

    here: Flag
    by_wins: Flag = False
    family: Family = ""
    page: PageNumber = 0


@button("season")
class Season(Menu):
    """Shows a page (from 0) of a group's leaderboard by wins of its season."""

    page: PageNumber = 0


@button("newseason")
class NewSeason(Menu):
    """Asks whether to begin a new season, or begins it."""

    is_sure: Flag


@button("download")
class DownloadData(Menu):
    """Sends people everything stored about them."""


@button("delete")
class DeleteData(Menu):
    """Asks people whether everything stored about them should be deleted."""


@button("forget")
class Forget(Menu):
    """Answers that question."""

    is_sure: Flag


@button("z")
class TryPuzzle(Menu):
    """Tries a cell of a day's puzzle, on one's board as it was at that version."""

    day: Day
    version: Version
    cell: Small


@button("tryagain")
class RetryPuzzle(Menu):
    """Takes back a wrong try at a day's puzzle."""

    day: Day
    version: Version


@button("puzzle")
class ShowPuzzle(Menu):
    """Shows today's puzzle, or yesterday's with its solution."""

    day: Day


@button("remind")
class RemindOfPuzzle(Menu):
    """Turns a daily reminder of the puzzle on, at this time of day, or off."""

    wanted: Flag


@button("solve")
class OpenPuzzle(Menu):
    """Leads from a group to the puzzle in the private chat."""


@button("find")
class FindOpponent(Menu):
    """Looks for an opponent, perhaps for certain rules."""

    rules: OfferedOrNone = ""


@button("challenge")
class ChallengePlayer(Menu):
    """Challenges the player of a mark in a shared game; signed like the link to that game."""

    game: CarriedId
    mark: Side
    sign: Annotated[str, matching("[A-Za-z0-9_-]{16}")]


@button("block")
class Block(Menu):
    """Blocks the challenger of a challenge in one's private chat."""

    game: CarriedId


@button("blocked")
class ShowBlocked(Menu):
    """Shows a page (from 0) of whom one has blocked."""

    page: PageNumber = 0


@button("unblock")
class Unblock(Menu):
    """Lets somebody reach one again."""

    person: CarriedId


@button("i")
class Begin(Menu):
    """Accepts an inline offer; signed (`bot.features.inline`)."""

    offer: Annotated[str, matching("[A-Za-z0-9_:+-]{1,62}")]


@button("link")
class TakeUp(Menu):
    """Accepts the challenge behind a link, on the terms that the link has (`bot.features.challenge`)."""

    link: Annotated[str, matching("[A-Za-z0-9_-]{22,56}")]


@button("cup")
class InCup(Menu):
    """Joins, leaves, starts or cancels a cup."""

    cup: CarriedId
    wish: Annotated[str, matching("join|leave|start|cancel")]


_WORDS: Final[dict[type[Action | Menu], str]] = {
    **{kind: word for word, kind in ACTIONS.items()},
    **{kind: word for word, kind in MENUS.items()},
}
_READERS: Final = {kind: readers_of(kind) for kind in _WORDS}
_GAME: Final = number("[1-9][0-9]{0,17}")  # fits 64 bits
_EDITION: Final = number("[1-9][0-9]{0,8}")


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
    """The id of the game that a button belongs to; None if it belongs to none."""
    button = read(data)
    return button.game_id if isinstance(button, OnGame) else None


def _fields(kind: type[Action | Menu], given: list[str]) -> list[object]:
    """The values of a button, given in one text; the last of them may contain colons."""
    readers = _READERS[kind].values()
    values = given[0].split(":", max(0, len(readers) - 1)) if given else []
    return [read_(text) for read_, text in zip(readers, values, strict=True)]
