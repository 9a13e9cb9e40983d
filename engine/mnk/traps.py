"""How easily the other side errs: among cells of one value, those after which it does win more often."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from engine.mnk.bounds import weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.budget import Budget
    from engine.mnk.solve import Solver

_UNSEEN = 0.33
"""How often a cell that loses is played beside one that looks as natural and does not."""
_NATURAL = 12.0
"""A cell is played e times as often as one whose lines, of both sides, weigh a twelfth less.

By that weight one gains where games go on at random; see `engine.mnk.bounds`. Both numbers are fitted to 527 plies
of Monte Carlo tree search with 6,000 roll-outs on 5x5x4. It sees a loss in three plies more often than that, and
hardly tells one in five from one in nine.
"""
_LEAST = 0.01
"""Cells that are played less often than this, beside the most natural one, are left out,"""
_CELLS = 12
"""and those after so many."""


def trapped(solver: Solver, sides: tuple[int, int], cells: Sequence[int], plies: int, budget: Budget) -> float:
    """The chance, from 0 to 1, that the side to move plays a cell that loses, but for a line that anybody sees.

    Args:
        solver: Proves what follows after each cell.
        sides: The bits of the marks of the side to move, and of the other side's.
        cells: Its cells, the most hopeful first.
        plies: Losses within so many plies are looked for.
        budget: Pays for it.

    Raises:
        Spent: The budget does not suffice.
    """
    own, other = sides
    holding = losing = 0.0
    for cell, often in _how_often(solver, sides, cells[:_CELLS]):
        after = own | solver.board.bits[cell]
        within = solver.can_win(other, after, plies, budget)
        if within <= 0:
            holding += often
        elif within > 1:
            losing += _UNSEEN * often
    return losing / (holding + losing) if losing else 0.0


def _how_often(solver: Solver, sides: tuple[int, int], cells: Sequence[int]) -> list[tuple[int, float]]:
    """How often a cell is played for each time that the most natural one is, by its lines."""
    board = solver.board
    lines = [board.through[cell] for cell in cells]
    gains, blocks = (
        weights(board.missing(own, other, board.full), 1 << board.k - 1, lines)
        for own, other in (sides, sides[::-1])
    )
    # Where a line loses, the lightest cell is the most natural.
    unit = (-1 if solver.misere else 1) * _NATURAL / (1 << board.k)
    natural = [unit * (gain + block) for gain, block in zip(gains, blocks, strict=True)]
    often = [exp(each - max(natural)) for each in natural]
    return [(cell, each) for cell, each in zip(cells, often, strict=True) if each >= _LEAST]
