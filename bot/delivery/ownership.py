"""The protocol of a board, as decisions: which versions a process owns, may send, and may confirm.

docs/delivery.md explains the rules, each with the shortest way to a wrong board without it; the SQL is in
`storage.games.versions`. Nothing here does input or output, apart from reading the clock. The model that explores
all orders of two processes' steps (tests/bot/delivery/protocol_model.py) decides by the functions below.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum, auto
from typing import Final, NamedTuple

from bot.recent import Recent
from storage.games.record import Board
from storage.games.versions import CLAIM_SECONDS, GRACE_SECONDS, BoardCall

REMEMBERED_BOARDS: Final = 20_000
"""The most boards of which something is known; a forgotten one counts as contested, which only costs an edit."""

CLAIMS: Final = 2
"""How many times the sweep has to claim a board until no older edit can be under way."""

MARK_TRIES: Final = 15
"""How often to try to mark the board of an overdue call while another process has its row locked. With a try every
half second, that is longer than the 5 s after which the database cuts off a frozen process
(`storage.database.TIMEOUTS`). A deleted board looks the same, so there has to be a limit."""


class Contest(IntEnum):
    """Whether an older edit may still land after a version's own, and what follows from that."""

    NONE = auto()
    """No older edit can land: the version is confirmed once Telegram shows it."""
    BY_OTHERS = auto()
    """One of another process: the board is shown again a second later, which usually heals it."""
    LEFT_TO_SWEEP = auto()
    """One without an answer, or of a process that may be dead: only the sweep's second claim ends that."""


class Owned(NamedTuple):
    """The newest version of a board that this process has stored."""

    version: int
    contest: Contest


def after_storing(owned: Owned | None, version: int, base: int, *, is_base_confirmed: bool) -> Owned:
    """What a process owns once it has stored a version over another one, its base (rules 2 and 3)."""
    if is_base_confirmed:
        return Owned(version, Contest.NONE)
    # It may own more than the base: changes that share a transaction share their base, too.
    if owned is None or owned.version < base:
        return Owned(version, Contest.BY_OTHERS)
    return Owned(version, owned.contest)


def after_claim(version: int, claims: int) -> Owned:
    """What a process owns once its sweep has claimed a board (rule 6)."""
    return Owned(version, Contest.NONE if claims >= CLAIMS else Contest.LEFT_TO_SWEEP)


def after_sending(owned: Owned) -> Owned:
    """What a process owns once it has sent that version as a new message, which nobody else can be editing."""
    return Owned(owned.version, Contest.NONE)


def after_no_answer(owned: Owned) -> Owned:
    """What a process owns once a call had no answer: its edit may land after those that follow (rule 5)."""
    return Owned(owned.version, Contest.LEFT_TO_SWEEP)


def may_confirm(owned: Owned | None) -> bool:
    """Whether a process may confirm what it owns, once Telegram shows it (rule 3)."""
    return owned is not None and owned.contest is Contest.NONE


def should_show_again(owned: Owned | None) -> bool:
    """Whether showing a version again soon may heal its board.

    A claimed version is left to the next claim: if it were shown again each time, it would never be confirmed.
    """
    return owned is not None and owned.contest is Contest.BY_OTHERS


class Ownership:
    """What this process knows of the versions of boards: what it owns, holds, has shown and has to write back.

    It holds a version from storing it until it is shown or given up.
    """

    def __init__(self) -> None:
        self._owned: Recent[int, Owned] = Recent(REMEMBERED_BOARDS)
        self._held: dict[int, tuple[int, int]] = {}
        """By board the version that is held, and the end of its send window, in seconds since 1970: the wall clock
        goes on while a machine is suspended."""
        self._shown: dict[int, int] = {}
        """By board the version that Telegram shows, until that is written back."""
        self._written: dict[int, int] = {}
        """What was written back last, or is being: records that were loaded before do not have it."""
        self._overdue: dict[BoardCall, int] = {}
        """Overdue calls, each with how often it may still be tried to mark its board."""

    # Ownership and holds.

    def stored(self, board: Board, before: Board | None) -> bool:
        """Note that this process has stored a version of a board, over the one that it had loaded.

        False if it owns a newer one: reports may arrive out of order, or twice.
        """
        base, is_confirmed = (0, True) if before is None else (before.wanted, not before.is_lagging)
        owned = self._owned.get(board.id)
        owns = after_storing(owned, board.wanted, base, is_base_confirmed=is_confirmed)
        return self._own(board, owns, board.look_at)

    def claimed(self, board: Board) -> bool:
        """Note that this process's sweep has claimed a board; False if it owns a newer version.

        Calls may begin only in the first five seconds after that, so all have ended when the next claim comes.
        """
        until = board.look_at - CLAIM_SECONDS + GRACE_SECONDS
        return self._own(board, after_claim(board.wanted, board.claims), until)

    def sent(self, board: Board) -> None:
        """Note that a version was sent as a new message."""
        owned = self._owned.get(board.id)
        if owned is not None and owned.version == board.wanted:
            self._owned[board.id] = after_sending(owned)

    def newest(self, board_id: int) -> int:
        """The newest version that this process owns; 0 if none is known."""
        owned = self._owned.get(board_id)
        return 0 if owned is None else owned.version

    def may_send(self, board: Board) -> bool:
        """Whether a board's send window is open, so that nobody else can have taken it up (rule 7)."""
        held = self._held.get(board.id)
        return held is not None and time.time() < held[1]

    def let_go(self, board: Board) -> None:
        held = self._held.get(board.id)
        if held is not None and held[0] <= board.wanted:
            del self._held[board.id]

    def held(self) -> Mapping[int, int]:
        return {board_id: version for board_id, (version, _) in self._held.items()}

    def renewed(self, renewed: Iterable[int], versions: Mapping[int, int], until: int) -> None:
        """Note that the send windows of these boards, in these versions, stay open until then."""
        for board_id in renewed:
            held = self._held.get(board_id)
            if held is not None and held[0] == versions[board_id]:
                self._held[board_id] = held[0], until

    def _own(self, board: Board, owned: Owned, until: int) -> bool:
        newest = self.newest(board.id)
        if board.wanted > newest:
            self._owned[board.id] = owned
            self._held[board.id] = board.wanted, until
        return board.wanted >= newest

    # Results of calls that must be written back.

    def shown(self, board: Board) -> bool:
        """Note that Telegram shows a version of a board; whether showing it again soon may heal the board."""
        self._shown[board.id] = board.wanted
        if not self.may_send(board):
            self.unanswered(board)
        return should_show_again(self._owned.get(board.id))

    def unanswered(self, board: Board) -> None:
        """Note that a call had no answer, or was overdue: its edit may land after others."""
        owned = self._owned.get(board.id)
        if owned is not None:
            self._owned[board.id] = after_no_answer(owned)
        if not self.may_send(board):
            self._overdue[BoardCall(board.id, board.wanted)] = MARK_TRIES

    def is_shown(self, board: Board) -> bool:
        """Whether a board's newest version is shown, and that was written back just now or is yet to be."""
        return board.wanted in (self._shown.get(board.id), self._written.get(board.id))

    def to_write(self) -> tuple[Mapping[int, int], Mapping[BoardCall, int], Mapping[int, int]]:
        """What must be written back now: versions to confirm, by board, overdue calls, and contested versions."""
        self._written = {key: version for key, version in self._shown.items() if may_confirm(self._owned.get(key))}
        contested = {key: version for key, version in self._shown.items() if key not in self._written}
        overdue, self._shown, self._overdue = self._overdue, {}, {}
        return self._written, overdue, contested

    def wrote(self, overdue: Mapping[BoardCall, int], undone: Collection[BoardCall] | None) -> bool:
        """Note which overdue calls could not be written, or None if nothing was; True if any is to be tried again.

        A confirmation may be lost, which costs an edit; an overdue call may not.
        """
        if undone is None:
            self._written, left = {}, overdue
        else:
            left = {call: tries - 1 for call, tries in overdue.items() if call in undone and tries > 1}
        self._overdue |= left
        return bool(left)
