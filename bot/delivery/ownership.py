"""The protocol of a board, as decisions: which versions a process owns, which it may confirm, which it may send.

docs/delivery.md tells the rules, each with the shortest way to a wrong board without it; `storage.games.versions`
is their SQL. Nothing here writes, or reads anything but the clock. The model that explores every order of two
processes' steps (tests/bot/delivery/protocol_model.py) decides by the functions below.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from storage.games.versions import AGAIN_SECONDS, GRACE_SECONDS, Shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from storage.games.board import Board

REMEMBERED: Final = 20_000
"""The most boards of which something is known; a forgotten one counts as contested, which only costs an edit."""

SWEPT_TWICE: Final = 2
"""The claims of the sweep after which no older edit can be under way."""

TRIES: Final = 15
"""How often an overdue call is written while another process holds the row: for longer than one that stands still
may (`storage.database.TIMEOUTS`). A board that is gone looks the same, so it is not tried for ever."""


Overdue: TypeAlias = tuple[Shown, int]
"""A call that ended after the hold on its board, and how often it may still be tried to be written."""


class Owned(NamedTuple):
    """The newest version of a board that this process has stored, and whether another edit may be under way."""

    version: int
    is_uncontested: bool
    is_unanswered: bool = False
    """Whether it is contested by a call of this process's own, rather than by another process."""


def after_storing(owned: Owned | None, version: int, base: int, *, is_base_confirmed: bool) -> Owned:
    """What a process owns once it has stored a version on top of another, its base (rules 1 and 2)."""
    if is_base_confirmed or owned is None or owned.version < base:
        return Owned(version, is_base_confirmed)
    return Owned(version, owned.is_uncontested and owned.version < version, owned.is_unanswered)


def after_claim(version: int, claims: int) -> Owned:
    """What a process owns once its sweep has claimed a board: uncontested from the second claim on (rule 5)."""
    return Owned(version, claims >= SWEPT_TWICE, is_unanswered=True)


def after_sending(owned: Owned) -> Owned:
    """What a process owns once it has sent that version as a new message, of which nobody else knows."""
    return Owned(owned.version, is_uncontested=True)


def after_no_answer(owned: Owned) -> Owned:
    """What a process owns once a call had no answer, so that its edit may land after what follows (rule 4)."""
    return Owned(owned.version, is_uncontested=False, is_unanswered=True)


def may_confirm(owned: Owned | None) -> bool:
    """Whether a process may confirm what it owns, once Telegram shows it (rule 2)."""
    return owned is not None and owned.is_uncontested


def is_contested(owned: Owned | None) -> bool:
    """Whether another process may have an edit under way, so that showing what is owned once more heals it soon.

    What a sweep has claimed is left to the next claim: shown once more each time, it would never be confirmed.
    """
    return owned is not None and not owned.is_uncontested and not owned.is_unanswered


def may_send(held_until: float | None, now: float) -> bool:
    """Whether nobody else can have taken up a board that is held until then (rule 6)."""
    return held_until is not None and now < held_until


class Ownership:
    """What this process knows of the versions of boards: what it owns, holds, and has shown."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._owned: OrderedDict[int, Owned] = OrderedDict()
        self._held: dict[int, tuple[int, int]] = {}
        """By board the version that waits here or is under way, and until when a call for it may begin.

        The wall clock tells, as it goes on while a machine sleeps; seconds since 1970.
        """
        self._shown: dict[int, int] = {}
        """By board the version that Telegram has shown and that is not written back yet."""
        self._written: dict[int, int] = {}
        """What was written back last, or is being: a record that was loaded before does not tell of it."""
        self._overdue: list[Overdue] = []

    # What is owned.

    def stored(self, board: Board, before: Board | None) -> None:
        """Know that this process has stored a board's newest version, over the board that it had loaded.

        Whoever stored it may come to tell later than whoever stored a newer one; that has the last word. A new
        board may have the id of one that is gone.
        """
        if before is None:
            self._own(board.id, after_storing(None, board.wanted, 0, is_base_confirmed=True))
        elif board.wanted >= self.newest(board.id):
            owned, is_confirmed = self._owned.get(board.id), not before.is_lagging
            self._own(board.id, after_storing(owned, board.wanted, before.wanted, is_base_confirmed=is_confirmed))

    def claimed(self, board: Board) -> None:
        """Know that this process's sweep has claimed a board."""
        self._own(board.id, after_claim(board.wanted, board.claims))

    def sent(self, board: Board) -> None:
        """Know that a version was sent as a new message."""
        owned = self._owned.get(board.id)
        if owned is not None and owned.version == board.wanted:
            self._own(board.id, after_sending(owned))

    def newest(self, board_id: int) -> int:
        """The newest version that this process owns; 0 if none is known."""
        owned = self._owned.get(board_id)
        return 0 if owned is None else owned.version

    def is_contested(self, board_id: int) -> bool:
        """Whether the newest version that this process owns is contested by another one."""
        return is_contested(self._owned.get(board_id))

    def _own(self, board_id: int, owned: Owned) -> None:
        self._owned[board_id] = owned
        self._owned.move_to_end(board_id)
        if len(self._owned) > REMEMBERED:
            self._owned.popitem(last=False)

    # What is held, and so may be sent.

    def hold(self, board: Board) -> None:
        """Hold a board whose newest version was stored just now.

        After a claim the sweep comes again so late that a call which begins within the grace has ended.
        """
        until = board.look_at - (AGAIN_SECONDS - GRACE_SECONDS if board.claims else 0)
        self._held[board.id] = board.wanted, until

    def may_send(self, board: Board) -> bool:
        """Whether nobody else can have taken the board up since it was stored."""
        _, until = self._held.get(board.id, (0, None))
        return may_send(until, time.time())

    def let_go(self, board: Board) -> None:
        """Hold a board no more, unless a newer version of it is held."""
        held = self._held.get(board.id)
        if held is not None and held[0] <= board.wanted:
            del self._held[board.id]

    def held(self) -> Mapping[int, int]:
        """The versions that are held, by board."""
        return {board_id: version for board_id, (version, _) in self._held.items()}

    def renewed(self, renewed: Iterable[int], versions: Mapping[int, int], until: int) -> None:
        """Know that these boards, held in these versions, may be sent until later."""
        for board_id in renewed:
            held = self._held.get(board_id)
            if held is not None and held[0] == versions[board_id]:
                self._held[board_id] = held[0], until

    # What calls have come to, and what is to be written back of that.

    def shown(self, board: Board) -> None:
        """Know that Telegram shows a version of a board."""
        self._shown[board.id] = board.wanted
        if not self.may_send(board):
            self.unanswered(board)

    def unanswered(self, board: Board) -> None:
        """Know that an edit had no answer, or came too late for it to count: it may land after others."""
        owned = self._owned.get(board.id)
        if owned is not None:
            self._owned[board.id] = after_no_answer(owned)
        if not self.may_send(board):
            self._overdue.append((Shown(board.id, board.wanted, is_overdue=True), TRIES))

    def is_shown(self, board: Board) -> bool:
        """Whether a board's newest version is shown, and only not written back yet, or just now."""
        return board.wanted in (self._shown.get(board.id), self._written.get(board.id))

    def to_write(self) -> tuple[Sequence[Shown], Sequence[Overdue]]:
        """What is to be written back now: the versions that may be confirmed, and overdue calls."""
        shown, self._shown = self._shown, {}
        overdue, self._overdue = self._overdue, []
        self._written = {key: version for key, version in shown.items() if may_confirm(self._owned.get(key))}
        return [Shown(*each) for each in self._written.items()], overdue

    def wrote(self, overdue: Sequence[Overdue], undone: Sequence[Shown] | None) -> bool:
        """Know what could not be written of that, None for all of it; True if some is to be tried once more.

        A confirmation may be lost, which costs an edit; that a board is in doubt may not.
        """
        if undone is None:
            self._written = {}
        else:
            overdue = [(call, tries - 1) for call, tries in overdue if call in undone and tries > 1]
        self._overdue += overdue
        return bool(overdue)
