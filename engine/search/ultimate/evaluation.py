"""The evaluation of a position of ultimate.

For each little board by itself, the chance of either side to win it is estimated by the lines that are still open
to it. A line of three boards is worth the product of their chances, and a position the sum over all lines for own
minus the sum for other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.rules.geometry import HAS_LINE, THREE_BY_THREE
from engine.rules.ultimate import ALL

_LINE_CHANCES: Final = (0.04, 0.10, 0.30)
"""The chance that a line without a mark of other is completed, by the number of own marks on it."""
_ORDER: Final = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""The cells, those on the most lines first."""


class _Chances(dict[int, tuple[float, float]]):
    """See `CHANCES`; each entry is computed when it is first looked up."""

    def __missing__(self, key: int) -> tuple[float, float]:
        own, other = key >> 9, key & ALL
        if HAS_LINE[own] or HAS_LINE[other]:
            found = float(HAS_LINE[own]), float(HAS_LINE[other])
        else:
            found = _chance(own, other), _chance(other, own)
        self[key] = found
        return found


CHANCES: Final = _Chances()
"""The chances of own and of other to win a little board with the marks `own << 9 | other`."""


def _chance(own: int, other: int) -> float:
    """The chance that one of own's open lines is completed, as if they were independent."""
    misses = 1.0
    for mask in THREE_BY_THREE.masks:
        if not other & mask:
            misses *= 1 - _LINE_CHANCES[(own & mask).bit_count()]
    return 1 - misses


class Ply(NamedTuple):
    """A ply on a little board."""

    place: int
    """The cell, from 0 to 8, which is also the board that other is sent to."""
    after: int
    """Own's marks on the board after it."""
    own: float
    """Own's chance to win the board after it."""
    other: float
    """Other's chance to win it."""
    is_won: bool
    """Whether it wins the board."""
    is_finished: bool
    """Whether it finishes the board."""


class _Plies(dict[int, tuple[Ply, ...]]):
    """See `PLIES`; likewise."""

    def __missing__(self, key: int) -> tuple[Ply, ...]:
        own, other = key >> 9, key & ALL
        plies = []
        for place in _ORDER:
            after = own | 1 << place
            if not (own | other) >> place & 1:
                won = HAS_LINE[after]
                plies.append(Ply(place, after, *CHANCES[after << 9 | other], won, won or after | other == ALL))
        plies.sort(key=lambda ply: ply.other - ply.own)
        found = self[key] = tuple(plies)
        return found


class _Wins(dict[int, tuple[Ply, ...]]):
    """See `WINS`; likewise."""

    def __missing__(self, key: int) -> tuple[Ply, ...]:
        found = self[key] = tuple([ply for ply in PLIES[key] if ply.is_won])
        return found


PLIES: Final = _Plies()
"""Own's plies on a little board with the marks `own << 9 | other`, those first that improve its chances most."""
WINS: Final = _Wins()
"""Those of them that win the board."""

WEIGHTS: Final[tuple[Callable[[Sequence[float]], float], ...]] = (
    lambda v: v[1] * v[2] + v[3] * v[6] + v[4] * v[8],
    lambda v: v[0] * v[2] + v[4] * v[7],
    lambda v: v[0] * v[1] + v[5] * v[8] + v[4] * v[6],
    lambda v: v[0] * v[6] + v[4] * v[5],
    lambda v: v[0] * v[8] + v[2] * v[6] + v[1] * v[7] + v[3] * v[5],
    lambda v: v[2] * v[8] + v[3] * v[4],
    lambda v: v[0] * v[3] + v[7] * v[8] + v[2] * v[4],
    lambda v: v[6] * v[8] + v[1] * v[4],
    lambda v: v[6] * v[7] + v[2] * v[5] + v[0] * v[4],
)
"""For each board, what winning it is worth to a side with these chances on all nine: of each line through it, the
product of the chances on its other two boards. Written out, because searches spend much of their time here."""


def evaluation(own: Sequence[float], other: Sequence[float]) -> float:
    """The value of a position for own, from -8 to 8, given the chances of both sides on the nine boards."""
    return _lines(own) - _lines(other)


def _lines(chances: Sequence[float]) -> float:
    return sum(chances[a] * chances[b] * chances[c] for a, b, c in THREE_BY_THREE.lines)
