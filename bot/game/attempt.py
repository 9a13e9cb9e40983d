"""An attempt at an action: who makes it, from where, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from engine import Level
from storage.people.person import Person

if TYPE_CHECKING:
    from random import Random

    from bot.game.time_limits import TimeLimits

Player: TypeAlias = Person
"""A person who does something."""


class Where(NamedTuple):
    """Where an attempt comes from; the message is Telegram's word, not the client's."""

    chat_id: int | None = None
    thread_id: int | None = None
    """The forum topic in that chat."""
    message_id: int | None = None
    """The tapped message."""
    inline_message_id: str | None = None
    """The tapped message, where inline mode has sent it."""
    first: str | None = None
    """What the first button of the tapped message carries, which tells what the message is."""
    shows: int | None = None
    """The game that the tapped message is a board of, by its first button."""
    link: str | None = None
    """What the link carried through which somebody comes."""


class Facts(NamedTuple):
    """What deciding about some actions takes besides the game."""

    is_admin: bool = False
    """Whether the person is an administrator of the chat."""
    takebacks_allowed: bool = True
    """Whether the other player may be asked for a takeback."""
    level: Level = Level.MEDIUM
    """How the computer plays, where it takes a seat, or the board changes in an adaptive game."""
    adaptive: bool = False
    """Whether that level follows how the person fares."""


NO_FACTS: Final = Facts()


@dataclass(frozen=True, slots=True)
class Attempt:
    """Somebody's attempt at an action: who makes it, where and when, and what deciding about it takes."""

    who: Player
    where: Where
    now: int
    """Seconds since 1970."""
    rng: Random
    limits: TimeLimits
    update_id: int | None = None
    below: int | None = None
    """The message of the command that says so; a board that is out of sight from there comes down to it."""
    facts: Facts = NO_FACTS
