"""What chooses moves: by looking a few plies ahead, by a table, or by the reasons of each ply."""

from __future__ import annotations

from math import gcd
from random import Random
from typing import Final

from engine.errors import NoMoveToChoose
from engine.players.reasons import Reason, reason_in_ultimate
from engine.rules.base import Position, Rules
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from engine.search.driver import Limits
from engine.search.solved import table


class Strategy:
    """A way of choosing moves. The base class chooses any cell, under any rules.

    Asked about a finished game, or about rules that it doesn't play, it raises `NoMoveToChoose`.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: Final = name

    def plays(self, rules: Rules) -> bool:  # noqa: ARG002 - this one plays all of them
        """Whether it plays these rules."""
        return True

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose: each as often as it is likely, ascending if all are equally likely."""
        if position.outcome is not None:
            raise NoMoveToChoose("The game is over, so there is no move to choose.")
        return position.legal_moves

    def choose(self, position: Position, rng: Random) -> int:
        """One of the candidates."""
        cells = self.candidates(position)
        return cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]

    def within(self, limits: Limits) -> Strategy:  # noqa: ARG002 - needs none
        """This strategy with limits for each choice; itself if it doesn't search."""
        return self


class Foresight(Strategy):
    """Plays any of the cells that look best so many plies ahead, where an unfinished game counts as drawn.

    With one ply it sees a win at once, and a line to avoid in misère; with two it sees what other could win next.
    """

    __slots__ = ("_plies",)

    def __init__(self, plies: int) -> None:
        super().__init__(f"foresight-{plies}")
        self._plies: Final = plies

    def candidates(self, position: Position) -> tuple[int, ...]:
        known: dict[Position, int] = {}
        scores = {
            cell: -_score(position.play(cell), self._plies - 1, known) for cell in super().candidates(position)
        }
        best = max(scores.values())
        return tuple([cell for cell, score in scores.items() if score == best])


class Slipping(Strategy):
    """Plays as one strategy, and every now and then as another.

    It slips in so many moves of ten.
    """

    __slots__ = ("_careful", "_careless", "_slips")

    def __init__(self, careful: Strategy, careless: Strategy, slips: int) -> None:
        super().__init__(f"slipping {careful.name}")
        self._careful: Final = careful
        self._careless: Final = careless
        self._slips: Final = slips

    def plays(self, rules: Rules) -> bool:
        return self._careful.plays(rules) and self._careless.plays(rules)

    def candidates(self, position: Position) -> tuple[int, ...]:
        careful, careless = self._careful.candidates(position), self._careless.candidates(position)
        slipping, not_slipping = len(careful) * self._slips, len(careless) * (10 - self._slips)
        shared = gcd(slipping, not_slipping)
        return careless * (slipping // shared) + careful * (not_slipping // shared)


class ByTable(Strategy):
    """Plays as `Foresight` does, but by a table of all positions."""

    __slots__ = ("_plies", "_rules")

    def __init__(self, rules: Rules, plies: int) -> None:
        super().__init__(f"table-{plies}")
        self._rules: Final = rules
        self._plies: Final = plies

    def plays(self, rules: Rules) -> bool:
        return rules is self._rules

    def candidates(self, position: Position) -> tuple[int, ...]:
        if position.rules is not self._rules:
            raise NoMoveToChoose(f"{self.name} plays {self._rules}, not {position.rules}.")
        scores = {}
        for cell in super().candidates(position):
            result, plies = table(self._rules).ending(position.play(cell))
            scores[cell] = -result if plies < self._plies else 0
        best = max(scores.values())
        return tuple([cell for cell, score in scores.items() if score == best])


def _score(position: Position, plies: int, known: dict[Position, int]) -> int:
    """1, 0 or -1 for the side to move, so many plies ahead; `known` needs no plies, as the position tells them."""
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


class Perfect(Strategy):
    """Perfect play by a table of all positions, which the first choice makes."""

    __slots__ = ("_rules",)

    def __init__(self, rules: Rules) -> None:
        super().__init__("perfect")
        self._rules: Final = rules

    def plays(self, rules: Rules) -> bool:
        return rules is self._rules

    def candidates(self, position: Position) -> tuple[int, ...]:
        if position.rules is not self._rules:
            raise NoMoveToChoose(f"{self.name} plays {self._rules}, not {position.rules}.")
        super().candidates(position)
        return table(self._rules).perfect(position)


class BoardByBoard(Strategy):
    """Wins the game or a little board at once, else blocks one, else doesn't let other win the game at once."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("board by board")

    def plays(self, rules: Rules) -> bool:
        return rules is ULTIMATE

    def candidates(self, position: Position) -> tuple[int, ...]:
        if not isinstance(position, UltimatePosition):
            raise NoMoveToChoose(f"{self.name} plays ultimate, not {position.rules}.")
        reasons = {cell: reason_in_ultimate(position, cell) for cell in super().candidates(position)}
        for wanted in (Reason.WIN, Reason.WIN_BOARD, Reason.BLOCK_BOARD):
            if found := tuple(cell for cell, reason in reasons.items() if reason is wanted):
                return found
        return tuple(cell for cell, reason in reasons.items() if reason is not Reason.ALLOWS_WIN) or tuple(reasons)
