"""The versions of boards: how far Telegram is known to show each, and what is to be shown again.

The rules that these functions keep stand in docs/delivery.md, "The protocol of a board". In short: who shows a
state has stored it as the board's next version before; only a version that nobody contests is confirmed; what was
not confirmed is shown again by the sweep, twice, because an edit that is under way cannot be called back.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import bindparam, case, select, update

from storage.board import Board
from storage.each import UpdateEach
from storage.errors import ConcurrentChange
from storage.games import BOARD_COLUMNS, load_many
from storage.record import Record
from storage.schema import BOARDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from storage.board import Heed
    from storage.errors import CorruptGame


GRACE_SECONDS: Final = 5
"""For how long the process that has stored a version has the board to itself, before any sweep may show it."""

UNDER_WAY_SECONDS: Final = 28
"""The longest that an edit can be under way: the 20 s for which its answer is waited for, and the 8 s for which
Telegram sleeps through a flood wait."""

AGAIN_SECONDS: Final = GRACE_SECONDS + UNDER_WAY_SECONDS + 1
"""After a claim the sweep comes again so much later, when the edit that it led to has landed, or never will: it
began at the end of its grace at the latest."""

RAISE: Final = UpdateEach(
    ("key", "expected", "wanted", "look_at", "acted_at", "called"),
    lambda row: (
        update(BOARDS)
        .where(BOARDS.c.id == row["key"], BOARDS.c.wanted == row["expected"])
        .values({name: row[name] for name in ("wanted", "look_at", "acted_at", "called")} | {"claims": 0})
    ),
)

CONFIRM: Final = UpdateEach(
    ("key", "version"),
    lambda row: (
        update(BOARDS)
        .where(BOARDS.c.id == row["key"], BOARDS.c.wanted == row["version"])
        .values(shown=row["version"])
    ),
)

HOLD: Final = UpdateEach(
    ("key", "version", "look_at", "after_claim"),
    lambda row: (
        update(BOARDS)
        .where(BOARDS.c.id == row["key"], BOARDS.c.wanted == row["version"])
        .values(look_at=case((BOARDS.c.claims > 0, row["after_claim"]), else_=row["look_at"]))
    ),
)

NEWEST: Final = select(BOARDS.c.id, BOARDS.c.wanted, BOARDS.c.game_id).where(
    BOARDS.c.id.in_(bindparam("ids", expanding=True))
)


class Shown(NamedTuple):
    """What Telegram was seen to show, or may show: the version of a board that a call has brought there."""

    board_id: int
    version: int
    confirmable: bool
    """Whether the call was answered, and nobody else can have an edit of the board under way."""
    late: bool = False
    """Whether the call ended after the hold on the board, so that others may have shown something newer before."""


def raised(board: Board, now: int, heed: Heed | None = None) -> Board:
    """A board as it is to be stored when there is something newer to show, and what that means for who looks."""
    if heed is None:
        return board._replace(wanted=board.wanted + 1, look_at=now + GRACE_SECONDS, claims=0)
    return board._replace(
        wanted=board.wanted + 1,
        look_at=now + GRACE_SECONDS,
        claims=0,
        acted_at=heed.acted_at,
        called=heed.called,
    )


def raise_many(connection: Connection, boards: Iterable[tuple[Board, Board]]) -> None:
    """Write the newer versions of boards, each beside the board that it was when it was loaded.

    Raises:
        ConcurrentChange: if somebody has raised one of them meanwhile; nothing may then be committed.
    """
    rows = [
        (board.id, loaded.wanted, board.wanted, board.look_at, board.acted_at, board.called)
        for board, loaded in sorted(boards, key=lambda pair: pair[0].id)
    ]
    if rows and RAISE.run(connection, rows) != len(rows):
        raise ConcurrentChange("a board was raised between its reading and its writing")


class Raised(NamedTuple):
    """A board that was stored as its next version, beside what it was before, and the game that it shows."""

    record: Record
    board: Board
    before: Board | None
    """None for a new board."""


def show_anew(connection: Connection, board_id: int, wanted: int | None = None) -> Raised | None:
    """Store the next version of one board, with the content as it is, so that it may be shown.

    With `wanted`, only if that still is its newest version. None if there is no such board, if somebody was
    faster, or the game cannot be read.
    """
    return next(iter(show_many_anew(connection, {board_id: wanted})), None)


def show_many_anew(connection: Connection, versions: Mapping[int, int | None]) -> Sequence[Raised]:
    """Store the next versions of boards, each as `show_anew` does with the version that it still has to have."""
    found = connection.execute(NEWEST, {"ids": list(versions)}).all()
    same = {game_id for board_id, wanted, game_id in found if versions[board_id] in {None, wanted}}
    records = load_many(connection, same).values() if same else ()
    now = int(time.time())
    shown = [
        (record, raised(board, now), board)
        for record in records
        if isinstance(record, Record)
        for board in record.boards
        if board.id in versions and versions[board.id] in {None, board.wanted}
    ]
    raise_many(connection, [(anew, board) for _, anew, board in shown])
    return [Raised(*each) for each in shown]


def _unchanged(connection: Connection, versions: Mapping[int, int]) -> Sequence[int]:
    """The boards, by id, whose newest version still is the one that is given here."""
    if not versions:
        return ()
    found = connection.execute(NEWEST, {"ids": list(versions)}).all()
    return [board_id for board_id, wanted, _ in found if versions[board_id] == wanted]


def confirm(connection: Connection, shown: Sequence[Shown]) -> Sequence[Shown]:
    """Write what Telegram shows, where it is the newest version and nobody contests it; the rest is given back.

    A call that ended late may have landed after a newer version of another process. Where something newer is
    wanted, or counts as shown, the board lags again: as a new version, because whoever owns the one that is stored
    would else confirm it, and undo the mark. Of those, what another transaction holds now is given back.
    """
    newest = _unchanged(connection, {entry.board_id: entry.version for entry in shown if entry.confirmable})
    # A row is locked only where there is something to write: the other processes' taps would wait for it.
    ids = {*newest, *(entry.board_id for entry in shown if entry.late)}
    if not ids:
        return []
    columns = (BOARDS.c.id, BOARDS.c.wanted, BOARDS.c.shown)
    free = select(*columns).where(BOARDS.c.id.in_(ids)).order_by(BOARDS.c.id).with_for_update(skip_locked=True)
    stored = {row.id: row for row in connection.execute(free)}
    rows = [
        (entry.board_id, entry.version)
        for entry in shown
        if entry.confirmable and entry.board_id in stored and stored[entry.board_id].wanted == entry.version
    ]
    if rows:
        CONFIRM.run(connection, rows)
    doubtful = [
        entry.board_id
        for entry in shown
        if entry.late
        and (row := stored.get(entry.board_id)) is not None
        and (row.wanted > entry.version or row.shown >= entry.version)
    ]
    if doubtful:
        lag = update(BOARDS).where(BOARDS.c.id.in_(doubtful))
        connection.execute(lag.values(wanted=BOARDS.c.wanted + 1, claims=0, look_at=int(time.time())))
    return [entry for entry in shown if entry.late and entry.board_id not in stored]


def hold(connection: Connection, waiting: Mapping[int, int], now: int) -> Sequence[int]:
    """Keep the sweep off boards whose newest version waits in a process; those are given back that still are so.

    `waiting` has the version that waits, by the id of the board. After a claim the sweep is kept off for longer:
    the next one must find no edit under way, neither of this process nor of those before it.
    """
    times = now + GRACE_SECONDS, now + AGAIN_SECONDS
    rows = [(board_id, version, *times) for board_id, version in sorted(waiting.items())]
    if not rows:
        return ()
    HOLD.run(connection, rows)
    return _unchanged(connection, waiting)


def claim_lagging(
    connection: Connection, *, now: int, limit: int
) -> tuple[Sequence[tuple[Board, Record]], Sequence[tuple[Board, CorruptGame]]]:
    """Take up boards that Telegram is not known to show, longest waiting first, each as its next version.

    Writing the time of the next attempt into the row is the claim: of several processes that sweep at once, one
    gets each board. The second result are boards of games that cannot be read.
    """
    due = (
        select(BOARDS.c.id)
        .where(BOARDS.c.shown < BOARDS.c.wanted, BOARDS.c.look_at <= now)
        .order_by(BOARDS.c.look_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    claimed = (
        update(BOARDS)
        .where(BOARDS.c.id.in_(due), BOARDS.c.look_at <= now)
        .values(wanted=BOARDS.c.wanted + 1, look_at=now + AGAIN_SECONDS, claims=BOARDS.c.claims + 1)
        .returning(*BOARD_COLUMNS)
    )
    boards = [Board._make(row) for row in connection.execute(claimed)]
    records = load_many(connection, {board.game_id for board in boards})
    sound: list[tuple[Board, Record]] = []
    broken: list[tuple[Board, CorruptGame]] = []
    for board in boards:
        record = records[board.game_id]
        if isinstance(record, Record):
            sound.append((board, record))
        else:
            broken.append((board, record))
    return sound, broken
