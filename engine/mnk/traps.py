"""How easily the other side errs: among cells of one value, those that set more traps win more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.budget import Budget
    from engine.mnk.solve import Solver

OBVIOUS = 6
"""A loss within so many plies is seen by everybody, so that it is no trap."""
DEEPEST = 14
"""A loss that takes longer is not looked for."""
_CELLS = 8


def trapped(solver: Solver, own: int, other: int, cells: Sequence[int], budget: Budget) -> float:
    """The share, from 0 to 1, of the side to move's natural cells that look safe and lose.

    Args:
        solver: Proves what follows after each cell.
        own: The bits of the marks of the side to move.
        other: The bits of the other side's marks.
        cells: Its cells, the most natural first; earlier ones count for more.
        budget: Pays for it.

    Raises:
        Spent: The budget does not suffice.
    """
    safe = losing = 0.0
    for place, cell in enumerate(cells[:_CELLS], start=1):
        after = own | solver.board.bits[cell]
        if solver.can_win(other, after, OBVIOUS, budget) <= 0:
            safe += 1 / place
            if solver.can_win(other, after, DEEPEST, budget) > 0:
                losing += 1 / place
    return losing / safe if safe else 0.0
