"""The computer's moves: at once where that is quick, and otherwise in a worker process.

The game's record says that it waits for the computer, so any process takes up what is lost here
(`bot.background.clock`). An answer counts only if the game still waits for exactly that.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from functools import partial
from random import Random
from typing import Final

from bot.delivery.entries import Tap
from bot.delivery.publisher import Kept, Publisher
from bot.delivery.tasks import Tasks
from bot.game.attempt import Attempt, Player, Thought, TimeLimits, Where, thought_of
from bot.game.deadlines import Expire
from bot.game.exhibitions import Answer
from bot.game.machine import Ruling, decide_by_computer
from bot.workers import jobs
from bot.workers.pool import Failed, Job, NoAnswer, Workers
from engine.reasons import cell_at_once
from storage.errors import StorageError
from storage.games import lookups
from storage.games.game import COMPUTER, Game
from storage.games.record import Changed, Made
from storage.store import Store

log = logging.getLogger(__name__)

OXO: Final = Player(COMPUTER, "")


class ComputerMover:
    """Finds the computer's moves, and makes them."""

    def __init__(
        self, store: Store, publisher: Publisher, workers: Workers, rng: Random, limits: TimeLimits
    ) -> None:
        self._store = store
        self._publisher = publisher
        self._workers = workers
        self._rng = rng
        self._limits = limits
        self._tasks = Tasks()

    async def _found(self, job: Job[int], game: Game) -> int:
        """The cell that a search finds for the computer, or else one that takes no search: nobody waits forever.

        Raises NoAnswer if the search is called off, or there is no room for it.
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
        """Let the computer act in a game, if it may by now."""
        attempt = Attempt(OXO, Where(), int(time.time()), self._rng, self._limits)
        return await self._store.change(game_id, partial(decide_by_computer, action=action, attempt=attempt))


SEARCH_SECONDS: Final = 1.5
"""The most that a search may take; the levels are measured with less."""
WITHIN_SECONDS: Final = 1.8
"""How soon the answer is wanted; searches that compete are shorter."""
TOGETHER_SECONDS: Final = 0.3
"""An answer this quick is shown together with the move it answers."""
TOGETHER_IN_TEXT_SECONDS: Final = 3.0
"""The same for a board in text, where the answer would need another message."""
HELD_SECONDS: Final = 4.0
"""A search that takes this long is kept from other processes."""


class _Search:
    """The search for the computer's move in one game."""

    __slots__ = ("begun", "game", "kept", "tap", "then", "thought")

    def __init__(self, game: Game, thought: Thought, kept: Kept, tap: Tap | None) -> None:
        self.game = game
        self.thought = thought
        self.kept = kept
        """Boards not shown yet, because the answer may come soon."""
        self.tap = tap
        self.then: list[Callable[[Game], None]] = []
        self.begun = time.monotonic()


class Computer(ComputerMover):
    """Searches for the computer's moves, and shows them."""

    def __init__(
        self, store: Store, publisher: Publisher, workers: Workers, rng: Random, limits: TimeLimits
    ) -> None:
        super().__init__(store, publisher, workers, rng, limits)
        self._searches: dict[int, _Search] = {}
        """By game."""

    def show(self, changed: Changed[object], tap: Tap | None = None, chat_id: int | None = None) -> float:
        """Show a game that was changed here, and search if it's the computer's move.

        Returns about how many seconds showing takes, in this chat if one is named.
        """
        record = changed.following or changed.record
        thought = thought_of(record.game)
        if thought is None and not self._searches:
            return self._publisher.show(changed, tap, chat_id)
        self._outdate(changed.record.game)
        if thought is None or record.game.id in self._searches:
            return self._publisher.show(changed, tap, chat_id)
        records = [changed.record] if changed.following is None else [changed.record, record]
        kept = self._publisher.keep(records, changed.before)
        self._begin(record.game, thought, kept, tap)
        return self._publisher.expect(kept, tap, chat_id)

    def show_made(self, made: Made) -> float:
        """Show a game that was made here, or found, and search if the computer moves first; returns the same."""
        thought = thought_of(made.record.game)
        if not made.is_new or thought is None:
            return self._publisher.show_made(made)
        kept = self._publisher.keep([made.record], {})
        self._begin(made.record.game, thought, kept)
        return self._publisher.expect(kept)

    def take_up(self, game: Game) -> None:
        """Search in a game that waits for the computer, unless that is under way."""
        self._outdate(game)
        thought = thought_of(game)
        if thought is not None and game.id not in self._searches:
            self._begin(game, thought, ())

    def held(self) -> Collection[int]:
        """The games whose search takes so long that other processes might take them up."""
        since = time.monotonic() - HELD_SECONDS
        return [game_id for game_id, search in self._searches.items() if search.begun < since]

    def after_answer(self, game: Game, then: Callable[[Game], None]) -> None:
        """Do something with a game once the computer has moved or given up; right away if it has no search."""
        search = self._searches.get(game.id)
        if search is None:
            then(game)
        else:
            search.then.append(then)

    async def hand_over(self) -> None:
        """Let any process take up the moves that are being searched for here, before they are late."""
        if self._searches:
            await self._store.run(lookups.due_not_after, ids=tuple(self._searches), time=int(time.time()))

    async def close(self) -> None:
        """Show what was held back; the workers are closed by now, so no more answers come."""
        await self._tasks.close(1)

    def _outdate(self, game: Game) -> None:
        search = self._searches.get(game.id)
        if search is not None and search.thought != thought_of(game):
            del self._searches[game.id]
            self._workers.cancel(_key(game.id))

    def _begin(self, game: Game, thought: Thought, kept: Kept, tap: Tap | None = None) -> None:
        search = self._searches[game.id] = _Search(game, thought, kept, tap)
        if kept:
            in_text = any(board.as_text for _, board in kept)
            seconds = TOGETHER_IN_TEXT_SECONDS if in_text else TOGETHER_SECONDS
            asyncio.get_running_loop().call_later(seconds, self._show_kept, search)
        self._tasks.start(self._search(search))

    def _show_kept(self, search: _Search) -> None:
        kept, search.kept = search.kept, ()
        self._publisher.show_kept(kept, search.tap)

    async def _search(self, search: _Search) -> None:
        """Search and move; if anything goes wrong, the deadline comes back to it."""
        game = search.game
        try:
            answered = await self._answer(search)
        except (NoAnswer, StorageError) as error:
            log.debug("Couldn't move: %s", error, extra={"game_id": game.id})
        else:
            game = answered.record.game
            self._publisher.show(answered, search.tap)
        finally:
            if self._searches.get(game.id) is search:
                del self._searches[game.id]
            self._show_kept(search)
            for then in search.then:
                then(game)

    async def _answer(self, search: _Search) -> Changed[object]:
        """Ask for the computer's move, and store it if the game still waits for it.

        Raises NoAnswer if there is none.
        """
        thought = search.thought
        work = partial(jobs.best_cell, *thought, self._rng.getrandbits(32))
        person = search.game.seat(search.game.turn.other)
        job = Job(_key(search.game.id), work, SEARCH_SECONDS, whose=person, within=WITHIN_SECONDS)
        cell = await self._found(job, search.game)
        return await self._act(Answer(cell, thought), search.game.id)


def _key(game_id: int) -> tuple[str, int]:
    return "move", game_id
