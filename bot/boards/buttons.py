"""Callback data: what a button carries, with one writer and one reader, made from the actions.

The format is a prefix, a word for what the button does, and its values separated by colons: at most 64 bytes (Bot
API, InlineKeyboardButton). A modified client can send anything, so reading is strict, and what is read gives
access to nothing: the gate decides (`bot.game.machine`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Final, TypeAlias, TypeVar

from bot.game import actions
from bot.game.actions import Action
from bot.game.attempt import CLOCKS
from bot.game.matchmaking import ANY
from bot.game.new_game import ADAPTIVE, SERIES, First
from engine import Level, Mark
from engine.rules.catalogue import FAMILIES, is_offered_as


@dataclass(frozen=True, slots=True)
class OnGame:
    """An action on a game, or with it."""

    game_id: int
    action: Action
    edition: int = 0
    """Which of the game's positions at that ply it was made for (`bot.game.play.edition_of`)."""


@dataclass(frozen=True, slots=True)
class Invite:
    """A challenge to a friend, by link."""


@dataclass(frozen=True, slots=True)
class Play:
    """Starts a new game, as /newgame does."""


@dataclass(frozen=True, slots=True)
class PlayMeanwhile:
    """Starts a game against the computer to pass the time until an opponent is found."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of the help."""

    topic: str


@dataclass(frozen=True, slots=True)
class Setting:
    """Opens a page of the settings (without a name, the first one), or with a value chooses it."""

    name: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Stats:
    """Shows somebody's results in this chat or everywhere, for one family of rules or all; or as a picture."""

    person: int
    here: bool = False
    family: str = ""
    picture: bool = False


@dataclass(frozen=True, slots=True)
class Top:
    """Shows a page (from 0) of the leaderboard of this chat or of everybody: by rating, or by wins this week."""

    here: bool
    by_wins: bool = False
    family: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class DownloadData:
    """Sends people everything stored about them."""


@dataclass(frozen=True, slots=True)
class DeleteData:
    """Asks people whether everything stored about them should be deleted."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Answers that question."""

    is_sure: bool


@dataclass(frozen=True, slots=True)
class TryPuzzle:
    """Tries a cell of a day's puzzle, on one's board as it was at that version."""

    day: int
    version: int
    cell: int


@dataclass(frozen=True, slots=True)
class RetryPuzzle:
    """Takes back a wrong try at a day's puzzle."""

    day: int
    version: int


@dataclass(frozen=True, slots=True)
class ShowPuzzle:
    """Shows today's puzzle, or yesterday's with its solution."""

    day: int


@dataclass(frozen=True, slots=True)
class RemindOfPuzzle:
    """Turns a daily reminder of the puzzle on, at this time of day, or off."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class OpenPuzzle:
    """Leads from a group to the puzzle in the private chat."""


@dataclass(frozen=True, slots=True)
class FindOpponent:
    """Looks for an opponent, perhaps for certain rules."""

    wanted_rules: str = ""


@dataclass(frozen=True, slots=True)
class KeepWaiting:
    """Says that one is still waiting for an opponent."""


@dataclass(frozen=True, slots=True)
class StopWaiting:
    """Stops waiting for an opponent."""


@dataclass(frozen=True, slots=True)
class ShowWanted:
    """Opens the choice of rules while waiting."""


@dataclass(frozen=True, slots=True)
class ShowMoreWanted:
    """Opens the other boards of that choice."""


@dataclass(frozen=True, slots=True)
class HideWanted:
    """Closes that choice."""


@dataclass(frozen=True, slots=True)
class SetWanted:
    """Waits for an opponent for these rules, or for any."""

    wanted_board: str


@dataclass(frozen=True, slots=True)
class ChallengePlayer:
    """Challenges the player of a mark in a shared game; signed like the link to that game."""

    shared: int
    mark: Mark
    sign: str


@dataclass(frozen=True, slots=True)
class Begin:
    """Accepts an inline offer; signed (`bot.features.inline`)."""

    offer: str


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Accepts the challenge behind a link, on the terms that the link has (`bot.features.challenge`)."""

    link: str


Menu: TypeAlias = (
    Setting
    | Topic
    | Play
    | PlayMeanwhile
    | Invite
    | Begin
    | ChallengePlayer
    | TakeUp
    | Stats
    | Top
    | DownloadData
    | DeleteData
    | Forget
    | TryPuzzle
    | RetryPuzzle
    | ShowPuzzle
    | RemindOfPuzzle
    | OpenPuzzle
    | FindOpponent
    | KeepWaiting
    | StopWaiting
    | ShowWanted
    | ShowMoreWanted
    | HideWanted
    | SetWanted
)
"""A button that belongs to no game in progress."""

Button: TypeAlias = OnGame | Menu

T = TypeVar("T")

MARK: Final = "2"
"""The prefix of all callback data."""

ACTIONS: Final[Mapping[str, Callable[..., Action]]] = {
    "m": actions.Move,
    "c": actions.TryCell,
    "accept": actions.Accept,
    "decline": actions.Decline,
    "cancel": actions.Cancel,
    "computer": actions.LetComputerPlay,
    "undo": actions.TakeBack,
    "resign": actions.Resign,
    "giveup": actions.ConfirmResign,
    "goon": actions.PlayOn,
    "yes": actions.Agree,
    "no": actions.Refuse,
    "rematch": actions.Rematch,
    "again": actions.PlayAgain,
    "swap": actions.SwapSides,
    "level": actions.SetLevel,
    "first": actions.SetFirst,
    "clock": actions.SetClock,
    "series": actions.SetSeries,
    "rules": actions.SetRules,
    "stop": actions.Stop,
    "faster": actions.GoFaster,
    "watch": actions.WatchAgain,
    "winner": actions.PlayWinner,
    "all": actions.ShowAll,
    "region": actions.ShowRegion,
    "boards": actions.ShowRules,
    "more": actions.ShowMoreRules,
    "hint": actions.Hint,
    "review": actions.LookBack,
    "try": actions.TryAgain,
    "best": actions.ShowBest,
    "leave": actions.LeaveReview,
    "share": actions.Share,
    "bring": actions.Bring,
}
"""Actions on games by their word in the data; a letter for the most frequent, as boards have many cells."""

MENUS: Final[Mapping[str, Callable[..., Menu]]] = {
    "set": Setting,
    "help": Topic,
    "play": Play,
    "meanwhile": PlayMeanwhile,
    "invite": Invite,
    "i": Begin,
    "challenge": ChallengePlayer,
    "link": TakeUp,
    "stats": Stats,
    "top": Top,
    "download": DownloadData,
    "delete": DeleteData,
    "forget": Forget,
    "z": TryPuzzle,
    "tryagain": RetryPuzzle,
    "puzzle": ShowPuzzle,
    "remind": RemindOfPuzzle,
    "solve": OpenPuzzle,
    "find": FindOpponent,
    "wait": KeepWaiting,
    "nowait": StopWaiting,
    "wanted": ShowWanted,
    "morewanted": ShowMoreWanted,
    "hide": HideWanted,
    "want": SetWanted,
}
"""Other buttons by their word; a letter for offers, which need the room."""


def _matching(pattern: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)

    def read_(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise ValueError(text)
        return text

    return read_


def _number(pattern: str) -> Callable[[str], int]:
    digits = _matching(pattern)
    return lambda text: int(digits(text))


def _flag(text: str) -> bool:
    return bool(("0", "1").index(text))


def _offered(text: str) -> str:
    if not is_offered_as(text):
        raise ValueError(text)
    return text


_ID: Final = _number("[1-9][0-9]{0,17}")  # fits 64 bits
_EDITION: Final = _number("[1-9][0-9]{0,8}")
_SMALL: Final = _number("[0-9]{1,2}")
_RULES: Final = _matching("[a-z0-9-]{0,16}")

_FIELDS: Final[Mapping[str, Callable[[str], object]]] = {
    "ply": _SMALL,
    "cell": _SMALL,
    "region": _SMALL,
    "page": _number("[0-9]{1,4}"),
    "day": _number("[0-9]{1,6}"),
    "version": _number("[0-9]{1,9}"),
    "person": _ID,
    "shared": _ID,
    "level": lambda text: text if text == ADAPTIVE else Level(text),
    "best_of": lambda text: SERIES[list(map(str, SERIES)).index(text)],
    "clock": lambda text: (0, *CLOCKS)[list(map(str, (0, *CLOCKS))).index(text)],
    "first": First,
    "mark": Mark,
    "rules": _offered,
    "seen_rules": _RULES,
    "wanted_rules": lambda text: text and _offered(text),
    "wanted_board": lambda text: text if text == ANY else _offered(text),
    "family": lambda text: text and FAMILIES[FAMILIES.index(text)],
    "topic": _matching("[a-z]{1,16}"),
    "name": _matching("[a-z]{0,16}"),
    "value": _matching("[a-z0-9-]{0,16}"),
    "sign": _matching("[A-Za-z0-9_-]{16}"),
    "link": _matching("[A-Za-z0-9_-]{22,56}"),
    "offer": _matching("[A-Za-z0-9_:+-]{1,60}"),
    **dict.fromkeys(
        ("is_person", "as_picture", "here", "picture", "by_wins", "is_sure", "wanted"),
        _flag,
    ),
}
"""How each field of a button is parsed, by its name."""

_WORD_OF: Final[Mapping[Callable[..., Action | Menu], str]] = {
    kind: word for words in (ACTIONS, MENUS) for word, kind in words.items()
}
_NAMES: Final = {kind: tuple(signature(kind).parameters) for kind in _WORD_OF}


def write(button: Button) -> str:
    """The callback data of a button."""
    if isinstance(button, OnGame):
        word = _WORD_OF[type(button.action)]
        game = game_text(button.game_id, button.edition)
        return ":".join((f"{MARK}{word}", game, *_values(button.action)))
    return ":".join((f"{MARK}{_WORD_OF[type(button)]}", *_values(button)))


def game_text(game_id: int, edition: int) -> str:
    """A game as a button names it."""
    return f"{game_id}.{edition}" if edition else str(game_id)


def read(data: str | None) -> Button | None:
    """The button with this data; None if the bot makes no such button."""
    if not data or not data.startswith(MARK):
        return None
    word, *given = data.removeprefix(MARK).split(":", 1)
    try:
        if (menu := MENUS.get(word)) is not None:
            return _made(menu, _NAMES[menu], given)
        if (action := ACTIONS.get(word)) is not None:
            game_id, *given = given[0].split(":", 1) if given else [""]
            game_id, dot, edition = game_id.partition(".")
            made = _made(action, _NAMES[action], given)
            return OnGame(_ID(game_id), made, _EDITION(edition) if dot else 0)
    except ValueError:
        pass
    return None


def game_of(data: str | None) -> int | None:
    """The id of the game that a button belongs to; None if it belongs to none."""
    button = read(data)
    return button.game_id if isinstance(button, OnGame) else None


def _values(carried: Action | Menu) -> list[str]:
    values = (getattr(carried, name) for name in _NAMES[type(carried)])
    return [str(int(value)) if isinstance(value, bool) else str(value) for value in values]


def _made(kind: Callable[..., T], names: Sequence[str], given: list[str]) -> T:
    """A button or action from its values, given in one text; the last of them may contain colons."""
    values = given[0].split(":", max(0, len(names) - 1)) if given else []
    return kind(*(_FIELDS[name](value) for name, value in zip(names, values, strict=True)))
