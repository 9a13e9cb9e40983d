"""Heals twins: two messages of one board, because a send took effect and the bot never heard of it.

That happens when a call times out or the process is killed. Once either message is tapped, the newer one stays.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.boards.buttons import OnGame
from bot.game import actions
from storage.games import board_messages
from storage.games.versions import Stored

if TYPE_CHECKING:
    from bot.boards.buttons import Button
    from bot.context.requests import Requester
    from bot.game.gate import Ruling
    from storage.games.board import Board
    from storage.games.record import Changed, Record


async def adopted(requester: Requester, changed: Changed[Ruling | None]) -> Changed[Ruling | None]:
    """Let the message that a player taps be the game's board, in what is shown from now on.

    It already is, except where the stored message never got its confirmation: the process ended, or the call timed
    out, between Telegram's sending it and our hearing of it. Of two such messages the newer one stays.
    """
    where, record = requester.where, changed.record
    if where.message_id is None or any(board.message_id == where.message_id for board in record.boards):
        return changed
    board = _standing(record, where.chat_id)
    if board is None or where.shows != record.game.id or _is_list(requester.shown):
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


async def _send_away(requester: Requester, record: Record, message_id: int) -> None:
    """Take a message away that shows a game and is none of its boards: its twin is played on."""
    away = partial(
        board_messages.send_away,
        game_id=record.game.id,
        chat_id=requester.where.chat_id,
        message_id=message_id,
    )
    twin = await requester.services.store.run(away)
    if twin is not None:
        requester.services.publisher.show_stored(Stored(record, twin, None))


def _is_list(shown: Button | None) -> bool:
    """Whether a message is a list of games, by its first button: it brings boards, and is none."""
    return isinstance(shown, OnGame) and isinstance(shown.action, actions.Bring)


def _standing(record: Record, chat_id: int | None) -> Board | None:
    """The board of a chat that a message which nobody knows may be: one without a message, else the newest."""
    here = [board for board in record.boards if board.chat_id == chat_id and not board.leaving]
    return next((board for board in here if board.message_id is None), here[-1] if here else None)
