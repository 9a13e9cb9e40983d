"""What waits or is under way in this process, and until when the sweeps of others are kept off it.

Times are those of the database's rows, by the wall clock, which goes on while a machine sleeps.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from storage import outbox, versions
from storage.versions import AGAIN_SECONDS, GRACE_SECONDS

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
        self._held: dict[int, tuple[int, int]] = {}
        """By board the version, and until when a call for it may begin; seconds since 1970."""

    def add(self, board: Board) -> None:
        """Hold a board whose newest version was stored just now.

        What a sweep has claimed is looked at again so late that a call which begins within the grace has ended.
        """
        until = board.look_at - (AGAIN_SECONDS - GRACE_SECONDS if board.claims else 0)
        self._held[board.id] = board.wanted, until

    def is_ours(self, board: Board) -> bool:
        """Whether nobody else can have taken the board up since it was stored."""
        held = self._held.get(board.id)
        return held is not None and time.time() < held[1]

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
        waiting = {board_id: version for board_id, (version, _) in self._held.items()}
        now = int(time.time())
        kept = await self._store.run(partial(_hold, waiting=waiting, notices=notices, now=now))
        for board_id in kept:
            held = self._held.get(board_id)
            if held is not None and held[0] == waiting[board_id]:
                self._held[board_id] = held[0], now + GRACE_SECONDS


def _hold(
    connection: Connection, *, waiting: Mapping[int, int], notices: Sequence[int], now: int
) -> Sequence[int]:
    outbox.hold(connection, notices, now + GRACE_SECONDS)
    return versions.hold(connection, waiting, now)
