"""The computer's moves: those that take a search, in a worker process, and those of exhibitions, after a pause.

The game's record says that it waits for the computer, so any process takes up what is lost here: in people's games
by `bot.background.clock`, in exhibitions by `Computer.look`. A move counts only if the game still waits for it.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from sqlalchemy import Connection

from bot.delivery.boards import Boards
from bot.delivery.entries import Prompt
from bot.delivery.tasks import Tasks
from bot.game.attempt import Attempt, NotAllowed, Player, Thought, TimeLimits, Where, next_thought, thought_of
from bot.game.deadlines import Expire
from bot.game.exhibitions import LATE_SECONDS, MOST_EXHIBITIONS, ComputerMove, is_watched, next_move, tempo_of
from bot.game.gate import decide_by_computer
from bot.workers import jobs
from bot.workers.pool import Failed, Job, NoAnswer, Workers
from engine.levels import needs_no_search
from engine.reasons import cell_at_once
from storage.errors import StorageError
from storage.games import games, lookups
from storage.games.game import COMPUTER, Game, rules_of
from storage.games.record import Changed
from storage.store import Store

log = logging.getLogger(__name__)

OXO: Final = Player(COMPUTER, "")

SEARCH_SECONDS: Final = 1.5
"""The most that a search may take for a person; the levels are measured with less."""
WITHIN_SECONDS: Final = 1.8
"""How soon the answer is wanted; searches that compete are shorter."""
HELD_SECONDS: Final = 4
"""A search that takes this long is kept from other processes, and so is a late exhibition that is taken over."""

WATCHED_SECONDS: Final = 1.0
"""The most that a search may take in an exhibition."""
LAST_SHOWN_SECONDS: Final = 0.25
"""How soon to check again whether the last move of an exhibition is shown."""
LONGEST_WAIT_SECONDS: Final = 5.0
"""The longest until the next check whether its chat has calls to spare."""


@dataclass(slots=True, eq=False)
class _Move:
    """A move that this process makes in one game."""

    game: Game
    thought: Thought
    prompt: Prompt | None = None
    then: list[Callable[[Game], None]] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    """Set while the pause before it lasts."""
    begun: float = field(default_factory=lambda: time.monotonic())  # noqa: PLW0108 - asks the clock that is there then


class Computer:
    """Makes the computer's moves, and shows them."""

    def __init__(self, store: Store, boards: Boards, workers: Workers, rng: Random, limits: TimeLimits) -> None:
        self._store = store
        self._boards = boards
        self._workers = workers
        self._rng = rng
        self._limits = limits
        self._tasks = Tasks()
        self.moves: dict[int, _Move] = {}
        """By game."""

    def go_on(self, game: Game, prompt: Prompt | None = None) -> None:
        """Search in a game that waits for the computer, or make an exhibition's next move after its pause.

        What it no longer waits for is left.
        """
        move = self.moves.get(game.id)
        if move is not None:
            is_other_tempo = is_watched(game) and tempo_of(move.game) != tempo_of(game)
            if not game.is_over and move.thought == next_thought(game) and not is_other_tempo:
                return
            self._leave(game.id)
        if is_watched(game):
            self._begin(_Move(game, next_thought(game)), tempo_of(game))
        elif (thought := thought_of(game)) is not None:
            self._begin(_Move(game, thought, prompt))

    def held(self) -> Collection[int]:
        """The people's games whose search takes so long that other processes might take them up."""
        since = time.monotonic() - HELD_SECONDS
        return [game_id for game_id in self._searched() if self.moves[game_id].begun < since]

    def after_answer(self, game: Game, then: Callable[[Game], None]) -> None:
        """Do something with a game once the computer has moved or given up; right away if it isn't to move."""
        move = self.moves.get(game.id)
        if move is None:
            then(game)
        else:
            move.then.append(then)

    async def look(self) -> None:
        """Take over the exhibitions whose next move is late: the process that made the last one may be gone."""
        held = frozenset(self.moves)
        now = int(time.time())
        if not await self._store.read(_late, now=now, held=held):
            return
        for game in await self._store.run(_take, now=now, held=held):
            self._begin(_Move(game, next_thought(game)))

    async def hand_over(self) -> None:
        """Begin no more moves, and let any process take up what is searched for here, before it is late."""
        for game_id, move in tuple(self.moves.items()):
            if is_watched(move.game):
                self._leave(game_id)
        if searched := self._searched():
            await self._store.run(lookups.due_not_after, ids=tuple(searched), time=int(time.time()))

    async def close(self) -> None:
        """End what is under way; the workers are closed by now, so no more answers come."""
        await self._tasks.close(1)

    def _searched(self) -> Sequence[int]:
        return [game_id for game_id, move in self.moves.items() if not is_watched(move.game)]

    def _leave(self, game_id: int) -> None:
        move = self.moves.pop(game_id, None)
        if move is not None:
            if move.timer is not None:
                move.timer.cancel()
            self._workers.cancel(_key(game_id))

    def _begin(self, move: _Move, seconds: float = 0.0) -> None:
        """Make a move after this many seconds."""
        self.moves[move.game.id] = move
        if seconds:
            move.timer = asyncio.get_running_loop().call_later(seconds, self._begin, move)
        else:
            move.timer = None
            self._tasks.start(self._make(move))

    async def _make(self, move: _Move) -> None:
        """Make a move that is due; if anything goes wrong, the deadline comes back to it."""
        game = move.game
        try:
            moved = await (self._watched(move) if is_watched(game) else self._answered(move))
            if moved is not None:
                game = moved.record.game
                self.go_on(game)
                self._boards.show(moved, move.prompt)
        except NotAllowed as refused:  # somebody was faster
            game = game if refused.record is None else refused.record.game
        except (NoAnswer, StorageError) as error:
            log.debug("Couldn't move: %s", error, extra={"game_id": game.id})
        finally:
            if self.moves.get(move.game.id) is move and move.timer is None:
                del self.moves[move.game.id]
            for then in move.then:
                then(game)

    async def _answered(self, move: _Move) -> Changed:
        """Search for the move in a person's game, and store it if the game still waits for it."""
        work = partial(jobs.best_cell, *move.thought, self._rng.getrandbits(32))
        person = move.game.seat(move.game.turn.other)
        job = Job(_key(move.game.id), work, SEARCH_SECONDS, whose=person, within=WITHIN_SECONDS)
        return await self._act(ComputerMove(await self._found(job, move.game), move.thought), move.game.id)

    async def _watched(self, move: _Move) -> Changed | None:
        """Make an exhibition's move if it is still due and the chat has a call to spare; None if it isn't made."""
        record = await self._store.run(games.load, game_id=move.game.id)
        game = record.game
        if not is_watched(game) or next_thought(game) != move.thought:
            return None
        if all(board.is_unreachable for board in record.boards):  # nobody can see it any more
            return await self._act(Expire(), game.id)
        if wait := self._boards.wait_to_spare(record):
            wait = LAST_SHOWN_SECONDS if wait == math.inf else min(wait, LONGEST_WAIT_SECONDS)
            await self._hold(game, wait)
            if self.moves.get(game.id) is move:
                self._begin(move, wait)
            return None
        return await self._act(ComputerMove(await self._chosen(game), move.thought), game.id)

    async def _chosen(self, game: Game) -> int:
        """The cell the computer plays in an exhibition; a search for it gives way to those people wait for."""
        level = game.side(game.turn).level or ""
        if needs_no_search(level, rules_of(game.rules)):
            return next_move(game, self._rng)
        await self._hold(game, WATCHED_SECONDS)
        work = partial(jobs.best_cell, game.rules, game.moves, level, self._rng.getrandbits(32))
        return await self._found(Job(_key(game.id), work, WATCHED_SECONDS, urgent=False), game)

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

    async def _hold(self, game: Game, seconds: float) -> None:
        """Keep other processes off an exhibition for so long."""
        until = math.ceil(time.time() + seconds) + LATE_SECONDS
        if game.due_at is not None and game.due_at < until:
            await self._store.run(lookups.set_due_if_unchanged, game=game, due_at=until)

    async def _act(self, action: ComputerMove | Expire, game_id: int) -> Changed:
        """Let the computer act in a game, if it may by now."""
        attempt = Attempt(OXO, Where(), int(time.time()), self._rng, self._limits)
        return await self._store.change(game_id, partial(decide_by_computer, action=action, attempt=attempt))


def _late(connection: Connection, *, now: int, held: Collection[int]) -> Sequence[Game]:
    """The exhibitions whose move is late and that nobody here holds."""
    return [game for game in lookups.watched(connection, by=now, limit=MOST_EXHIBITIONS) if game.id not in held]


def _take(connection: Connection, *, now: int, held: Collection[int]) -> Sequence[Game]:
    """The late exhibitions, kept from other processes for a while."""
    late = _late(connection, now=now, held=held)
    return [game for game in late if lookups.set_due_if_unchanged(connection, game, now + HELD_SECONDS)]


def _key(game_id: int) -> tuple[str, int]:
    return "move", game_id
