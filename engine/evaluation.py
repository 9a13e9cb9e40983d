"""Two classic evaluations of a 3 by 3 board, each for `own` against `other`, given as bitmasks."""

from __future__ import annotations

from engine.geometry import CLASSIC, fills_one

ONE_PLY_AHEAD = (0, 100, 1_000, 999_999), (0, -100, -10_000, -99_999)
"""Weights of a line by its marks, own lines and other's: these suit a board where other is to move."""
TO_MOVE = (0, 100, 20_000, 999_999), (0, -100, -1_000, -99_999)
"""Weights that suit a board where own is to move, so that own's two of a line are as good as three."""


def has_line(marks: int) -> bool:
    """Whether these marks fill a line."""
    return fills_one(marks, CLASSIC.masks)


def open_lines(own: int, other: int) -> int:
    """The lines without a mark of other less those without a mark of own; +60 for a win, -20 for a loss."""
    value = 0
    for mask in CLASSIC.masks:
        value += (not other & mask) - (not own & mask)
    if has_line(own):
        value += 60
    if has_line(other):
        value -= 20
    return value


def tempo(own: int, other: int, weights: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """The weights of all lines that hold marks of one side only."""
    own_weights, other_weights = weights
    value = 0
    for mask in CLASSIC.masks:
        if not other & mask:
            value += own_weights[(own & mask).bit_count()]
        elif not own & mask:
            value += other_weights[(other & mask).bit_count()]
    return value
