"""The turns and reflections of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.geometry import Geometry


def symmetries(geometry: Geometry) -> tuple[tuple[int, ...], ...]:
    """The permutations of cells that keep a board's lines: entry c is the cell to which c goes.

    Eight on a square, four on any other board; the first changes nothing.
    """
    m, n = geometry.m, geometry.n
    cells = [divmod(cell, m) for cell in range(geometry.cells)]
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
    images = symmetries(geometry)
    return tuple(
        sum(1 << lane * width + image[cell] for lane, image in enumerate(images)) for cell in range(geometry.cells)
    )
