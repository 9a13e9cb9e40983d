"""The SQL of what a board shows of its game: a page that is turned is that board's next version alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import update

from storage import boards, versions
from storage.schema import BOARDS
from storage.versions import Raised

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.board import Board, Place
    from storage.record import Record


def bring_down(
    connection: Connection, record: Record, board: Board, page: str | None, thread_id: int | None
) -> Raised:
    """Ask for a board as a new message that shows a page of its game."""
    moved = boards.move_down(connection, record, board, thread_id)
    connection.execute(update(BOARDS).where(BOARDS.c.id == moved.board.id).values(page=page))
    return moved._replace(board=moved.board._replace(page=page))


def put_aside(connection: Connection, record: Record, place: Place, page: str) -> Raised:
    """Store the wish for a board beside those of the game, which shows a page of it."""
    board = boards.put(connection, record.game.id, place)
    connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(page=page))
    return Raised(record, board._replace(page=page), None)


def take_away(connection: Connection, record: Record, board: Board) -> Raised:
    """Ask for a board's message to be taken away, and the board with it.

    Raises:
        ConcurrentChange: if somebody has raised the board meanwhile; nothing may then be committed.
    """
    anew = versions.raised(board, int(time.time()))._replace(leaving=True)
    versions.raise_many(connection, [(anew, board)])
    connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(leaving=True))
    return Raised(record, anew, board)
