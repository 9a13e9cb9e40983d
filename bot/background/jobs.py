"""What runs beside the updates: each job goes on after a fault.

What waits in memory may be lost at any moment: the database knows which boards lag and which notices are still to
be sent, and the sweep takes them up (docs/delivery.md).
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection
from telegram import Bot
from telegram.error import TelegramError

from bot.background.clock import DEADLINE_LOOK_SECONDS, PULSE_SECONDS, Arrivals, Deadlines, caught_up
from bot.context.services import REREAD_SECONDS, Services
from bot.context.trials import Trials
from bot.delivery.tasks import Tasks
from bot.features.privacy import erasing
from bot.network.transport import reading
from storage import clock, once
from storage.columns import DAY
from storage.games import outbox, versions
from storage.games.boards import close
from storage.games.versions import GRACE_SECONDS
from storage.people import matchmaking
from storage.privacy import retention
from storage.privacy.retention import START
from storage.results import ratings

log = logging.getLogger(__name__)


async def supervise(name: str, step: Callable[[], Awaitable[bool | None]], pause: float) -> None:
    """Repeat a step of some work until cancelled: immediately if it reports more work, else after `pause` seconds.

    A step that fails is tried again soon, a bit later each time.
    """
    trials = Trials()
    while True:
        more: bool | None = False
        with trials.of(name):
            more = await step()
        if not more:
            await asyncio.sleep(trials.pause(name, pause))


PASS_SECONDS: Final = 3600
"""How long after expired data was deleted this is done again."""


async def _delete_expired(services: Services) -> None:
    """Delete expired data in portions; after a StorageError it starts again.

    If time has leapt within the last day, a clock may be wrong, and nothing is deleted for its age.
    """
    run, kept, now = services.store.run, services.kept, int(time.time())
    if not await services.store.read(clock.is_steady, now=now):
        log.warning("Time has leapt by a day or more. For a day from then, nothing is deleted for its age")
        return

    async def in_portions(portion: Callable[..., Any], after: object, **given: int) -> None:
        """Run portions until one returns None; each returns the key after which the next one begins."""
        while after is not None:
            after = await run(portion, after=after, **given)
            await asyncio.sleep(erasing.ERASURE_PAUSE_SECONDS)

    async def until_done(portion: Callable[..., bool], **given: int) -> None:
        """Run portions until one returns that there is no more to do."""
        more = True
        while more:
            more = await run(portion, **given)
            await asyncio.sleep(erasing.ERASURE_PAUSE_SECONDS)

    await until_done(once.drop, before=now - DAY)
    await run(matchmaking.drop_old, now=now)
    await run(retention.drop_former_pairs, today=now // DAY)
    await until_done(ratings.unsettle, today=now // DAY)
    before = now - kept.group_days * DAY
    while groups := await run(retention.left_groups, before=before):
        for chat_id in groups:
            await until_done(retention.drop_group, chat_id=chat_id, before=before, now=now)
    if kept.days is not None:
        before = now - kept.days * DAY
        await in_portions(retention.drop_games, 0, before=before)
        await in_portions(retention.add_people_of_chats, 0, now=now)
        await in_portions(retention.drop_people, START, before=before, now=now)


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


SWEEP_AFTER_SECONDS: Final = 5.0
"""The sweep begins this long after the start at the latest, however many updates are waiting."""


def start_with_the_bot(services: Services, bot: Bot, tasks: Tasks) -> None:
    """Begin the jobs that need not wait for any update."""
    # Other processes' sweeps are kept off what is waiting in this one, and any process may store a language.
    tasks.start(supervise("Holds", partial(hold, services), HOLD_SECONDS))
    tasks.start(supervise("Languages", partial(services.languages.read, services.store), REREAD_SECONDS))
    tasks.start(_read_own_name(bot))


NAME_SECONDS: Final = 3600.0
"""How often the bot's own username is read again, as its host may change it in BotFather at any time."""


async def _read_own_name(bot: Bot) -> None:
    while True:
        await asyncio.sleep(NAME_SECONDS)
        try:
            with reading():
                await bot.get_me()
        except TelegramError as error:
            log.info("Couldn't read the bot's own name: %s", error)


async def start_with_updates(services: Services, tasks: Tasks, arrivals: Arrivals) -> None:
    """Begin the other jobs: what the updates that waited at the start may change, once they are handled.

    A deadline waits by itself until nothing can be on its way that was sent in time.
    """
    deadlines = Deadlines(services, arrivals)
    tasks.start(supervise("Deadlines", deadlines.look, DEADLINE_LOOK_SECONDS))
    tasks.start(supervise("Exhibitions", services.computer.look, DEADLINE_LOOK_SECONDS))

    def start_routines(*, at_once: bool) -> None:
        for routine in services.features.routines:
            if routine.at_once is at_once:
                step = partial(routine.step, services, deadlines.beat)
                tasks.start(supervise(routine.name, step, routine.pause))

    start_routines(at_once=True)
    backlog = asyncio.create_task(caught_up(arrivals))
    try:
        await asyncio.wait((backlog,), timeout=SWEEP_AFTER_SECONDS)
        tasks.start(supervise("Sweep", partial(sweep, services), SWEEP_SECONDS))
        await asyncio.wait((backlog,))
    finally:
        backlog.cancel()
    tasks.start(supervise("Pulse", deadlines.keep, PULSE_SECONDS))
    start_routines(at_once=False)
    tasks.start(supervise("Retention", partial(_delete_expired, services), PASS_SECONDS))
    await backlog  # what went wrong with it holds up nothing, but is logged
