"""What a position of ultimate looks to be worth.

Each little board is taken by itself: how likely either side wins it, by the lines still open to it. A line of
three boards is worth the product of its boards' chances, and a position the sum over own lines less that over
other's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.geometry import THREE_BY_THREE
from engine.ultimate_marks import ALL, HAS_LINE

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINE_CHANCES: Final = (0.04, 0.10, 0.30)
"""How likely a line without other's marks is completed, by the own marks on it."""


class _Chances(dict[int, tuple[float, float]]):
    """By the marks on a little board, `own << 9 | other`, how likely own and other win it; filled when asked."""

    def __missing__(self, key: int) -> tuple[float, float]:
        own, other = key >> 9, key & ALL
        if HAS_LINE[own] or HAS_LINE[other]:
            found = float(HAS_LINE[own]), float(HAS_LINE[other])
        else:
            found = _chance(own, other), _chance(other, own)
        self[key] = found
        return found


CHANCES: Final = _Chances()
"""How likely own and other win a little board, for `own << 9 | other`."""


def _chance(own: int, other: int) -> float:
    """How likely one of the open lines is completed, as if they did not touch each other."""
    misses = 1.0
    for mask in THREE_BY_THREE.masks:
        if not other & mask:
            misses *= 1 - _LINE_CHANCES[(own & mask).bit_count()]
    return 1 - misses


def evaluation(own: Sequence[float], other: Sequence[float]) -> float:
    """A position's worth to own, given either side's chances on the nine boards: between -8 and 8."""
    a, b, c, d, e, f, g, h, i = own
    score = a * (b * c + d * g + e * i) + e * (d * f + b * h + c * g) + i * (g * h + c * f)
    a, b, c, d, e, f, g, h, i = other
    return score - (a * (b * c + d * g + e * i) + e * (d * f + b * h + c * g) + i * (g * h + c * f))
