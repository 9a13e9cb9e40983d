"""Puts a person into every personal column, forgets them, and searches for what is left."""

from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Boolean, Column, Connection, String, Table, Text, insert, select

from storage.columns import DataKind
from storage.games import outbox
from storage.games.game import Side
from storage.games.versions import Stored
from storage.people.person import Person
from storage.privacy import erasure, forgotten
from storage.privacy.personal import HELD
from storage.schema import METADATA

WHO: Final = 0x9F3C5A7E1D2B4
"""An id of 52 bits whose bytes stand nowhere by chance."""
NAME: Final = "Zyxelmina Quorb"
USERNAME: Final = "zyxelmina_q"
OTHER: Final = 0x8A1B2C3D4E5F6
"""Somebody who plays with them, and stays."""
OTHERS_NAME: Final = "Bystander"
WITH_OTHER: Final[dict[str, Any]] = {"x": Side(WHO), "o": Side(OTHER), "names": {WHO: NAME, OTHER: OTHERS_NAME}}
"""The fields of a game of both."""


def fill(connection: Connection) -> None:
    """Store, for each personal column, a row that names the person in it."""
    for name in ("people", "chats"):
        own: dict[str, Any] = {"id": OTHER} | ({"name": OTHERS_NAME} if name == "people" else {})
        connection.execute(insert(METADATA.tables[name]).values(own))
    for table in METADATA.sorted_tables:
        for number, column in enumerate(HELD.get(table.name, {})):
            row = _row(table, column, number)
            if row is not None:
                connection.execute(insert(table).values(row))


def _row(table: Table, about: str, number: int) -> dict[str, Any] | None:
    """A row with the person in this column, and what it takes to find it; None if another row has it."""
    name, held = table.name, HELD[table.name]
    row = {column.name: plain(column, number) for column in table.columns if column.name not in held}
    row |= {column: _theirs(kind, table.c[column]) for column, kind in held.items()}
    if name == "games":
        return row | _game(about)
    if name in ("results", "pairs") and about in ("person", "opponent"):
        one, other = (WHO, OTHER) if about == "person" else (OTHER, WHO)
        return row | {"person": one, "opponent": other}
    return row if about == next(iter(held)) and name not in ("erasures", "results", "pairs") else None


def _game(about: str) -> dict[str, Any]:
    """The people of a game with the person in one column."""
    alone = {"x_seat": OTHER, "o_seat": OTHER + 1, "link": None, "inline_person": None}
    row = {**alone, "rival_id": None, "rival_username": None, "host": None, "ended_by": None, "chat_id": None}
    if about in ("x_seat", "link", "inline_person"):
        return {**row, "x_seat": WHO, "link": f"{WHO}:{about}", "inline_person": WHO, "inline_offer": about}
    return {**row, about: USERNAME if about == "rival_username" else WHO}


def _theirs(kind: DataKind, column: Column[Any]) -> Any:  # noqa: ANN401 - as the column has it
    if kind is DataKind.NAME:
        return USERNAME if column.name.endswith("username") else NAME
    if kind is DataKind.LINK:
        return f"{WHO}:Zx9"
    return str(WHO) if isinstance(column.type, String) else WHO


def plain(column: Column[Any], number: int) -> Any:  # noqa: ANN401 - as the column has it
    """A value for a column that isn't about anybody."""
    defaults: dict[str, Any] = {
        "rules": "3x3x3",
        "moves": "0",
        "stage": "open",
        "time_limits": "usual",
        "mark": "X",
        "outcome": "win",
        "game_id": 1,
    }
    defaults |= {"kind": "pair" if column.table.name == "games" else "beaten", "family": "", "day": 20000}
    defaults |= {"wanted": 2, "shown": 2, "version": 1}
    if column.name == "termination" and not column.nullable:
        return "line"
    if column.name in defaults:
        return defaults[column.name]
    if column.nullable or (column.name == "id" and column.autoincrement != False):  # noqa: E712 - it may be "auto"
        return None if column.name != "id" else number + 1
    if isinstance(column.type, Boolean):
        return False
    return "" if isinstance(column.type, String | Text) else number


def begin(connection: Connection, *people: int) -> None:
    """Begin to forget some people, each of whom has asked for it; it is this one unless others are named."""
    for at, person in enumerate(people or (WHO,), 1000):
        name = Person(person, NAME, USERNAME if person == WHO else None)
        erasure.begin(connection, name, forgotten.entry_of(connection, person, at), at)


def go_on(connection: Connection, now: int | None = None) -> list[erasure.ErasureStep]:
    """Do all remaining steps, telling whoever is gone; returns the steps."""
    steps = []
    while (step := erasure.step(connection, now)) is not None:
        steps.append(step)
        assert len(steps) < 100
        if step.farewell is not None:
            outbox.done(connection, step.farewell)
    return steps


def forget(connection: Connection, *people: int) -> list[Stored]:
    """Forget them; returns the boards that others are shown."""
    begin(connection, *people)
    steps = go_on(connection)
    assert steps[-1].is_gone
    return [raised for step in steps for raised in step.shown]


def found_in_rows(connection: Connection, person: int = WHO) -> list[str]:
    """The columns, by table, with traces of the person; numbers and texts are both searched."""
    traces = (str(person), NAME.lower(), USERNAME) if person == WHO else (str(person),)
    return sorted(
        {
            f"{table.name}.{name}"
            for table in METADATA.sorted_tables
            for row in connection.execute(select(table)).mappings()
            for name, value in row.items()
            if any(part in str(value).lower() for part in traces)
        }
    )


def found_in_files(url: URL) -> list[str]:
    """The files of a SQLite database with traces of the person, as text or in SQLite's format of numbers."""
    patterns = [NAME.encode(), USERNAME.encode(), str(WHO).encode(), WHO.to_bytes(7)]
    files = (path for path in Path(url.database or "").parent.rglob("*") if path.is_file())
    return sorted(str(path) for path in files if any(part in path.read_bytes() for part in patterns))
