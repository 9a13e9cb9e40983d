"""Finds the openings of 5x5x4 anew and writes them down; it takes more than an hour."""

from __future__ import annotations

import textwrap
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.mnk.bits import board
from engine.mnk.budget import Budget
from engine.mnk.openings import word
from engine.mnk.search import Searcher
from engine.mnk.solve import DRAW
from engine.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = Path("engine", "mnk", "openings_5x5x4.py")
"""From the root of the project."""
BUDGETS: Final = (1_000_000, 1_000_000, 1_000_000, 150_000, 60_000)
"""The nodes for a position, by the plies played."""
NODES_OF_A_PROOF: Final = 400_000
HEAD: Final = '"""The openings of 5x5x4, which `engine.mnk.openings` reads and `tools.openings` finds."""'
WIDTH: Final = 115


def positions(plies: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The cells of who began and of the other side after so many plies, one of all that are symmetric."""
    cells = range(25)
    for first in combinations(cells, (plies + 1) // 2):
        for second in combinations([cell for cell in cells if cell not in first], plies // 2):
            images = [
                word([image[cell] for cell in first], [image[cell] for cell in second])
                for image in symmetries(5, 5)
            ]
            if word(first, second) == min(images):
                yield first, second


def words() -> Iterator[str]:
    """The words of all drawn positions."""
    on = board(5, 5, 4)
    searcher = Searcher(on, knows_openings=False)
    for plies, nodes in enumerate(BUDGETS):
        for first, second in positions(plies):
            own, other = on.marks(first), on.marks(second)
            if plies % 2:
                own, other = other, own
            if searcher.solver.value(own, other, Budget(nodes=NODES_OF_A_PROOF)) == DRAW:
                yield word(first, second, searcher.best(own, other, Budget(nodes=nodes)).cell)


def main() -> None:
    """Write the module anew."""
    lines = textwrap.fill(" ".join(words()), WIDTH)
    PAGE.write_text(f'{HEAD}\n\nWORDS = """\n{lines}\n"""\n', encoding="utf-8")


if __name__ == "__main__":
    main()
