"""Strategies for any rules that look a few plies ahead, and perfect play where an exact table is small enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.exact import Exact
from engine.strategies import Strategy
from engine.values import Result, value_of_outcome

if TYPE_CHECKING:
    from engine.rules import Position


class Foresight(Strategy):
    """Chooses among all cells that look best so many plies ahead, where what is not over counts as drawn.

    One ply sees a win at once, and in misère a line to avoid; two plies see what other would win next.

    Args:
        plies: How far it looks.
    """

    __slots__ = ("_plies",)

    def __init__(self, plies: int) -> None:
        super().__init__(f"foresight-{plies}")
        self._plies: Final = plies

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that look best, ascending.

        Raises:
            NoMoveToChoose: The game is over.
        """
        known: dict[Position, int] = {}
        scores = {
            cell: -_score(position.play(cell), self._plies - 1, known) for cell in super().candidates(position)
        }
        best = max(scores.values())
        return tuple([cell for cell, score in scores.items() if score == best])


def _score(position: Position, plies: int, known: dict[Position, int]) -> int:
    """1, 0 or -1 for the side to move, as far as it can be seen; a position has one ply and so one depth left."""
    if position.outcome is not None:
        winner = position.outcome.winner
        return 0 if winner is None else 1 if winner is position.turn else -1
    if not plies:
        return 0
    score = known.get(position)
    if score is None:
        score = -1
        for cell in position.legal_moves:
            score = max(score, -_score(position.play(cell), plies - 1, known))
            if score == 1:
                break
        known[position] = score
    return score


class PerfectByTable(Strategy):
    """Perfect play by an exact table, for boards as small as 3 by 3: what `engine.perfect` does, by any rules.

    Where the game is won it hurries. Where it is drawn it plays the cells that win most often against who moves at
    random from there on; where it is lost, the longest defences, and among those the ones after which most
    replies let the win slip.
    """

    __slots__ = ("_chances", "_exact", "_known")

    def __init__(self) -> None:
        super().__init__("perfect")
        self._exact = Exact()
        self._known: dict[Position, tuple[int, ...]] = {}
        self._chances: dict[Position, float] = {}

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The best cells, ascending.

        Raises:
            NoMoveToChoose: The game is over.
        """
        cells = self._known.get(position)
        if cells is None:
            super().candidates(position)
            cells = self._known[position] = self._best(position)
        return cells

    def _best(self, position: Position) -> tuple[int, ...]:
        cells = self._exact.best(position)
        result = self._exact.value(position).result
        if result is Result.WIN or len(cells) == 1:
            return cells
        merit = self._slips if result is Result.LOSS else self._chance
        merits = [round(merit(position.play(cell)), 9) for cell in cells]
        return tuple(cell for cell, each in zip(cells, merits, strict=True) if each == max(merits))

    def _slips(self, position: Position) -> int:
        """How many of other's replies let the win slip."""
        return len(position.legal_moves) - len(self._exact.keeping(position))

    def _chance(self, position: Position) -> float:
        """How likely it wins from here on, if other, who is to move, always moves at random."""
        chance = self._chances.get(position)
        if chance is None:
            ended = value_of_outcome(position)
            if ended is not None:
                chance = float(ended.result is Result.LOSS)
            else:
                replies = [position.play(cell) for cell in position.legal_moves]
                chance = sum(map(self._chance_to_move, replies)) / len(replies)
            self._chances[position] = chance
        return chance

    def _chance_to_move(self, position: Position) -> float:
        ended = value_of_outcome(position)
        if ended is not None:
            return float(ended.result is Result.WIN)
        cells = self.candidates(position)
        return sum(self._chance(position.play(cell)) for cell in cells) / len(cells)
