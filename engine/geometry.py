"""Boards: their size, and the lines on them."""

from __future__ import annotations

from engine.errors import InvalidGeometry
from engine.values import Value

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from typing import Self

SMALLEST = 3
LARGEST = 8


class Geometry(Value):
    """A board of `m` columns and `n` rows on which `k` marks in a row win.

    Cells are numbered from 0 in reading order, and a set of cells is a bitmask with bit c for cell c.
    Equal geometries are one object, so that lines are worked out once.

    Raises:
        InvalidGeometry: `m` or `n` is not within 3 to 8, or `k` not within 3 and the longer side.
    """

    __slots__ = ("cells", "full", "k", "lines", "lines_through", "m", "masks", "n")

    m: int
    """The number of columns."""
    n: int
    """The number of rows."""
    k: int
    """The number of marks in a row that win."""
    cells: int
    """The number of cells."""
    full: int
    """The bitmask of all cells."""
    lines: tuple[tuple[int, ...], ...]
    """Every line's cells, ascending: first rows, then columns, falling and rising diagonals."""
    masks: tuple[int, ...]
    """The lines as bitmasks, in the order of `lines`."""
    lines_through: tuple[tuple[int, ...], ...]
    """For each cell the bitmasks of the lines that it lies on, in the order of `lines`."""

    def __new__(cls, m: int, n: int, k: int) -> Self:
        """Look the geometry up, or make it."""
        known = _KNOWN.get((m, n, k))
        if known is None:
            known = _KNOWN[m, n, k] = _make(m, n, k)
        return known  # type: ignore[return-value] # there are no subclasses

    def _fields(self) -> tuple[int, int, int]:
        return self.m, self.n, self.k

    def __str__(self) -> str:
        return f"{self.m} by {self.n}, {self.k} in a row"


def fills_one(marks: int, masks: tuple[int, ...]) -> bool:
    """Whether these marks fill one of these lines, all as bitmasks."""
    for mask in masks:  # noqa: SIM110 - a generator would make every search half as slow again
        if marks & mask == mask:
            return True
    return False


def _make(m: int, n: int, k: int) -> Geometry:
    for side, name in ((m, "columns"), (n, "rows")):
        if not SMALLEST <= side <= LARGEST:
            raise InvalidGeometry(f"A board has {SMALLEST} to {LARGEST} {name}, not {side}.")
    if not SMALLEST <= k <= max(m, n):
        raise InvalidGeometry(
            f"On a board of {m} columns and {n} rows {SMALLEST} to {max(m, n)} in a row win, not {k}."
        )
    lines = tuple(_lines(m, n, k))
    masks = tuple(sum(1 << cell for cell in line) for line in lines)
    values = {
        "m": m,
        "n": n,
        "k": k,
        "cells": m * n,
        "full": (1 << m * n) - 1,
        "lines": lines,
        "masks": masks,
        "lines_through": tuple(tuple(mask for mask in masks if mask >> cell & 1) for cell in range(m * n)),
    }
    geometry = object.__new__(Geometry)
    for name, value in values.items():
        object.__setattr__(geometry, name, value)
    return geometry


def _lines(m: int, n: int, k: int) -> list[tuple[int, ...]]:
    """All lines of `k` cells, by direction and then in reading order of their first cells."""
    return [
        tuple((row + down * step) * m + column + right * step for step in range(k))
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
        for row in range(n)
        for column in range(m)
        if 0 <= column + right * (k - 1) < m and row + down * (k - 1) < n
    ]


_KNOWN: dict[tuple[int, int, int], Geometry] = {}

CLASSIC = Geometry(3, 3, 3)
"""The board that everybody knows."""
