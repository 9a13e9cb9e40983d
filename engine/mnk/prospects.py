"""How likely the other side is to err within some rounds, on boards that are small enough for random games."""

from __future__ import annotations

from math import exp, log, prod
from typing import TYPE_CHECKING, NamedTuple

from engine.mnk.bounds import weights
from engine.mnk.proof import NEVER, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.bits import Board
    from engine.mnk.budget import Budget
    from engine.mnk.rollouts import RollOuts
    from engine.mnk.solve import Solver

_UNSEEN = ((1, 0.0), (3, 0.01), (5, 0.12), (7, 0.4), (9, 0.75))
"""By the plies of the loss after a reply, how often the other side does not see it;"""
_UNSEEN_FURTHER = 1.0
"""and where it takes more."""
_VALUED = 22.0
"""A reply is played e times as often as one whose value in random games is a twenty-second less,"""
_LINED = 6.0
"""or whose lines, of both sides, weigh a sixth less,"""
_LEAST_LINED = -8.0
"""where this is the most that lines count;"""
_LEAST = -5.8
"""and none is less natural than this.

The numbers are fitted to 543 decisions of Monte Carlo tree search with 27,500 roll-outs, in drawn positions of
5x5x4: in the half of the games that was left out, the chance of an error has a logarithmic loss of 0.25, where it
had 0.39 with each loss counting in proportion to how often it is not seen.
"""
_POINTS = (
    (0.0254460438, 0.0647424831),
    (0.1292344072, 0.1398526957),
    (0.2970774243, 0.1909150253),
    (0.5, 0.2089795918),
    (0.7029225757, 0.1909150253),
    (0.8707655928, 0.1398526957),
    (0.9745539562, 0.0647424831),
)
"""Where an integral from 0 to 1 is looked at, and what each place weighs: the rule of Gauss with seven points."""

_HOPEFUL = 9
"""After how many cells of a round to come it is asked what other may run into: those that look right to it, too.

In 59 of 68 positions with a cell after which other errs at once more than one time in ten, the best is among them.
"""
_CELLS = 6, 5, 4
"""By the rounds played, after how many cells of a round to come it is asked what comes then,"""
_REPLIES = 4
"""and after how many of the replies that hold,"""
_SHARE = 0.06
"""unless they are played less often."""
_FEW_REPLIES, _FEW_CELLS = 1, 3
"""Of replies and of cells of a round to come, how many are followed where the look is narrow."""
_RARE = 0.01
"""Replies that are played less often than this count as if they held."""
_REMEMBERED = 2_000
"""How many positions are remembered, and how many chances."""

_Error = tuple[float, list[tuple[float, int]]]


class Ahead(NamedTuple):
    """How far to look ahead."""

    plies: int
    """Losses within so many plies are seen."""
    rounds: int
    """A round is a reply and what answers it."""
    played: int = 0
    """The rounds that were played until here."""
    narrow: bool = False
    """Whether only what looks best is followed in later rounds."""

    def after_a_round(self) -> Ahead:
        """What is left of it a round later."""
        return self._replace(rounds=self.rounds - 1, played=self.played + 1)


class Prospects:
    """Expects errors on one board; what it finds out it remembers for a while.

    Args:
        board: The board.
        solver: Has the proofs.
        roll_outs: Values replies.
    """

    def __init__(self, board: Board, solver: Solver, roll_outs: RollOuts) -> None:
        self._board = board
        self._solver = solver
        self._roll_outs = roll_outs
        self._replies: dict[tuple[int, int], dict[int, float]] = {}
        self._errors: dict[tuple[int, int, int], _Error] = {}

    def within(self, own: int, other: int, ahead: Ahead, budget: Budget) -> float:
        """The chance, from 0 to 1, that the side to move errs if each time it is set the hardest task.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            ahead: How far to look; one round is the next reply alone.
            budget: Pays for it.

        Raises:
            Spent: The budget does not suffice.
        """
        chance, holding = self._error(own, other, ahead.plies, budget)
        if ahead.rounds > 1:
            for often, reply in holding[: _FEW_REPLIES if ahead.narrow else None]:
                if often >= _SHARE:
                    after = own | self._board.bits[reply]
                    chance += often * self._hardest(other, after, ahead.after_a_round(), budget)
        return chance

    def _hardest(self, own: int, other: int, ahead: Ahead, budget: Budget) -> float:
        """The same for the side that is not to move, after the best cell of the side to move."""
        board, solver = self._board, self._solver
        lines = board.missing(own, other, board.full)
        if lines[0] or not any(lines):
            return float(bool(lines[0]))
        tried = []
        for cell in self._hopeful(own, other, budget)[: _FEW_CELLS if ahead.narrow else None]:
            after = own | board.bits[cell]
            if solver.can_win(other, after, ahead.plies, budget) <= UNKNOWN:
                tried.append((self._error(other, after, ahead.plies, budget)[0], -cell, after))
        tried.sort(reverse=True)
        if not tried or ahead.rounds == 1:
            return tried[0][0] if tried else 0.0
        cells = _CELLS[min(ahead.played, len(_CELLS)) - 1]
        return max(self.within(other, after, ahead, budget) for _, _, after in tried[:cells])

    def _error(self, own: int, other: int, plies: int, budget: Budget) -> _Error:
        """The chance that the side to move errs at once, and how often it plays which of the replies that hold."""
        key = own, other, plies
        known = self._errors.get(key)
        if known is None:
            known = self._weigh(own, other, plies, budget)
            if len(self._errors) >= _REMEMBERED:
                self._errors.clear()
            self._errors[key] = known
        return known

    def _weigh(self, own: int, other: int, plies: int, budget: Budget) -> _Error:
        holding: list[tuple[float, int]] = []
        losing: list[tuple[float, float]] = []
        for cell, often in self._replies_of(own, other, budget).items():
            within = NEVER
            if often >= _RARE:
                within = self._solver.can_win(other, own | self._board.bits[cell], plies, budget)
            if within <= 0:
                holding.append((often, cell))
            elif unseen := next((part for most, part in _UNSEEN if within <= most), _UNSEEN_FURTHER):
                losing.append((often, unseen))
        holds = sum(often for often, _ in holding)
        if not holds:
            return float(bool(losing)), []
        held = _held(holds, losing) if losing else 1.0
        holding.sort(key=lambda each: (-each[0], each[1]))
        return 1 - held, [(often / holds * held, cell) for often, cell in holding[:_REPLIES]]

    def _hopeful(self, own: int, other: int, budget: Budget) -> list[int]:
        """The cells that look right, or those that keep other from a line."""
        board = self._board
        if threats := board.missing(other, own, board.full)[0]:
            return board.cells_of(board.spread(threats) & (board.full ^ own ^ other))
        replies = self._replies_of(own, other, budget)
        return sorted(replies, key=lambda cell: (-replies[cell], cell))[:_HOPEFUL]

    def _replies_of(self, own: int, other: int, budget: Budget) -> dict[int, float]:
        """How often each reply of the side to move looks right to it; of all of them the sum is 1."""
        known = self._replies.get((own, other))
        if known is None:
            known = self._weighed(own, other, budget)
            if len(self._replies) >= _REMEMBERED:
                self._replies.clear()
            self._replies[own, other] = known
        return known

    def _weighed(self, own: int, other: int, budget: Budget) -> dict[int, float]:
        board = self._board
        values = self._roll_outs.values(own, other, budget)
        if not values:
            return {}
        lines = [board.through[cell] for cell in values]
        sides = (own, other), (other, own)
        gains, blocks = (weights(board.missing(*each, board.full), 1 << board.k - 1, lines) for each in sides)
        lined = [gain + block for gain, block in zip(gains, blocks, strict=True)]
        heaviest, unit = max(lined), _LINED / (1 << board.k)
        natural = [
            _VALUED * value + max(unit * (each - heaviest), _LEAST_LINED)
            for value, each in zip(values.values(), lined, strict=True)
        ]
        most = max(natural)
        often = [exp(max(each - most, _LEAST)) for each in natural]
        total = sum(often)
        return {cell: each / total for cell, each in zip(values, often, strict=True)}


def _held(holds: float, losing: Sequence[tuple[float, float]]) -> float:
    """The chance of a reply that holds, where each that loses comes with how often it is played and overlooked.

    With the replies that happen to be overlooked, it is what holds / (holds + their sum) is on average, which is
    an integral of holds * exp(-t * holds) * the product of each reply's average of exp(-t * how often), over t.
    """
    found = 0.0
    for place, part in _POINTS:
        t = -log(1 - place) / holds
        found += part * prod(1 - unseen + unseen * exp(-t * often) for often, unseen in losing)
    return found
