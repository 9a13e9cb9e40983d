"""The protocol of a board as a model that can be explored whole: what one of its processes may do, step by step.

It decides by the bot's own functions: what a process owns and confirms by those of `bot.delivery.ownership`, and
whether an overdue call leaves a board in doubt by `storage.games.versions`. Time is an order of steps, with one
fact about it: an edit that was called within the hold on its board is over, landed or not, when the sweep claims
the board the next time. One whose process was held up between its last check and its call while a claim came is
*unbounded*. A process that stands still anywhere else merely takes long over its next step. SIGTERM is a process
that begins nothing more, which any may do, and at last `is stopped`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.delivery import ownership
from storage.games import versions
from tests.bot.delivery.protocol_state import (
    NEWEST,
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
    is_unbounded,
    newest_of,
    noted,
    older,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bot.delivery.ownership import Owned

START: Final = Board()
"""A board that is right, and that no process has in memory."""
BEGINNING: Final = Board(confirmed=False, there=False, right=False)
"""A board that nobody has sent yet."""


@dataclass(frozen=True)
class Rules:
    """The rules of the protocol, each of which a test may take away, and what they assume of the world."""

    stored_before_shown: bool = True
    """Rule 1: what was merely loaded becomes the next version before it is shown."""
    after_storing: Callable[..., Owned] = ownership.after_storing
    """Rules 1 and 2: which versions are uncontested."""
    may_confirm: Callable[[Owned | None], bool] = ownership.may_confirm
    """Rule 2: only those are confirmed."""
    is_overwritten: Callable[..., bool] = versions.is_overwritten
    """Rule 3: an overdue call that may have overwritten something newer marks its board."""
    marked_by_version: bool = True
    """Rule 3: that mark is a next version, and not only a lower `shown`."""
    after_no_answer: Callable[[Owned], Owned] = ownership.after_no_answer
    """Rule 4: a call without an answer contests what follows."""
    after_claim: Callable[[int, int], Owned] = ownership.after_claim
    """Rule 5: the first claim of the sweep is contested."""
    is_contested: Callable[[Owned | None], bool] = ownership.is_contested
    """Rule 5: what a claim has shown is not shown once more."""
    sent_while_held: bool = True
    """Rule 6: what is not held any more is left to the sweep."""
    settled_twice: bool = True
    """Storing which message is the board may be repeated."""
    life_is_bounded: bool = True
    """The next claim waits for every edit that was called in time, that of the first claim included."""
    unbounded_are_spared: bool = True
    """No process is killed, or loses what it would write back, between an unbounded call and its write-back."""


class Protocol:
    """What one process may do."""

    def __init__(self, rules: Rules, *, moves: bool = False) -> None:
        """Keep these rules; `moves` if boards may be brought down, to a new message."""
        self.rules = rules
        self.moves = moves

    def steps(self, board: Board, process: Process, *, in_time: bool) -> Iterator[Step]:
        """All that this process may do next; `in_time` if an edit of bounded life is under way."""
        yield self.stored("changes the game", Kind.ACT, board.shows(right=False), process, News(changed=True))
        yield from self.hearing(board, process)
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
        self,
        label: str,
        kind: Kind,
        board: Board,
        process: Process,
        news: News,
        *,
        shown: bool = True,
    ) -> Step:
        """The next version is stored; if it is to be shown, it is this process's own."""
        owned = None
        if news.claim:
            owned = self.rules.after_claim(NEWEST, news.claim)
        elif shown:
            owned = self.rules.after_storing(
                process.owned, NEWEST + 1, NEWEST, is_base_confirmed=board.confirmed
            )._replace(version=NEWEST)
        process = older(process, news)
        board = board._replace(confirmed=False, claims=min(news.claim, 2))
        if shown:
            process = process._replace(entry=newest_of(board), owned=owned)
        return Step(label, kind, board, process, news)

    def hearing(self, board: Board, process: Process) -> Iterator[Step]:
        """A stale tap, a second delivery, the wish to have the board at the bottom of the chat."""
        call = process.call
        label = "hears of the game again"
        if self.rules.stored_before_shown:
            yield self.stored(label, Kind.ACT, board, process, News())
        elif not board.confirmed:
            yield Step(label, Kind.ACT, board, process._replace(entry=newest_of(board)))
        if self.moves and board.there and not (call is not None and call.settled):
            empty = board._replace(there=False, right=False)
            yield self.stored("brings the board down", Kind.ACT, empty, process, News(moves=True))

    def taking(self, board: Board, process: Process, entry: Entry) -> Step:
        """The newest is taken from the lane and checked; what is not held any more is left to the sweep."""
        process = process._replace(entry=None)
        if not entry.held and self.rules.sent_while_held:
            return Step("leaves to the sweep what waited too long", Kind.WORK, board, process)
        call = Call(Stage.CHECKED, entry.newest, entry.right, entry.target, entry.held)
        return Step("takes it from its lane", Kind.WORK, board, process._replace(call=call))

    def outlasting(self, board: Board, process: Process) -> Iterator[Step]:
        """A hold ends before it is renewed, and no claim comes."""
        call = process.call
        if process.entry is not None:
            yield self.taking(board, process, process.entry._replace(held=False))._replace(kind=Kind.ACT)
        if call is not None and call.held:
            calling = process._replace(call=call._replace(held=False))
            yield Step("calls for longer than its hold", Kind.ACT, board, calling)

    def calling(self, board: Board, process: Process, call: Call) -> Iterator[Step]:
        """A call begins, lands, is answered or not."""
        match call.stage:
            case Stage.CHECKED:
                label, kind = ("calls late", Kind.ACT) if call.unbounded else ("calls", Kind.WORK)
                yield Step(label, kind, board, process._replace(call=call._replace(stage=Stage.CALLED)))
            case Stage.CALLED if call.target is Target.NONE:
                sent = process._replace(call=call._replace(stage=Stage.SENT))
                yield Step("hears that its message is sent", Kind.WORK, board, sent)
                yield self.unanswered("has no answer", board, process, call)
            case Stage.CALLED:
                seen = board.shows(right=call.right) if call.target is Target.CURRENT else board
                landed = call._replace(stage=Stage.LANDED)
                yield Step("has its edit landed", Kind.WORK, seen, process._replace(call=landed))
                yield self.unanswered("has no answer", board, process, call)
                yield self.unanswered("has no answer, and nothing lands", board, process, call)._replace(
                    ghost=None
                )
            case Stage.LANDED:
                yield Step("hears that its edit landed", Kind.WORK, board, self.answered(process, call))
                yield self.unanswered("has no answer", board, process, call)
            case Stage.SENT:
                yield from self.settling(board, process, call)

    def answered(self, process: Process, call: Call) -> Process:
        """A call is over with an answer; one that is overdue contests what follows, as one without."""
        process = noted(process, call, answered=True)
        return process if call.held else self.contested(process)

    def contested(self, process: Process) -> Process:
        """A process of which an edit may land after whatever follows."""
        return process._replace(owned=process.owned and self.rules.after_no_answer(process.owned))

    def unanswered(self, label: str, board: Board, process: Process, call: Call) -> Step:
        """A call is over without an answer: it may still land, and is tried again."""
        process = self.contested(noted(process, call, answered=False))
        if process.entry is None:
            entry = Entry(call.newest, call.right, call.target, call.held)
            process = process._replace(entry=entry)
        return Step(label, Kind.ACT, board, process, ghost=ghost_of(call))

    def settling(self, board: Board, process: Process, call: Call) -> Iterator[Step]:
        """A new message becomes the board's, unless there is one: then it is one too many and deleted."""
        known = self.answered(process, call)
        if call.newest and process.owned is not None:
            known = self.answered(process._replace(owned=ownership.after_sending(process.owned)), call)
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
        if self.rules.stored_before_shown:
            yield self.stored(label, Kind.CLAIM, board, process, News(claim=claim))
        else:
            claimed = process._replace(entry=newest_of(board), owned=self.rules.after_claim(NEWEST, claim))
            yield Step(label, Kind.CLAIM, board._replace(claims=min(claim, 2)), claimed)

    def written(self, label: str, board: Board, process: Process) -> Step:
        """What was noted is written back: the board is confirmed, or marked as lagging, or neither."""
        note, process = process.note or Note(), process._replace(note=None)
        shown = NEWEST if board.confirmed else NEWEST - 1
        late = ((NEWEST, note.overdue), (NEWEST - 1, note.older_overdue))
        marked = any(
            overdue and self.rules.is_overwritten(version, wanted=NEWEST, shown=shown) for version, overdue in late
        )
        if note.shown and self.rules.may_confirm(process.owned):
            board = board.shows_newest()
        elif note.shown and board.claims and self.rules.is_contested(process.owned):
            return self.stored(label, Kind.WORK, board, process, News())
        if not marked:
            return Step(label, Kind.WORK, board, process)
        if self.rules.marked_by_version:
            return self.stored(label, Kind.WORK, board, process, News(), shown=False)
        return Step(label, Kind.WORK, board._replace(confirmed=False, claims=0), process)

    def ending(self, board: Board, process: Process) -> Iterator[Step]:
        """SIGKILL; or SIGTERM, which cancels the call, drops the lane and writes back. A new process follows."""
        call, ghost = process.call, ghost_of(process.call)
        if not (is_unbounded(process) and self.rules.unbounded_are_spared):
            yield Step("is killed", Kind.ACT, board, Process(), ghost=ghost)
        if call is not None and call.stage is not Stage.CHECKED:
            process = self.contested(noted(process, call, answered=False))
        last = self.written("is stopped", board, process)
        yield last._replace(kind=Kind.ACT, process=Process(), ghost=ghost)
