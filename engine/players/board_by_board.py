"""How the easy level plays ultimate: by the reason of each ply, without looking further ahead."""

from __future__ import annotations

from engine.errors import NoMoveToChoose
from engine.players.reasons import Reason
from engine.players.strategy import Strategy
from engine.players.ultimate_reasons import reason_in_ultimate
from engine.rules.base import Position, Rules
from engine.rules.ultimate import ULTIMATE, UltimatePosition


class BoardByBoard(Strategy):
    """Wins the game or a little board at once, else blocks one, else doesn't let other win the game at once."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("board by board")

    def plays(self, rules: Rules) -> bool:
        """Whether these are the rules of ultimate."""
        return rules is ULTIMATE

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells of the first of these kinds that there is, in ascending order.

        Raises:
            NoMoveToChoose: The game is over, or the rules aren't ultimate.
        """
        if not isinstance(position, UltimatePosition):
            raise NoMoveToChoose(f"{self.name} plays ultimate, not {position.rules}.")
        reasons = {cell: reason_in_ultimate(position, cell) for cell in super().candidates(position)}
        for wanted in (Reason.WIN, Reason.WIN_BOARD, Reason.BLOCK_BOARD):
            if found := tuple(cell for cell, reason in reasons.items() if reason is wanted):
                return found
        return tuple(cell for cell, reason in reasons.items() if reason is not Reason.ALLOWS_WIN) or tuple(reasons)
