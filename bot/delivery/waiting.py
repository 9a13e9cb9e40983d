"""Boards on their way into the lanes: which version of each waits where, and what is stored anew first."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from bot.delivery.entries import Showing
from bot.delivery.lane import Kind
from bot.game.watched import is_watched
from storage import versions
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bot.delivery.chains import Chains
    from bot.delivery.confirmations import Confirmations
    from bot.delivery.entries import Words
    from bot.delivery.held import Held
    from bot.delivery.lanes import Lanes
    from bot.delivery.pace import Chat
    from bot.delivery.tasks import Tasks
    from storage.board import Board
    from storage.game import Game
    from storage.record import Record
    from storage.store import Store
    from storage.versions import Raised

log = logging.getLogger(__name__)

CHATS_KNOWN: Final = 10_000
"""The most messages of inline mode whose chat is remembered."""


Kept: TypeAlias = "Sequence[tuple[Record, Board]]"
"""Boards of this process that are not shown yet, each with its game."""


class WaitingBoards:
    """Lets boards wait in their chats' lanes: the newest version of each, and each version once."""

    def __init__(
        self,
        store: Store,
        *,
        tasks: Tasks,
        lanes: Lanes[Showing | Words],
        held: Held,
        chains: Chains,
        confirmations: Confirmations,
    ) -> None:
        """Let them wait in these lanes; what is not this process's own is stored anew before."""
        self._store = store
        self._tasks = tasks
        self._lanes = lanes
        self._held = held
        self._chains = chains
        self._confirmations = confirmations
        self._chats: dict[str, str] = {}
        """The chat instance of messages of inline mode, as far as a tap has told it."""

    def show(
        self,
        record: Record,
        before: Mapping[int, Board],
        arrived: float | None = None,
        chat_id: int | None = None,
    ) -> float:
        """Show those boards of a record that were stored as a newer version here than they had `before`.

        Returns:
            About how many seconds that takes, in this chat if one is named.
        """
        wait = 0.0
        for board in _newer(record, before):
            self._chains.stored(board, before.get(board.id))
            its_wait = self.put(record, board, arrived)
            if chat_id is None or board.chat_id == chat_id:
                wait = max(wait, its_wait)
        return wait

    def keep(self, records: Iterable[Record], before: Mapping[int, Board]) -> Kept:
        """Own what was stored here without showing it yet, because something newer may come soon."""
        kept = [(record, board) for record in records for board in _newer(record, before)]
        for _, board in kept:
            self._chains.stored(board, before.get(board.id))
            self._held.add(board)
        return kept

    def show_kept(self, kept: Kept, arrived: float | None = None) -> None:
        """Show what was kept, where nothing newer is stored here by now."""
        for record, board in kept:
            if self._chains.newest(board.id) == board.wanted:
                self.put(record, board, arrived, held=True)
            else:
                self._held.let_go(board)

    def expect(self, kept: Kept, chat_id: int | None = None) -> float:
        """About how many seconds it would take to show now what was kept, in this chat if one is named."""
        boards = [board for _, board in kept if chat_id is None or board.chat_id == chat_id]
        return max((self._lanes.expect(self._chat_of(board)) for board in boards), default=0.0)

    def show_raised(self, raised: Raised, *, once_more: bool = False, hint: int | None = None) -> float:
        """Show one board that was stored here as its next version; about how many seconds that takes.

        Args:
            raised: The board, and its game.
            once_more: Whether it only repeats what was shown.
            hint: A cell to mark.
        """
        self._chains.stored(raised.board, raised.before)
        return self.put(raised.record, raised.board, None, once_more=once_more, hint=hint)

    def refresh(self, record: Record, behind: int | None = None) -> None:
        """Show a game that was merely loaded, where a board of it lags and nobody here is about to show it.

        `behind` is the message of a board that was seen to show something else, whatever is known of it.
        """
        for board in record.boards:
            lags = board.is_lagging or (behind is not None and board.message_id == behind)
            if lags and not self._is_under_way(board):
                self.show_anew_soon(board.id, board.wanted)

    def show_anew_soon(self, board_id: int, wanted: int | None = None, *, hint: int | None = None) -> None:
        """Show a board as its next version in a moment, with the content as it is.

        Args:
            board_id: The board.
            wanted: The version that it was seen in; it is shown only if it still wants that one. None for any.
            hint: A cell to mark, this once.
        """
        self._tasks.start(self.show_anew(board_id, wanted, hint=hint))

    async def show_anew(self, board_id: int, wanted: int | None = None, *, hint: int | None = None) -> None:
        """Store a board's next version, as `show_anew_soon` says, and show it; else it is left to the sweep."""
        try:
            raised = await self._store.run(partial(versions.show_anew, board_id=board_id, wanted=wanted))
        except StorageError as error:
            log.debug("A board is left to the sweep: %s", error)
            return
        if raised is not None:
            self.show_raised(raised, hint=hint)

    def put(
        self,
        record: Record,
        board: Board,
        arrived: float | None,
        *,
        once_more: bool = False,
        hint: int | None = None,
        held: bool = False,
    ) -> float:
        """Let a board wait, unless a newer version of it does or did; about how many seconds it will.

        `held` is one that sweeps are kept off already.
        """
        if board.wanted < self._chains.newest(board.id):
            return 0.0
        chat = self._chat_of(board)
        waiting = self._lanes.waiting_for(chat, board.id)
        if isinstance(waiting, Showing):
            arrived = waiting.arrived or arrived
        entry = Showing(chat, board, record.game, arrived=arrived, once_more=once_more, hint=hint)
        kind = Kind.UNPROMPTED if _is_unasked(board, record.game, arrived) else Kind.BOARD
        wait = self._lanes.put(chat, board.id, entry, kind)
        if wait is None:
            self._held.let_go(board)  # there is no room: the sweep comes to it
            return 0.0
        if not held:
            self._held.add(board)
        return wait

    def wait_to_spare(self, record: Record) -> float:
        """Seconds until every chat of a game has a call to spare; infinite where something waits for one."""
        waits = [self._lanes.wait_to_spare(self._chat_of(board)) for board in record.boards]
        return max(waits, default=0.0)

    def know_chat(self, inline_message_id: str, chat_instance: str | None) -> None:
        """Learn in which chat a message of inline mode stands: its edits count against that chat."""
        if chat_instance is not None and len(self._chats) < CHATS_KNOWN:
            self._chats.setdefault(inline_message_id, chat_instance)

    def _chat_of(self, board: Board) -> Chat:
        """The chat whose pace a board keeps; one that it has kept for an inline message, it goes on to keep."""
        if board.chat_id is not None:
            return board.chat_id
        inline = board.inline_message_id or ""
        known = self._chats.get(inline)
        if known is None:
            self.know_chat(inline, inline)
        return known or inline

    def _is_under_way(self, board: Board) -> bool:
        """Whether a board's newest version will be shown here, or was and is only not written back yet."""
        if self._confirmations.knows(board.id, board.wanted):
            return True
        waits = self._lanes.waits(self._chat_of(board), board.id)
        return waits and self._chains.newest(board.id) >= board.wanted


def _newer(record: Record, before: Mapping[int, Board]) -> Sequence[Board]:
    """The boards of a record that were stored as a newer version of what they were before.

    A board whose place another one takes goes once that is there; if that does not come, the sweep shows this one.
    """
    going = [board.replaces for board in record.boards if board.replaces and board.message_id is None]
    return [board for board in record.boards if board is not before.get(board.id) and board.id not in going]


def _is_unasked(board: Board, game: Game, arrived: float | None) -> bool:
    """Whether nobody waits for a board: it calls somebody, or shows the computer's move against itself."""
    if board.message_id is None:
        return board.called
    return game.host is not None and arrived is None and is_watched(game)
