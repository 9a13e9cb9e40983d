"""The ids of games and boards come once, also when what had them is deleted: buttons in old messages bear them.

PostgreSQL counts on by itself. SQLite gives a new row the number after the highest that is there, so an empty row
takes the place of the highest when that is deleted: a challenge of nobody to nobody, over since it began.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select

from storage.game import Termination
from storage.schema import BOARDS, GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Table


@contextmanager
def kept(connection: Connection) -> Iterator[None]:
    """Let no id of a game or board that is deleted meanwhile be given again."""
    if connection.dialect.name != "sqlite":
        yield
        return
    games, boards = _highest(connection, GAMES), _highest(connection, BOARDS)
    yield
    place = None
    if _highest(connection, GAMES) < games:
        place = _put_game(connection, games)
    if _highest(connection, BOARDS) < boards:
        game_id = place or _put_game(connection, None)
        shown = {"wanted": 1, "shown": 1, "look_at": 0, "claims": 0}
        connection.execute(insert(BOARDS).values(id=boards, game_id=game_id, **shown))


def _highest(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.max(table.c.id))).scalar() or 0


def _put_game(connection: Connection, game_id: int | None) -> int:
    now = int(time.time())
    values = {"termination": Termination.CANCELLED, "created_at": now, "changed_at": now, "version": 1}
    values |= {} if game_id is None else {"id": game_id}
    made = insert(GAMES).values(rules="3x3x3", **values).returning(GAMES.c.id)
    return int(connection.execute(made).scalar_one())
