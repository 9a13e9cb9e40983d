"""What the computer has to say about its last move: the one reason for it, found without a search."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.analysis.at_once import reason_at_once
from storage.games.game import COMPUTER, Termination, replay, rules_of

if TYPE_CHECKING:
    from engine import Reason
    from storage.games.game import Game


def reason_spoken(game: Game) -> Reason | None:
    """Why the computer made the last move; None if it was not the computer's, or there is nobody to tell."""
    if (
        not game.moves
        or (game.offer or game.declined) is not None
        or game.termination not in (None, Termination.LINE)
    ):
        return None
    mover, other = (game.x_seat, game.o_seat) if len(game.moves) % 2 else (game.o_seat, game.x_seat)
    if mover != COMPUTER or other == COMPUTER:
        return None
    return _reason_of_last(game.rules, game.moves)


@lru_cache(maxsize=16384)
def _reason_of_last(rules: str, moves: str) -> Reason:
    """Remembered, because finding it costs more than all else that is written on a board."""
    return reason_at_once(replay(rules, moves[:-1]), rules_of(rules).read_moves(moves[-1:])[0])
