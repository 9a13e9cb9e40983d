"""What the model of a board's protocol knows: the row and its message, and what processes have in memory.

Versions and contents are kept relative to the newest: of a version only whether it is the row's `wanted`, of a
content only whether it is the game's newest. The protocol looks at nothing else, so there are few states, and
changes, deliveries, sweeps, timeouts and ends of processes are not bounded: any number of each is covered.
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple


class Stage(IntEnum):
    """How far a call is."""

    CHECKED = auto()
    CALLED = auto()
    LANDED = auto()
    """The edit is seen, and its answer on the way."""
    SENT = auto()
    """The new message is known, and perhaps stored already."""


class Target(IntEnum):
    """Which message a version goes to, as its row was loaded."""

    NONE = auto()
    CURRENT = auto()
    FORMER = auto()


class Entry(NamedTuple):
    """What waits in a lane."""

    newest: bool
    right: bool
    target: Target
    held: bool = True
    """No claim can have come since its hold was last renewed."""


class Call(NamedTuple):
    """What a process sends."""

    stage: Stage
    newest: bool
    right: bool
    target: Target
    late: bool = False
    settled: bool = False
    """Its new message is stored as the board's, and the process does not know."""


class Note(NamedTuple):
    """What a process has to write back."""

    shown: bool = False
    """An edit of its own was answered."""
    newest: bool = False
    """That edit was of the newest version."""
    unanswered: bool = False
    """A call of its own was not answered."""
    late: bool = False


class Process(NamedTuple):
    """What a process has in memory of the board."""

    entry: Entry | None = None
    call: Call | None = None
    note: Note | None = None
    made: bool = False
    """The newest version is its own."""
    chain: bool = False
    """The newest version is its own and uncontested."""


class Board(NamedTuple):
    """The row, and what its message shows."""

    confirmed: bool = True
    """`shown` is `wanted`."""
    claims: int = 0
    there: bool = True
    """The row knows a message."""
    right: bool = True
    """That message shows the newest content."""
    deleted: bool = False
    """One of our own has deleted it."""

    def shows(self, *, right: bool) -> Board:
        """The board after an edit has landed."""
        return self._replace(right=right)

    def shows_newest(self) -> Board:
        """The board after its newest version was confirmed."""
        return self._replace(confirmed=True, claims=0)


class Ghost(NamedTuple):
    """An edit whose answer nobody awaits any more."""

    right: bool
    late: bool


class News(NamedTuple):
    """A newer version, as all others meet it: is its content new, which claim is it, goes it to a new message?"""

    changed: bool = False
    claim: int = 0
    moves: bool = False


class Kind(IntEnum):
    """Whose doing a step is."""

    ACT = auto()
    """Somebody acts, or something fails."""
    WORK = auto()
    """What a process does by itself."""
    CLAIM = auto()
    """The sweep claims the board."""


class Step(NamedTuple):
    """One thing that a process does: what becomes of the board and of itself, and what others are to know."""

    label: str
    kind: Kind
    board: Board
    process: Process
    news: News | None = None
    ghost: Ghost | None = None


def older(process: Process, news: News) -> Process:
    """A process after another one, or itself, has stored a newer version."""
    entry, call, note = process.entry, process.call, process.note
    if entry is not None:
        entry = Entry(
            newest=False,
            right=entry.right and not news.changed,
            target=moved(entry.target, news),
            held=entry.held and not news.claim,
        )
    if call is not None:
        call = call._replace(
            newest=False,
            right=call.right and not news.changed,
            target=moved(call.target, news),
            late=(call.late or news.claim > 0)
            if call.stage is Stage.CHECKED
            else lasts(late=call.late, news=news),
        )
    if note is not None:
        note = note._replace(newest=False, late=lasts(late=note.late, news=news))
    return Process(entry, call, note)


def moved(target: Target, news: News) -> Target:
    """Where a version goes after the board has perhaps been given up for a new message."""
    return Target.FORMER if news.moves and target is Target.CURRENT else target


def lasts(*, late: bool, news: News) -> bool:
    """Whether a late call still is one: called before a first claim, it is over by the second."""
    return late and news.claim != 1


def older_ghost(ghost: Ghost, news: News) -> Ghost:
    """An edit that nobody awaits, after a newer version."""
    return Ghost(ghost.right and not news.changed, lasts(late=ghost.late, news=news))


def newest_of(board: Board) -> Entry:
    """The newest version, as it waits in a lane."""
    return Entry(newest=True, right=True, target=Target.CURRENT if board.there else Target.NONE)


def ghost_of(call: Call | None) -> Ghost | None:
    """What stays under way when nobody awaits a call any more."""
    if call is None or call.stage is not Stage.CALLED or call.target is not Target.CURRENT:
        return None
    return Ghost(call.right, call.late)


def noted(process: Process, call: Call, *, answered: bool) -> Process:
    """A process whose call is over, with what is to be written back."""
    before = process.note or Note()
    note = Note(
        shown=before.shown or answered,
        newest=call.newest if answered else before.newest,
        unanswered=before.unanswered or not answered,
        late=before.late or call.late,
    )
    return process._replace(call=None, note=note)


def is_late(process: Process) -> bool:
    """Whether a process has called late and not written back yet."""
    call, note = process.call, process.note
    return (call is not None and call.late and call.stage is not Stage.CHECKED) or (note is not None and note.late)


def is_in_time(process: Process) -> bool:
    """Whether an edit of this process is under way, and over by the next claim."""
    return process.call is not None and process.call.stage is Stage.CALLED and not process.call.late


def is_held_up(process: Process) -> bool:
    """Whether a process has been held up between its check and its call while a claim came."""
    return process.call is not None and process.call.stage is Stage.CHECKED and process.call.late


def is_idle(process: Process) -> bool:
    """Whether a process has nothing more to do."""
    return process.entry is None and process.call is None and process.note is None
