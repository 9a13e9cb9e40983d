"""The database as the bot sees it: change a game, or run some SQL, each in one durable transaction."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from storage import boards, games, outbox, results, versions
from storage.database import connect
from storage.errors import CorruptGame, GameNotFound
from storage.record import Changed, Record
from storage.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import URL, Connection

    from storage.board import Board
    from storage.game import Game
    from storage.notice import Notice
    from storage.record import Decision

R = TypeVar("R")


class Wish(NamedTuple):
    """The wish to change one game."""

    game_id: int
    decide: Callable[[Record], Decision[Any]]
    update_id: int | None = None


class Store:
    """A database with its writer thread; belongs to the event loop that it was opened in."""

    def __init__(self, url: URL, *, observe: Callable[[float, int], None] | None = None) -> None:
        """Open the database at `url`; its schema must be there (`storage.migrate`)."""
        self._engine = connect(url, create=False)
        self._writer = Writer(self._engine, (_run_first, _change_games), observe=observe)

    @property
    def waiting(self) -> int:
        """How many jobs wait for the database."""
        return self._writer.waiting

    async def close(self) -> None:
        """Finish what waits and close the connections."""
        await self._writer.close()
        self._engine.dispose()

    async def change(
        self, game_id: int, decide: Callable[[Record], Decision[R]], update_id: int | None = None
    ) -> Changed[R | None]:
        """Change one game by a pure function, which may be called more than once.

        Changes of one game are decided in the order of the calls. A function that gives back the game it was
        given changes nothing; any other value is stored as the game's next version, and raises all its boards. An
        update of Telegram (`update_id`) that has changed the game before changes it no more; its result is None.

        Raises:
            GameNotFound: if no game has this id.
            CorruptGame: if the stored game contradicts itself.
            ConcurrentChange: if other processes changed the game twice while this was under way.
            StorageUnavailable: if the database cannot be used now.
        """
        return await self._writer.submit(_change_games, Wish(game_id, decide, update_id))

    async def run(self, work: Callable[[Connection], R], *, first: bool = False) -> R:
        """Run some SQL in a transaction; the function may be called more than once.

        With `first`, the changes of games that share the transaction find what it has stored.

        Raises:
            StorageUnavailable: if the database cannot be used now.
            Exception: whatever `work` raises; nothing of it is then stored.
        """
        return await self._writer.submit(_run_first if first else _run, work)


def _run(connection: Connection, payloads: Sequence[Callable[[Connection], R]]) -> Sequence[R]:
    return [work(connection) for work in payloads]


def _run_first(connection: Connection, payloads: Sequence[Callable[[Connection], R]]) -> Sequence[R]:
    """Likewise, before the changes of games."""
    return _run(connection, payloads)


def _change_games(connection: Connection, wishes: Sequence[Wish]) -> Sequence[Changed[Any] | Exception]:
    """Change games as wished: one SELECT for all, and one UPDATE a table for those that have become others."""
    loaded = games.load_many(connection, [wish.game_id for wish in wishes])
    current = dict(loaded)
    new: dict[int, Board] = {}
    """Boards that were stored in this transaction, as they were stored."""
    done: list[Changed[Any] | Exception] = []
    now = int(time.time())
    for game_id, decide, update_id in wishes:
        record = current.get(game_id)
        if record is None or isinstance(record, CorruptGame):
            done.append(record or GameNotFound(game_id))
            continue
        before = _before(loaded[game_id])
        if record.game.has_seen(update_id):
            done.append(Changed(record, before, None))
            continue
        try:
            decision = decide(record)
        except Exception as error:  # noqa: BLE001 - a pure function's error is its caller's alone
            done.append(error)
            continue
        following = None
        notices: tuple[Notice, ...] = ()
        if decision.game is not record.game:
            game = games.next_version(decision.game, now, update_id)
            if decision.following is not None:
                passing, following = boards.pass_on(connection, record, decision.following)
                record, game = passing, game._replace(next_game=following.game.id)
            heeds = decision.heeds
            record = Record(
                game, tuple([versions.raised(board, now, heeds.get(board.id)) for board in record.boards])
            )
            if heeds:
                came = boards.come(connection, record, heeds)
                new |= {board.id: board for board in came}
                record = Record(game, (*record.boards, *came))
            current[game_id] = record
            notices = tuple([outbox.add(connection, notice) for notice in decision.notices])
        done.append(Changed(record, before, decision.result, following, notices))
    _save(connection, current, loaded, new, now)
    return done


def _before(record: Record | CorruptGame) -> Mapping[int, Board]:
    return {} if isinstance(record, CorruptGame) else {board.id: board for board in record.boards}


def _save(
    connection: Connection,
    current: Mapping[int, Record | CorruptGame],
    loaded: Mapping[int, Record | CorruptGame],
    new: Mapping[int, Board],
    now: int,
) -> None:
    ended: list[Game] = []
    changes: list[tuple[Game, Game]] = []
    raises: list[tuple[Board, Board]] = []
    for game_id, record in current.items():
        old = loaded[game_id]
        if record is old or isinstance(record, CorruptGame) or isinstance(old, CorruptGame):
            continue
        changes.append((record.game, old.game))
        if record.game.termination is not None and old.game.termination is None:
            ended.append(record.game)
        before = {board.id: board for board in old.boards}
        for board in record.boards:
            stored = before.get(board.id) or new[board.id]
            if board is not stored:
                raises.append((board, stored))
    if changes:
        games.save_many(connection, changes)
        versions.raise_many(connection, raises)
    if ended:
        results.add(connection, ended, now)
