"""Time in one process: it notes that people are heard, and fires what is due.

A deadline is a column of its game, so it survives restarts. Every process looks; the version of the game decides
which of them acts, so that each deadline fires once. A game that waits for the computer is taken up by putting its
deadline off, and if nothing comes of that, it is taken up again.

When a deadline comes, a move made in time may still be waiting at Telegram, or nobody was heard for a while. So a
deadline fires only once all updates that Telegram had by then are handled, and only if times needn't be moved.

The database moves all times (`storage.clock`). A game in which a good part of a move's time went by unheard begins
that move again, with its board as a new message for the person to move, and features let begin again what is
theirs. Until nothing is left to, the database knows it, so a process that is killed leaves it to the next.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from sqlalchemy import Connection

from bot.context.feature import Event
from bot.context.services import Services
from bot.context.trials import Trials
from bot.game import deadlines
from bot.game.attempt import Attempt, NotAllowed, TimeLimits, Where
from bot.game.deadlines import NO_PERSON, Due
from bot.game.gate import decide_again, decide_by_clock
from bot.game.matchmaking import has_not_begun
from storage import clock
from storage.errors import CorruptGame
from storage.games import games, lookups
from storage.games.game import Game, GameKind
from storage.games.record import Decision, Record
from storage.store import Store

log = logging.getLogger(__name__)

DEADLINE_LOOK_SECONDS: Final = 1.0
MOST_DUE: Final = 100
FIRST_PAUSE_SECONDS: Final = 0.05
PULSE_SECONDS: Final = 5.0
MOST_BEGUN_AGAIN: Final = 5000
"""The most games that begin their move again; those that were due soonest come first."""
TOGETHER: Final = 50
DEADLINE: Final = "The deadline of game {}"


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


async def caught_up(arrivals: Arrivals) -> None:
    """Return once all that waited at Telegram at the start is handled, or all such taps are too old."""
    began, pause = time.monotonic(), FIRST_PAUSE_SECONDS
    while await arrivals.covered(began) < began and time.monotonic() < began + arrivals.patience:
        await asyncio.sleep(pause)
        pause = min(2 * pause, DEADLINE_LOOK_SECONDS)


async def note(store: Store, unheard: int = 0) -> int:
    """Note that people are heard (`storage.clock.go_on`); returns by how many seconds times were moved."""
    moved = await store.run(clock.go_on, now=int(time.time()), unheard=unheard)
    if moved:
        log.warning("Nobody was heard for %d s, or the clock was set; all times are moved by that", moved)
    return moved


class Deadlines:
    """Notes that people are heard, and looks for due deadlines, in one process."""

    def __init__(self, services: Services, arrivals: Arrivals) -> None:
        self._services = services
        self._arrivals = arrivals
        self._trials = services.memory(Trials)
        self._late: dict[int, float] = {}
        """The games that are due, by id, with the moment this was noticed, by the monotonic clock."""
        self._noted = -math.inf
        """The last moment that was noted, by the same clock."""
        self._unheard = 0.0
        """For how long before that nobody was heard after all."""
        self._one = asyncio.Lock()

    async def keep(self) -> None:
        """Note that people are heard, as is done every few seconds."""
        await self.beat()

    async def beat(self) -> bool:
        """Note that people are heard; False if they aren't now, or weren't, so that nothing may end on time."""
        store = self._services.store
        async with self._one:  # or each of two would move times by what this process alone knows of
            heard = await self._arrivals.heard()
            if math.isfinite(self._noted):
                self._unheard = max(self._unheard, self._noted - heard)
            if time.monotonic() - heard >= PULSE_SECONDS:
                return False
            moved = await note(store, unheard=int(self._unheard))
            self._noted, self._unheard = heard, 0.0
            unheard = await store.read(clock.unheard)
            if unheard.seconds > 0 and not await self._begin_again(*unheard):
                await store.run(clock.has_begun_again)
            return not moved

    async def _begin_again(self, seconds: int, until: int) -> bool:
        """Let begin again what was cut short until then; False if nothing was left to."""
        services, resting = self._services, self._trials.resting(DEADLINE)
        # No game whose move was cut short by a good part is due later than this.
        by = until + seconds * deadlines.GOOD_PART
        due = await services.store.read(lookups.due, now=by, limit=MOST_BEGUN_AGAIN)
        # Since then, somebody has moved in the others, or this or another process has let them begin again.
        before = [game for game in due if game.moved_at < until and game.id not in resting]
        cut_short = [game for game in before if deadlines.is_cut_short(game, seconds, services.limits)]
        for first in range(0, len(cut_short), TOGETHER):
            together = cut_short[first : first + TOGETHER]
            await asyncio.gather(
                *(self._decide(each, partial(decide_again, version=each.version)) for each in together)
            )
        begun: Sequence[bool] = ()
        with self._trials.of("What features let begin again"):
            begun = await services.features.tell(Event.UNHEARD, services, seconds, until)
        return bool(cut_short) or any(begun)

    async def look(self) -> bool:
        """Fire a batch of deadlines; True if there may be more."""
        services, now, monotonic = self._services, int(time.time()), time.monotonic()
        resting = self._trials.resting(DEADLINE)
        limit = MOST_DUE + len(self._late) + len(resting)
        held = services.computer.held()
        late: Sequence[Game] = ()
        waiting: Sequence[Game] = ()
        if bool(held) or await services.store.read(_is_any_due, now=now):
            late, waiting = await services.store.run(
                take_due, now=now, limits=services.limits, held=held, limit=limit
            )
        for game in waiting:
            services.computer.go_on(game)
        late = [game for game in late if game.id not in resting]
        self._late = {game.id: self._late.get(game.id, monotonic) for game in late}
        ready = await self._ready(late, monotonic)
        for game in ready:
            del self._late[game.id]
            if has_not_begun(game) and deadlines.look(Record(game, ()), now, services.limits).due is Due.END:
                with self._trials.of(DEADLINE, game.id):
                    await services.features.tell(Event.NOT_BEGUN, services, game.id)
            else:
                await self._decide(game, decide_by_clock)
        return len(ready) + len(waiting) >= MOST_DUE

    async def _ready(self, late: Sequence[Game], monotonic: float) -> Sequence[Game]:
        """The games for which Telegram can have no unhandled move or answer."""
        if not late:
            return ()
        covered = await self._arrivals.covered(max(self._late.values()))
        enough = monotonic - self._arrivals.patience
        ready = [game for game in late if (since := self._late[game.id]) < covered or since <= enough]
        return ready if ready and await self.beat() else ()

    async def _decide(self, game: Game, decide: Callable[..., Decision]) -> None:
        """Decide a game and show it; the deadline of one that can't be read is looked at no more."""
        services = self._services
        attempt = Attempt(NO_PERSON, Where(), int(time.time()), services.rng, services.limits)
        with self._trials.of(DEADLINE, game.id), suppress(NotAllowed):  # it has gone on meanwhile
            try:
                changed = await services.store.change(game.id, partial(decide, attempt=attempt))
            except CorruptGame as error:
                log.error("%s", error, extra={"game_id": game.id})  # noqa: TRY400 - the reason is all there is
                await services.store.run(lookups.set_due_if_unchanged, game=game, due_at=None)
                return
            services.show(changed)
            for notice in changed.notices:
                services.messages.tell(notice)


def _is_any_due(connection: Connection, *, now: int) -> bool:
    return bool(lookups.due(connection, now=now, limit=1))


def take_due(
    connection: Connection, *, now: int, limits: TimeLimits, held: Collection[int], limit: int = MOST_DUE
) -> tuple[Sequence[Game], Sequence[Game]]:
    """The games that are due, and games that wait for the computer, which this process takes up.

    Games in which somebody has moved since, or in which the computer is thinking here, are put off.
    """
    late, waiting = [], []
    if held:
        lookups.due_not_before(connection, held, now + deadlines.THINKING_SECONDS)
    due = lookups.due(connection, now=now, limit=limit)
    of_two = games.load_sound(connection, [game.id for game in due if game.kind is GameKind.PAIR])
    for game in due:
        # A game that cannot be read is due without its boards, and is closed when it fires.
        record = of_two.get(game.id) or Record(game, ())
        try:
            found = deadlines.look(record, now, limits)
        except Exception:  # noqa: BLE001 - it comes again when the game is tried by itself
            late.append(game)
            continue
        if found.due is None:
            lookups.set_due_if_unchanged(connection, game, found.again_at)
        elif found.due is not Due.ANSWER:
            late.append(game)
        elif lookups.set_due_if_unchanged(connection, game, now + deadlines.THINKING_SECONDS):
            waiting.append(game)
    return late, waiting
