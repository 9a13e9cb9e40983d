"""The computer's moves where they take a search: thought about by other processes, while everybody else plays on.

That a game waits for the computer stands in its record, so whatever is lost here is taken up again by the clock of
any process (`bot.background.deadlines`). An answer counts only if the game still waits for just that.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.computer.mover import ComputerMover
from bot.game.actions import Answer
from bot.game.states import thought_of
from bot.workers import jobs
from bot.workers.pool import Job, NoAnswer
from storage.errors import StorageError
from storage.games import lookups

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from random import Random

    from bot.delivery.entries import Tap
    from bot.delivery.publisher import Kept, Publisher
    from bot.game.states import Thought
    from bot.game.time_limits import TimeLimits
    from bot.workers.pool import Workers
    from storage.games.game import Game
    from storage.games.record import Changed, Made
    from storage.store import Store

log = logging.getLogger(__name__)

SEARCH_SECONDS: Final = 1.5
"""The most that a search may take; the levels are measured with less."""
WITHIN_SECONDS: Final = 1.8
"""So soon the answer is to be there; searches that wait for each other are shorter."""
TOGETHER_SECONDS: Final = 0.3
"""An answer within so long is shown together with the move that it answers."""
TOGETHER_IN_TEXT_SECONDS: Final = 3.0
"""The same where a board is text: what follows would have to be another message."""
HELD_SECONDS: Final = 4.0
"""What is thought about for so long is kept from the clocks of other processes."""


class _Search:
    """The search for the computer's move in one game."""

    __slots__ = ("begun", "game", "kept", "tap", "then", "thought")

    def __init__(self, game: Game, thought: Thought, kept: Kept, tap: Tap | None) -> None:
        self.game = game
        self.thought = thought
        self.kept = kept
        """What is not shown yet, because the answer may come soon."""
        self.tap = tap
        self.then: list[Callable[[Game], None]] = []
        self.begun = time.monotonic()


class Computer(ComputerMover):
    """Lets the computer think, and shows what is found."""

    def __init__(
        self, store: Store, publisher: Publisher, workers: Workers, rng: Random, limits: TimeLimits
    ) -> None:
        """Nothing to think about yet."""
        super().__init__(store, publisher, workers, rng, limits)
        self._searches: dict[int, _Search] = {}
        """By game."""

    def show(self, changed: Changed[object], tap: Tap | None = None, chat_id: int | None = None) -> float:
        """Show a game that was changed here, and let the computer think where it is to move now.

        Returns:
            About how many seconds showing takes, in this chat if one is named.
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
        return self._publisher.expect(kept, chat_id)

    def show_made(self, made: Made) -> float:
        """Show a game that was made here just now, or found, and let the computer think if it is to begin.

        Returns:
            About how many seconds showing takes.
        """
        thought = thought_of(made.record.game)
        if not made.is_new or thought is None:
            return self._publisher.show_made(made)
        kept = self._publisher.keep([made.record], {})
        self._begin(made.record.game, thought, kept)
        return self._publisher.expect(kept)

    def take_up(self, game: Game) -> None:
        """Let the computer think in a game that waits for it, unless it does so already."""
        self._outdate(game)
        thought = thought_of(game)
        if thought is not None and game.id not in self._searches:
            self._begin(game, thought, ())

    def held(self) -> Collection[int]:
        """The games whose search takes so long that the clocks of other processes might take them up."""
        since = time.monotonic() - HELD_SECONDS
        return [game_id for game_id, search in self._searches.items() if search.begun < since]

    def after_answer(self, game: Game, then: Callable[[Game], None]) -> None:
        """Do something with a game once the computer has moved in it or given up; at once where it is not to."""
        search = self._searches.get(game.id)
        if search is None:
            then(game)
        else:
            search.then.append(then)

    async def hand_over(self) -> None:
        """Let whoever looks at the clock next, here or elsewhere, take up the moves that are thought about.

        Raises:
            StorageError: if that cannot be stored; then they are found when their time has come.
        """
        if self._searches:
            hand_over = partial(lookups.hand_over, ids=tuple(self._searches), due_at=int(time.time()))
            await self._store.run(hand_over)

    async def close(self) -> None:
        """Show what was kept back; the workers are closed by then, so no answer comes any more."""
        await self._tasks.close(1)

    def _outdate(self, game: Game) -> None:
        """Call off the search in a game that does not wait for its answer any more."""
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
        """Search, and let the computer move; whatever goes wrong, the clock comes to it again."""
        game = search.game
        try:
            answered = await self._answer(search)
        except (NoAnswer, StorageError) as error:
            log.debug("The computer does not move: %s", error, extra={"game_id": game.id})
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

        Raises:
            NoAnswer: if there is none.
            StorageError: if the game cannot be changed now.
        """
        thought = search.thought
        work = partial(jobs.best_cell, *thought, self._rng.getrandbits(32))
        person = search.game.seat(search.game.turn.other)
        job = Job(_key(search.game.id), work, SEARCH_SECONDS, whose=person, within=WITHIN_SECONDS)
        cell = await self._found(job, search.game)
        return await self._act(Answer(cell, thought), search.game.id)


def _key(game_id: int) -> tuple[str, int]:
    """What the search for the computer's move in a game is known by among all jobs."""
    return "move", game_id
