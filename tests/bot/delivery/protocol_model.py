"""The protocol of a board as a model that can be explored whole: what one of its processes may do, step by step.

Time is an order of steps, with one fact about it: an edit that was called in time is over, landed or not, when the
sweep claims the board the next time. One whose process was held up between its last check and its call while a
claim came is *late*, and nothing bounds it. A process that stands still anywhere else merely takes long over its
next step. SIGTERM is a process that begins nothing more, which any may do, and at last `is stopped`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.bot.delivery.protocol_state import (
    Board,
    Call,
    Entry,
    Kind,
    News,
    Note,
    Process,
    Stage,
    Step,
    Target,
    ghost_of,
    is_late,
    newest_of,
    noted,
    older,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

START: Final = Board()
"""A board that is right, and that no process has in memory."""
BEGINNING: Final = Board(confirmed=False, there=False, right=False)
"""A board that nobody has sent yet."""


@dataclass(frozen=True)
class Rules:
    """The rules of the protocol, each of which a test may take away, and what they assume of the world."""

    stored_before_shown: bool = True
    """Rule 1: what was merely loaded becomes the next version before it is shown."""
    uncontested_only: bool = True
    """Rule 2: only an uncontested version is confirmed."""
    overtaken_marks: bool = True
    """Rule 3: who has shown a version, and finds another's newer one, marks the board as lagging."""
    marked_by_version: bool = True
    """Rule 3: that mark is a next version, and not only a lower `shown`."""
    unanswered_breaks: bool = True
    """Rule 4: a call that was not answered breaks the chain."""
    unanswered_marks: bool = True
    """Rule 4: it marks the board, too, so that nothing is confirmed before two more claims."""
    swept_twice: bool = True
    """Rule 5: the first claim starts no chain."""
    renewed: bool = True
    """Rule 6: what waited longer than it was held is stored anew before it is sent."""
    swept_rests: bool = True
    """Rule 6: what the sweep has shown is not shown once more after a second."""
    settled_twice: bool = True
    """Storing which message is the board may be repeated."""
    life_is_bounded: bool = True
    """The next claim waits for every edit that was called in time, that of the first claim included."""
    late_are_spared: bool = True
    """No process is killed, or loses what it would write back, between a late call and its write-back."""


class Protocol:
    """What one process may do."""

    def __init__(self, rules: Rules, *, moves: bool = False) -> None:
        """Keep these rules; `moves` if boards may be brought down, to a new message."""
        self.rules = rules
        self.moves = moves

    def steps(self, board: Board, process: Process, *, in_time: bool) -> Iterator[Step]:
        """All that this process may do next; `in_time` if an edit of bounded life is under way."""
        yield self.stored(
            "changes the game",
            Kind.ACT,
            board.shows(right=False),
            process,
            News(changed=True),
            uncontested=board.confirmed or process.chain,
        )
        yield from self.hearing(board, process)
        if process.entry is not None and process.call is None:
            yield self.taking(board, process, process.entry)
        if process.call is not None:
            yield from self.calling(board, process, process.call)
        yield from self.sweeping(board, process, in_time=in_time)
        if process.note is not None:
            yield self.written("writes back", board, process)
            if not (process.note.late and self.rules.late_are_spared):
                yield Step("loses what it would write back", Kind.ACT, board, process._replace(note=None))
        if process != Process():
            yield from self.ending(board, process)

    def stored(
        self,
        label: str,
        kind: Kind,
        board: Board,
        process: Process,
        news: News,
        *,
        uncontested: bool = False,
        shown: bool = True,
    ) -> Step:
        """The next version is stored; if it is to be shown, it is this process's own."""
        process = older(process, news)
        board = board._replace(confirmed=False, claims=min(news.claim, 2))
        if shown:
            process = process._replace(entry=newest_of(board), made=True, chain=uncontested)
        return Step(label, kind, board, process, news)

    def hearing(self, board: Board, process: Process) -> Iterator[Step]:
        """A stale tap, a second delivery, the wish to have the board at the bottom of the chat."""
        entry, call = process.entry, process.call
        busy = (entry is not None and entry.newest) or (call is not None and call.newest)
        if not board.confirmed and not busy:
            label = "hears of the game again"
            if self.rules.stored_before_shown:
                yield self.stored(label, Kind.ACT, board, process, News(), uncontested=process.chain)
            else:
                yield Step(label, Kind.ACT, board, process._replace(entry=newest_of(board)))
        if self.moves and board.there and not (call is not None and call.settled):
            label = "brings the board down"
            empty = board._replace(there=False, right=False)
            uncontested = board.confirmed or process.chain
            yield self.stored(label, Kind.ACT, empty, process, News(moves=True), uncontested=uncontested)

    def taking(self, board: Board, process: Process, entry: Entry) -> Step:
        """The newest is taken from the lane and checked; what is not held any more is stored anew."""
        if entry.held or not self.rules.renewed:
            call = Call(Stage.CHECKED, entry.newest, entry.right, entry.target)
            return Step("takes it from its lane", Kind.WORK, board, process._replace(entry=None, call=call))
        if board.confirmed:
            return Step("drops what waited too long", Kind.WORK, board, process._replace(entry=None))
        label = "stores anew what waited too long"
        return self.stored(label, Kind.WORK, board, process, News(), uncontested=process.chain)

    def calling(self, board: Board, process: Process, call: Call) -> Iterator[Step]:
        """A call begins, lands, is answered or not."""
        match call.stage:
            case Stage.CHECKED:
                label, kind = ("calls late", Kind.ACT) if call.late else ("calls", Kind.WORK)
                yield Step(label, kind, board, process._replace(call=call._replace(stage=Stage.CALLED)))
            case Stage.CALLED if call.target is Target.NONE:
                sent = process._replace(call=call._replace(stage=Stage.SENT))
                yield Step("hears that its message is sent", Kind.WORK, board, sent)
                yield self.unanswered("has no answer", board, process, call)
            case Stage.CALLED:
                seen = board.shows(right=call.right) if call.target is Target.CURRENT else board
                landed = call._replace(stage=Stage.LANDED, right=False)
                yield Step("has its edit landed", Kind.WORK, seen, process._replace(call=landed))
                yield self.unanswered("has no answer", board, process, call)
                yield self.unanswered("has no answer, and nothing lands", board, process, landed)
            case Stage.LANDED:
                yield Step("hears that its edit landed", Kind.WORK, board, noted(process, call, answered=True))
                yield self.unanswered("has no answer", board, process, call)
            case Stage.SENT:
                yield from self.settling(board, process, call)

    def unanswered(self, label: str, board: Board, process: Process, call: Call) -> Step:
        """A call is over without an answer: it may still land, and is tried again."""
        process = noted(process, call, answered=False)
        if process.entry is None:
            entry = Entry(call.newest, call.right, call.target, held=False)
            process = process._replace(entry=entry)
        if self.rules.unanswered_breaks:
            process = process._replace(chain=False)
        return Step(label, Kind.ACT, board, process, ghost=ghost_of(call))

    def settling(self, board: Board, process: Process, call: Call) -> Iterator[Step]:
        """A new message becomes the board's, unless there is one: then it is one too many and deleted."""
        known = noted(process, call, answered=True)
        if call.settled and self.rules.settled_twice:
            again = board.shows_newest() if call.newest else board
            yield Step("stores its message again", Kind.WORK, again, known)
        elif board.there:
            deleted = board._replace(deleted=board.deleted or call.settled)
            yield Step("deletes its message", Kind.WORK, deleted, process._replace(call=None))
        else:
            settled = board._replace(there=True, right=call.right)
            settled = settled.shows_newest() if call.newest else settled
            yield Step("stores its message", Kind.WORK, settled, known)
            unsure = process._replace(call=call._replace(settled=True, right=False))
            yield Step("stores its message and does not hear so", Kind.ACT, settled, unsure)

    def sweeping(self, board: Board, process: Process, *, in_time: bool) -> Iterator[Step]:
        """The sweep claims a lagging board; not again while an edit may be under way that was called in time."""
        if board.confirmed or (board.claims and in_time and self.rules.life_is_bounded):
            return
        claim = board.claims + 1
        label = ("claims it first", "claims it again", "claims it once more")[board.claims]
        uncontested = claim > 1 or not self.rules.swept_twice
        if self.rules.stored_before_shown:
            news = News(claim=claim)
            yield self.stored(label, Kind.CLAIM, board, process, news, uncontested=uncontested)
        else:
            claimed = process._replace(entry=newest_of(board), chain=process.chain or uncontested)
            yield Step(label, Kind.CLAIM, board._replace(claims=min(claim, 2)), claimed)

    def written(self, label: str, board: Board, process: Process) -> Step:
        """What was noted is written back: the board is confirmed, or marked as lagging, or neither."""
        note, process = process.note or Note(), process._replace(note=None)
        if note.unanswered and self.rules.unanswered_marks:
            return self.stored(label, Kind.WORK, board, process, News(), shown=False)
        if note.newest and (process.chain or not self.rules.uncontested_only):
            return Step(label, Kind.WORK, board.shows_newest(), process)
        if note.newest and board.claims == 1 and not self.rules.swept_rests:
            return self.stored(label, Kind.WORK, board, process, News())
        if note.newest or not note.shown or process.made or not self.rules.overtaken_marks:
            return Step(label, Kind.WORK, board, process)
        if self.rules.marked_by_version:
            return self.stored(label, Kind.WORK, board, process, News(), shown=False)
        return Step(label, Kind.WORK, board._replace(confirmed=False, claims=0), process)

    def ending(self, board: Board, process: Process) -> Iterator[Step]:
        """SIGKILL; or SIGTERM, which cancels the call, drops the lane and writes back. A new process follows."""
        call = process.call
        if not (is_late(process) and self.rules.late_are_spared):
            yield Step("is killed", Kind.ACT, board, Process(), ghost=ghost_of(call))
        if call is not None and call.stage in (Stage.CALLED, Stage.LANDED):
            process = noted(process, call, answered=False)
            process = process._replace(chain=process.chain and not self.rules.unanswered_breaks)
        last = self.written("is stopped", board, process)
        yield last._replace(kind=Kind.ACT, process=Process(), ghost=ghost_of(call))
