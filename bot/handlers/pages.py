"""Taps that turn a board to another page of itself, and change nothing of its game."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.game import pages
from bot.game.acts import Act
from bot.game.gate import Access
from bot.game.machine import decide
from bot.game.refusals import OF_AN_OLD_BOARD
from bot.handlers.acting import Done
from storage import boards, games

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bot.game.acts import Wish
    from bot.game.gate import Where
    from bot.game.machine import Ruling
    from bot.handlers.requests import Sender
    from storage.board import Board
    from storage.record import Record
    from storage.versions import Raised


async def turn(sender: Sender, game_id: int, ply: int, page: str) -> Done:
    """Turn the tapped board to another page of itself.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    wish = sender.wish(Act.TURN, ply=ply, value=page)
    record, ruling, raised = await sender.services.store.run(partial(_turn, game_id=game_id, wish=wish))
    wait = 0.0
    if raised is not None:
        wait = sender.services.publisher.show_raised(raised)
    elif ruling.access is Access.ACT and ruling.refusal in OF_AN_OLD_BOARD:
        sender.services.publisher.refresh(record, sender.where.message_id)
    return Done(record, ruling.refusal, wait)


def _turn(connection: Connection, *, game_id: int, wish: Wish) -> tuple[Record, Ruling, Raised | None]:
    record = games.load(connection, game_id)
    ruling = decide(record, wish).result
    board = _tapped(record, wish.where)
    page = pages.kept(record.game, wish.value)
    if ruling.refusal is not None or ruling.access is not Access.ACT or board is None or board.page == page:
        return record, ruling, None
    return record, ruling, boards.turn(connection, record, board, page)


def _tapped(record: Record, where: Where) -> Board | None:
    """The board that is the message of a tap."""
    if where.inline_message_id is not None:
        return next((each for each in record.boards if each.inline_message_id == where.inline_message_id), None)
    here = [each for each in record.boards if each.chat_id == where.chat_id and not each.leaving]
    return next((each for each in here if each.message_id == where.message_id), here[-1] if here else None)
