"""The SQL of games: every function works in the open transaction of the connection that it is given.

On the way of a tap stand `load_many` and `save_many`: one SELECT and one UPDATE however many taps share the
transaction. They are SQLAlchemy Core: loading entities through the ORM costs half of the throughput
(benchmarks/README.md).
"""

from __future__ import annotations

import time
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import Table, bindparam, insert, select, update

from storage import taken
from storage.errors import ConcurrentChange, CorruptGame, GameNotFound
from storage.game import Game
from storage.schema import GameRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

TABLE: Final = cast("Table", GameRow.__table__)

SWEEP_SECONDS: Final = 10
"""For how long the process that changed a game has its board to itself, before any sweep may show it."""

REPEATED_SECONDS: Final = 2 * 24 * 3600
"""For how long an update may be delivered again: Telegram keeps it for 24 hours."""

FIXED: Final = frozenset(
    {
        "id",
        "geometry",
        "update_id",
        "created_at",
        "chat_id",
        "thread_id",
        "message_id",
        "guest_message_id",
        "shown",
    }
)
"""Columns that no change of a game touches: what it is, and where it is shown, which delivery writes."""

SAVED: Final = tuple(column.name for column in TABLE.columns if column.name not in FIXED)

SELECT_MANY: Final = select(TABLE).where(TABLE.c.id.in_(bindparam("ids", expanding=True)))
UPDATE: Final = (
    update(TABLE)
    .where(TABLE.c.id == bindparam("key"), TABLE.c.version == bindparam("expected"))
    .values({name: bindparam(f"new_{name}") for name in SAVED})
)
SHOWN: Final = update(TABLE).where(TABLE.c.id == bindparam("key")).values(shown=bindparam("new_shown"))

# Statements are built once: building one costs more than running it.
ADDED: Final = tuple(column.name for column in TABLE.columns if column.name != "id")
INSERT: Final = insert(TABLE).values({name: bindparam(name) for name in ADDED}).returning(TABLE.c.id)
OF_UPDATE: Final = select(TABLE).where(TABLE.c.update_id == bindparam("update_id"))

_values = attrgetter(*SAVED)
_added = attrgetter(*ADDED)
_parameters: Final = tuple(f"new_{name}" for name in SAVED)


def load_many(connection: Connection, ids: Iterable[int]) -> Mapping[int, Game | CorruptGame]:
    """Load games by id; those that do not exist are missing, those that do not replay are their error."""
    games: dict[int, Game | CorruptGame] = {}
    for row in connection.execute(SELECT_MANY, {"ids": list(set(ids))}):
        game = Game(*row)
        try:
            games[game.id] = game.check()
        except CorruptGame as error:
            games[game.id] = error
    return games


def load(connection: Connection, game_id: int) -> Game:
    """Load one game.

    Raises:
        GameNotFound: if there is none with this id.
        CorruptGame: if it contradicts itself.
    """
    game = load_many(connection, [game_id]).get(game_id)
    if game is None:
        raise GameNotFound(game_id)
    if isinstance(game, CorruptGame):
        raise game
    return game


def next_version(game: Game, now: int, update_id: int | None = None) -> Game:
    """A changed game as it is to be saved: its next version, with the update that asked for it."""
    remembered = taken.add(game.taken, update_id)
    return replace(game, version=game.version + 1, changed_at=now, sweep_at=now + SWEEP_SECONDS, taken=remembered)


def save_many(connection: Connection, games: Sequence[tuple[Game, int]]) -> None:
    """Write changed games, each with the version that it was loaded at.

    Raises:
        ConcurrentChange: if one of them was changed meanwhile; nothing may then be committed.
    """
    rows = [
        dict(zip(_parameters, _values(game), strict=True)) | {"key": game.id, "expected": loaded}
        for game, loaded in sorted(games, key=lambda pair: pair[0].id)  # one order, so no deadlocks
    ]
    if connection.execute(UPDATE, rows).rowcount != len(rows):
        raise ConcurrentChange("a game was changed between its reading and its writing")


def save(connection: Connection, game: Game, update_id: int | None = None) -> Game:
    """Write one changed game, and give it back with its next version; `update_id` asked for the change.

    Raises:
        ConcurrentChange: if it was changed meanwhile; nothing may then be committed.
    """
    saved = next_version(game, int(time.time()), update_id)
    save_many(connection, [(saved, game.version)])
    return saved


def add(connection: Connection, game: Game) -> Game:
    """Store a new game; the result carries its id."""
    values = dict(zip(ADDED, _added(game), strict=True))
    (game_id,) = connection.execute(INSERT, values).one()
    return replace(game, id=game_id)


def of_update(connection: Connection, update_id: int) -> Game | None:
    """The game that a Telegram update has already made, if it has.

    After an idle week the numbers of updates begin anew anywhere (Bot API, Update), so an old game with the same
    number is another update's, and gives the number up.
    """
    row = connection.execute(OF_UPDATE, {"update_id": update_id}).one_or_none()
    if row is None:
        return None
    game = Game(*row)
    if game.created_at < time.time() - REPEATED_SECONDS:
        connection.execute(update(TABLE).where(TABLE.c.id == game.id).values(update_id=None))
        return None
    return game.check()


def place(connection: Connection, game_id: int, message_id: int | None, *, guest: bool = False) -> None:
    """Remember the message that now is a game's board, or its guest's; None asks for a new one."""
    changes: dict[str, int | None] = {"guest_message_id" if guest else "message_id": message_id}
    if message_id is None:  # until it is there, the game counts as not shown
        changes |= {"shown": 0, "sweep_at": int(time.time()) + SWEEP_SECONDS}
    connection.execute(update(TABLE).where(TABLE.c.id == game_id).values(changes))


def settle(
    connection: Connection, game_id: int, message_id: int, *, instead_of: int | None, guest: bool = False
) -> bool:
    """Remember the message that was sent as a game's board, or its guest's; False if it has another by now."""
    column = TABLE.c.guest_message_id if guest else TABLE.c.message_id
    unchanged = (TABLE.c.id == game_id) & column.is_not_distinct_from(instead_of)
    return connection.execute(update(TABLE).where(unchanged).values({column: message_id})).rowcount == 1


def move_to(connection: Connection, game_id: int, thread_id: int | None) -> None:
    """Remember the forum topic that a game's board stands in from now on."""
    connection.execute(update(TABLE).where(TABLE.c.id == game_id).values(thread_id=thread_id))


def mark_shown(connection: Connection, shown: Mapping[int, int]) -> Sequence[int]:
    """Write the versions that Telegram shows now; give back the games whose newest version is another.

    The value is written even where it is lower than the stored one: the last edit to arrive is what people
    see, and where two processes raced it may be the older board. A game that another process changes right now
    is left to it.
    """
    free = select(TABLE.c.id).where(TABLE.c.id.in_(shown)).order_by(TABLE.c.id).with_for_update(skip_locked=True)
    rows = [{"key": game_id, "new_shown": shown[game_id]} for game_id in connection.execute(free).scalars()]
    if rows:
        connection.execute(SHOWN, rows)
    lagging = select(TABLE.c.id).where(TABLE.c.id.in_(shown), TABLE.c.shown < TABLE.c.version)
    return connection.execute(lagging).scalars().all()


def claim_lagging(connection: Connection, *, now: int, again_at: int, limit: int) -> Sequence[Game]:
    """Take up games whose newest version Telegram does not show yet, longest waiting first.

    Writing the time of the next attempt into the row is the claim: of several processes that sweep at once, one
    gets each game.
    """
    due = (
        select(TABLE.c.id)
        .where(TABLE.c.shown < TABLE.c.version, TABLE.c.sweep_at <= now)
        .order_by(TABLE.c.sweep_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    claimed = (
        update(TABLE)
        .where(TABLE.c.id.in_(due), TABLE.c.sweep_at <= now)
        .values(sweep_at=again_at)
        .returning(TABLE)
    )
    return [Game(*row) for row in connection.execute(claimed)]
