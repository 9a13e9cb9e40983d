"""The levels on boards of any size: from a random cell to the whole search."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from random import Random

    from engine.mnk.budget import Budget
    from engine.mnk.search import Searcher

BEGINNER, EASY, MEDIUM, HARD, STRONGEST = "beginner", "easy", "medium", "hard", "strongest"
LEVELS = (BEGINNER, EASY, MEDIUM, HARD, STRONGEST)
"""Weakest first."""

_NODES_OF_HARD = 300


def choose(level: str, searcher: Searcher, sides: tuple[int, int], budget: Budget, rng: Random) -> int:
    """The cell that a level plays in a position that is not over.

    Args:
        level: One of `LEVELS`.
        searcher: Knows the board and the rules.
        sides: The bits of the marks of the side to move, and of the other side's.
        budget: What the two highest levels may spend.
        rng: Chooses among equals.
    """
    own, other = sides
    if level == STRONGEST:
        return searcher.best(own, other, budget, rng).cell
    if level == HARD:
        return searcher.best(own, other, budget.share(1, nodes=_NODES_OF_HARD), rng).cell
    board = searcher.board
    empty = board.full ^ own ^ other
    cells = board.cells_of(empty)
    if level == BEGINNER:
        return rng.choice(cells)
    mine = board.missing(own, other, board.full)
    theirs = board.missing(other, own, board.full)
    ordered = searcher.alpha_beta.order(own, other, mine, theirs) or cells
    if searcher.misere:
        # Every cell in this order completes no line, if any such is left.
        return rng.choice(ordered) if level == EASY else ordered[0]
    for completed in (mine[0], theirs[0]):
        if completed:
            return board.cells_of(board.spread(completed) & empty)[0]
    return rng.choice(cells) if level == EASY else ordered[0]
