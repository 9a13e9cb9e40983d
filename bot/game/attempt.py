"""An attempt at an action: who makes it, from where, and when."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple, TypeAlias

from bot.game.time_limits import TimeLimits
from engine import Level
from storage.people.person import Person

Player: TypeAlias = Person
"""The person who acts."""


class Where(NamedTuple):
    """Where an attempt comes from. Telegram vouches for the message, so a client can't forge it."""

    chat_id: int | None = None
    thread_id: int | None = None
    """The forum topic in that chat."""
    message_id: int | None = None
    """The tapped message."""
    inline_message_id: str | None = None
    """The tapped message, where inline mode has sent it."""
    first: str | None = None
    """The data of the first button of the tapped message, which tells what that message is."""
    shows: int | None = None
    """The game that the tapped message is a board of, by its first button."""
    link: str | None = None
    """The token of the link that somebody followed."""


class Facts(NamedTuple):
    """What some decisions need besides the game."""

    is_admin: bool = False
    """Whether the person is an administrator of the chat."""
    takebacks_allowed: bool = True
    """Whether the opponent allows takeback requests."""
    level: Level = Level.MEDIUM
    """The computer's level, where it takes a seat or an adaptive game changes its board."""
    adaptive: bool = False
    """Whether that level follows how the person fares."""


NO_FACTS: Final = Facts()


@dataclass(frozen=True, slots=True)
class Attempt:
    """Somebody's attempt at an action: who, where, when, and what the decision needs to know."""

    who: Player
    where: Where
    now: int
    """Seconds since 1970."""
    rng: Random
    limits: TimeLimits
    update_id: int | None = None
    below: int | None = None
    """The message of the command, if it is one; a board out of sight from there moves down to it."""
    facts: Facts = NO_FACTS
