"""Takes up the boards that lag and the notices that weren't sent, and keeps other processes off what waits here.

What waits in memory may be lost at any moment: the database knows which boards lag and which notices are still to
be sent (docs/delivery.md).
"""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from bot.context.services import Services
from storage.games import outbox, versions
from storage.games.boards import close
from storage.games.versions import GRACE_SECONDS

log = logging.getLogger(__name__)

HOLD_SECONDS: Final = GRACE_SECONDS / 2
"""How often send windows are renewed."""
SWEEP_SECONDS: Final = 2.0
MOST_SWEPT: Final = 100
"""The most boards, and the most notices, that one step of the sweep takes up."""


async def sweep(services: Services) -> bool:
    """Take up a batch of boards that lag, and of notices that were not sent; True if there may be more.

    It repairs what a crash between a commit and its calls has left, above all after a start.
    """
    store, now = services.store, int(time.time())
    if not await store.read(lambda each: versions.is_any_due(each, now) or outbox.is_any_due(each, now)):
        return False
    (sound, broken), notices = await store.run(
        lambda each: (
            versions.claim_lagging(each, now=now, limit=MOST_SWEPT),
            outbox.claim(each, now=now, limit=MOST_SWEPT),
        )
    )
    for board, record in sound:
        services.boards.show_claimed(record, board)
    for board, error in broken:
        log.error("%s", error, extra={"game_id": board.game_id})
        await store.run(close, board=board)
    for notice in notices:
        services.messages.tell(notice)
    return MOST_SWEPT in (len(sound) + len(broken), len(notices))


async def hold(services: Services) -> None:
    """Renew the hold on what waits or is under way here.

    If that cannot be stored, what was not held is left to the sweep.
    """
    ownership, notices = services.boards.ownership, tuple(services.messages.notices)
    held = ownership.held()
    if held or notices:
        now = int(time.time())
        renewed = await services.store.run(_hold, held=held, notices=notices, now=now)
        ownership.renewed(renewed, held, now + GRACE_SECONDS)


def _hold(connection: Connection, *, held: Mapping[int, int], notices: Sequence[int], now: int) -> Sequence[int]:
    outbox.hold(connection, notices, now + GRACE_SECONDS)
    return versions.hold(connection, held, now)
