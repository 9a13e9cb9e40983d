"""What Telegram shows, written back in batches: one transaction for all edits of half a second."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from storage import boards
from storage.boards import Shown, Unanswered
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

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
        self._unanswered: list[Unanswered] = []
        self._waiting = False

    def knows(self, board_id: int, version: int) -> bool:
        """Whether this version of a board is shown, and only not written back yet."""
        return self._shown.get(board_id) == version

    def note(self, board_id: int, version: int) -> None:
        """Remember what Telegram shows."""
        self._shown[board_id] = version
        self._write_soon()

    def note_unanswered(self, board_id: int, version: int) -> None:
        """Remember that an edit was not answered, and so may land after others."""
        self._chains.break_off(board_id)
        self._unanswered.append(Unanswered(board_id, version))
        self._write_soon()

    async def write(self) -> None:
        """Store what is shown, and what is in doubt."""
        self._waiting = False
        versions, self._shown = self._shown, {}
        unanswered, self._unanswered = self._unanswered, []
        if not versions and not unanswered:
            return
        chains = self._chains
        shown = [
            Shown(board_id, version, chains.newest(board_id), chains.is_sound(board_id))
            for board_id, version in versions.items()
        ]
        try:
            await self._store.run(partial(_write, shown=shown, unanswered=unanswered))
        except StorageError as error:
            log.debug("What is shown is not written back, and the sweep will show it again: %s", error)

    def _write_soon(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._tasks.later(BATCH_SECONDS, self.write)


def _write(connection: Connection, *, shown: Sequence[Shown], unanswered: Sequence[Unanswered]) -> None:
    if shown:
        boards.confirm(connection, shown)
    boards.doubt(connection, unanswered)
