"""Time as people have it: it counts only while they can be heard.

Every few seconds a process notes that updates come in. If that was last noted longer ago, the bot was down, or
Telegram couldn't be reached, or a clock was wrong. Everything that people wait for, or that waits for them, then
moves by as much. Each column says whether it is such a time (`storage.columns.Time`), so none can be forgotten.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Table, case, delete, or_, select, true, update

from storage.columns import DAY, Time
from storage.games.lookups import GOING_ON
from storage.games.record import LOOK_NEVER
from storage.people import puzzles
from storage.people.person import CupStage
from storage.schema import BOARDS, CUP_PLAYERS, CUPS, GAMES, METADATA, PROGRESS
from storage.upsert import upsert

DIFFER_SECONDS: Final = 60
"""The clocks of several machines differ by no more than this."""
UNHEARD_SECONDS: Final = 15
"""For how long at least nobody must have been heard for that to count; notes come several times as often."""

UP, STOOD, BACK, LEAPT = "up", "stood", "back", "leapt"
"""Rows of `progress`: when people were last heard; since when, and until when, they weren't, while something that
was cut short is yet to begin again; and when time last leapt by a day or more."""

ONGOING: Final[Mapping[Table, ColumnElement[bool]]] = {
    GAMES: GOING_ON,
    BOARDS: or_(BOARDS.c.shown < BOARDS.c.wanted, BOARDS.c.game_id.in_(select(GAMES.c.id).where(GOING_ON))),
    CUPS: CUPS.c.stage != CupStage.OVER,
    CUP_PLAYERS: CUP_PLAYERS.c.away_at.is_not(None),
}
"""The rows that still wait for something, in tables where others don't."""


class Unheard(NamedTuple):
    """That nobody was heard for so many seconds, until a moment; 0 if all that this cut short has begun again."""

    seconds: int
    until: int


def go_on(connection: Connection, now: int, unheard: int = 0) -> int:
    """Note that people are heard now; returns by how many seconds their times were moved, below 0 for back.

    `unheard` says for how long before the last note nobody was heard after all, as has turned out since.
    """
    noted = _noted(connection, locked=True)
    up = noted.get(UP, now)
    leap = now - up + unheard
    if -DIFFER_SECONDS <= leap < UNHEARD_SECONDS:
        _note(connection, {UP: max(now, up)})
        return 0
    kinds = {Time.DUE, Time.SINCE} if leap > 0 else {Time.DUE, Time.SINCE, Time.NEAR}
    for table in METADATA.sorted_tables:
        if moving := {each: _moved(each, now, leap) for each in table.c if each.info["time"] in kinds}:
            connection.execute(update(table).where(ONGOING.get(table, true())).values(moving))
    _note(connection, {UP: now, **({LEAPT: now} if abs(leap) >= DAY else {})})
    if leap > 0:
        _note(connection, {STOOD: min(now - leap, noted.get(STOOD, now)), BACK: now})
        puzzles.note_lost(connection, now - leap, now)
    else:
        _note(connection, {name: noted[name] + leap for name in (STOOD, BACK) if name in noted})
        puzzles.note_right(connection, now)
    return leap


def _moved(column: Column[int], now: int, leap: int) -> ColumnElement[int]:
    if column.info["time"] is Time.SINCE:  # what began after the last note has begun by now
        return case((column >= now - leap, now - 1), else_=column + leap)
    if column.info["time"] is Time.DUE:
        return column + leap
    return case((column.between(now, LOOK_NEVER - 1), column + leap), else_=column)


def unheard(connection: Connection) -> Unheard:
    """The time in which nobody was heard, if something that this cut short is yet to begin again."""
    noted = _noted(connection)
    until = noted.get(BACK, 0)
    return Unheard(until - noted.get(STOOD, until), until)


def has_begun_again(connection: Connection) -> None:
    """Note that everything has begun again that was cut short."""
    connection.execute(delete(PROGRESS).where(PROGRESS.c.name == STOOD))


def is_steady(connection: Connection, now: int) -> bool:
    """Whether time has gone on for a day without a leap, so that what seems to be old is old."""
    return now >= _noted(connection).get(LEAPT, -DAY) + DAY


def _noted(connection: Connection, *, locked: bool = False) -> dict[str, int]:
    notes = select(PROGRESS.c.name, PROGRESS.c.value).where(PROGRESS.c.name.in_((UP, STOOD, BACK, LEAPT)))
    rows = connection.execute(notes.order_by(PROGRESS.c.name).with_for_update() if locked else notes)
    return {row.name: row.value for row in rows}


def _note(connection: Connection, values: Mapping[str, int]) -> None:
    upsert(connection, PROGRESS, [{"name": name, "value": value} for name, value in values.items()])
