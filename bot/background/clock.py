"""Fires due deadlines: reminders, games lost on time, expired challenges; takes up the computer's moves.

A deadline is a column of its game, so it survives restarts. Every process looks; the version of the game decides
which of them acts, so that each deadline fires once. A game that waits for the computer is taken up by putting its
deadline off, and if nothing comes of that, it is taken up again.

When a deadline comes, a move made in time may still be waiting at Telegram, or nobody was heard for a while. So a
deadline fires only once all updates that Telegram had by then are handled, and only if times needn't be moved
(`bot.background.pulse`).
"""

import logging
import time
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from bot.background.pulse import Arrivals, Pulse
from bot.context.feature import Event
from bot.context.services import Services
from bot.context.trials import Trials
from bot.game import deadlines
from bot.game.attempt import Attempt, TimeLimits, Where
from bot.game.deadlines import NO_PERSON, Due
from bot.game.gate import decide_by_clock
from bot.game.matchmaking import has_not_begun
from storage.errors import CorruptGame
from storage.games import games, lookups
from storage.games.game import Game, GameKind
from storage.games.record import Record

log = logging.getLogger(__name__)

DEADLINE_LOOK_SECONDS: Final = 1.0
MOST_DUE: Final = 100


class Deadlines:
    """Looks for due deadlines in one process."""

    def __init__(self, services: Services, arrivals: Arrivals) -> None:
        self._services = services
        self._arrivals = arrivals
        self.pulse = Pulse(services, arrivals)
        self._late: dict[int, float] = {}
        """The games that are due, by id, with the moment this was noticed, by the monotonic clock."""
        self._trials = Trials("The deadline of game {}")

    async def look(self) -> bool:
        """Fire a batch of deadlines; True if there may be more."""
        services, now, monotonic = self._services, int(time.time()), time.monotonic()
        resting = self._trials.resting()
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
        fired = 0
        for game in await self._ready(late, monotonic):
            del self._late[game.id]
            fired += 1
            with self._trials.of(game.id):
                await _fire(services, game, now)
        return fired + len(waiting) >= MOST_DUE

    async def _ready(self, late: Sequence[Game], monotonic: float) -> Sequence[Game]:
        """The games for which Telegram can have no unhandled move or answer."""
        if not late:
            return ()
        covered = await self._arrivals.covered(max(self._late.values()))
        enough = monotonic - self._arrivals.patience
        ready = [game for game in late if (since := self._late[game.id]) < covered or since <= enough]
        return ready if ready and await self.pulse.beat() else ()


async def _fire(services: Services, game: Game, now: int) -> None:
    if has_not_begun(game) and deadlines.look(Record(game, ()), now, services.limits).due is Due.END:
        await services.features.tell(Event.NOT_BEGUN, services, game.id)
        return
    attempt = Attempt(NO_PERSON, Where(), now, services.rng, services.limits)
    try:
        changed = await services.store.change(game.id, partial(decide_by_clock, attempt=attempt))
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
