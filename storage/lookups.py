"""Finding games: by message, by token, by who plays in a chat, by deadline. Each query has an index of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import or_, select, union_all, update

from storage.game import FULL_BOARD, Game
from storage.games import TABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection, Select

MOST: Final = 20
"""The most games that a list names."""


def on_message(connection: Connection, chat_id: int, message_id: int) -> Game | None:
    """The game whose board a message is."""
    return _one(
        connection, select(TABLE).where(TABLE.c.chat_id == chat_id, TABLE.c.message_id == message_id)
    ) or _guest(connection, chat_id, message_id)


def by_token(connection: Connection, token: str) -> Game | None:
    """The challenge, or the game that it became, that a link leads to."""
    return _one(connection, select(TABLE).where(TABLE.c.token == token))


def by_inline_message(connection: Connection, inline_message_id: str) -> Game | None:
    """The game whose board a message sent by inline mode is."""
    return _one(connection, select(TABLE).where(TABLE.c.inline_message_id == inline_message_id))


def running(connection: Connection, chat_id: int, person: int) -> Sequence[Game]:
    """A person's running games in a chat, newest first, at most `MOST`; open challenges are not among them."""
    seated = TABLE.c.x_seat.is_not(None) & TABLE.c.o_seat.is_not(None)
    own = select(TABLE).where(TABLE.c.chat_id == chat_id, TABLE.c.termination.is_(None), seated, _plays(person))
    games = _all(connection, own.order_by(TABLE.c.id.desc()).limit(MOST))
    if chat_id == person:
        games += _all(connection, _guests(chat_id).where(TABLE.c.termination.is_(None), seated))
    return sorted(games, key=lambda game: game.id, reverse=True)[:MOST]


def open_challenges(connection: Connection, chat_id: int, person: int) -> int:
    """How many challenges of a person wait in a chat for somebody to take them."""
    empty = TABLE.c.x_seat.is_(None) | TABLE.c.o_seat.is_(None)
    own = select(TABLE.c.id).where(
        TABLE.c.chat_id == chat_id, TABLE.c.termination.is_(None), empty, _plays(person)
    )
    return len(connection.execute(own.limit(MOST)).all())


def results(connection: Connection, person: int, limit: int) -> Sequence[Game]:
    """A person's last finished games, newest first."""
    played = TABLE.c.winner.is_not(None) | (TABLE.c.termination == FULL_BOARD)
    halves = [
        select(TABLE.c.id).where(seat == person, played).order_by(TABLE.c.id.desc()).limit(limit).subquery()
        for seat in (TABLE.c.x_seat, TABLE.c.o_seat)
    ]
    ids = union_all(*(select(half.c.id) for half in halves)).subquery()
    newest = select(TABLE).where(TABLE.c.id.in_(select(ids.c.id))).order_by(TABLE.c.id.desc())
    return _all(connection, newest.limit(limit))


def due(connection: Connection, *, now: int, limit: int) -> Sequence[Game]:
    """Running games and challenges whose deadline must be looked at, longest due first."""
    late = select(TABLE).where(TABLE.c.termination.is_(None), TABLE.c.due_at <= now)
    return _all(connection, late.order_by(TABLE.c.due_at).limit(limit))


def postpone(connection: Connection, game: Game, due_at: int | None) -> None:
    """Look at a game's deadline later, because a move was made since it was set; None is never."""
    same = (TABLE.c.id == game.id) & (TABLE.c.version == game.version)
    connection.execute(update(TABLE).where(same).values(due_at=due_at))


def _plays(person: int) -> ColumnElement[bool]:
    return or_(TABLE.c.x_seat == person, TABLE.c.o_seat == person)


def _guests(chat_id: int) -> Select[Any]:
    return select(TABLE).where(TABLE.c.guest_chat_id == chat_id).order_by(TABLE.c.id.desc()).limit(MOST)


def _guest(connection: Connection, chat_id: int, message_id: int) -> Game | None:
    return _one(connection, _guests(chat_id).where(TABLE.c.guest_message_id == message_id))


def _one(connection: Connection, query: Select[Any]) -> Game | None:
    row = connection.execute(query.limit(1)).one_or_none()
    return None if row is None else Game(*row).check()


def _all(connection: Connection, query: Select[Any]) -> list[Game]:
    return [Game(*row) for row in connection.execute(query)]
