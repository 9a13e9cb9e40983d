"""What to play in the first plies of a board on which a search needs longer for that than a player waits.

It stands in words: the cells of who began, those of the other side and the cell to play, each as a letter, "a"
being cell 0. Of symmetric positions only the one is there whose word is the first in the order of the alphabet.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.mnk.openings_5x5x4 import WORDS
from engine.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.mnk.bits import Board

PLIES = 4
"""After how many plies at most something is known."""
_WORDS = {(5, 5, 4): WORDS}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def openings(board: Board, own: int, other: int) -> list[int]:
    """The cells that are known to keep a drawn position drawn and to set other a hard task.

    There is none where nothing is known, and one, or several that symmetry makes equal.

    Args:
        board: The board; lines win.
        own: The bits of the marks of the side to move.
        other: The bits of the other side's marks.
    """
    words = _WORDS.get((board.m, board.n, board.k))
    if words is None or ((own | other) & board.rows).bit_count() > PLIES:
        return []
    known = _by_position(words)
    mine, theirs = board.cells_of(own), board.cells_of(other)
    first, second = (mine, theirs) if len(mine) == len(theirs) else (theirs, mine)
    found = set()
    for image in symmetries(board.m, board.n):
        cell = known.get(word([image[cell] for cell in first], [image[cell] for cell in second]))
        if cell is not None:
            found.add(image.index(cell))
    return sorted(found)


def word(first: Iterable[int], second: Iterable[int], *cells: int) -> str:
    """The word for the cells of who began, those of the other side, and what is played then."""
    return "".join([_LETTERS[cell] for cell in (*sorted(first), *sorted(second), *cells)])


@cache
def _by_position(words: str) -> dict[str, int]:
    return {known[:-1]: _LETTERS.index(known[-1]) for known in words.split()}
