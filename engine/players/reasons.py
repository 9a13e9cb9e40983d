"""The reasons for and against a cell, each of which one sentence can say, and those of a ply in ultimate."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.rules.base import Mark
from engine.rules.geometry import HAS_LINE
from engine.rules.ultimate import ALL, UltimatePosition


class Reason(StrEnum):
    """What speaks for or against a cell."""

    WIN = "win"
    """It wins the game at once."""
    FORK = "fork"
    """It makes two threats at once, perhaps while it blocks."""
    BLOCK = "block"
    """Other would win there at once."""
    BLOCK_FORK = "block fork"
    """Other would make two threats at once there."""
    THREAT = "threat"
    """It threatens to win with the next ply."""
    TRAP = "trap"
    """In misère: other completes a line wherever it plays."""
    WIN_BOARD = "win board"
    """It wins a little board."""
    BLOCK_BOARD = "block board"
    """Other would win the little board there."""
    CENTRE = "centre"
    """It takes the centre."""
    CORNER = "corner"
    """It takes a corner."""
    LINE = "line"
    """A line without a mark of other goes through it."""
    SAFE = "safe"
    """In misère: no line of its own can go through it any more."""
    OPENING = "opening"
    """The rule list's answer to a known opening."""
    PREFERENCE = "preference"
    """Nothing better is known."""
    COMPLETES_LINE = "completes line"
    """In misère: it completes a line and so loses."""
    ALLOWS_WIN = "allows win"
    """Other can win at once after it."""
    ALLOWS_FORK = "allows fork"
    """Other can make two threats at once after it."""
    ALLOWS_BOARD = "allows board"
    """It sends other to a little board that other can win at once."""
    FREE_CHOICE = "free choice"
    """It lets other choose the board."""
    LOSES = "loses"
    """It loses by force."""
    MISSES_WIN = "misses win"
    """It gives a forced win away."""


TELLING: Final = tuple(Reason)
"""The reasons, the most telling first."""


_CENTRE = 4
_CORNERS = (0, 2, 6, 8)


def reason_in_ultimate(position: UltimatePosition, cell: int) -> Reason:
    """The first that applies: what the ply wins, gives away or stops, or where it is."""
    after = position.play(cell)
    if after.outcome is not None:
        return Reason.PREFERENCE if after.outcome.is_draw else Reason.WIN
    board, within = divmod(cell, 9)
    replies = [after.play(reply) for reply in after.legal_moves]
    if any(reply.outcome is not None and not reply.outcome.is_draw for reply in replies):
        return Reason.ALLOWS_WIN
    if after.winner_of(board):
        return Reason.WIN_BOARD
    other = position.o if position.turn is Mark.X else position.x
    if HAS_LINE[(other >> 9 * board & ALL) | 1 << within]:
        return Reason.BLOCK_BOARD
    if after.board is None:
        return Reason.FREE_CHOICE
    if any(reply.winner_of(after.board) for reply in replies):
        return Reason.ALLOWS_BOARD
    if within == _CENTRE:
        return Reason.CENTRE
    return Reason.CORNER if within in _CORNERS else Reason.PREFERENCE
