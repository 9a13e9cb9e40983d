"""Counts games by state, and checks that each can be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import ColumnElement, Connection, Engine, func, literal, select

from storage.errors import CorruptGame
from storage.games.games import GAME_COLUMNS, game_of
from storage.schema import BOARDS, GAMES

MOST_COUNTED: Final = 100_000
"""Where counting a state stops, so that it stays cheap; more games read as this many."""

BATCH: Final = 1000
"""How many games are in memory at a time."""


def count_games(connection: Connection) -> dict[str, int]:
    """How many games are running and (about) over, and how many boards are lagging.

    No count reads a whole table: running games and lagging boards have indexes of their own, and the newest id is
    about the number of games that ever began.
    """
    running = _count(connection, GAMES.c.termination.is_(None))
    lagging = _count(connection, BOARDS.c.shown < BOARDS.c.wanted)
    begun = connection.execute(select(func.max(GAMES.c.id))).scalar() or 0
    return {"running": running, "over": max(begun - running, 0), "lagging": lagging}


def _count(connection: Connection, condition: ColumnElement[bool]) -> int:
    some = select(literal(1)).where(condition).limit(MOST_COUNTED).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one()


def corrupt_games(engine: Engine) -> Iterator[CorruptGame | int]:
    """Replay every game: yields the error of each that contradicts itself, and after each batch the games read."""
    read = last = 0
    while True:
        with engine.connect() as connection:
            rows = connection.execute(
                select(*GAME_COLUMNS).where(GAMES.c.id > last).order_by(GAMES.c.id).limit(BATCH)
            ).all()
        if not rows:
            return
        for row in rows:
            try:
                game_of(tuple(row)).check()
            except CorruptGame as error:
                yield error
        last, read = rows[-1].id, read + len(rows)
        yield read
