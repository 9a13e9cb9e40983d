"""What Telegram shows, written back in batches: one transaction for all edits of half a second."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from storage import boards
from storage.boards import Shown
from storage.errors import StorageError

if TYPE_CHECKING:
    from bot.delivery.chains import Chains
    from bot.delivery.tasks import Tasks
    from storage.store import Store

log = logging.getLogger(__name__)

BATCH_SECONDS: Final = 0.5


class Confirmations:
    """The versions that Telegram shows and the database does not know of yet."""

    def __init__(self, store: Store, tasks: Tasks, chains: Chains) -> None:
        """Write to this database."""
        self._store = store
        self._tasks = tasks
        self._chains = chains
        self._shown: dict[int, int] = {}
        self._waiting = False

    def knows(self, board_id: int, version: int) -> bool:
        """Whether this version of a board is shown, and only not written back yet."""
        return self._shown.get(board_id) == version

    def note(self, board_id: int, version: int) -> None:
        """Remember what Telegram shows."""
        self._shown[board_id] = version
        if not self._waiting:
            self._waiting = True
            self._tasks.later(BATCH_SECONDS, self.write)

    async def write(self) -> None:
        """Store what is shown."""
        self._waiting = False
        versions, self._shown = self._shown, {}
        if not versions:
            return
        chains = self._chains
        shown = [
            Shown(board_id, version, chains.newest(board_id), chains.is_sound(board_id))
            for board_id, version in versions.items()
        ]
        try:
            await self._store.run(partial(boards.confirm, shown=shown))
        except StorageError as error:
            log.debug("What is shown is not written back, and the sweep will show it again: %s", error)
