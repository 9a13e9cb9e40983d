"""The record of one game, as a value.

A game is stored as the moves played, never as a board: the position is replayed from them, and a record that
does not replay is refused (`CorruptGame`) instead of being shown wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine import CLASSIC, EngineError, Geometry, Mark, Position
from storage import taken
from storage.errors import CorruptGame

if TYPE_CHECKING:
    from collections.abc import Iterable

COMPUTER: Final = 0
"""The seat holder that is no person; Telegram gives no person the id 0."""

LINE: Final = "line"
FULL_BOARD: Final = "full board"
RESIGNATION: Final = "resignation"
TIMEOUT: Final = "timeout"
CANCELLED: Final = "cancelled"
DECLINED: Final = "declined"
EXPIRED: Final = "expired"
"""The terminations: four of games, then three of challenges that nobody took; an abandoned game against the
computer has expired too."""

CELLS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
"""One character a cell, so that the moves of the largest board (8x8) fit into 64 characters."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game: who sits where, what was played, how it ended, and where Telegram shows it.

    The fields stand in the order of the table's columns. A seat holds a person's Telegram id, `COMPUTER`, or
    None while it is empty.
    """

    id: int
    chat_id: int | None
    """The chat that shows the board."""
    thread_id: int | None
    """The forum topic in that chat."""
    message_id: int | None
    """The message that is the board; None until Telegram has confirmed it."""
    geometry: str
    """Columns, rows and marks in a row, such as `3x3x3`."""
    moves: str
    """The cells played, one character of `CELLS` each, X's first."""
    x_seat: int | None
    o_seat: int | None
    x_name: str | None
    o_name: str | None
    level: str | None
    """The computer's level; None where two people play."""
    language: str | None
    """The language of the board's text, an IETF tag as Telegram sends it."""
    termination: str | None
    """Why the game is over: line, full board, resignation or timeout; None while it runs."""
    winner: str | None
    """X or O; None while the game runs and after a draw."""
    next_game: int | None
    """The game that followed this one at the players' wish."""
    update_id: int | None
    """The Telegram update that asked for this game, so that a second delivery finds it."""
    version: int
    """Counts the changes; 1 for a new game."""
    shown: int
    """The newest version that Telegram is known to show; 0 before the first."""
    created_at: int
    changed_at: int
    sweep_at: int
    """When the sweep may show the board if Telegram does not show its newest version by then."""
    inline_message_id: str | None = None
    """The board's message where it was sent by inline mode, into a chat that the bot need not know."""
    guest_chat_id: int | None = None
    """The second board of a game that was opened by a link: the private chat of whoever opened it."""
    guest_message_id: int | None = None
    guest_language: str | None = None
    token: str | None = None
    """What the link to a challenge carries; it leads nobody else in once somebody has opened it."""
    rival_id: int | None = None
    """Whom a challenge is meant for; None for anybody."""
    rival_name: str | None = None
    """The rival's name, or `@username` where only that is known."""
    offer: str | None = None
    """What somebody waits for an answer to: `resign`, `takeback` or `rematch`, a colon and their mark."""
    x_wins: int = 0
    """Games of this series that X's player has won before this one."""
    o_wins: int = 0
    draws: int = 0
    moved_at: int = 0
    """When the last move was made, or the game began."""
    due_at: int | None = None
    """When the deadline has to be looked at, no later than when something is due."""
    reminded: int | None = None
    """The ply at which the person to move was reminded."""
    taken: str = ""
    """The Telegram updates that changed this game last, so that each has one effect however often it comes."""

    @property
    def position(self) -> Position:
        """The position after all moves.

        Raises:
            CorruptGame: if the moves do not replay.
        """
        try:
            return replay(self.geometry, self.moves)
        except (EngineError, ValueError) as error:
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

    def has_taken(self, update_id: int | None) -> bool:
        """Whether a Telegram update was among the last to change this game."""
        return taken.has(self.taken, update_id)

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

    def check(self) -> Game:
        """Give the game back if it is sound.

        Raises:
            CorruptGame: if the moves do not replay, or the recorded ending is not theirs.
        """
        outcome = self.position.outcome
        found = None if outcome is None else FULL_BOARD if outcome.winner is None else LINE
        if self.termination != found and (found or self.termination in (LINE, FULL_BOARD)):
            raise CorruptGame(self.id, f"its moves end by {found}, but {self.termination} is recorded")
        won_by = None if outcome is None else outcome.winner
        if self.termination in (None, LINE, FULL_BOARD) and self.winner != won_by:
            raise CorruptGame(self.id, f"its moves are won by {won_by}, but {self.winner} is recorded")
        return self


@lru_cache(maxsize=16384)
def replay(geometry: str, moves: str) -> Position:
    """The position that stored moves lead to.

    Raises:
        EngineError: if they do not replay.
        ValueError: if they are no moves, or the geometry is none.
    """
    return Position.replay(map(cell_of, moves), geometry_of(geometry))


@lru_cache(maxsize=64)
def geometry_of(text: str) -> Geometry:
    """Read a geometry such as `3x3x3`; the inverse of `geometry_text`.

    Raises:
        ValueError: if the text is no geometry.
    """
    m, n, k = map(int, text.split("x"))
    return Geometry(m, n, k)


def geometry_text(geometry: Geometry = CLASSIC) -> str:
    """Write a geometry as it is stored, such as `3x3x3`."""
    return f"{geometry.m}x{geometry.n}x{geometry.k}"


def cell_of(character: str) -> int:
    """The cell that a character of the stored moves stands for.

    Raises:
        ValueError: if it stands for none.
    """
    return CELLS.index(character)


def moves_text(cells: Iterable[int]) -> str:
    """Write moves as they are stored: one character a cell."""
    return "".join(CELLS[cell] for cell in cells)
