"""The SQL of the messages of boards: sent, replaced, lost and deleted.

A game's former messages are remembered, too, so that a reply to one of them is about that game.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    delete,
    insert,
    or_,
    select,
    update,
)

from storage.errors import ConcurrentChange
from storage.games.board import NEVER, Board
from storage.games.games import added
from storage.games.record import Record
from storage.games.versions import CONFIRM, GRACE_SECONDS, SHOWN_AT, Stored, lag, store_next, store_with
from storage.schema import BOARDS, GAMES, MESSAGES

SETTLE: Final = (
    update(BOARDS)
    .where(BOARDS.c.id == bindparam("key"))
    .where(or_(BOARDS.c.message_id.is_(None), BOARDS.c.message_id == bindparam("message")))
    .values(
        message_id=bindparam("message"),
        shown=case((BOARDS.c.wanted == bindparam("version"), BOARDS.c.wanted), else_=BOARDS.c.shown),
        shown_at=case((BOARDS.c.wanted == bindparam("version"), SHOWN_AT), else_=BOARDS.c.shown_at),
        replaces=None,
    )
)

REMEMBER: Final = insert(MESSAGES).from_select(
    ["chat_id", "message_id", "game_id"],
    select(bindparam("chat", type_=BigInteger), bindparam("message", type_=BigInteger), GAMES.c.id).where(
        GAMES.c.id == bindparam("game")
    ),
)


class Sent(NamedTuple):
    """A message that was sent as a board."""

    board: Board
    message_id: int
    is_new: bool = True
    """Whether it was sent just now, so that no other process can be editing it."""


def settle(connection: Connection, sent: Sequence[Sent]) -> Sequence[bool]:
    """Store which messages were sent as boards; False for each board that has another one by now.

    What a new message shows is confirmed immediately, and the board that it replaces is to be deleted.

    Raises:
        ConcurrentChange: if there are several, and one of the boards has another message; nothing may then be
            committed, and each is to be tried alone.
    """
    now = int(time.time())
    rows = [
        {"key": board.id, "message": message_id, "version": board.wanted if is_new else None, "now": now}
        for board, message_id, is_new in sorted(sent, key=lambda each: each.board.id)
    ]
    if connection.execute(SETTLE, rows).rowcount != len(rows):
        if len(rows) > 1:
            raise ConcurrentChange("a board got another message meanwhile")
        return [False]
    for board, _, _ in sent:
        if board.replaces is not None:
            _send_away(connection, board.replaces)
    return [True] * len(sent)


def adopt(connection: Connection, board: Board, message_id: int) -> bool:
    """Let a message whose sending had no answer be the board's; False if the board has a newer one."""
    newer = (BOARDS.c.id == board.id) & or_(BOARDS.c.message_id.is_(None), BOARDS.c.message_id <= message_id)
    adopted = connection.execute(update(BOARDS).where(newer).values(message_id=message_id, replaces=None))
    if adopted.rowcount != 1:
        return False
    _remember(connection, board)
    if board.replaces is not None:
        _send_away(connection, board.replaces)
    return True


def send_away(
    connection: Connection,
    game_id: int | None,
    *,
    wait_id: int | None = None,
    chat_id: int | None = None,
    message_id: int | None = None,
    inline_message_id: str | None = None,
) -> Board | None:
    """Ask for a twin to be deleted; None if the message is a board by now.

    A twin shows a game or a wait and is none of its boards: its sending had no answer, so another one was sent.
    """
    same: ColumnElement[bool] = (BOARDS.c.chat_id == chat_id) & (BOARDS.c.message_id == message_id)
    if inline_message_id is not None:
        same = BOARDS.c.inline_message_id == inline_message_id
    if connection.execute(select(BOARDS.c.id).where(same)).first() is not None:
        return None
    board = Board(
        id=0,
        game_id=game_id,
        wait_id=wait_id,
        chat_id=chat_id,
        message_id=message_id,
        inline_message_id=inline_message_id,
        leaving=True,
        look_at=int(time.time()) + GRACE_SECONDS,
    )
    return board._replace(id=connection.execute(insert(BOARDS).returning(BOARDS.c.id), added(board)).scalar_one())


def leave(connection: Connection, record: Record, boards: Iterable[Board], now: int) -> Sequence[Stored]:
    """Ask for the removal of the messages of some boards of a game.

    Raises:
        ConcurrentChange: if somebody has stored a newer version of one of them; nothing may then be committed.
    """
    return store_with(connection, record, boards, now, leaving=True)


def lose_message(connection: Connection, board: Board) -> Stored | None:
    """Ask for a new message for a board whose message is gone; None if it has another, or is being replaced."""
    same = and_(BOARDS.c.id == board.id, BOARDS.c.message_id == board.message_id, BOARDS.c.leaving.is_(False))
    of = BOARDS.c.wait_id == board.wait_id if board.game_id is None else BOARDS.c.game_id == board.game_id
    moving = select(BOARDS.c.id).where(BOARDS.c.replaces == board.id, of)
    if connection.execute(moving).first() is not None:
        connection.execute(delete(BOARDS).where(same))
        return None
    lost = connection.execute(update(BOARDS).where(same).values(message_id=None))
    if lost.rowcount != 1:
        return None
    return store_next(connection, board.id)


def leave_topic(connection: Connection, board: Board) -> None:
    """Store that a board's forum topic no longer exists."""
    connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(thread_id=None))


def remove(connection: Connection, board: Board) -> None:
    """Delete a board; its message stays known as the game's."""
    # If its person was forgotten meanwhile, the board is gone, and the message must not become known again.
    gone = connection.execute(delete(BOARDS).where(BOARDS.c.id == board.id)).rowcount
    if gone:
        _remember(connection, board)


def give_up(connection: Connection, board: Board) -> None:
    """Count a board as unreachable; one that was to replace another is deleted instead.

    If the other one is gone too, it is kept: a game without any board could not be found again.
    """
    if board.message_id is None and board.replaces is not None:
        stays = update(BOARDS).where(BOARDS.c.id == board.replaces).values(lag(int(time.time())))
        if connection.execute(stays).rowcount == 1:
            connection.execute(delete(BOARDS).where(BOARDS.c.id == board.id, BOARDS.c.message_id.is_(None)))
            return
    same = update(BOARDS).where(BOARDS.c.id == board.id, BOARDS.c.wanted == board.wanted)
    connection.execute(same.values(look_at=NEVER))


def close(connection: Connection, board: Board) -> None:
    """Make no more calls for a board until it changes: its message is gone, or its game cannot be read."""
    connection.execute(CONFIRM, {"key": board.id, "version": board.wanted, "now": int(time.time())})


def remember(connection: Connection, chat_id: int, message_id: int, game_id: int) -> None:
    """Remember a message as one of a game, if the game still exists."""
    known = select(MESSAGES.c.game_id).where(MESSAGES.c.chat_id == chat_id, MESSAGES.c.message_id == message_id)
    if connection.execute(known).first() is None:
        connection.execute(REMEMBER, {"chat": chat_id, "message": message_id, "game": game_id})


def _remember(connection: Connection, board: Board) -> None:
    """Remember a board's message as one of its game."""
    if board.game_id is not None and board.chat_id is not None and board.message_id is not None:
        remember(connection, board.chat_id, board.message_id, board.game_id)


def _send_away(connection: Connection, board_id: int) -> None:
    """Ask for a board's message to be deleted: another one has replaced it."""
    gone = update(BOARDS).where(BOARDS.c.id == board_id, BOARDS.c.leaving.is_(False))
    connection.execute(gone.values(leaving=True, **lag(int(time.time()))))
