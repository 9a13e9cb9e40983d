"""The opening book: values and best cells of positions that take longer to prove than a player waits.

A line of `book.txt` begins with the name of the rules and the result for the side to move. A word follows for each
position: the cells of the side that began, those of the other side, and the cell to play, each as one character of
`CELLS`. A position represents all that are symmetric to it. `tools/book.py` proves each of them.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from engine.rules.base import CELLS
from engine.rules.mnk import symmetries
from engine.search.base import GameValue
from engine.search.bits import BitBoard

BOOK: Final = Path(__file__).with_name("book.txt")
MOST_PLIES: Final = 4
"""The book has no later positions."""


class BookEntry(NamedTuple):
    """What the book has of a position."""

    result: GameValue
    """How the game ends for the side to move."""
    cells: tuple[int, ...]
    """The cells to play, in ascending order: one, or several that are equal by symmetry."""


def recall(board: BitBoard, own: int, other: int, *, misere: bool = False) -> BookEntry | None:
    """What the book has of a position; None if it doesn't have it."""
    rules = f"{board.m}x{board.n}x{board.k}{'-misere' * misere}"
    if rules not in _page() or ((own | other) & board.rows).bit_count() > MOST_PLIES:
        return None
    mine, theirs = board.cells_of(own), board.cells_of(other)
    first, second = (mine, theirs) if len(mine) == len(theirs) else (theirs, mine)
    found, result = set(), GameValue.DRAW
    for image in symmetries(board.m, board.n):
        entry = _page()[rules].get(word([image[cell] for cell in first], [image[cell] for cell in second]))
        if entry is not None:
            result, cell = entry
            found.add(image.index(CELLS.index(cell)))
    return BookEntry(result, tuple(sorted(found))) if found else None


def word(first: Iterable[int], second: Iterable[int], *cells: int) -> str:
    """The word for the cells of the side that began, those of the other side, and the cells to play."""
    return "".join([CELLS[cell] for cell in (*sorted(first), *sorted(second), *cells)])


@cache
def _page() -> Mapping[str, Mapping[str, tuple[GameValue, str]]]:
    """By the name of the rules, the value and the cell to play of each position."""
    page: dict[str, dict[str, tuple[GameValue, str]]] = {}
    for line in BOOK.read_text(encoding="ascii").splitlines():
        rules, name, *words = line.split()
        page.setdefault(rules, {}).update({each[:-1]: (GameValue[name.upper()], each[-1]) for each in words})
    return page
