"""Taps on a board: a move, or turning to another page, which leaves the game as it is."""

from __future__ import annotations

from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.boards.cells import cell_name
from bot.boards.themes import marks_in
from bot.boards.translations import N_
from bot.context.acting import Done, act
from bot.context.requests import Requester
from bot.game import actions, pages
from bot.game.actions import Turn
from bot.game.attempt import Attempt, Where
from bot.game.gate import Access, Ruling, permit
from bot.game.refusals import OF_AN_OLD_BOARD
from storage.games import boards, games
from storage.games.board import Board
from storage.games.game import rules_of
from storage.games.record import Record
from storage.games.versions import Stored

TOO_SOON: Final = N_("A different board just came up there. Tap again to play this cell.")


async def move(requester: Requester, game_id: int, action: actions.Move) -> str | None:
    """Play a cell, unless the first of two quick taps has just put another one there.

    Returns:
        What the person who has tapped is told: nothing where the board shows it at once.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    if requester.services.double_taps.is_second(game_id, requester.user.id, requester.arrived):
        return TOO_SOON
    done = await act(requester, game_id, action)
    _note(requester, done)
    return _played(requester, done, action.cell)


async def turn(requester: Requester, game_id: int, action: Turn) -> Done:
    """Turn the tapped board to another page of itself.

    Raises:
        StorageError: if the game is not there, or cannot be read.
    """
    turning = partial(_turn, game_id=game_id, action=action, attempt=requester.attempt())
    record, ruling, stored = await requester.services.store.run(turning)
    wait = 0.0
    if stored is not None:
        wait = requester.services.publisher.show_stored(stored, requester.tap)
    elif ruling.access is Access.ACT and ruling.refusal in OF_AN_OLD_BOARD:
        requester.services.publisher.refresh(record, requester.where.message_id)
    done = Done(record, ruling.refusal, wait)
    if isinstance(action, actions.ShowAll | actions.ShowRegion):
        _note(requester, done)
    return done


def _turn(
    connection: Connection, *, game_id: int, action: Turn, attempt: Attempt
) -> tuple[Record, Ruling, Stored | None]:
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
    """The board whose message was tapped."""
    if where.inline_message_id is not None:
        return next((each for each in record.boards if each.inline_message_id == where.inline_message_id), None)
    here = [each for each in record.boards if each.chat_id == where.chat_id and not each.leaving]
    return next((each for each in here if each.message_id == where.message_id), here[-1] if here else None)


def _note(requester: Requester, done: Done) -> None:
    """Note a tap that has put another region's cells under the finger."""
    game = done.record.game
    if done.refusal is None and len(rules_of(game.rules).layout.regions) > 1:
        requester.services.double_taps.note(game.id, requester.user.id, requester.arrived)


def _played(requester: Requester, done: Done, cell: int) -> str | None:
    """What the tapper is told about a move; None if the board shows it right away."""
    if done.refusal is not None or not done.is_slow:
        return done.words
    game = done.record.game
    mark = game.mark_of(requester.user.id)
    marks = marks_in(done.record.boards, requester.where.chat_id)
    words = requester.t.gettext("{mark} {cell} is in. Telegram is limiting updates here. The board will catch up.")
    return words.format(mark=marks[mark], cell=cell_name(cell, rules_of(game.rules), requester.t))
