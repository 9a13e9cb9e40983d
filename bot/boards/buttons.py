"""Callback data: what a button carries, with one writer and one reader, made from the classes of buttons.

The format is a word for what the button does, and its values separated by colons: at most 64 bytes (Bot API,
InlineKeyboardButton). A modified client can send anything, so reading is strict, and what is read gives access to
nothing: the gate decides (`bot.game.gate`).
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, NamedTuple, TypeAlias, dataclass_transform

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


Button: TypeAlias = OnGame | Menu

MENUS: Final[dict[str, type[Menu]]] = {}
"""The classes of buttons that belong to no game, by their word."""


class Invite(Menu, word="invite"):
    """A challenge to a friend, by link."""


class Play(Menu, word="play"):
    """Starts a new game, as /newgame does."""


class Topic(Menu, word="help"):
    """A page of the help."""

    topic: Annotated[str, matching("[a-z]{1,16}")]


class Setting(Menu, word="set", as_chat=True):
    """Opens a page of the settings (without a name, the first one), or with a value chooses it."""

    name: Annotated[str, matching("[a-z]{0,16}")] = ""
    value: SeenRules = ""


class Stats(Menu, word="stats"):
    """Shows somebody's results in this chat or everywhere, for one family of rules or all; or as a picture."""

    person: CarriedId
    here: Flag = False
    family: Family = ""
    picture: Flag = False


class Top(Menu, word="top"):
    """Shows a page (from 0) of the leaderboard of this chat or of everybody: by rating, or by wins this week."""

    here: Flag
    by_wins: Flag = False
    family: Family = ""
    page: PageNumber = 0


class Season(Menu, word="season"):
    """Shows a page (from 0) of a group's leaderboard by wins of its season."""

    page: PageNumber = 0


class NewSeason(Menu, word="newseason", as_chat=True):
    """Asks whether to begin a new season, or begins it."""

    is_sure: Flag


class DownloadData(Menu, word="download"):
    """Sends people everything stored about them."""


class DeleteData(Menu, word="delete"):
    """Asks people whether everything stored about them should be deleted."""


class Forget(Menu, word="forget"):
    """Answers that question."""

    is_sure: Flag


class TryPuzzle(Menu, word="z"):
    """Tries a cell of a day's puzzle, on one's board as it was at that version."""

    day: Day
    version: Version
    cell: Small


class RetryPuzzle(Menu, word="tryagain"):
    """Takes back a wrong try at a day's puzzle."""

    day: Day
    version: Version


class ShowPuzzle(Menu, word="puzzle"):
    """Shows today's puzzle, or yesterday's with its solution."""

    day: Day


class RemindOfPuzzle(Menu, word="remind"):
    """Turns a daily reminder of the puzzle on, at this time of day, or off."""

    wanted: Flag


class OpenPuzzle(Menu, word="solve"):
    """Leads from a group to the puzzle in the private chat."""


class FindOpponent(Menu, word="find"):
    """Looks for an opponent, perhaps for certain rules."""

    rules: OfferedOrNone = ""


class ChallengePlayer(Menu, word="challenge"):
    """Challenges the player of a mark in a shared game; signed like the link to that game."""

    game: CarriedId
    mark: Side
    sign: Annotated[str, matching("[A-Za-z0-9_-]{16}")]


class Block(Menu, word="block"):
    """Blocks the challenger of a challenge in one's private chat."""

    game: CarriedId


class ShowBlocked(Menu, word="blocked"):
    """Shows a page (from 0) of whom one has blocked."""

    page: PageNumber = 0


class Unblock(Menu, word="unblock"):
    """Lets somebody of one's list reach one again."""

    number: CarriedId


class Begin(Menu, word="i"):
    """Accepts an inline offer; signed (`bot.features.inline`)."""

    offer: Annotated[str, matching("[A-Za-z0-9_:+-]{1,62}")]


class TakeUp(Menu, word="link"):
    """Accepts the challenge behind a link, on the terms that the link has (`bot.features.challenge`)."""

    link: Annotated[str, matching("[A-Za-z0-9_-]{22,56}")]


class InCup(Menu, word="cup", as_chat=True):
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
