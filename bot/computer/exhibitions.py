"""The computer's moves in games against itself, one by one, for people who watch.

The game's record says which move is next and when it is due. The process that made the last one makes the next by
a timer, slightly earlier; if it's gone, any other process continues.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Collection, Sequence
from functools import partial
from random import Random
from typing import Final

from sqlalchemy import Connection

from bot.computer.opponent import ComputerMover
from bot.delivery.publisher import Publisher
from bot.game.attempt import TimeLimits, position_of
from bot.game.deadlines import Expire
from bot.game.exhibitions import LATE_SECONDS, MOST, Answer, chosen, is_watched, pace_of
from bot.workers import jobs
from bot.workers.pool import Job, NoAnswer, Workers
from engine import needs_no_search
from storage.errors import CorruptGame, GameNotFound, StorageError
from storage.games import games, lookups
from storage.games.game import Game, rules_of
from storage.games.record import Record
from storage.store import Store

log = logging.getLogger(__name__)

SEARCH_SECONDS: Final = 1.0
"""The most that a search may take."""
HELD_SECONDS: Final = 4
"""How long a game is kept from other processes while its move takes a while here."""
BUSY_SECONDS: Final = 0.25
"""How soon to check again whether the last move is shown."""
LONGEST_WAIT_SECONDS: Final = 5.0
"""The longest until the next check whether the chat has calls to spare."""


class Exhibitions(ComputerMover):
    """The games of the computer against itself whose moves this process makes."""

    def __init__(
        self, store: Store, publisher: Publisher, workers: Workers, rng: Random, limits: TimeLimits
    ) -> None:
        super().__init__(store, publisher, workers, rng, limits)
        self._timers: dict[int, asyncio.TimerHandle | None] = {}
        """By game, the timer of its next move, or None while that is being made."""
        publisher.on_unseen(self._unseen)

    def go_on(self, game_id: int, ply: int, seconds: float) -> None:
        """Make a ply's move after this many seconds, unless another process has by then."""
        self.leave(game_id)
        self._timers[game_id] = asyncio.get_running_loop().call_later(seconds, self._begin, game_id, ply)

    def leave(self, game_id: int) -> None:
        timer = self._timers.pop(game_id, None)
        if timer is not None:
            timer.cancel()
        self._workers.cancel(_key(game_id))

    async def look(self) -> None:
        """Take over the games whose next move is late: the process that made the last one may be gone."""
        now, held = int(time.time()), frozenset(self._timers)
        if not await self._store.read(_late, now=now, held=held):
            return
        for game in await self._store.run(_claim, now=now, held=held):
            self._begin(game.id, game.ply)

    async def close(self) -> None:
        for game_id in tuple(self._timers):
            self.leave(game_id)
        await self._tasks.close(0.5)

    def _begin(self, game_id: int, ply: int) -> None:
        self._timers[game_id] = None
        self._tasks.start(self._move(game_id, ply))

    async def _move(self, game_id: int, ply: int) -> None:
        """Make a move if it is still due and the chat has a call to spare, and schedule the next one."""
        again = None
        try:
            record = await self._store.run(games.load, game_id=game_id)
            if is_watched(record.game) and record.game.ply == ply:
                again = await self._waited(record) or await self._moved(record)
        except (StorageError, NoAnswer, CorruptGame, GameNotFound) as error:
            log.debug("Couldn't move in a computer game: %s", error, extra={"game_id": game_id})
        finally:
            if game_id in self._timers and again is not None:
                self.go_on(game_id, *again)
            elif self._timers.get(game_id, self) is None:
                del self._timers[game_id]

    async def _waited(self, record: Record) -> tuple[int, float] | None:
        """When to try again if the chat has no call to spare now; None if it has."""
        wait = self._publisher.wait_to_spare(record)
        if not wait:
            return None
        wait = BUSY_SECONDS if wait == math.inf else min(wait, LONGEST_WAIT_SECONDS)
        await self._hold(record.game, wait)
        return record.game.ply, wait

    async def _moved(self, record: Record) -> tuple[int, float] | None:
        """Move; returns when to make the next move, None if there is none to make here."""
        game = record.game
        cell = await self._chosen(game)
        changed = await self._act(Answer(cell, position_of(game)), game.id)
        after = changed.record.game
        if changed.result is None or changed.result.refusal is not None:
            return None  # somebody was faster
        self._publisher.show(changed)
        return (after.ply, pace_of(after)) if is_watched(after) else None

    async def _chosen(self, game: Game) -> int:
        """The cell the computer plays; a search for it gives way to those people wait for.

        Raises NoAnswer if none is found now.
        """
        level = game.level_of(game.turn) or ""
        if needs_no_search(level, rules_of(game.rules)):
            return chosen(game, self._rng)
        await self._hold(game, SEARCH_SECONDS)
        seed = self._rng.getrandbits(32)
        work = partial(jobs.best_cell, game.rules, game.moves, level, seed)
        job = Job(_key(game.id), work, SEARCH_SECONDS, urgent=False)
        return await self._found(job, game)

    async def _hold(self, game: Game, seconds: float) -> None:
        until = math.ceil(time.time() + seconds) + LATE_SECONDS
        if game.due_at is not None and game.due_at < until:
            await self._store.run(lookups.set_due_if_unchanged, game=game, due_at=until)

    def _unseen(self, game_id: int) -> None:
        self.leave(game_id)
        self._tasks.start(self._end(game_id))

    async def _end(self, game_id: int) -> None:
        try:
            await self._act(Expire(), game_id)
        except (StorageError, CorruptGame, GameNotFound) as error:
            log.debug("Couldn't end a computer game that nobody can see: %s", error, extra={"game_id": game_id})


def _late(connection: Connection, *, now: int, held: Collection[int]) -> Sequence[Game]:
    """The games whose move is late and that nobody here holds."""
    return [game for game in lookups.watched(connection, by=now, limit=MOST) if game.id not in held]


def _claim(connection: Connection, *, now: int, held: Collection[int]) -> Sequence[Game]:
    """The late games, kept from the clocks of others for a while."""
    late = _late(connection, now=now, held=held)
    return [game for game in late if lookups.set_due_if_unchanged(connection, game, now + HELD_SECONDS)]


def _key(game_id: int) -> tuple[str, int]:
    return "watched", game_id
