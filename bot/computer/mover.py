"""The computer moves, wherever it plays: a search is asked of other processes, and an action stores the answer."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from random import Random
from typing import Final

from bot.delivery.publisher import Publisher
from bot.delivery.tasks import Tasks
from bot.game.actions import Answer, Expire
from bot.game.attempt import Attempt, Player, Where
from bot.game.gate import Ruling
from bot.game.machine import decide_by_computer
from bot.game.time_limits import TimeLimits
from bot.workers.pool import Failed, Job, Workers
from engine.analysis.at_once import cell_at_once
from storage.games.game import COMPUTER, Game
from storage.games.record import Changed
from storage.store import Store

log = logging.getLogger(__name__)

OXO: Final = Player(COMPUTER, "")


class ComputerMover:
    """Finds the computer's moves, and makes them."""

    def __init__(
        self, store: Store, publisher: Publisher, workers: Workers, rng: Random, limits: TimeLimits
    ) -> None:
        """Nothing to move yet."""
        self._store = store
        self._publisher = publisher
        self._workers = workers
        self._rng = rng
        self._limits = limits
        self._tasks = Tasks()

    async def _found(self, job: Job[int], game: Game) -> int:
        """The cell that a search finds for the computer, or else one that takes no search: nobody waits forever.

        Raises:
            NoAnswer: if the search is called off, or there is no room for it.
        """
        try:
            cell = await self._workers.run(job)
            if cell in game.position.legal_moves:
                return cell
            log.error("The computer chose a cell that can't be played: %d", cell, extra={"game_id": game.id})
        except Failed as error:
            log.error("The computer found no move: %s", error, extra={"game_id": game.id})  # noqa: TRY400 - a process's
        return await asyncio.to_thread(cell_at_once, game.position, self._rng)

    async def _act(self, action: Answer | Expire, game_id: int) -> Changed[Ruling | None]:
        """Let the computer act in a game, if it may by now.

        Raises:
            StorageError: if the game cannot be changed now.
        """
        attempt = Attempt(OXO, Where(), int(time.time()), self._rng, self._limits)
        return await self._store.change(game_id, partial(decide_by_computer, action=action, attempt=attempt))
