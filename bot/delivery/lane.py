"""The lane of one chat: what waits to be sent there, and in which order."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Hashable

T = TypeVar("T")


class Kind(enum.IntEnum):
    """What an entry is, in the order in which the entries of one chat are sent."""

    BOARD = 0
    """A board that somebody looks at."""
    REPLY = 1
    """Words that somebody asked for."""
    UNPROMPTED = 2
    """What nobody asked for at this moment, such as a reminder."""


class Lane(Generic[T]):
    """What waits for one chat."""

    __slots__ = ("begun", "holds", "kind", "task", "turn", "under_way", "waiting")

    def __init__(self) -> None:
        """Nothing waits yet."""
        self.waiting: dict[Hashable, tuple[Kind, T]] = {}
        self.begun: float | None = None
        """When the pace allowed the first call, until that is under way."""
        self.under_way: Hashable = None
        self.kind = Kind.BOARD
        """Of what is under way."""
        self.turn: asyncio.Future[None] | None = None
        """What it waits for while others go first."""
        self.holds = False
        """Whether nothing waits but words, and what is left of the pace is for boards."""
        self.task: asyncio.Task[None] | None = None

    def next(self) -> Hashable:
        """The key of what is to be sent next."""
        waiting = self.waiting
        if len(waiting) == 1:
            return next(iter(waiting))
        return min(waiting, key=lambda key: waiting[key][0])

    def ahead_of(self, key: Hashable) -> int:
        """How many entries will be sent before this one."""
        kind = self.waiting[key][0]
        ahead, before = 0, True
        for other, (its_kind, _) in self.waiting.items():
            if other == key:
                before = False
            elif its_kind < kind or (before and its_kind == kind):
                ahead += 1
        return ahead
