"""The SQL of games: every function works in the open transaction of the connection that it is given.

On the way of a tap stand `load_many` and `save_many`: one SELECT, and an UPDATE a table, however many taps share
the transaction (docs/architecture.md has what other ways cost).
"""

from __future__ import annotations

import time
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, select, update

from engine import Mark
from storage import seen_updates
from storage.board import Board
from storage.each import InsertEach, SelectEach, UpdateEach
from storage.errors import ConcurrentChange, CorruptGame, GameNotFound
from storage.game import Game, Termination
from storage.record import Record
from storage.schema import BOARDS, GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

REPEATED_SECONDS: Final = 2 * 24 * 3600
"""For how long an update may be delivered again: Telegram keeps it for 24 hours."""

NAMES: Final = Game._fields
BOARD_NAMES: Final = Board._fields

GAME_COLUMNS: Final = tuple(GAMES.c[name] for name in NAMES)
BOARD_COLUMNS: Final = tuple(BOARDS.c[name] for name in BOARD_NAMES)

OF_A_MOVE: Final = frozenset(
    {
        "moves",
        "offer",
        "termination",
        "winner",
        "moved_at",
        "due_at",
        "reminded",
        "seen_updates",
        "version",
        "changed_at",
    }
)
"""The columns that play touches; the others change seldom, and then all are written."""

FIXED: Final = frozenset({"id", "chat_id", "update_id", "created_at"})
"""The columns that no change of a game touches."""

SAVED: Final = tuple(name for name in NAMES if name in OF_A_MOVE)
REST: Final = tuple(name for name in NAMES if name not in OF_A_MOVE | FIXED)
ADDED: Final = tuple(name for name in NAMES if name != "id")

# Statements are built once: building one costs more than running it.
WITH_BOARDS: Final = GAMES.outerjoin(BOARDS, BOARDS.c.game_id == GAMES.c.id)
RECORDS: Final = select(*GAME_COLUMNS, *BOARD_COLUMNS).select_from(WITH_BOARDS)
SELECT_MANY: Final = SelectEach((*GAME_COLUMNS, *BOARD_COLUMNS), WITH_BOARDS, GAMES.c.id)
INSERT: Final = InsertEach(GAMES, ADDED)
OF_UPDATE: Final = RECORDS.where(GAMES.c.update_id == bindparam("update_id"))

_saved = attrgetter(*SAVED)
_rest = attrgetter(*REST)
_added = attrgetter(*ADDED)
_WIDTH: Final = len(NAMES)
_TERMINATION: Final = NAMES.index("termination")
_WINNER: Final = NAMES.index("winner")


def _saving(names: tuple[str, ...]) -> UpdateEach:
    """Saves these columns of games that still have the version that they were loaded with."""
    return UpdateEach(
        ("key", "expected", *(f"new_{name}" for name in names)),
        lambda row: (
            update(GAMES)
            .where(GAMES.c.id == row["key"], GAMES.c.version == row["expected"])
            .values({name: row[f"new_{name}"] for name in names})
        ),
    )


SAVE: Final = _saving(SAVED)
SAVE_ALL: Final = _saving(SAVED + REST)


def game_of(values: Sequence[Any]) -> Game:
    """The game of a row of `GAME_COLUMNS`."""
    game = Game._make(values)
    if values[_TERMINATION] is None:
        return game
    winner = None if game.winner is None else Mark(game.winner)
    return game._replace(termination=Termination(values[_TERMINATION]), winner=winner)


def records_of(rows: Iterable[Sequence[Any]]) -> dict[int, Record]:
    """The records of rows of a game and one of its boards each, by the game's id, in the order of the rows."""
    records: dict[int, Record] = {}
    for row in rows:
        board = (Board._make(row[_WIDTH:]),) if row[_WIDTH] is not None else ()
        known = records.get(row[0])
        if known is None:
            records[row[0]] = Record(game_of(row[:_WIDTH]), board)
        else:
            boards = sorted(known.boards + board, key=attrgetter("id"))
            records[row[0]] = Record(known.game, tuple(boards))
    return records


def load_many(connection: Connection, ids: Iterable[int]) -> Mapping[int, Record | CorruptGame]:
    """Load games by id; those that do not exist are missing, those that do not replay are their error."""
    records: dict[int, Record | CorruptGame] = {}
    for game_id, record in records_of(SELECT_MANY.run(connection, set(ids))).items():
        try:
            record.game.check()
        except CorruptGame as error:
            records[game_id] = error
        else:
            records[game_id] = record
    return records


def load(connection: Connection, game_id: int) -> Record:
    """Load one game.

    Raises:
        GameNotFound: if there is none with this id.
        CorruptGame: if it contradicts itself.
    """
    record = load_many(connection, [game_id]).get(game_id)
    if record is None:
        raise GameNotFound(game_id)
    if isinstance(record, CorruptGame):
        raise record
    return record


def next_version(game: Game, now: int, update_id: int | None = None) -> Game:
    """A changed game as it is to be saved: its next version, with the update that asked for it."""
    seen = seen_updates.add(game.seen_updates, update_id)
    return game._replace(version=game.version + 1, changed_at=now, seen_updates=seen)


def save_many(connection: Connection, changes: Sequence[tuple[Game, Game]]) -> None:
    """Write changed games, each beside the game that it was when it was loaded.

    Raises:
        ConcurrentChange: if one of them was changed meanwhile; nothing may then be committed.
    """
    played: list[tuple[Any, ...]] = []
    others: list[tuple[Any, ...]] = []
    for game, loaded in sorted(changes, key=lambda pair: pair[0].id):  # one order, so no deadlocks
        row = (game.id, loaded.version, *_saved(game))
        rest = _rest(game)
        if rest == _rest(loaded):
            played.append(row)
        else:
            others.append(row + rest)
    for save, rows in ((SAVE, played), (SAVE_ALL, others)):
        if rows and save.run(connection, rows) != len(rows):
            raise ConcurrentChange("a game was changed between its reading and its writing")


def insert_many(connection: Connection, new: Iterable[Game]) -> Sequence[Game]:
    """Store new games; the results carry their ids."""
    new = list(new)
    ids = INSERT.run(connection, [_added(game) for game in new])
    return [game._replace(id=game_id) for game, game_id in zip(new, ids, strict=True)]


def of_update(connection: Connection, update_id: int) -> Record | None:
    """The game that a Telegram update has already made, if it has.

    After an idle week the numbers of updates begin anew anywhere (Bot API, Update), so an old game with the same
    number is another update's, and gives the number up.
    """
    for game_id, record in records_of(connection.execute(OF_UPDATE, {"update_id": update_id})).items():
        if record.game.created_at >= time.time() - REPEATED_SECONDS:
            record.game.check()
            return record
        connection.execute(update(GAMES).where(GAMES.c.id == game_id).values(update_id=None))
    return None
