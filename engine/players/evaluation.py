"""Two classic evaluations of a 3 by 3 board, each for `own` against `other`, given as bitmasks."""

from __future__ import annotations

from engine.rules.geometry import THREE_BY_THREE, fills_one

ONE_PLY_AHEAD = (0, 100, 1_000, 999_999), (0, -100, -10_000, -99_999)
"""Weights of a line by its marks, own lines and other's: these suit a board where other is to move."""
TO_MOVE = (0, 100, 20_000, 999_999), (0, -100, -1_000, -99_999)
"""Weights that suit a board where own is to move, so that own's two of a line are as good as three."""


def has_line(marks: int) -> bool:
    """Whether these marks fill a line."""
    return fills_one(marks, THREE_BY_THREE.masks)


def open_lines(own: int, other: int) -> int:
    """60 for a win and -20 for a loss; else the lines without a mark of other less those without one of own."""
    if has_line(own):
        return 60
    if has_line(other):
        return -20
    return sum((not other & mask) - (not own & mask) for mask in THREE_BY_THREE.masks)


def tempo(own: int, other: int, weights: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """The weights of all lines that hold marks of one side only."""
    own_weights, other_weights = weights
    value = 0
    for mask in THREE_BY_THREE.masks:
        if not other & mask:
            value += own_weights[(own & mask).bit_count()]
        elif not own & mask:
            value += other_weights[(other & mask).bit_count()]
    return value
