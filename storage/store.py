"""The database as the bot sees it: change a game, or run some SQL, each in one durable transaction."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from storage import games
from storage.database import connect
from storage.errors import GameNotFound
from storage.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import URL, Connection

    from storage.game import Game

R = TypeVar("R")


class Change(NamedTuple):
    """The wish to change one game: `apply` gives back the game as it shall be, and what the caller hears."""

    game_id: int
    apply: Callable[[Game], tuple[Game, Any]]
    update_id: int | None = None


class Store:
    """A database with its writer thread; belongs to the event loop that it was opened in."""

    def __init__(self, url: URL, *, observe: Callable[[float, int], None] | None = None) -> None:
        """Open the database at `url`; its schema must be there (`storage.migrate`)."""
        self._engine = connect(url, create=False)
        self._writer = Writer(self._engine, observe=observe)

    @property
    def waiting(self) -> int:
        """How many jobs wait for the database."""
        return self._writer.waiting

    async def close(self) -> None:
        """Finish what waits and close the connections."""
        await self._writer.close()
        self._engine.dispose()

    @overload
    async def change(self, game_id: int, apply: Callable[[Game], tuple[Game, R]]) -> tuple[Game, R]: ...

    @overload
    async def change(
        self, game_id: int, apply: Callable[[Game], tuple[Game, R]], update_id: int
    ) -> tuple[Game, R | None]: ...

    async def change(
        self, game_id: int, apply: Callable[[Game], tuple[Game, R]], update_id: int | None = None
    ) -> tuple[Game, R | None]:
        """Change one game by a pure function, which may be called more than once.

        Changes of one game are applied in the order of the calls. A function that gives back the game it was
        given changes nothing; any other value is stored as the game's next version. An update of Telegram
        (`update_id`) that has changed the game before changes it no more.

        Returns:
            The game as it now is, and what the function gave beside it; None for an update taken before.

        Raises:
            GameNotFound: if no game has this id.
            CorruptGame: if the stored game contradicts itself.
            ConcurrentChange: if other processes changed the game twice while this was under way.
            StorageUnavailable: if the database cannot be used now.
        """
        return await self._writer.submit(_change_games, Change(game_id, apply, update_id))

    async def run(self, work: Callable[[Connection], R]) -> R:
        """Run some SQL in a transaction; the function may be called more than once.

        Raises:
            StorageUnavailable: if the database cannot be used now.
            Exception: whatever `work` raises; nothing of it is then stored.
        """
        return await self._writer.submit(_run, work)


def _run(connection: Connection, payloads: Sequence[Callable[[Connection], R]]) -> Sequence[R]:
    return [work(connection) for work in payloads]


def _change_games(connection: Connection, changes: Sequence[Change]) -> Sequence[Any]:
    """Apply changes to their games: one SELECT for all, one UPDATE for those that have become others."""
    loaded = games.load_many(connection, [change.game_id for change in changes])
    current = dict(loaded)
    results: list[Any] = []
    now = int(time.time())
    for game_id, apply, update_id in changes:
        game = current.get(game_id) or GameNotFound(game_id)
        if isinstance(game, Exception):
            results.append(game)
            continue
        if game.has_taken(update_id):
            results.append((game, None))
            continue
        try:
            changed, result = apply(game)
        except Exception as error:  # noqa: BLE001 - a pure function's error is its caller's alone
            results.append(error)
            continue
        if changed is not game:
            changed = current[game_id] = games.next_version(changed, now, update_id)
        results.append((changed, result))
    saves = [
        (game, old.version)
        for game_id, game in current.items()
        if game is not (old := loaded[game_id]) and not isinstance(old, Exception)
    ]
    if saves:
        games.save_many(connection, saves)  # type: ignore[arg-type] # errors never change, so these are games
    return results
