"""The sweep: takes up the boards that Telegram is not known to show, and what was decided to be said and was not.

It is what makes a crash between a commit and its edit heal by itself, first of all after a start.
"""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.delivery.entries import Words
from bot.views.boards import reminder
from bot.views.texts import texts
from bot.views.view import View
from storage import games, outbox, versions
from storage.notice import Kind
from storage.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from bot.delivery.publisher import Publisher
    from storage.board import Board
    from storage.errors import CorruptGame
    from storage.game import Game
    from storage.notice import Notice
    from storage.store import Store

log = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 2.0
LIMIT: Final = 100
"""The most boards, and notices, that one step takes up."""


class _Claimed(NamedTuple):
    boards: Sequence[tuple[Board, Record]]
    broken: Sequence[tuple[Board, CorruptGame]]
    notices: Sequence[Notice]
    games: Mapping[int, Record | CorruptGame]


async def sweep(store: Store, publisher: Publisher) -> bool:
    """Take up a batch of what lags; True if there may be more.

    Raises:
        StorageError: if the database cannot be used.
    """
    claimed = await store.run(partial(_claim, now=int(time.time())))
    for board, record in claimed.boards:
        publisher.take_up(board, record)
    for board, error in claimed.broken:
        log.error("%s", error, extra={"game_id": board.game_id})
        await publisher.give_up(board)
    for notice in claimed.notices:
        record_or_error = claimed.games.get(notice.game_id)
        game = record_or_error.game if isinstance(record_or_error, Record) else None
        await tell(store, publisher, notice, game)
    return LIMIT in (len(claimed.boards) + len(claimed.broken), len(claimed.notices))


async def tell(store: Store, publisher: Publisher, notice: Notice, game: Game | None) -> None:
    """Say what stands in the outbox, or forget it where it has lost its point.

    Raises:
        StorageError: if the database cannot be used.
    """
    view = _view(notice, game)
    if view is None:
        await store.run(partial(outbox.done, notice=notice))
    else:
        anew = partial(_anew, store, notice)
        publisher.say(Words(notice.chat_id, view, notice.thread_id, notice=notice, anew=anew))


async def _anew(store: Store, notice: Notice) -> View | None:
    """What a notice says by now; None if it has lost its point while it waited."""
    found = (await store.run(partial(games.load_many, ids=[notice.game_id]))).get(notice.game_id)
    return _view(notice, found.game if isinstance(found, Record) else None)


def _view(notice: Notice, game: Game | None) -> View | None:
    match notice.kind:
        case Kind.REMINDER:
            return _reminder(notice, game)


def _reminder(notice: Notice, game: Game | None) -> View | None:
    if game is None or game.is_over or game.ply != notice.ply or game.due_at is None:
        return None
    seconds = max(1, game.due_at - int(time.time()))
    return View(reminder(game, seconds, texts(notice.language)))


def _claim(connection: Connection, *, now: int) -> _Claimed:
    sound, broken = versions.claim_lagging(connection, now=now, limit=LIMIT)
    notices = outbox.claim(connection, now=now, limit=LIMIT)
    records = games.load_many(connection, {notice.game_id for notice in notices}) if notices else {}
    return _Claimed(sound, broken, notices, records)
