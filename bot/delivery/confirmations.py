"""What Telegram shows, written back in batches: one transaction for all edits of half a second."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from storage import versions
from storage.errors import StorageError
from storage.versions import Shown

if TYPE_CHECKING:
    from bot.delivery.chains import Chains
    from bot.delivery.tasks import Tasks
    from storage.store import Store

log = logging.getLogger(__name__)

BATCH_SECONDS: Final = 0.5
TRIES: Final = 15
"""How often what comes late is written, where another process holds the row: for longer than one that stands still
may (`storage.database.TIMEOUTS`). A board that is gone looks the same, so it is not tried for ever."""


class Confirmations:
    """The versions that Telegram shows and the database does not know of yet."""

    def __init__(self, store: Store, tasks: Tasks, chains: Chains) -> None:
        """Write to this database."""
        self._store = store
        self._tasks = tasks
        self._chains = chains
        self._shown: dict[int, int] = {}
        self._written: dict[int, int] = {}
        """What was written back last, or is being: a record that was loaded before may not tell of it."""
        self._late: list[tuple[Shown, int]] = []
        """Calls that ended late, and how often they may still be tried to be written."""
        self._waiting = False

    def knows(self, board_id: int, version: int) -> bool:
        """Whether this version of a board is shown, and only not written back yet, or just now."""
        return version in (self._shown.get(board_id), self._written.get(board_id))

    def note(self, board_id: int, version: int, *, late: bool) -> None:
        """Remember what Telegram shows; `late` is a call that ended after the hold on its board."""
        self._shown[board_id] = version
        if late:
            self._chains.break_off(board_id)
            self._late.append((Shown(board_id, version, confirmable=False, late=True), TRIES))
        self._write_soon()

    def note_unanswered(self, board_id: int, version: int, *, late: bool) -> None:
        """Remember that an edit was not answered, and so may land after others."""
        self._chains.break_off(board_id)
        if late:
            self._late.append((Shown(board_id, version, confirmable=False, late=True), TRIES))
            self._write_soon()

    async def write(self) -> None:
        """Store what is shown, and what is in doubt."""
        self._waiting = False
        newest, self._shown = self._shown, {}
        late, self._late = self._late, []
        shown = [
            Shown(board_id, version, confirmable=True)
            for board_id, version in newest.items()
            if self._chains.is_sound(board_id)
        ]
        self._written = {entry.board_id: entry.version for entry in shown}
        shown += [entry for entry, _ in late]
        if not shown:
            return
        try:
            undone = set(await self._store.run(partial(versions.confirm, shown=shown)))
        except StorageError as error:
            log.debug("What is shown is not written back, and the sweep will show it again: %s", error)
            self._written = {}
            again = late
        else:
            again = [(entry, tries - 1) for entry, tries in late if entry in undone and tries > 1]
        # A confirmation may be lost; that a board is in doubt may not.
        if again:
            self._late += again
            self._write_soon()

    def _write_soon(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._tasks.later(BATCH_SECONDS, self.write)
