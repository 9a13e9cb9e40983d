"""The symmetries of a board: its rotations and reflections."""

from __future__ import annotations

from functools import cache

from engine.rules.geometry import Geometry


@cache
def symmetries(m: int, n: int) -> tuple[tuple[int, ...], ...]:
    """The permutations of cells that map lines to lines, on a board of m columns and n rows.

    There are eight on a square board and four on any other. Entry c of a permutation is the cell that c is mapped
    to; the first permutation is the identity.
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
    """For each cell, one integer that holds its images under all symmetries, each as a bitmask.

    The image under symmetry i is in the i-th lane of `width` bits. The images of a set of cells are the OR of
    theirs: eight images by one operation.
    """
    images = symmetries(geometry.m, geometry.n)
    return tuple(
        sum(1 << lane * width + image[cell] for lane, image in enumerate(images)) for cell in range(geometry.cells)
    )
