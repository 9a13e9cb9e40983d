"""A model of a board's protocol that can be explored exhaustively: what one process may do, step by step.

It uses the bot's own functions: those of `bot.delivery.ownership` for what a process owns and confirms, and
`storage.games.versions` for whether an overdue call marks its board. Time is only an order of steps, with one fact
about it: an edit whose call began in its send window is over, landed or not, when the sweep claims the board the
next time. A call whose process froze between its last check and the call while a claim came is *unbounded*. A
process that freezes anywhere else is merely slow. After SIGTERM, a process starts nothing new, which any process
may do, and in the end `is stopped`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum, auto
from typing import Final, NamedTuple

from bot.delivery import ownership
from bot.delivery.ownership import Owned
from storage.games import versions

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


class Version(NamedTuple):
    """A version that waits in a lane, or is sent by a call."""

    newest: bool
    right: bool
    target: Target
    in_window: bool = True
    """Its send window has not closed, so that no claim can have come."""


class Call(NamedTuple):
    """A call that a process makes."""

    stage: Stage
    version: Version
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

    entry: Version | None = None
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
        return self._replace(right=right)

    def shows_newest(self) -> Board:
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


def aged(version: Version, news: News) -> Version:
    """A version after another process, or the same one, has stored a newer one."""
    former = news.moves and version.target is Target.CURRENT
    return Version(
        newest=False,
        right=version.right and not news.changed,
        target=Target.FORMER if former else version.target,
        in_window=version.in_window and not news.claim,
    )


def older(process: Process, news: News) -> Process:
    """A process after another one, or itself, has stored a newer version."""
    entry, call, note, loaded = process.entry, process.call, process.note, process.loaded
    if call is not None:
        begins_late = call.stage is Stage.CHECKED and (call.unbounded or news.claim > 0)
        unbounded = begins_late or lasts(unbounded=call.unbounded, news=news)
        call = call._replace(version=aged(call.version, news), unbounded=unbounded)
    if note is not None:
        unbounded = lasts(unbounded=note.unbounded, news=news)
        note = empty(Note(older_overdue=note.overdue or note.older_overdue, unbounded=unbounded))
    if loaded is not None:  # one unseen version is enough
        right = loaded.right and not news.changed
        loaded = Loaded(loaded.confirmed, right, newest=False) if loaded.newest else None
    return Process(entry and aged(entry, news), call, note, loaded=loaded)


def empty(note: Note) -> Note | None:
    return note if note.shown or note.overdue or note.older_overdue else None


def lasts(*, unbounded: bool, news: News) -> bool:
    """Whether a call is still unbounded: one that began before a first claim is over by the second."""
    return unbounded and news.claim != 1


def older_unawaited(edit: Unawaited, news: News) -> Unawaited:
    return Unawaited(edit.right and not news.changed, lasts(unbounded=edit.unbounded, news=news))


def newest_of(board: Board) -> Version:
    return Version(newest=True, right=True, target=Target.CURRENT if board.there else Target.NONE)


def unawaited_of(call: Call | None) -> Unawaited | None:
    """What remains under way when nobody awaits a call any more."""
    if call is None or call.stage is not Stage.CALLED or call.version.target is not Target.CURRENT:
        return None
    return Unawaited(call.version.right, call.unbounded)


def noted(process: Process, call: Call, *, answered: bool) -> Process:
    before, version = process.note or Note(), call.version
    note = Note(
        shown=version.newest if answered else before.shown,
        overdue=before.overdue or (version.newest and not version.in_window),
        older_overdue=before.older_overdue or not (version.newest or version.in_window),
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
    return process._replace(owned=None) == Process()


def windowed(call: Call, *, is_open: bool) -> Call:
    return call._replace(version=call.version._replace(in_window=is_open))


START: Final = Board()
"""A correct board that no process has in memory."""
BEGINNING: Final = Board(confirmed=False, there=False, right=False)
"""A board that nobody has sent yet."""


@dataclass(frozen=True)
class Rules:
    """The rules of the protocol, each of which a test can switch off, and the assumptions behind them."""

    stored_by_compare_and_set: bool = True
    """Rule 1: if two processes store over the same version, one fails. So storing is one step of the model."""
    stored_before_shown: bool = True
    """Rule 2: a version that was only loaded is stored as the next version before it is shown."""
    after_storing: Callable[..., Owned] = ownership.after_storing
    """Rules 2 and 3: which versions are uncontested."""
    may_confirm: Callable[[Owned | None], bool] = ownership.may_confirm
    """Rule 3: only uncontested versions are confirmed."""
    is_overwritten: Callable[..., bool] = versions.is_overwritten
    """Rule 4: an overdue call that may have overwritten something newer marks its board."""
    marked_by_version: bool = True
    """Rule 4: the mark is a new version, not only a lower `shown`."""
    after_no_answer: Callable[[Owned], Owned] = ownership.after_no_answer
    """Rule 5: a call without an answer contests what follows."""
    after_claim: Callable[[int, int], Owned] = ownership.after_claim
    """Rule 6: the first claim of the sweep is contested."""
    should_show_again: Callable[[Owned | None], bool] = ownership.should_show_again
    """Rule 6: what a claim has shown isn't shown again."""
    sent_in_window: bool = True
    """Rule 7: what is left when the send window closes belongs to the sweep."""
    settled_twice: bool = True
    """Storing which message is the board can be repeated."""
    life_is_bounded: bool = True
    """Rule 6: the next claim waits for every edit called in time, including the first claim's."""
    unbounded_are_spared: bool = True
    """No process is killed, or loses its write-back, between an unbounded call and writing back."""


class Protocol:
    """The steps that one process may take."""

    def __init__(self, rules: Rules, *, moves: bool = False) -> None:
        self.rules = rules
        self.moves = moves

    def steps(self, board: Board, process: Process, *, in_time: bool) -> Iterator[Step]:
        """Every step this process may take next; `in_time` if an edit of bounded life is under way."""
        yield self.stored("changes the game", Kind.ACT, board.shows(right=False), process, News(changed=True))
        yield from self.hearing(board, process)
        if not self.rules.stored_by_compare_and_set:
            yield from self.overwriting(board, process)
        if process.entry is not None and process.call is None:
            yield self.taking(board, process, process.entry)
        if process.call is not None:
            yield from self.calling(board, process, process.call)
        yield from self.outlasting(board, process)
        yield from self.sweeping(board, process, in_time=in_time)
        if process.note is not None:
            yield self.written("writes back", board, process)
            if not (process.note.unbounded and self.rules.unbounded_are_spared):
                yield Step("loses what it would write back", Kind.ACT, board, process._replace(note=None))
        if process != Process():
            yield from self.ending(board, process)

    def stored(
        self, label: str, kind: Kind, board: Board, process: Process, news: News, *, shown: bool = True
    ) -> Step:
        """The next version is stored; to be shown, it must be this process's own."""
        owned = None
        if news.claim:
            owned = self.rules.after_claim(NEWEST, news.claim)
        elif shown:
            owned = self.rules.after_storing(
                process.owned, NEWEST + 1, NEWEST, is_base_confirmed=board.confirmed
            )._replace(version=NEWEST)
        process = older(process, news)._replace(loaded=None)
        board = board._replace(confirmed=False, claims=min(news.claim, 2))
        if shown:
            process = process._replace(entry=newest_of(board), owned=owned)
            if process.call is not None and not news.claim:  # the new send window is that of its board
                process = process._replace(call=windowed(process.call, is_open=True))
        return Step(label, kind, board, process, news)

    def overwriting(self, board: Board, process: Process) -> Iterator[Step]:
        """Without compare-and-set, a loaded version is stored over what others stored, as the same version."""
        loaded = process.loaded
        if loaded is None:
            yield Step("loads the board", Kind.ACT, board, process._replace(loaded=Loaded(board.confirmed)))
        elif not loaded.newest:
            owned = self.rules.after_storing(process.owned, NEWEST, NEWEST - 1, is_base_confirmed=loaded.confirmed)
            entry = newest_of(board)._replace(right=loaded.right)
            after = process._replace(entry=entry, owned=owned, loaded=None)
            board = board._replace(confirmed=False, claims=0)
            yield Step("stores its next version, too", Kind.ACT, board, after)

    def hearing(self, board: Board, process: Process) -> Iterator[Step]:
        """A stale tap, a repeated update, or somebody who wants the board at the bottom of the chat.

        If the chat may let the bot in again, a lagging board gets a version that nobody owns (`lag_again`).
        """
        call = process.call
        label = "hears of the game again"
        if self.rules.stored_before_shown:
            yield self.stored(label, Kind.ACT, board, process, News())
        elif not board.confirmed:
            yield Step(label, Kind.ACT, board, process._replace(entry=newest_of(board)))
        if not board.confirmed:
            yield self.stored("hears from the chat", Kind.ACT, board, process, News(), shown=False)
        if self.moves and board.there and not (call is not None and call.settled):
            empty = board._replace(there=False, right=False)
            yield self.stored("brings the board down", Kind.ACT, empty, process, News(moves=True))

    def taking(self, board: Board, process: Process, entry: Version) -> Step:
        """The newest version is taken from the lane and checked; after its window, it is left to the sweep."""
        process = process._replace(entry=None)
        if not entry.in_window and self.rules.sent_in_window:
            return Step("leaves to the sweep what waited too long", Kind.WORK, board, process)
        return Step("takes it from its lane", Kind.WORK, board, process._replace(call=Call(Stage.CHECKED, entry)))

    def outlasting(self, board: Board, process: Process) -> Iterator[Step]:
        """A send window closes before it is renewed, and no claim comes."""
        call = process.call
        if process.entry is not None:
            yield self.taking(board, process, process.entry._replace(in_window=False))._replace(kind=Kind.ACT)
        if call is not None and call.version.in_window:
            calling = process._replace(call=windowed(call, is_open=False))
            yield Step("calls for longer than its window is open", Kind.ACT, board, calling)

    def calling(self, board: Board, process: Process, call: Call) -> Iterator[Step]:
        """A call begins, lands, and is answered or not."""
        match call.stage:
            case Stage.CHECKED:
                label, kind = ("calls late", Kind.ACT) if call.unbounded else ("calls", Kind.WORK)
                yield Step(label, kind, board, process._replace(call=call._replace(stage=Stage.CALLED)))
            case Stage.CALLED if call.version.target is Target.NONE:
                sent = process._replace(call=call._replace(stage=Stage.SENT))
                yield Step("hears that its message is sent", Kind.WORK, board, sent)
                yield self.unanswered("has no answer", board, process, call)
            case Stage.CALLED:
                seen = board.shows(right=call.version.right) if call.version.target is Target.CURRENT else board
                landed = call._replace(stage=Stage.LANDED)
                yield Step("has its edit landed", Kind.WORK, seen, process._replace(call=landed))
                yield self.unanswered("has no answer", board, process, call)
                yield self.unanswered("has no answer, and nothing lands", board, process, call)._replace(
                    unawaited=None
                )
            case Stage.LANDED:
                yield Step("hears that its edit landed", Kind.WORK, board, self.answered(process, call))
                yield self.unanswered("has no answer", board, process, call)
            case Stage.SENT:
                yield from self.settling(board, process, call)

    def answered(self, process: Process, call: Call) -> Process:
        """A call is over with an answer; one that is overdue contests what follows, like one without."""
        process = noted(process, call, answered=True)
        return process if call.version.in_window else self.contested(process)

    def contested(self, process: Process) -> Process:
        """The process, one of whose edits may land after anything that follows."""
        return process._replace(owned=process.owned and self.rules.after_no_answer(process.owned))

    def unanswered(self, label: str, board: Board, process: Process, call: Call) -> Step:
        """A call ends without an answer: it may still land, and is retried."""
        process = self.contested(noted(process, call, answered=False))
        if process.entry is None:
            process = process._replace(entry=call.version)
        return Step(label, Kind.ACT, board, process, unawaited=unawaited_of(call))

    def settling(self, board: Board, process: Process, call: Call) -> Iterator[Step]:
        """A new message becomes the board's, unless the board has one: then the new one is deleted."""
        before, is_newest = process, call.version.newest
        if is_newest and process.owned is not None:
            process = process._replace(owned=ownership.after_sending(process.owned))
        known = self.answered(process, call)
        if call.settled and self.rules.settled_twice:
            again = board.shows_newest() if is_newest else board
            yield Step("stores its message again", Kind.WORK, again, known)
        elif board.there:
            deleted = board._replace(deleted=board.deleted or call.settled)
            yield Step("deletes its message", Kind.WORK, deleted, before._replace(call=None))
        else:
            settled = board._replace(there=True, right=call.version.right)
            settled = settled.shows_newest() if is_newest else settled
            yield Step("stores its message", Kind.WORK, settled, known)
            unsure = call._replace(settled=True, version=call.version._replace(right=False))
            yield Step("stores its message and does not hear so", Kind.ACT, settled, before._replace(call=unsure))

    def sweeping(self, board: Board, process: Process, *, in_time: bool) -> Iterator[Step]:
        """The sweep claims a lagging board, but not again while an edit called in time may be under way."""
        if board.confirmed or (board.claims and in_time and self.rules.life_is_bounded):
            return
        claim = board.claims + 1
        label = ("claims it first", "claims it again", "claims it once more")[board.claims]
        if self.rules.stored_before_shown:
            yield self.stored(label, Kind.CLAIM, board, process, News(claim=claim))
        else:
            claimed = process._replace(entry=newest_of(board), owned=self.rules.after_claim(NEWEST, claim))
            yield Step(label, Kind.CLAIM, board._replace(claims=min(claim, 2)), claimed)

    def written(self, label: str, board: Board, process: Process) -> Step:
        """The notes are written back: the board is confirmed, marked as lagging, or neither."""
        note, process = process.note or Note(), process._replace(note=None)
        late = ((NEWEST, note.overdue), (NEWEST - 1, note.older_overdue))
        marked = any(overdue and self.rules.is_overwritten(version, wanted=NEWEST) for version, overdue in late)
        if note.shown and self.rules.may_confirm(process.owned):
            board = board.shows_newest()
        elif note.shown and board.claims and self.rules.should_show_again(process.owned):
            return self.stored(label, Kind.WORK, board, process, News())
        if not marked:
            return Step(label, Kind.WORK, board, process)
        if self.rules.marked_by_version:
            return self.stored(label, Kind.WORK, board, process, News(), shown=False)
        return Step(label, Kind.WORK, board._replace(confirmed=False, claims=0), process)

    def ending(self, board: Board, process: Process) -> Iterator[Step]:
        """SIGKILL; or SIGTERM, which cancels the call, drops the lane and writes back. A new process follows."""
        call, left = process.call, unawaited_of(process.call)
        if not (is_unbounded(process) and self.rules.unbounded_are_spared):
            yield Step("is killed", Kind.ACT, board, Process(), unawaited=left)
        if call is not None and call.stage is not Stage.CHECKED:
            process = self.contested(noted(process, call, answered=False))
        last = self.written("is stopped", board, process)
        yield last._replace(kind=Kind.ACT, process=Process(), unawaited=left)
