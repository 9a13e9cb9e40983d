"""The SQL of milestones, counted in the transaction that ends a game, so that each is announced once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, select

from engine import Mark
from storage.games.game import Game, is_erased
from storage.people import preferences
from storage.results.milestone import GAMES, GOALS, after
from storage.results.result import Result
from storage.schema import MILESTONES
from storage.upsert import insert_missing, upsert

_OF: Final = select(MILESTONES).where(MILESTONES.c.person.in_(bindparam("people", expanding=True)))


def note(connection: Connection, ended: Mapping[int, Game], results: Sequence[Result]) -> Mapping[int, Game]:
    """Count games that have just ended; the games, with the milestones that are reached by them.

    Those of people who hide their results are only told in private chats.
    """
    people = sorted({result.person for result in results if not is_erased(result.person)})
    # This adds nothing, but nobody else changes these rows from here on, and what is read next is the newest.
    upsert(connection, MILESTONES, [_row(person, GAMES, 0) for person in people], add=["progress"])
    counts: dict[int, dict[str, int]] = {person: {} for person in people}
    for row in connection.execute(_OF, {"people": people}):
        counts[row.person][row.name] = row.progress
    hiding = preferences.hiding(connection, people)
    rows, told = {}, dict(ended)
    for result in results:
        if (known := counts.get(result.person)) is None:
            continue
        changed = after(known, result)
        known |= changed
        for name, count in changed.items():
            rows[result.person, name] = _row(result.person, name, count, result.ended_at)
        reached = " ".join(name for name, count in changed.items() if count == GOALS[name]) or None
        if result.person not in hiding or (result.chat_id or 0) > 0:
            game = told[result.game_id]
            is_x = result.mark is Mark.X
            told[game.id] = game._replace(x_reached=reached) if is_x else game._replace(o_reached=reached)
    upsert(connection, MILESTONES, list(rows.values()))
    return told


def _row(person: int, name: str, count: int, now: int = 0) -> dict[str, object]:
    return {"person": person, "name": name, "progress": count, "reached_at": now if count == GOALS[name] else None}


def reach(connection: Connection, person: int, name: str, at: int) -> None:
    """Note that a person has reached a milestone, unless they have before."""
    insert_missing(connection, MILESTONES, [_row(person, name, GOALS[name], at)])


def of_person(connection: Connection, person: int) -> Mapping[str, int]:
    """The milestones of a person by name, with when they reached each."""
    rows = connection.execute(_OF, {"people": [person]})
    return {row.name: row.reached_at for row in rows if row.reached_at is not None}
