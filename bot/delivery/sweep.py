"""The sweep: takes up boards that lag, and notices of the outbox that were not sent.

It repairs what a crash between a commit and its calls has left, above all after a start.
"""

import logging
import time
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from bot.delivery.publisher import Publisher
from storage.errors import CorruptGame
from storage.games import outbox, versions
from storage.games.record import Board, Notice, Record
from storage.store import Store

log = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 2.0
MOST_SWEPT: Final = 100
"""The most boards, and the most notices, that one step takes up."""


async def sweep(store: Store, publisher: Publisher) -> bool:
    """Take up a batch; True if there may be more."""
    now = int(time.time())
    if not await store.read(_is_any_due, now=now):
        return False
    sound, broken, notices = await store.run(_claim, now=now)
    for board, record in sound:
        publisher.take_up(board, record)
    for board, error in broken:
        log.error("%s", error, extra={"game_id": board.game_id})
        await publisher.close_board(board)
    for notice in notices:
        publisher.tell(notice)
    return MOST_SWEPT in (len(sound) + len(broken), len(notices))


def _is_any_due(connection: Connection, *, now: int) -> bool:
    return versions.is_any_due(connection, now) or outbox.is_any_due(connection, now)


def _claim(
    connection: Connection, *, now: int
) -> tuple[Sequence[tuple[Board, Record]], Sequence[tuple[Board, CorruptGame]], Sequence[Notice]]:
    sound, broken = versions.claim_lagging(connection, now=now, limit=MOST_SWEPT)
    return sound, broken, outbox.claim(connection, now=now, limit=MOST_SWEPT)
