"""Deletes data whose retention time is over (`storage.privacy.retention`)."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Final

from bot.context.services import Services
from storage.people import matchmaking, people, waits
from storage.privacy import retention
from storage.privacy.retention import START, Cursor

LOOK_SECONDS: Final = 5.0
PASS_SECONDS: Final = 3600
"""How long after a pass the next one begins."""
PAUSE_SECONDS: Final = 0.02
"""Between two portions, so that taps come first."""
DAY: Final = 24 * 3600


class Keeper:
    """Deletes expired data in portions, and starts over every hour."""

    def __init__(self, services: Services) -> None:
        """Begin at once."""
        self._services = services
        self._next_pass = 0.0

    async def look(self) -> bool:
        """Go through everything if it is time; False, as that is all.

        Raises:
            StorageError: if the database cannot be used; it then starts again.
        """
        if time.monotonic() >= self._next_pass:
            await self.go_through(int(time.time()))
            self._next_pass = time.monotonic() + PASS_SECONDS
        return False

    async def go_through(self, now: int) -> None:
        """Drop expired data.

        Raises:
            StorageError: if the database cannot be used.
        """
        run, kept = self._services.store.run, self._services.kept
        await run(people.drop_unmet)
        await run(partial(waits.drop_ended, before=now - DAY))
        await run(partial(matchmaking.drop_old, now=now))
        before = now - kept.group_days * DAY
        for chat_id in await run(partial(retention.left_groups, before=before)):
            more = True
            while more:
                more = await run(partial(retention.drop_group, chat_id=chat_id, before=before, now=now))
                await asyncio.sleep(PAUSE_SECONDS)
        if kept.days is not None:
            await self._drop_old(now, now - kept.days * DAY)

    async def _drop_old(self, now: int, before: int) -> None:
        run = self._services.store.run
        game: int | None = 0
        while game is not None:
            game = await run(partial(retention.drop_games, after=game, before=before))
            await asyncio.sleep(PAUSE_SECONDS)
        chat: int | None = 0
        while chat is not None:
            chat = await run(partial(retention.start_clock, after=chat, now=now))
            await asyncio.sleep(PAUSE_SECONDS)
        place: Cursor | None = START
        while place is not None:
            place = await run(partial(retention.drop_people, after=place, before=before, now=now))
            await asyncio.sleep(PAUSE_SECONDS)
