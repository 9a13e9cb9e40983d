"""Looking over all games at once: how many there are in which state, and whether each can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import Table, func, literal, select

from storage.errors import CorruptGame
from storage.game import Game
from storage.schema import GameRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import ColumnElement, Connection, Engine

TABLE: Final = cast("Table", GameRow.__table__)

MOST_COUNTED: Final = 100_000
"""The most games of a state that are counted; more read as so many, and the count stays cheap."""

BATCH: Final = 1000
"""Games that are in memory at a time."""


def count_games(connection: Connection) -> dict[str, int]:
    """Games by state: running, over (about), and lagging, which Telegram does not show as they are yet.

    Running and lagging games have indexes of their own, and the newest id tells about how many ever began: no
    count reads the whole table.
    """
    running = _count(connection, TABLE.c.termination.is_(None))
    lagging = _count(connection, TABLE.c.shown < TABLE.c.version)
    begun = connection.execute(select(func.max(TABLE.c.id))).scalar() or 0
    return {"running": running, "over": max(begun - running, 0), "lagging": lagging}


def _count(connection: Connection, condition: ColumnElement[bool]) -> int:
    some = select(literal(1)).select_from(TABLE).where(condition).limit(MOST_COUNTED).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one()


def corrupt_games(engine: Engine) -> Iterator[CorruptGame | int]:
    """Replay every game: the error of each that contradicts itself, and after each batch how many were read."""
    read = last = 0
    while True:
        with engine.connect() as connection:
            rows = connection.execute(
                select(TABLE).where(TABLE.c.id > last).order_by(TABLE.c.id).limit(BATCH)
            ).all()
        if not rows:
            return
        for row in rows:
            try:
                Game(*row).check()
            except CorruptGame as error:
                yield error
        last, read = rows[-1].id, read + len(rows)
        yield read
