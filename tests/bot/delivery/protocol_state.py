"""The state in the model of a board's protocol: the row, its message, and what processes have in memory.

Versions and contents are kept relative to the newest: of a version only whether it is the row's `wanted`, of a
content only whether it is the game's newest. The protocol looks at nothing else, so there are few states, and
changes, deliveries, sweeps, timeouts and ends of processes are not bounded: any number of each is covered.
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Final, NamedTuple

from bot.delivery.ownership import Owned

NEWEST: Final = 1
"""The row's `wanted`, as every state counts it."""


class Stage(IntEnum):
    """How far a call has come."""

    CHECKED = auto()
    CALLED = auto()
    LANDED = auto()
    """The edit is visible, and its answer is on the way."""
    SENT = auto()
    """The new message is known, and perhaps stored already."""


class Target(IntEnum):
    """Which message a version goes to, as its row was loaded."""

    NONE = auto()
    CURRENT = auto()
    FORMER = auto()


class Entry(NamedTuple):
    """An entry waiting in a lane."""

    newest: bool
    right: bool
    target: Target
    in_window: bool = True
    """Its send window has not closed, so that no claim can have come."""


class Call(NamedTuple):
    """A call that a process makes."""

    stage: Stage
    newest: bool
    right: bool
    target: Target
    in_window: bool = True
    """Its send window has not closed, so that no claim can have come."""
    unbounded: bool = False
    """It began after a claim, and nothing bounds when it lands."""
    settled: bool = False
    """Its new message is stored as the board's, but the process doesn't know it."""


class Note(NamedTuple):
    """Notes that a process has to write back."""

    shown: bool = False
    """An edit of the newest version was answered."""
    overdue: bool = False
    """A call for the newest version was overdue."""
    older_overdue: bool = False
    """A call for an older version was."""
    unbounded: bool = False


class Loaded(NamedTuple):
    """What a transaction has read, if storing isn't a compare-and-set."""

    confirmed: bool
    right: bool = True
    newest: bool = True


class Process(NamedTuple):
    """What a process remembers about the board."""

    entry: Entry | None = None
    call: Call | None = None
    note: Note | None = None
    owned: Owned | None = None
    """The newest version, if this process owns it."""
    loaded: Loaded | None = None


class Board(NamedTuple):
    """The row, and the state of its message."""

    confirmed: bool = True
    """`shown` is `wanted`."""
    claims: int = 0
    there: bool = True
    """The row knows a message."""
    right: bool = True
    """That message shows the newest content."""
    deleted: bool = False
    """One of our processes has deleted it."""

    def shows(self, *, right: bool) -> Board:
        """The board after an edit has landed."""
        return self._replace(right=right)

    def shows_newest(self) -> Board:
        """The board after its newest version was confirmed."""
        return self._replace(confirmed=True, claims=0)


class Unawaited(NamedTuple):
    """An edit whose answer nobody awaits any more."""

    right: bool
    unbounded: bool


class News(NamedTuple):
    """What others see of a newer version: is its content new, which claim is it, does it go to a new message?"""

    changed: bool = False
    claim: int = 0
    moves: bool = False


class Kind(IntEnum):
    """The cause of a step."""

    ACT = auto()
    """Somebody acts, or something fails."""
    WORK = auto()
    """What a process does by itself."""
    CLAIM = auto()
    """The sweep claims the board."""


class Step(NamedTuple):
    """One action of a process: its effect on the board and itself, and what others see of it."""

    label: str
    kind: Kind
    board: Board
    process: Process
    news: News | None = None
    unawaited: Unawaited | None = None


def older(process: Process, news: News) -> Process:
    """A process after another one, or itself, has stored a newer version."""
    entry, call, note = process.entry, process.call, process.note
    if entry is not None:
        entry = Entry(
            newest=False,
            right=entry.right and not news.changed,
            target=moved(entry.target, news),
            in_window=entry.in_window and not news.claim,
        )
    if call is not None:
        unbounded = lasts(unbounded=call.unbounded, news=news)
        if call.stage is Stage.CHECKED:
            unbounded = call.unbounded or news.claim > 0
        call = call._replace(
            newest=False,
            right=call.right and not news.changed,
            target=moved(call.target, news),
            in_window=call.in_window and not news.claim,
            unbounded=unbounded,
        )
    if note is not None:
        unbounded = lasts(unbounded=note.unbounded, news=news)
        note = empty(Note(older_overdue=note.overdue or note.older_overdue, unbounded=unbounded))
    loaded = process.loaded
    if loaded is not None:  # one unseen version is enough
        loaded = (
            Loaded(loaded.confirmed, loaded.right and not news.changed, newest=False) if loaded.newest else None
        )
    return Process(entry, call, note, loaded=loaded)


def empty(note: Note) -> Note | None:
    """None for an empty note."""
    return note if note.shown or note.overdue or note.older_overdue else None


def moved(target: Target, news: News) -> Target:
    """Where a version goes if the board may have been given up for a new message."""
    return Target.FORMER if news.moves and target is Target.CURRENT else target


def lasts(*, unbounded: bool, news: News) -> bool:
    """Whether a call is still unbounded: one that began before a first claim is over by the second."""
    return unbounded and news.claim != 1


def older_unawaited(edit: Unawaited, news: News) -> Unawaited:
    """An edit that nobody awaits, once there is a newer version."""
    return Unawaited(edit.right and not news.changed, lasts(unbounded=edit.unbounded, news=news))


def newest_of(board: Board) -> Entry:
    """The newest version, as it waits in a lane."""
    return Entry(newest=True, right=True, target=Target.CURRENT if board.there else Target.NONE)


def unawaited_of(call: Call | None) -> Unawaited | None:
    """What remains under way when nobody awaits a call any more."""
    if call is None or call.stage is not Stage.CALLED or call.target is not Target.CURRENT:
        return None
    return Unawaited(call.right, call.unbounded)


def noted(process: Process, call: Call, *, answered: bool) -> Process:
    """A process whose call is over, with its notes to write back."""
    before = process.note or Note()
    note = Note(
        shown=call.newest if answered else before.shown,
        overdue=before.overdue or (call.newest and not call.in_window),
        older_overdue=before.older_overdue or not (call.newest or call.in_window),
        unbounded=before.unbounded or call.unbounded,
    )
    return process._replace(call=None, note=empty(note))


def is_unbounded(process: Process) -> bool:
    """Whether a process has made an unbounded call and hasn't written back yet."""
    call, note = process.call, process.note
    is_calling = call is not None and call.unbounded and call.stage is not Stage.CHECKED
    return is_calling or (note is not None and note.unbounded)


def is_in_time(process: Process) -> bool:
    """Whether this process has an edit under way that will be over by the next claim."""
    return process.call is not None and process.call.stage is Stage.CALLED and not process.call.unbounded


def is_frozen(process: Process) -> bool:
    """Whether a process froze between its check and its call, and a claim came meanwhile."""
    return process.call is not None and process.call.stage is Stage.CHECKED and process.call.unbounded


def is_idle(process: Process) -> bool:
    """Whether a process has nothing left to do."""
    return process._replace(owned=None) == Process()
