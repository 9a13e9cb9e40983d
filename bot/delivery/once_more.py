"""Boards that another process may have edited at the same time: shown once more, if nothing newer comes.

That heals a board sooner than the sweep would, and no more: it may be lost at any moment.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from storage import versions
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.delivery.chains import Chains
    from bot.delivery.tasks import Tasks
    from storage.board import Board
    from storage.store import Store
    from storage.versions import Raised

log = logging.getLogger(__name__)

ONCE_MORE_SECONDS: Final = 1.0
"""So long, or up to twice as long, after a board was shown."""


class OnceMore:
    """The versions of boards to show once more, gathered so that a busy board costs no statement of its own."""

    def __init__(self, store: Store, tasks: Tasks, chains: Chains, show: Callable[[Raised], object]) -> None:
        """Show by this what is stored as its next version."""
        self._store = store
        self._tasks = tasks
        self._chains = chains
        self._show_board = show
        self._next: dict[int, int] = {}
        """By board the version: for when the time that runs now is over."""
        self._after: dict[int, int] = {}
        """For the time after that."""
        self._waiting = False

    def add(self, board: Board) -> None:
        """Show this version of a board once more, unless a newer one comes."""
        self._next.pop(board.id, None)
        self._after[board.id] = board.wanted
        if not self._waiting:
            self._wait()

    def _wait(self) -> None:
        self._waiting = True
        self._next, self._after = self._after, {}
        self._tasks.later(ONCE_MORE_SECONDS, self._show)

    async def _show(self) -> None:
        due, self._next, self._waiting = self._next, {}, False
        if self._after:
            self._wait()
        due = {board_id: version for board_id, version in due.items() if self._chains.newest(board_id) == version}
        if not due:
            return
        try:
            anew = await self._store.run(partial(versions.show_many_anew, versions=due))
        except StorageError as error:
            log.debug("Boards are left to the sweep: %s", error)
            return
        for raised in anew:
            self._show_board(raised)
