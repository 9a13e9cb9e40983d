"""How easily the other side errs: among cells of one value, those after which it does win more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.budget import Budget
    from engine.mnk.solve import Solver

_UNSEEN = 0.2
"""How often a cell that loses is played beside one that looks as natural and does not."""
_NATURAL = 1.5
"""The weight of a cell falls with this power of its place.

Both are fitted to 394 plies of Monte Carlo tree search on 5x5x4, most with 6,000 roll-outs. It hardly tells a loss
in three plies from one in nine.
"""
_CELLS = 12
"""Cells after so many weigh next to nothing."""


def trapped(solver: Solver, sides: tuple[int, int], cells: Sequence[int], plies: int, budget: Budget) -> float:
    """The chance, from 0 to 1, that the side to move plays a cell that loses, but for a line that anybody sees.

    Args:
        solver: Proves what follows after each cell.
        sides: The bits of the marks of the side to move, and of the other side's.
        cells: Its cells, the most natural first; earlier ones count for more.
        plies: Losses within so many plies are looked for.
        budget: Pays for it.

    Raises:
        Spent: The budget does not suffice.
    """
    own, other = sides
    holding = losing = 0.0
    for place, cell in enumerate(cells[:_CELLS], start=1):
        after = own | solver.board.bits[cell]
        within = solver.can_win(other, after, plies, budget)
        if within <= 0:
            holding += place**-_NATURAL
        elif within > 1:
            losing += _UNSEEN * place**-_NATURAL
    return losing / (holding + losing) if losing else 0.0
