"""Removes twins: two messages of one board, because a message was sent but the bot never got the answer.

That happens when a call times out or the process is killed. Once either message is tapped, the newer one stays.
"""

from __future__ import annotations

from functools import partial

from bot.boards.buttons import Button, OnGame
from bot.context.requests import Requester
from bot.game import actions
from bot.game.gate import Ruling
from storage.games import board_messages, games
from storage.games.board import Board
from storage.games.record import Changed, Record
from storage.games.versions import Stored


async def adopted(requester: Requester, changed: Changed[Ruling | None]) -> Changed[Ruling | None]:
    """Make the message that a player tapped the game's board, if it isn't one already.

    It isn't if the process was killed, or the call timed out, after Telegram had sent the message and before it
    was stored. Returns the change with the boards as they are now.
    """
    where, record = requester.where, changed.record
    if where.message_id is None or any(board.message_id == where.message_id for board in record.boards):
        return changed
    board = _standing(record, where.chat_id)
    if board is None or where.shows != record.game.id or _is_no_board(requester.shown):
        return changed
    if where.message_id <= (board.message_id or 0):
        await _send_away(requester, record, where.message_id)
        return changed
    adopt = partial(board_messages.adopt, board=board, message_id=where.message_id)
    if not await requester.services.store.run(adopt):
        return changed
    if board.message_id is not None:
        await _send_away(requester, record, board.message_id)
    if board is changed.before.get(board.id):
        requester.services.publisher.show_again(board.id)
        return changed
    theirs = board._replace(message_id=where.message_id, replaces=None)
    others = tuple(theirs if other.id == board.id else other for other in record.boards)
    return changed._replace(record=record._replace(boards=others))


async def heal(requester: Requester, game_id: int) -> None:
    """Let a message that is tapped for what leaves its game alone be the board, or go, as `adopted` does.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    record = await requester.services.store.read(partial(games.load, game_id=game_id))
    await adopted(requester, Changed(record, {board.id: board for board in record.boards}, None))


async def _send_away(requester: Requester, record: Record, message_id: int) -> None:
    """Remove a message that shows a game but isn't one of its boards, because its twin is in use."""
    away = partial(
        board_messages.send_away,
        game_id=record.game.id,
        chat_id=requester.where.chat_id,
        message_id=message_id,
    )
    twin = await requester.services.store.run(away)
    if twin is not None:
        requester.services.publisher.show_stored(Stored(record, twin, None))


def _is_no_board(shown: Button | None) -> bool:
    """Whether a message, by its first button, is a list of games or an animation rather than a board."""
    return isinstance(shown, OnGame) and isinstance(shown.action, actions.Bring | actions.Share)


def _standing(record: Record, chat_id: int | None) -> Board | None:
    """The board of a chat that an unknown message may belong to: one without a message, else the newest."""
    here = [board for board in record.boards if board.chat_id == chat_id and not board.leaving]
    return next((board for board in here if board.message_id is None), here[-1] if here else None)
