"""Which versions of boards this process owns, and whether nobody else can have an edit of them under way.

The protocol (docs/delivery.md): who shows a state has stored it as the board's next version and so owns it.
A version is *sound* if the one before was confirmed when it was stored, or was this process's own sound one: an
unbroken chain, in which nobody else has an edit under way. Only sound versions are confirmed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from storage.board import Board

REMEMBERED: Final = 20_000
"""The most boards whose chain is known; a forgotten chain counts as broken, which only costs an edit."""

SWEPT_TWICE: Final = 2
"""The claims of the sweep after which no older edit can be under way."""


@dataclass(slots=True)
class _Chain:
    newest: int
    sound: bool
    broken: bool = False
    """Whether a call of this process was not answered, rather than another process having been there."""


class Chains:
    """The chains of all boards that this process has shown lately."""

    def __init__(self) -> None:
        """None yet."""
        self._chains: OrderedDict[int, _Chain] = OrderedDict()

    def stored(self, board: Board, before: Board | None) -> None:
        """Note that this process has stored a board's newest version, over the board that it had loaded.

        Whoever stored it may come to tell later than who stored a newer one; that has the last word. A new board
        may have the id of one that is gone (SQLite gives the highest again).
        """
        if before is not None and board.wanted < self.newest(board.id):
            return
        base = before.wanted if before is not None else 0
        confirmed = before is None or before.shown == base
        chain = self._chains.get(board.id)
        own = chain is not None and chain.sound and base <= chain.newest < board.wanted
        broken = chain is not None and chain.broken and base <= chain.newest and not confirmed
        self._put(board.id, _Chain(board.wanted, confirmed or own, broken))

    def claimed(self, board: Board) -> None:
        """Note that this process has taken a board up in a sweep: the second time begins a sound chain."""
        self._put(board.id, _Chain(board.wanted, board.claims >= SWEPT_TWICE, broken=True))

    def settled(self, board: Board) -> None:
        """Note that a version is the first of a new message, of which nobody else can have an edit under way."""
        chain = self._chains.get(board.id)
        if chain is not None and chain.newest == board.wanted:
            self._put(board.id, _Chain(board.wanted, sound=True))

    def break_off(self, board_id: int) -> None:
        """Note that a call was not answered: its edit may still land after whatever follows."""
        chain = self._chains.get(board_id)
        if chain is not None:
            chain.sound, chain.broken = False, True

    def newest(self, board_id: int) -> int:
        """The newest version that this process owns; 0 if none is known."""
        chain = self._chains.get(board_id)
        return 0 if chain is None else chain.newest

    def is_sound(self, board_id: int) -> bool:
        """Whether the newest own version may be confirmed once it is shown."""
        chain = self._chains.get(board_id)
        return chain is not None and chain.sound

    def is_contested(self, board_id: int) -> bool:
        """Whether another process may have an edit under way, so that showing it once more heals it soon."""
        chain = self._chains.get(board_id)
        return chain is not None and not chain.sound and not chain.broken

    def _put(self, board_id: int, chain: _Chain) -> None:
        self._chains[board_id] = chain
        self._chains.move_to_end(board_id)
        if len(self._chains) > REMEMBERED:
            self._chains.popitem(last=False)
