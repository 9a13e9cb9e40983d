"""What waits or is under way in this process, and until when the sweeps of others are kept off it."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from storage import boards, outbox
from storage.boards import GRACE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from storage.board import Board
    from storage.store import Store

HOLD_SECONDS: Final = GRACE_SECONDS / 2
"""How often the hold on what waits is renewed."""


class Held:
    """The boards that this process has to itself, each in one version."""

    def __init__(self, store: Store) -> None:
        """None yet."""
        self._store = store
        self._held: dict[int, tuple[int, float]] = {}
        """By board the version, and until when it is held (the event loop's time)."""

    def add(self, board: Board) -> None:
        """Hold a board whose newest version was stored just now."""
        self._held[board.id] = board.wanted, asyncio.get_running_loop().time() + GRACE_SECONDS

    def is_ours(self, board: Board) -> bool:
        """Whether nobody else can have taken the board up since it was stored, so that it may be sent."""
        _, until = self._held.get(board.id, (0, 0.0))
        return asyncio.get_running_loop().time() < until

    def let_go(self, board: Board) -> None:
        """Hold a board no more, unless a newer version of it is held."""
        held = self._held.get(board.id)
        if held is not None and held[0] <= board.wanted:
            del self._held[board.id]

    async def renew(self, notices: Sequence[int]) -> None:
        """Hold for longer what is still to be sent, and notices by their ids.

        Raises:
            StorageError: if that cannot be stored.
        """
        if not self._held and not notices:
            return
        versions = {board_id: version for board_id, (version, _) in self._held.items()}
        until = asyncio.get_running_loop().time() + GRACE_SECONDS
        kept = await self._store.run(partial(_hold, versions=versions, notices=notices))
        for board_id in kept:
            held = self._held.get(board_id)
            if held is not None and held[0] == versions[board_id]:
                self._held[board_id] = held[0], until


def _hold(connection: Connection, *, versions: Mapping[int, int], notices: Sequence[int]) -> Sequence[int]:
    now = int(time.time())
    outbox.hold(connection, notices, now)
    return boards.hold(connection, versions, now)
