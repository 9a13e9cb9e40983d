"""Perfect play on three by three, looked up in a table of every position.

Among the cells that keep the game's value it plays, where the game is won, the fastest wins; where it is
drawn, those that win most often against a player who moves at random from there on while it plays on by
this very rule; where it is lost, the longest defence, and among those the cells after which most replies
let the win slip. (Counting how rarely a random player goes on to win picks the same cells in every
position.) Ties stay.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from engine.geometry import THREE_BY_THREE, fills_one
from engine.symmetry import packed_images

if TYPE_CHECKING:
    from engine.mnk_rules import MnkPosition

# The merit of a position is what moving into it is worth: for a drawn one the number of random games that
# are won from there; a won one lies far above and a lost one far below, by plies to the end first.
_WIN = 1 << 20
_PLY = 16
_DRAWN = _WIN >> 1

_unpack = Struct("<8I").unpack
"""The eight lanes of 32 bits that hold a position's, or a set of cells', images under the symmetries."""

_table: dict[int, tuple[int, ...]] = {}


def candidates(position: MnkPosition) -> tuple[int, ...]:
    """The best cells of a position on 3 by 3 that is not over. The first call computes the table."""
    if not _table:
        _table.update(build())
    return _table[position.x << 9 | position.o]


def build() -> dict[int, tuple[int, ...]]:
    """The best cells of all 4,520 positions that are not over, keyed by `x << 9 | o`."""
    analysis = _Retrograde()
    analysis.visit(0, THREE_BY_THREE.cells)
    return analysis.table


class _Retrograde:
    """The analysis of one position in each symmetry class, which fills in the images of each.

    It fills them in at once, because a table of all positions is read faster than one of the classes.
    """

    def __init__(self) -> None:
        self.table: dict[int, tuple[int, ...]] = {}
        # Of each known position its merit, and the random games that the side to move wins from there.
        self._known: dict[int, tuple[int, int]] = {}
        packed = packed_images(THREE_BY_THREE, 32)
        # For O's and for X's plies: a cell's bit, the same in a key, the images of either, and its lines.
        self._plies = [
            [
                (1 << cell, 1 << cell + shift, images << shift, images, THREE_BY_THREE.lines_through[cell])
                for cell, images in enumerate(packed)
            ]
            for shift in (0, 9)
        ]
        cells_of: list[tuple[int, ...]] = [()]
        for cell in range(THREE_BY_THREE.cells):
            cells_of += [(*cells, cell) for cells in cells_of]
        self._cells_of = cells_of.__getitem__
        # In how many ways a random player can answer the table to the end, by the cells now empty.
        self._games = [1, 1]
        for empty in range(1, THREE_BY_THREE.cells):
            self._games.append(empty * self._games[-2])

    def visit(self, keys: int, empty: int) -> tuple[int, int]:
        """Fill in a position, given by the packed images of its key, and all that follow it."""
        key = keys & 0x3FFFF
        x, o = key >> 9, key & 0x1FF
        own = x if empty & 1 else o
        known = self._known
        best, best_cells, wins, winning = -2 * _WIN, 0, 0, 0
        for bit, in_key, key_images, cell_images, masks in self._plies[empty & 1]:
            if (x | o) & bit:
                continue
            child = known.get(key | in_key)
            if child is None:
                if fills_one(own | bit, masks):
                    child = known[key | in_key] = _WIN, 0
                else:
                    child = self.visit(keys | key_images, empty - 1) if empty > 1 else (0, 0)
            merit, child_wins = child
            if merit > best:
                best, best_cells = merit, cell_images
            elif merit == best:
                best_cells |= cell_images
            winning += merit > _DRAWN
            wins += child_wins
        if best > _DRAWN:
            slips = empty - winning
            result = _PLY - best + slips, self._games[empty]
        elif best < -_DRAWN:
            result = best % _PLY - best - _PLY, 0
        else:
            result = wins, best
        images = _unpack(keys.to_bytes(32, "little"))
        known.update(dict.fromkeys(images, result))
        cells = map(self._cells_of, _unpack(best_cells.to_bytes(32, "little")))
        self.table.update(zip(images, cells, strict=True))
        return result
