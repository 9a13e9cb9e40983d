"""The images of positions under the symmetries of the board, and the key that they share."""

from __future__ import annotations

from engine.rules.symmetry import symmetries
from engine.search.mnk.bits import Board


class Images:
    """All images of a position under the symmetries of a board, and the key that they share.

    The images are side by side in one integer, so that a ply is one operation: `image | own[cell]` for the side
    whose marks are called own, `image | other[cell]` for the other side.
    """

    def __init__(self, board: Board) -> None:
        maps = symmetries(board.m, board.n)
        self._width = (2 * board.cells + 7) // 8
        self._size = self._width * len(maps)
        self._lanes = tuple(range(0, self._size, self._width))
        self.own = tuple(
            sum(1 << 8 * lane + image[cell] for lane, image in zip(self._lanes, maps, strict=True))
            for cell in range(board.cells)
        )
        self.other = tuple(bits << board.cells for bits in self.own)

    def key(self, image: int) -> bytes:
        """The key of a position: the same for symmetric positions, and different for all others."""
        lanes = image.to_bytes(self._size, "little")
        width = self._width
        return min([lanes[start : start + width] for start in self._lanes])
