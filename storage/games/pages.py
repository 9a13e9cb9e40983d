"""The SQL of what a board shows of its game: a page that is turned is that board's next version alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import update

from storage.games import boards, versions
from storage.games.versions import Raised
from storage.schema import BOARDS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.games.board import Board, Page, Place
    from storage.games.record import Record


def bring_down(connection: Connection, record: Record, board: Board, page: Page, thread_id: int | None) -> Raised:
    """Ask for a board as a new message that shows a page of its game."""
    moved = boards.move_down(connection, record, board, thread_id)
    return moved._replace(board=_showing(connection, moved.board, page, aside=board.aside))


def put_aside(connection: Connection, record: Record, place: Place, page: Page) -> Raised:
    """Store another board of the game, which shows a page of it."""
    board = boards.put(connection, record.game.id, place)
    return Raised(record, _showing(connection, board, page, aside=True), None)


def take_away(connection: Connection, record: Record, board: Board) -> Raised:
    """Ask for a board's message to be taken away, and the board with it.

    Raises:
        ConcurrentChange: if somebody has raised the board meanwhile; nothing may then be committed.
    """
    after = versions.raised(board, int(time.time()))._replace(leaving=True)
    versions.raise_many(connection, [(after, board)])
    connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(leaving=True))
    return Raised(record, after, board)


def _showing(connection: Connection, board: Board, page: Page, *, aside: bool) -> Board:
    columns = page._asdict() | {"aside": aside}
    connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(columns))
    return board.showing(page)._replace(aside=aside)
