"""The tempo strategy without the faults it was first written with, any number of plies deep.

As first written it plays on after a win, scores a full board only where one cell was left at the root,
and has the weights for a line of two the wrong way round, so that looking further made it worse. Two plies
of that are the strategy `tempo`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation import ONE_PLY_AHEAD, TO_MOVE, has_line, tempo
from engine.geometry import THREE_BY_THREE
from engine.lookahead import first_best, free_bits
from engine.strategies import ClassicStrategy

if TYPE_CHECKING:
    from engine.mnk_rules import MnkPosition

_SHALLOWEST = 2
"""One ply shows no reply, so that such a search can lose."""


def mended_tempo(depth: int) -> ClassicStrategy:
    """A search over the tempo evaluation that never loses.

    Args:
        depth: The number of plies that it looks ahead, from 2 to 9.

    Raises:
        ValueError: The depth is not within these.
    """
    if not _SHALLOWEST <= depth <= THREE_BY_THREE.cells:
        raise ValueError(
            f"The tempo search looks {_SHALLOWEST} to {THREE_BY_THREE.cells} plies ahead, not {depth}."
        )

    def find(position: MnkPosition) -> tuple[int, ...]:
        search = _Search()
        return first_best(position, lambda own, other: search.value(own, other, depth - 1, moving=False))

    return ClassicStrategy(f"tempo-{depth}", find)


class _Search:
    """Minimax over the tempo evaluation, whose leaves are also won and full boards."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}

    def value(self, own: int, other: int, plies: int, *, moving: bool) -> int:
        """What these marks are worth to own, who is to move or not."""
        value = self._known.get((own, other))
        if value is None:
            if not plies or own | other == THREE_BY_THREE.full or has_line(own) or has_line(other):
                value = tempo(own, other, TO_MOVE if moving else ONE_PLY_AHEAD)
            elif moving:
                after = [own | bit for bit in free_bits(own | other)]
                value = max(self.value(marks, other, plies - 1, moving=False) for marks in after)
            else:
                after = [other | bit for bit in free_bits(own | other)]
                value = min(self.value(own, marks, plies - 1, moving=True) for marks in after)
            self._known[own, other] = value
        return value
