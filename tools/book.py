"""Proves every position of the engine's opening book, or adds positions that a short search plays wrongly.

python -m tools.book                    proves that each cell keeps the value of its position
python -m tools.book 6x6x4 2            adds positions with two marks in which a short search gives value away
"""

import sys
import textwrap
from collections.abc import Iterator
from itertools import combinations, groupby
from typing import cast

from engine import SearchLimits, parse_rules
from engine.rules.base import CELLS
from engine.rules.mnk import MnkPosition, MnkRules, symmetries
from engine.search.base import Budget, GameValue
from engine.search.bits import board_of
from engine.search.book import BOOK, recall, word
from engine.search.mnk import MnkSearch
from engine.search.solve import Solver

NODES_OF_A_SEARCH = 4_000
"""The nodes of a short search: fewer than it has in 0.3 s on a busy machine."""
NODES_OF_A_PROOF = 1_000_000
ENTRIES = 300_000
"""Proofs of the entries of one board have much in common, so their tables are large."""
WIDTH = 108


class Page:
    """The book of one board."""

    def __init__(self, text: str) -> None:
        rules = parse_rules(text)
        if not isinstance(rules, MnkRules):
            raise SystemExit(f"There is no book of {text}.")
        self.rules = rules
        self._board = board_of(rules)
        self._images = symmetries(self._board.m, self._board.n)
        self._solver = Solver(self._board, misere=rules.misere, entries=ENTRIES)

    def positions(self, plies: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The cells of the side that moved first and of the other side, one position of each symmetry class."""
        cells = range(self.rules.cells)
        for first in combinations(cells, (plies + 1) // 2):
            for second in combinations([cell for cell in cells if cell not in first], plies // 2):
                own = sorted(first), sorted(second)
                if all(
                    own <= (sorted(image[cell] for cell in first), sorted(image[cell] for cell in second))
                    for image in self._images
                ):
                    yield first, second

    def is_right(self, entry: str, result: str) -> bool | None:
        """Whether an entry's position has this result and its cell keeps it; None if the proof takes too long."""
        *marks, cell = [CELLS.index(character) for character in entry]
        half = (len(marks) + 1) // 2
        own, other = self._sides(marks[:half], marks[half:])
        proven = self._values(self._solver, own, other, cell)
        expected = GameValue[result.upper()]
        return None if proven is None else proven == (expected, expected)

    def missing(self, plies: int) -> Iterator[tuple[str, str]]:
        """The result and the word of each position in which a short search gives away what a long one proves."""
        for first, second in self.positions(plies):
            own, other = self._sides(first, second)
            if recall(self._board, own, other, misere=self.rules.misere) is not None:
                continue
            x, o = (sum(1 << cell for cell in cells) for cells in (first, second))
            position = MnkPosition(x, o, self.rules, None)
            search = MnkSearch(self.rules, SearchLimits(NODES_OF_A_SEARCH))
            choice = search.choice(position)
            if choice.result is not None:
                continue
            before, after = self._values(search.solver, own, other, cast("int", choice.cell)) or (0, 0)
            if after < before:
                search.renew(SearchLimits(NODES_OF_A_PROOF), 0)
                better = search.best(position)
                if self._values(search.solver, own, other, better) == (before, before):
                    yield GameValue(before).name.lower(), word(first, second, better)

    def _sides(self, first: list[int] | tuple[int, ...], second: list[int] | tuple[int, ...]) -> tuple[int, int]:
        """The bits of the side to move and of the other one."""
        own, other = self._board.marks(first), self._board.marks(second)
        return (own, other) if len(first) == len(second) else (other, own)

    def _values(self, solver: Solver, own: int, other: int, cell: int) -> tuple[int, int] | None:
        """The values of a position and of playing a cell there; None if a proof takes too long."""
        before, after = [
            solver.value(*sides, Budget(SearchLimits(NODES_OF_A_PROOF)), with_plies=False)
            for sides in ((own, other), (other, own | self._board.bits[cell]))
        ]
        return None if before.result is None or after.result is None else (before.result, -after.result)


def main(arguments: list[str]) -> int:
    """Prove the book, or add to it; returns 1 if an entry is wrong."""
    if len(arguments) not in (0, 2) or not all(map(str.isdecimal, arguments[1:])):
        raise SystemExit(__doc__)
    book: dict[tuple[str, str], list[str]] = {}
    for line in BOOK.read_text(encoding="ascii").splitlines():
        text, value, *words = line.split()
        book.setdefault((text, value), []).extend(words)
    if not arguments:
        return _prove(book)
    text, plies = arguments
    for result, each in Page(text).missing(int(plies)):
        book.setdefault((text, result), []).append(each)
        sys.stdout.write(f"{text} {result} {each}\n")
    BOOK.write_text("".join(_written(*key, words) for key, words in sorted(book.items())), encoding="ascii")
    return 0


def _prove(book: dict[tuple[str, str], list[str]]) -> int:
    wrong = unproven = 0
    for (text, value), words in book.items():
        page = Page(text)
        for each in words:
            is_right = page.is_right(each, value)
            wrong, unproven = wrong + (is_right is False), unproven + (is_right is None)
            if not is_right:
                sys.stdout.write(f"{text} {value} {each}: {'wrong' if is_right is False else 'not proven'}\n")
    sys.stdout.write(f"{sum(map(len, book.values()))} positions, {wrong} wrong, {unproven} not proven.\n")
    return int(wrong > 0)


def _written(text: str, value: str, words: list[str]) -> str:
    """The lines of one board and value, by the number of marks."""
    in_order = sorted(words, key=lambda word: (len(word), word))
    by_plies = [" ".join(same) for _, same in groupby(in_order, len)]
    return "".join(f"{text} {value} {line}\n" for each in by_plies for line in textwrap.wrap(each, WIDTH))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
