"""Deadlines that come true: reminders, games lost on time, challenges that expire, and the computer's moves.

A deadline is a column of its game, so it survives restarts. Every process looks; the version of the game decides
which of them acts, so that each deadline comes true once. A game that waits for the computer is claimed by putting
its deadline off, and if nothing comes of that, it is claimed again.
"""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.delivery.sweep import tell
from bot.game import deadlines
from bot.game.acts import Act, Player, Wish
from bot.game.gate import Where
from bot.game.machine import decide_by_clock
from bot.game.queue import has_not_begun
from bot.handlers import meetings
from storage import lookups
from storage.errors import CorruptGame

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

    from bot.context import Services
    from bot.game.time_limits import TimeLimits
    from storage.game import Game

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
LIMIT: Final = 100
CLOCK: Final = Player(-1, "")


async def look(services: Services) -> bool:
    """Let a batch of deadlines come true; True if there may be more.

    Raises:
        StorageError: if the database cannot be used.
    """
    now = int(time.time())
    held = services.computer.held()
    late, waiting = await services.store.run(partial(claim_due, now=now, limits=services.limits, held=held))
    for game in waiting:
        services.computer.take_up(game)
    for game in late:
        try:
            await _come_true(services, game, now)
        except CorruptGame as error:
            log.error("%s", error, extra={"game_id": game.id})  # noqa: TRY400 - the reason is all there is
            await services.store.run(partial(lookups.postpone, game=game, due_at=None))
    await services.watching.look()
    await meetings.look(services)
    return len(late) + len(waiting) == LIMIT


async def _come_true(services: Services, game: Game, now: int) -> None:
    if has_not_begun(game) and deadlines.look(game, now, services.limits).due is Act.EXPIRE:
        await meetings.part(services, game.id)
        return
    wish = Wish(Act.EXPIRE, CLOCK, Where(), now, services.rng, services.limits)
    changed = await services.store.change(game.id, partial(decide_by_clock, wish=wish))
    services.computer.show(changed)
    for notice in changed.notices:
        await tell(services.store, services.publisher, notice, changed.record.game)


def claim_due(
    connection: Connection, *, now: int, limits: TimeLimits, held: Collection[int]
) -> tuple[Sequence[Game], Sequence[Game]]:
    """The games whose deadline has come, and those that wait for the computer and are now this process's.

    Those in which somebody has moved since are put off, and so are those in which the computer is thinking here.
    """
    late, waiting = [], []
    if held:
        lookups.put_off(connection, held, now + deadlines.THINKING_SECONDS)
    for game in lookups.due(connection, now=now, limit=LIMIT):
        found = deadlines.look(game, now, limits)
        if found.due is None:
            lookups.postpone(connection, game, found.again_at)
        elif found.due is not Act.ANSWER:
            late.append(game)
        elif lookups.postpone(connection, game, now + deadlines.THINKING_SECONDS):
            waiting.append(game)
    return late, waiting
