"""Taps that turn a board to another page of itself, and change nothing of its game."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.context.acting import Done
from bot.game import pages
from bot.game.gate import Access, permit
from bot.game.refusals import OF_AN_OLD_BOARD
from storage.games import boards, games

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bot.context.requests import Requester
    from bot.game.actions import Turn
    from bot.game.attempt import Attempt, Where
    from bot.game.gate import Ruling
    from storage.games.board import Board
    from storage.games.record import Record
    from storage.games.versions import Raised


async def turn(requester: Requester, game_id: int, action: Turn) -> Done:
    """Turn the tapped board to another page of itself.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    turning = partial(_turn, game_id=game_id, action=action, attempt=requester.attempt())
    record, ruling, raised = await requester.services.store.run(turning)
    wait = 0.0
    if raised is not None:
        wait = requester.services.publisher.show_raised(raised)
    elif ruling.access is Access.ACT and ruling.refusal in OF_AN_OLD_BOARD:
        requester.services.publisher.refresh(record, requester.where.message_id)
    return Done(record, ruling.refusal, wait)


def _turn(
    connection: Connection, *, game_id: int, action: Turn, attempt: Attempt
) -> tuple[Record, Ruling, Raised | None]:
    record = games.load(connection, game_id)
    ruling = permit(record, action, attempt)
    board = _tapped(record, attempt.where)
    if ruling.refusal is not None or ruling.access is not Access.ACT or board is None:
        return record, ruling, None
    page = pages.kept(record.game, action)
    if board.page == page:
        return record, ruling, None
    return record, ruling, boards.turn(connection, record, board, page)


def _tapped(record: Record, where: Where) -> Board | None:
    """The board that is the message of a tap."""
    if where.inline_message_id is not None:
        return next((each for each in record.boards if each.inline_message_id == where.inline_message_id), None)
    here = [each for each in record.boards if each.chat_id == where.chat_id and not each.leaving]
    return next((each for each in here if each.message_id == where.message_id), here[-1] if here else None)
