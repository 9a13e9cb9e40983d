"""Notes that people are heard, and lets what was cut short begin again once they are after a while without.

The database moves all times (`storage.clock`). A game in which a good part of a move's time went by unheard begins
that move again, with its board as a new message for the person to move, and features let begin again what is
theirs. Until that is done, the database knows it, so a process that is killed leaves it to the next.
"""

import asyncio
import logging
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol

from bot.context.feature import Event
from bot.context.services import Services
from bot.game import deadlines
from bot.game.attempt import Attempt, NotAllowed, Where
from bot.game.gate import decide_again
from storage import clock
from storage.errors import ConcurrentChange, StorageUnavailable
from storage.games import lookups
from storage.games.game import Game
from storage.store import Store

log = logging.getLogger(__name__)

PULSE_SECONDS: Final = 5.0
MOST_BEGUN_AGAIN: Final = 5000
"""The most games that begin their move again; those that were due soonest come first."""
TOGETHER: Final = 50


class Arrivals(Protocol):
    """How updates come in."""

    @property
    def patience(self) -> float:
        """The most seconds that a deadline waits for updates."""

    async def covered(self, wanted: float) -> float:
        """The latest moment, by the monotonic clock, up to which all of Telegram's updates have been handled.

        `wanted` is the moment that is asked for.
        """

    async def heard(self) -> float:
        """The latest moment, by the monotonic clock, at which updates could come in.

        It may turn out to be earlier than was said before, as when a fetch that seemed to wait has failed.
        """


async def note(store: Store, unheard: int = 0) -> int:
    """Note that people are heard (`storage.clock.go_on`); returns by how many seconds times were moved."""
    moved = await store.run(clock.go_on, now=int(time.time()), unheard=unheard)
    if moved:
        log.warning("Nobody was heard for %d s, or the clock was set; all times are moved by that", moved)
    return moved


class Pulse:
    """The notes of one process."""

    def __init__(self, services: Services, arrivals: Arrivals) -> None:
        self._services = services
        self._arrivals = arrivals
        self._noted = -math.inf
        """The last moment that was noted, by the monotonic clock."""
        self._unheard = 0.0
        """For how long before that nobody was heard after all."""
        self._one = asyncio.Lock()

    async def keep(self) -> None:
        """Note it, as is done every few seconds."""
        await self.beat()

    async def beat(self) -> bool:
        """Note that people are heard; False if they aren't now, or weren't, so that nothing may end on time."""
        async with self._one:  # or each of two would move times by what this process alone knows of
            return await self._beat()

    async def _beat(self) -> bool:
        heard, run = await self._arrivals.heard(), self._services.store.run
        if math.isfinite(self._noted):
            self._unheard = max(self._unheard, self._noted - heard)
        if time.monotonic() - heard >= PULSE_SECONDS:
            return False
        moved = await note(self._services.store, unheard=int(self._unheard))
        self._noted, self._unheard = heard, 0.0
        if (unheard := await self._services.store.read(clock.unheard)).seconds > 0:
            await self._begin_again(*unheard)
            await run(clock.has_begun_again)
        return not moved

    async def _begin_again(self, seconds: int, until: int) -> None:
        services = self._services
        # No game whose move was cut short by a good part is due later than this.
        by = until + seconds * deadlines.GOOD_PART
        due = await services.store.read(lookups.due, now=by, limit=MOST_BEGUN_AGAIN)
        # Since then, somebody has moved in the others, or this or another process has let them begin again.
        before = [game for game in due if game.moved_at < until]
        cut_short = [game for game in before if deadlines.is_cut_short(game, seconds, services.limits)]
        for first in range(0, len(cut_short), TOGETHER):
            await asyncio.gather(*map(self._begin_move_again, cut_short[first : first + TOGETHER]))
        with _by_itself("features"):
            await services.features.tell(Event.UNHEARD, services, seconds, until)

    async def _begin_move_again(self, game: Game) -> None:
        services = self._services
        attempt = Attempt(deadlines.NO_PERSON, Where(), int(time.time()), services.rng, services.limits)
        again = partial(decide_again, attempt=attempt, version=game.version)
        with _by_itself(f"game {game.id}"):
            services.show(await services.store.change(game.id, again))


@contextmanager
def _by_itself(what: str) -> Iterator[None]:
    """Let something begin again; if it never can, that holds up nothing else."""
    try:
        yield
    except NotAllowed:
        pass  # it has gone on meanwhile
    except (ConcurrentChange, StorageUnavailable):
        raise  # it is tried again with the next note
    except Exception:
        log.exception("Nothing of %s begins again", what)
