"""The record of one game, as a value.

A game is stored as the moves played, never as a board: the position is replayed from them, and a record that
does not replay is refused (`CorruptGame`) instead of being shown wrong.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from engine import EngineError, Mark, Position, Rules, parse_rules
from storage import seen_updates
from storage.errors import CorruptGame

COMPUTER: Final = 0
"""The seat holder that is no person; Telegram gives no person the id 0."""

LEFT: Final = -(2**53)
"""From here down are the ids that stand for who was forgotten, each made by chance for one person; no id of a
person or a chat is so low (Bot API, `User.id` and `Chat.id`)."""


def has_left(seat: int | None) -> bool:
    """Whether an id stands for somebody who was forgotten."""
    return seat is not None and seat <= LEFT


QUEUE: Final = "play:"
"""How the token of a game begins whose players met in the queue of /play, or of who waits there: of no link, since
those have no colon."""


class Termination(StrEnum):
    """Why a game is over."""

    LINE = "line"
    FULL_BOARD = "full board"
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    """A challenge was withdrawn."""
    DECLINED = "declined"
    """A challenge was refused by whom it named."""
    EXPIRED = "expired"
    """A challenge that nobody took, or a game against the computer that nobody goes on with."""


BY_THE_RULES: Final = frozenset({Termination.LINE, Termination.FULL_BOARD})
"""The terminations that the moves themselves bring about."""


class Offer(StrEnum):
    """What one player has asked, and waits for an answer to."""

    TAKEBACK = "takeback"
    RESIGN = "resign"
    """Asked of oneself: a second thought."""
    REMATCH = "rematch"


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

    # Seats.
    x_seat: int | None
    o_seat: int | None
    x_name: str | None = None
    o_name: str | None = None
    x_level: str | None = None
    """How the computer plays X, by the name of a level; None where a person does."""
    o_level: str | None = None
    rival_id: int | None = None
    """Whom an open challenge is meant for; None for anybody."""
    rival_name: str | None = None
    """The rival's name, or `@username` where only that is known."""
    token: str | None = None
    """What the link or inline offer carried that this game came from, or the queue's note; it begins no other."""
    host: int | None = None
    """Who lets the computer play itself here; None where somebody plays."""
    watched: int | None = None
    """So many of the moves the computer made while it played itself, before people took seats; None where it never
    did. A game that was watched counts in no statistics."""

    # Play.
    moves: str = ""
    """The moves played, one character each as the rules write them, X's first."""
    offer: str | None = None
    """What somebody waits for an answer to: an `Offer`, a colon and their mark."""
    takebacks: int = 0
    """How often moves were taken back; a game in which they were counts in no statistics."""

    # End.
    termination: Termination | None = None
    winner: Mark | None = None
    ended_by: str | None = None
    """The name of who has withdrawn or closed it, where nothing else says who."""

    # Series.
    x_wins: int = 0
    """Games of this series that X's player has won before this one."""
    o_wins: int = 0
    draws: int = 0
    next_game: int | None = None
    """The game that followed this one at the players' wish."""

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
        """The name of who plays `mark`, as it was when the seat was taken."""
        return self.x_name if mark is Mark.X else self.o_name

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
        """Who made the move that led to a ply: the holder of the seat, unless that was taken later."""
        if self.watched is not None and ply <= self.watched:
            return COMPUTER
        return self.x_seat if ply % 2 else self.o_seat

    def mark_of(self, person: int) -> Mark | None:
        """The mark that a person plays, or None for somebody who has no seat here."""
        if person == self.x_seat:
            return Mark.X
        return Mark.O if person == self.o_seat else None

    @property
    def is_challenge(self) -> bool:
        """Whether a seat is still empty."""
        return self.x_seat is None or self.o_seat is None

    @property
    def is_against_computer(self) -> bool:
        """Whether one of the seats is the computer's."""
        return COMPUTER in (self.x_seat, self.o_seat)

    @property
    def is_of_queue(self) -> bool:
        """Whether two met in the queue for this game, or one waits there with it."""
        return self.token is not None and self.token.startswith(QUEUE) and not self.is_against_computer

    def check(self) -> Game:
        """Give the game back if it is sound.

        Raises:
            CorruptGame: if the moves do not replay, or the recorded ending is not theirs.
        """
        outcome = self.position.outcome
        found = termination_of(outcome.winner) if outcome else None
        if self.termination != found and (found or self.termination in BY_THE_RULES):
            raise CorruptGame(self.id, f"its moves end by {found}, but {self.termination} is recorded")
        won_by = outcome.winner if outcome else None
        if (self.termination is None or self.termination in BY_THE_RULES) and self.winner != won_by:
            raise CorruptGame(self.id, f"its moves are won by {won_by}, but {self.winner} is recorded")
        return self


def termination_of(winner: Mark | None) -> Termination:
    """How a game ended that the rules ended, by who won."""
    return Termination.FULL_BOARD if winner is None else Termination.LINE


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
