"""The SQL of games: loaded with their boards and names, saved if nobody else has changed them, and deleted.

A tap takes `load_many` and `save_many`: one SELECT, and one UPDATE a table, however many taps share the
transaction (docs/architecture.md says what other ways cost). Pictures of finished games have ids of the files that
Telegram keeps.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, insert, select, update

from storage.columns import DataKind
from storage.errors import ConcurrentChange, CorruptGame, GameNotFound
from storage.games.game import Game
from storage.games.record import Board, Notice, PictureKey, Record
from storage.people import people
from storage.people.people import NOBODY, Known
from storage.schema import BOARDS, GAMES, MESSAGES, OUTBOX, REPLAYS
from storage.upsert import upsert

GAME_COLUMNS: Final = tuple(GAMES.c)
BOARD_COLUMNS: Final = tuple(BOARDS.c)

# Statements are built once, because building one costs more than running it.
WITH_BOARDS: Final = GAMES.outerjoin(BOARDS, BOARDS.c.game_id == GAMES.c.id)
RECORDS: Final = select(*GAME_COLUMNS, *BOARD_COLUMNS).select_from(WITH_BOARDS)
SELECT_MANY: Final = RECORDS.where(GAMES.c.id.in_(bindparam("ids", expanding=True)))
INSERT_GAMES: Final = insert(GAMES).returning(GAMES.c.id, sort_by_parameter_order=True)

FIXED: Final = frozenset({"id", "chat_id", "created_at"})
"""What no change of a game writes."""

_WIDTH: Final = len(GAME_COLUMNS)
_PEOPLE: Final = [place for place, each in enumerate(GAME_COLUMNS) if each.info["held"] is DataKind.PERSON]
_NEW: Final = {
    table: [(place, each.name, each.info["default"]) for place, each in enumerate(table.c) if each.name != "id"]
    for table in (GAMES, BOARDS, OUTBOX)
}
_CHANGING: Final = [(place, each.name) for place, each in enumerate(GAME_COLUMNS) if each.name not in FIXED]

# Only the columns that change in at least one game of the batch are written: each takes time.
SAVE: Final = update(GAMES).where(GAMES.c.id == bindparam("key"), GAMES.c.version == bindparam("expected"))


def added(table: Table, *new: Game | Board | Notice) -> list[dict[str, Any]]:
    """The rows of new values of a table, without the ids, which come from the database.

    They leave out what is its column's default in all of them, as most is: each column costs.
    """
    rows = [each.row if isinstance(each, Game) else each for each in new]
    columns = [(place, name) for place, name, default in _NEW[table] if any(row[place] != default for row in rows)]
    return [{name: row[place] for place, name in columns} for row in rows]


def game_of(values: Sequence[Any], known: Mapping[int, Known] = NOBODY) -> Game:
    """The game of a row of `GAME_COLUMNS`, with the names of known people."""
    names = {values[column]: known[values[column]].name for column in _PEOPLE if values[column] in known}
    return Game.of_row(values, names)


def games_of(connection: Connection, rows: Iterable[Sequence[Any]]) -> Sequence[Game]:
    """The games of rows of `GAME_COLUMNS`."""
    rows = list(rows)
    known = people.known(connection, _people_in(rows))
    return [game_of(row, known) for row in rows]


def records_of(connection: Connection, rows: Iterable[Sequence[Any]]) -> dict[int, Record]:
    """The records of rows with a game and one of its boards each, by the game's id, in the order of the rows."""
    rows = list(rows)
    return _records(rows, people.known(connection, _people_in(rows)))


def _people_in(rows: Iterable[Sequence[Any]]) -> set[int | None]:
    return {row[column] for row in rows for column in _PEOPLE}


def _records(rows: Iterable[Sequence[Any]], known: Mapping[int, Known]) -> dict[int, Record]:
    records: dict[int, Record] = {}
    for row in rows:
        board = (Board._make(row[_WIDTH:]),) if row[_WIDTH] is not None else ()
        found = records.get(row[0])
        if found is None:
            records[row[0]] = Record(game_of(row[:_WIDTH], known), board)
        else:
            boards = sorted(found.boards + board, key=attrgetter("id"))
            records[row[0]] = Record(found.game, tuple(boards))
    return records


def load_many(connection: Connection, ids: Iterable[int]) -> Mapping[int, Record | CorruptGame]:
    """Load games by id; those that don't exist are missing, and those that don't replay are an error each."""
    return load_with_people(connection, ids, ())[0]


def load_with_people(
    connection: Connection, ids: Iterable[int], others: Iterable[int]
) -> tuple[Mapping[int, Record | CorruptGame], Mapping[int, Known]]:
    """Load games as `load_many` does, and in one look-up the rows of all people in them and of others."""
    rows = connection.execute(SELECT_MANY, {"ids": list(set(ids))}).all()
    known = people.known(connection, {*_people_in(rows), *others})
    records: dict[int, Record | CorruptGame] = {}
    for game_id, record in _records(rows, known).items():
        try:
            record.game.check()
        except CorruptGame as error:
            records[game_id] = error
        else:
            records[game_id] = record
    return records, known


def load_sound(connection: Connection, ids: Iterable[int]) -> Mapping[int, Record]:
    """Load those games that exist and replay, by id."""
    found = load_many(connection, ids)
    return {game_id: record for game_id, record in found.items() if isinstance(record, Record)}


def find(connection: Connection, game_id: int) -> Record | None:
    """Load one game; None if it doesn't exist, or doesn't replay."""
    return load_sound(connection, [game_id]).get(game_id)


def load(connection: Connection, game_id: int) -> Record:
    """Load one game; raises GameNotFound, or CorruptGame if it contradicts itself."""
    record = load_many(connection, [game_id]).get(game_id)
    if record is None:
        raise GameNotFound(game_id)
    if isinstance(record, CorruptGame):
        raise record
    return record


def next_version(game: Game, now: int) -> Game:
    """A changed game as its next version."""
    return game._replace(version=game.version + 1, changed_at=now)


def save_many(connection: Connection, changes: Sequence[tuple[Game, Game]]) -> None:
    """Save changed games, each given with the game as it was loaded.

    Raises:
        ConcurrentChange: if one of them was changed meanwhile; nothing may then be committed.
    """
    if not changes:
        return
    pairs = sorted(changes, key=lambda pair: pair[0].id)  # in one order, so that there are no deadlocks
    news, olds = (list(zip(*(game.row for game in games), strict=True)) for games in zip(*pairs, strict=True))
    changed = [(place, name) for place, name in _CHANGING if news[place] != olds[place]]
    rows = [
        {"key": game.id, "expected": loaded.version, **{name: news[place][number] for place, name in changed}}
        for number, (game, loaded) in enumerate(pairs)
    ]
    if connection.execute(SAVE, rows).rowcount != len(rows):
        raise ConcurrentChange("a game was changed between its reading and its writing")


def note_hint(connection: Connection, game_id: int) -> None:
    """Count a hint; nothing that is shown depends on it while the game goes on, so that is no new version."""
    connection.execute(update(GAMES).where(GAMES.c.id == game_id).values(hints=GAMES.c.hints + 1))


def insert_many(connection: Connection, new: Iterable[Game]) -> Sequence[Game]:
    """Store new games; the results have their ids."""
    new = list(new)
    ids = connection.execute(INSERT_GAMES, added(GAMES, *new)).scalars()
    return [game._replace(id=game_id) for game, game_id in zip(new, ids, strict=True)]


def delete_many(connection: Connection, ids: Collection[int]) -> None:
    """Delete games, with their boards, their other messages, their notices and their pictures."""
    if not ids:
        return
    for table in (BOARDS, MESSAGES, OUTBOX):
        connection.execute(delete(table).where(table.c.game_id.in_(ids)))
    forget_pictures(connection, ids)
    connection.execute(update(GAMES).where(GAMES.c.next_game.in_(ids)).values(next_game=None))
    connection.execute(delete(GAMES).where(GAMES.c.id.in_(ids)))


def find_picture(connection: Connection, key: PictureKey) -> str | None:
    """The `file_id` of a picture, if Telegram keeps it."""
    return connection.execute(select(REPLAYS.c.file_id).where(*_is_picture(key))).scalar()


def keep_picture(connection: Connection, key: PictureKey, file_id: str) -> None:
    """Remember a picture that was sent, instead of an earlier one."""
    upsert(connection, REPLAYS, [{**key._asdict(), "file_id": file_id}])


def lose_picture(connection: Connection, key: PictureKey, file_id: str) -> None:
    """Forget a picture that Telegram no longer keeps, unless another has replaced it."""
    connection.execute(delete(REPLAYS).where(*_is_picture(key), REPLAYS.c.file_id == file_id))


def forget_pictures(connection: Connection, game_ids: Collection[int]) -> None:
    """Forget all pictures of these games."""
    connection.execute(delete(REPLAYS).where(REPLAYS.c.game_id.in_(game_ids)))


def _is_picture(key: PictureKey) -> list[ColumnElement[bool]]:
    return [REPLAYS.c[name] == value for name, value in key._asdict().items()]
