"""Deadlines that come true: reminders, games lost on time, challenges that expire.

A deadline is a column of its game, so it survives restarts. Every process looks; the version of the game decides
which of them acts, so that each deadline comes true once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from bot import boards, deadlines
from bot.deadlines import Verdict
from bot.outbox import Message
from bot.texts import texts
from bot.views import View
from storage import lookups
from storage.errors import CorruptGame, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from bot.context import Services
    from bot.deadlines import Patience
    from storage.game import Game

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
LIMIT: Final = 100


async def run(services: Services) -> None:
    """Look for deadlines until cancelled."""
    while True:
        more = False
        try:
            more = await _look(services)
        except StorageError:
            log.debug("The deadlines wait for the database")
        except Exception:  # the loop must outlive whatever one game does to it
            log.exception("The deadlines could not be looked at")
        if not more:
            await asyncio.sleep(LOOK_SECONDS)


async def _look(services: Services) -> bool:
    """Let a batch of deadlines come true; True if there may be more."""
    now = int(time.time())
    late = await services.store.run(partial(_due, now=now, patience=services.patience))
    for game in late:
        try:
            changed, verdict = await services.store.change(
                game.id, partial(deadlines.look, now=now, patience=services.patience)
            )
        except CorruptGame as error:
            log.error("%s", error, extra={"game_id": game.id})  # noqa: TRY400 - the reason is all there is
            await services.store.run(partial(lookups.postpone, game=game, due_at=None))
            continue
        if verdict is not Verdict.WAIT:
            services.publisher.show(changed)
        if verdict is Verdict.REMIND:
            _remind(services, changed, now)
    return len(late) == LIMIT


def _due(connection: Connection, *, now: int, patience: Patience) -> Sequence[Game]:
    """The games whose deadline has come; those in which somebody has moved since are put off."""
    late = []
    for game in lookups.due(connection, now=now, limit=LIMIT):
        looked, verdict = deadlines.look(game, now=now, patience=patience)
        if verdict is Verdict.WAIT:
            lookups.postpone(connection, game, looked.due_at)
        else:
            late.append(game)
    return late


def _remind(services: Services, game: Game, now: int) -> None:
    """Tell the person to move that time is running out; a message of inline mode shows it in itself."""
    guest = game.guest_chat_id is not None and game.seat(game.turn) == game.guest_chat_id
    chat_id = game.guest_chat_id if guest else game.chat_id
    if chat_id is not None:
        t = texts(game.guest_language if guest else game.language)
        view = View(boards.reminder(game, (game.due_at or now) - now, t))
        services.publisher.say(Message(chat_id, view, None if guest else game.thread_id))
