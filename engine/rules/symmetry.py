"""The turns and reflections of a board."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rules.geometry import Geometry


@cache
def symmetries(m: int, n: int) -> tuple[tuple[int, ...], ...]:
    """The permutations of cells that keep the lines of a board of m columns and n rows.

    Eight on a square, four on any other board; entry c of each is the cell to which c goes, and the first
    changes nothing.
    """
    cells = [divmod(cell, m) for cell in range(m * n)]
    return tuple(
        tuple(
            (n - 1 - down if flip else down) * m + (m - 1 - right if mirror else right)
            for down, right in ((column, row) if transpose else (row, column) for row, column in cells)
        )
        for transpose in ((False, True) if m == n else (False,))
        for flip in (False, True)
        for mirror in (False, True)
    )


def packed_images(geometry: Geometry, width: int) -> tuple[int, ...]:
    """For each cell one integer that holds its images under all symmetries, each as a bitmask.

    The image under symmetry i stands in the i-th lane of `width` bits. An OR over some cells holds the
    images of their set: eight images for one operation.
    """
    images = symmetries(geometry.m, geometry.n)
    return tuple(
        sum(1 << lane * width + image[cell] for lane, image in enumerate(images)) for cell in range(geometry.cells)
    )
