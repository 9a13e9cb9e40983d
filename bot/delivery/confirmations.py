"""What Telegram shows, written back in batches: one transaction for all edits of half a second."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.metrics import ARRIVED
from storage import games
from storage.errors import CorruptGame, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.outbox import Board
    from bot.tasks import Tasks
    from storage.game import Game
    from storage.store import Store

log = logging.getLogger(__name__)

WRITE_BACK_SECONDS: Final = 0.5


class WriteBack:
    """The versions that Telegram shows and the database does not know of yet."""

    def __init__(self, store: Store, tasks: Tasks, overtaken: Callable[[Game], None]) -> None:
        """Write to this database; `overtaken` is told of games that another process has changed since."""
        self._store = store
        self._tasks = tasks
        self._overtaken = overtaken
        self._shown: dict[int, int] = {}
        self._halves: dict[int, dict[bool, int]] = {}
        self._waiting = False

    def knows(self, game: Game) -> bool:
        """Whether this version of a game is shown and only not written back yet."""
        return self._shown.get(game.id) == game.version

    def note(self, board: Board) -> None:
        """Remember what Telegram shows; a game with two boards is shown as far as the older of them."""
        game = board.game
        version = game.version
        if game.guest_chat_id is not None:
            halves = self._halves.setdefault(game.id, {})
            halves[board.guest] = version
            version = min(halves.get(guest, 0) for guest in (False, True))
            if len(set(halves.values())) == 1 and len(halves) > 1:
                del self._halves[game.id]
        self._shown[game.id] = version
        if not self._waiting:
            self._waiting = True
            self._tasks.later(WRITE_BACK_SECONDS, self.write)

    async def write(self) -> None:
        """Store what is shown; what another process has changed since is handed to `overtaken`."""
        ARRIVED.set(None)
        self._waiting = False
        shown, self._shown = self._shown, {}
        if not shown:
            return
        try:
            lagging = await self._store.run(partial(games.mark_shown, shown=shown))
            overtaken = [game_id for game_id in lagging if game_id not in self._shown]
            if overtaken:
                for game in (await self._store.run(partial(games.load_many, ids=overtaken))).values():
                    if not isinstance(game, CorruptGame):
                        self._overtaken(game)
        except StorageError:
            log.debug("What is shown is not written back; the sweep will show it again")
