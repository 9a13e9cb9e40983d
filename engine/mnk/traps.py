"""How easily the other side errs: among cells of one value, those after which it does win more often."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from engine.mnk.bounds import weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.budget import Budget
    from engine.mnk.solve import Solver

_UNSEEN = ((1, 0.0), (3, 0.01), (5, 0.25), (7, 0.35))
"""By the plies of the loss after it, how often a cell is played beside one that looks as right and holds;"""
_UNSEEN_FURTHER = 0.55
"""and where it takes more."""
_NATURAL = 12.0
"""A cell is played e times as often as one whose lines, of both sides, weigh a twelfth less."""
_LEAST = 0.01
"""Cells that are played less often than this, beside the one that is played most often, are left out,"""
_CELLS = 12
"""and those after so many."""


def trapped(
    solver: Solver, sides: tuple[int, int], replies: Sequence[tuple[int, float]], plies: int, budget: Budget
) -> float:
    """The chance, from 0 to 1, that the side to move plays a cell that loses.

    Args:
        solver: Proves what follows after each cell.
        sides: The bits of the marks of the side to move, and of the other side's.
        replies: Its cells, and how often each looks right; see `replies_of`.
        plies: Losses within so many plies are looked for.
        budget: Pays for it.

    Raises:
        Spent: The budget does not suffice.
    """
    own, other = sides
    holding = losing = 0.0
    for cell, often in replies:
        within = solver.can_win(other, own | solver.board.bits[cell], plies, budget)
        if within <= 0:
            holding += often
        else:
            losing += often * next((part for most, part in _UNSEEN if within <= most), _UNSEEN_FURTHER)
    return losing / (holding + losing) if losing else 0.0


def replies_of(solver: Solver, sides: tuple[int, int], cells: Sequence[int]) -> list[tuple[int, float]]:
    """How often each cell looks right, for each time that the first does.

    That is by the weight of the lines through it, of both sides, by which one gains where games go on at random:
    see `engine.mnk.bounds`.
    """
    if not cells:
        return []
    board = solver.board
    lines = [board.through[cell] for cell in cells]
    gains, blocks = (
        weights(board.missing(own, other, board.full), 1 << board.k - 1, lines)
        for own, other in (sides, sides[::-1])
    )
    # Where a line loses, the lightest cell is the most natural.
    unit = (-1 if solver.misere else 1) * _NATURAL / (1 << board.k)
    natural = [unit * (gain + block) for gain, block in zip(gains, blocks, strict=True)]
    most = max(natural)
    often = sorted(((each - most, cell) for cell, each in zip(cells, natural, strict=True)), reverse=True)
    return [(cell, exp(each)) for each, cell in often[:_CELLS] if exp(each) >= _LEAST]
