"""Perfect play on three by three, looked up in a table of every position.

Among the cells that keep the game's value it plays, where the game is won, the fastest wins; where it is
drawn, those that win most often against a player who moves at random from there on while it plays on by
this very rule; where it is lost, the longest defence, and among those the cells after which most replies
let the win slip. (Counting how rarely a random player goes on to win picks the same cells in every
position.) Ties stay.
"""

from __future__ import annotations

from struct import Struct

from engine.geometry import CLASSIC
from engine.symmetry import packed_images

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from engine.position import Position

# The merit of a position is what moving into it is worth: for a drawn one the number of random games that
# are won from there; a won one lies far above and a lost one far below, by plies to the end first.
_WIN = 1 << 20
_PLY = 16
_DRAWN = _WIN >> 1

_unpack = Struct("<8I").unpack
"""The eight lanes of 32 bits that hold a position's, or a set of cells', images under the symmetries."""

_table: dict[int, tuple[int, ...]] = {}


def candidates(position: Position) -> tuple[int, ...]:
    """The best cells of a position on 3 by 3 that is not over. The first call computes the table."""
    if not _table:
        _table.update(build())
    return _table[position.x << 9 | position.o]


def build() -> dict[int, tuple[int, ...]]:
    """The best cells of all 4,520 positions that are not over, keyed by `x << 9 | o`.

    Retrograde analysis of one position in each symmetry class, which fills in its images. Eager, because
    a table of all positions is smaller and faster to read than one of classes with their symmetries.
    """
    known: dict[int, tuple[int, int]] = {}
    table: dict[int, tuple[int, ...]] = {}
    packed = packed_images(CLASSIC, 32)
    # For O's plies and for X's: a cell's bit, the same in a key, and as packed images of key and cell.
    plies = [
        [
            (1 << cell, 1 << cell + shift, packed[cell] << shift, packed[cell], CLASSIC.lines_through[cell])
            for cell in range(9)
        ]
        for shift in (0, 9)
    ]
    cells_of: list[tuple[int, ...]] = [()]
    for cell in range(9):
        cells_of += [(*cells, cell) for cells in cells_of]
    # With n empty cells and the table to move, a random player can answer in games[n] ways to the end.
    games = [1, 1]
    for empty in range(1, 9):
        games.append(empty * games[-2])

    def analyse(keys: int, empty: int) -> tuple[int, int]:
        """Fill in the positions from here on; their merit, and the random games the side to move wins."""
        key = keys & 0x3FFFF
        x, o = key >> 9, key & 511
        own = x if empty & 1 else o
        best, best_cells, wins, winning = -2 * _WIN, 0, 0, 0
        for bit, in_key, images_of_key, images_of_cell, lines in plies[empty & 1]:
            if (x | o) & bit:
                continue
            child = known.get(key | in_key)
            if child is None:
                marks = own | bit
                for line in lines:
                    if marks & line == line:
                        child = known[key | in_key] = _WIN, 0
                        break
                else:
                    child = analyse(keys | images_of_key, empty - 1) if empty > 1 else (0, 0)
            merit, child_wins = child
            if merit > best:
                best, best_cells = merit, images_of_cell
            elif merit == best:
                best_cells |= images_of_cell
            if merit > _DRAWN:
                winning += 1
            wins += child_wins
        if best > _DRAWN:
            slips = empty - winning
            result = _PLY - best + slips, games[empty]
        elif best < -_DRAWN:
            result = best % _PLY - best - _PLY, 0
        else:
            result = wins, best
        images = _unpack(keys.to_bytes(32, "little"))
        known.update(dict.fromkeys(images, result))
        best_images = _unpack(best_cells.to_bytes(32, "little"))
        table.update(zip(images, map(cells_of.__getitem__, best_images), strict=True))
        return result

    analyse(0, 9)
    return table
