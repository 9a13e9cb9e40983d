"""The record of one game, as a value.

A game is stored as the moves played, never as a board: the position is replayed from them, and a record that
does not replay is refused (`CorruptGame`) instead of being shown wrong.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from engine import EngineError, Mark, Outcome, Position, Rules, parse_rules
from storage.errors import CorruptGame
from storage.games import seen_updates

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPUTER: Final = 0
"""The seat holder that is no person; Telegram gives no person the id 0."""

LEFT: Final = -(2**53)
"""Ids from here down stand for forgotten people, a random one for each; no id of a
person or a chat is so low (Bot API, `User.id` and `Chat.id`)."""


ADMINISTRATOR: Final = LEFT
"""Stands for an administrator who ended a game and is otherwise unknown."""

UNMET: Final = -(2**52)
"""From here down to `LEFT` are ids of people who are known by a username alone (`storage.people.people`)."""

NO_NAMES: Final[Mapping[int, str]] = MappingProxyType({})


def is_erased(seat: int | None) -> bool:
    """Whether an id stands for somebody who was forgotten."""
    return seat is not None and seat <= LEFT


class GameKind(StrEnum):
    """What kind of game it is."""

    SOLO = "solo"
    """A person against the computer."""
    PAIR = "pair"
    """Two people."""
    CHALLENGE = "challenge"
    """One person, and a seat that is still empty, or was when the challenge was closed."""
    EXHIBITION = "exhibition"
    """The computer against itself, for people to watch."""


class Limits(StrEnum):
    """Which time limits a game has (`bot.game.time_limits`)."""

    USUAL = "usual"
    """As the host has set them."""
    STRANGERS = "strangers"
    """Short ones, for two people paired by matchmaking."""
    MEANWHILE = "meanwhile"
    """Against the computer, until somebody comes to the person who waits for an opponent."""


class Termination(StrEnum):
    """Why a game is over."""

    LINE = "line"
    FULL_BOARD = "full board"
    MOVE_LIMIT = "move limit"
    """It has had as many moves as its rules allow."""
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    """A challenge was withdrawn."""
    DECLINED = "declined"
    """A challenge was declined by the person it named."""
    EXPIRED = "expired"
    """A challenge that nobody took, or a game against the computer that nobody goes on with."""


DRAWN: Final = frozenset({Termination.FULL_BOARD, Termination.MOVE_LIMIT})
"""The terminations that nobody wins or loses by."""

BY_THE_RULES: Final = DRAWN | {Termination.LINE}
"""The terminations that the moves themselves bring about."""


class Offer(StrEnum):
    """What one player has asked, and waits for an answer to."""

    TAKEBACK = "takeback"
    RESIGN = "resign"
    """Asked of oneself: a second thought."""
    REMATCH = "rematch"


ASKED: Final = ("offer", "offered_by", "declined", "declined_by")
"""The fields of a game that say what was asked, or turned down."""


ORIGIN: Final = ("link", "inline_person", "inline_offer")
"""The fields of a game that say which link or offer it came from."""


class Game(NamedTuple):
    """One game: who sits where, what was played, and how it ended. Where it is shown, its boards say.

    A named tuple, because a tap makes three of them: that takes a fifth of the time of a frozen dataclass.

    A seat holds a person's Telegram id, `COMPUTER`, or None while it is empty. Times are whole seconds since 1970.
    What is left out is as in a new game, so that a new column need not be named where games are made.
    """

    id: int
    chat_id: int | None
    """The chat that the game belongs to; None for one of inline mode, whose chat the bot need not know."""
    rules: str
    """What is played, in the words of the engine, such as `3x3x3`."""
    kind: GameKind

    # Seats.
    x_seat: int | None
    o_seat: int | None
    x_level: str | None = None
    """How the computer plays X, by the name of a level; None where a person does."""
    o_level: str | None = None
    next_level: str | None = None
    """The computer's level in the next game, where that follows how the person fares; else None."""
    rival_id: int | None = None
    """The person an open challenge is meant for, who may be known by a username alone; None for anybody."""
    host: int | None = None
    """Who began an exhibition, and may stop it; None where somebody plays."""
    watched: int | None = None
    """How many moves the computer had made against itself before somebody took a seat, which earlier releases
    allowed; None in all other games. Such a game counts in no statistics."""

    # Where it comes from.
    link: str | None = None
    """What the link carries that leads to it, and to no other game."""
    inline_person: int | None = None
    """The person whose inline offer has begun it."""
    inline_offer: str | None = None
    """What tells that offer from the others of that person; it begins no other game."""

    # Play.
    time_limits: Limits = Limits.USUAL
    clock: int | None = None
    """The seconds that a move may take between two people who have agreed on that; else None."""
    moves: str = ""
    """The moves played, one character each as the rules write them, X's first."""
    offer: Offer | None = None
    """What a player has asked, and waits for an answer to."""
    offered_by: Mark | None = None
    """The mark of that player."""
    declined: Offer | None = None
    """What the last change turned down, if it did so: the board tells of it until the next change."""
    declined_by: Mark | None = None
    """The mark of the player who turned it down."""
    takebacks: int = 0
    """How often moves were taken back; a game in which they were counts in no statistics."""

    # End.
    termination: Termination | None = None
    winner: Mark | None = None
    ended_by: int | None = None
    """The person who withdrew or closed it, where nothing else says so; `ADMINISTRATOR` for an unknown one."""

    # Series.
    best_of: int | None = None
    """How many games a series of two people has at most, if they have agreed on one."""
    x_wins: int = 0
    """Games of this series that X's player has won before this one."""
    o_wins: int = 0
    draws: int = 0
    next_game: int | None = None
    """The game that followed this one at the players' wish."""

    wordings: int = 0
    """Which half of its wordings OXO's comments use, 0 or 1: the other one than in the game before."""

    # Ratings, as they are shown: None where there is none, or its person hides their results.
    x_rating: str | None = None
    """X's player's rating before the game ended; for two people paired by matchmaking, at that moment."""
    o_rating: str | None = None
    x_rated: str | None = None
    """How X's player is rated since the game ended; None if it is not rated."""
    o_rated: str | None = None

    # Milestones that the game has brought, as they are shown: their names, with a space in between.
    x_reached: str | None = None
    o_reached: str | None = None

    # Times.
    created_at: int = 0
    changed_at: int = 0
    moved_at: int = 0
    """When the last move was made, or the game began."""
    due_at: int | None = None
    """When the deadline has to be looked at, no later than when something is due."""
    reminded: int | None = None
    """The ply at which the person to move was reminded."""

    # Record.
    update_id: int | None = None
    """The Telegram update that asked for this game, so that a second delivery finds it."""
    seen_updates: str = ""
    """The Telegram updates that changed this game last, so that each has one effect however often it comes."""
    version: int = 1
    """Counts the changes; 1 for a new game."""

    # Not stored with the game.
    names: Mapping[int, str] = NO_NAMES
    """By id what those in it are called now, as `storage.people.people` knew when the game was loaded."""

    def __eq__(self, other: object) -> bool:
        """Whether the records are the same, whatever people are called now."""
        return isinstance(other, Game) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        """The opposite; a tuple has its own."""
        return not self == other

    def __hash__(self) -> int:
        """The record's."""
        return hash(self[:-1])

    @property
    def position(self) -> Position:
        """The position after all moves.

        Raises:
            CorruptGame: if the moves do not replay.
        """
        try:
            return replay(self.rules, self.moves)
        except EngineError as error:
            raise CorruptGame(self.id, str(error)) from error

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return len(self.moves)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by whatever termination."""
        return self.termination is not None

    @property
    def turn(self) -> Mark:
        """The mark to move; X moves at even plies."""
        return Mark.O if len(self.moves) % 2 else Mark.X

    def seat(self, mark: Mark) -> int | None:
        """Who plays `mark`."""
        return self.x_seat if mark is Mark.X else self.o_seat

    def name(self, mark: Mark) -> str | None:
        """The name of the person who plays `mark`."""
        return self.name_of(self.seat(mark))

    def name_of(self, person: int | None) -> str | None:
        """What a person in it is called; None where nobody knows."""
        return None if person is None else self.names.get(person)

    def rating(self, mark: Mark) -> str | None:
        """How the player of `mark` was rated before the game ended, as it is shown."""
        return self.x_rating if mark is Mark.X else self.o_rating

    def reached(self, mark: Mark) -> str | None:
        """The milestones that the game has brought to the player of `mark`, as they are shown."""
        return self.x_reached if mark is Mark.X else self.o_reached

    def rated(self, mark: Mark) -> str | None:
        """How the player of `mark` is rated since the game ended, as it is shown."""
        return self.x_rated if mark is Mark.X else self.o_rated

    def level_of(self, mark: Mark) -> str | None:
        """How the computer plays `mark`; None where a person does."""
        return self.x_level if mark is Mark.X else self.o_level

    @property
    def level(self) -> str | None:
        """The computer's level; None where two people play."""
        return self.x_level or self.o_level

    def has_seen(self, update_id: int | None) -> bool:
        """Whether a Telegram update was among the last to change this game."""
        return seen_updates.has(self.seen_updates, update_id)

    def mover_of(self, ply: int) -> int | None:
        """Who made the move that led to a ply: the holder of the seat, unless that was taken only later."""
        if self.watched is not None and ply <= self.watched:
            return COMPUTER
        return self.x_seat if ply % 2 else self.o_seat

    def mark_of(self, person: int) -> Mark | None:
        """The mark a person plays, or None for somebody who doesn't play here."""
        if person == self.x_seat:
            return Mark.X
        return Mark.O if person == self.o_seat else None

    @property
    def is_challenge(self) -> bool:
        """Whether a seat is still empty, or was when the challenge was closed."""
        return self.kind is GameKind.CHALLENGE

    @property
    def is_against_computer(self) -> bool:
        """Whether a person plays the computer."""
        return self.kind is GameKind.SOLO

    @property
    def is_exhibition(self) -> bool:
        """Whether the computer plays itself, for people to watch."""
        return self.kind is GameKind.EXHIBITION

    def with_nothing_asked(self) -> Game:
        """The game in which nobody waits for an answer, or is told of one."""
        return self._replace(offer=None, offered_by=None, declined=None, declined_by=None)

    @property
    def is_between_strangers(self) -> bool:
        """Whether matchmaking has paired its players."""
        return self.time_limits is Limits.STRANGERS

    def check(self) -> Game:
        """Give the game back if it is sound.

        Raises:
            CorruptGame: if the moves do not replay, or the recorded ending is not theirs.
        """
        outcome = self.position.outcome
        found = termination_of(outcome) if outcome else None
        if self.termination != found and (found or self.termination in BY_THE_RULES):
            raise CorruptGame(self.id, f"its moves end by {found}, but {self.termination} is recorded")
        won_by = outcome.winner if outcome else None
        if (self.termination is None or self.termination in BY_THE_RULES) and self.winner != won_by:
            raise CorruptGame(self.id, f"its moves are won by {won_by}, but {self.winner} is recorded")
        return self


def termination_of(outcome: Outcome) -> Termination:
    """How a game ended that the rules ended."""
    if outcome.by_limit:
        return Termination.MOVE_LIMIT
    return Termination.FULL_BOARD if outcome.is_draw else Termination.LINE


@lru_cache(maxsize=16384)
def replay(rules: str, moves: str) -> Position:
    """The position that stored moves lead to.

    Raises:
        EngineError: if they do not replay, or the rules are none.
    """
    return rules_of(rules).replay(moves)


@lru_cache(maxsize=256)
def rules_of(text: str) -> Rules:
    """The rules that a game names.

    Raises:
        EngineError: if there are no such rules.
    """
    return parse_rules(text)
