"""The SQL that hides a person's results from others, also on boards that have shown a rating or a milestone."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, or_, select, update

from storage.games import games, versions
from storage.games.record import Record
from storage.games.versions import Stored
from storage.people import people
from storage.people.person import Person
from storage.privacy.personal import theirs
from storage.results import ratings
from storage.schema import GAMES

SHOWN_AGAIN: Final = 20
"""How many games, the newest, are redrawn without either."""


def hide(connection: Connection, person: Person, now: int) -> Sequence[Stored]:
    """Hide a person's results from others; the boards that are to be redrawn without their rating."""
    ratings.lock(connection)  # or a game that ends at this moment would still show it
    people.choose(connection, person, "hidden", is_so=True)
    found: list[int] = []
    for mark in "xo":
        names = [f"{mark}_{name}" for name in ("rating", "rated", "reached")]
        shown = or_(*(GAMES.c[name].is_not(None) for name in names))
        own = theirs(GAMES, person.id, f"{mark}_seat") & shown
        found += connection.execute(
            select(GAMES.c.id).where(own).order_by(GAMES.c.id.desc()).limit(SHOWN_AGAIN)
        ).scalars()
        gone = {**dict.fromkeys(names), "version": GAMES.c.version + 1}
        connection.execute(update(GAMES).where(own).values(gone))
    newest = sorted(set(found), reverse=True)[:SHOWN_AGAIN]
    newer = [
        Stored(record, versions.next_version(board, now), board)
        for record in games.load_many(connection, newest).values()
        if isinstance(record, Record)
        for board in record.boards
        if not board.leaving and board.is_anywhere
    ]
    versions.store(connection, [(each.board, each.before) for each in newer if each.before is not None])
    return newer
