"""Finds what the computer can comment on: the reason for its last move, found without a search."""

from __future__ import annotations

from functools import lru_cache

from engine import Reason
from engine.analysis.at_once import reason_at_once
from storage.games.game import COMPUTER, Game, Termination, replay, rules_of


def last_reason(game: Game) -> Reason | None:
    """Why the computer made the last move; None if that isn't worth a comment."""
    if (
        not game.moves
        or game.takebacks  # it would say the same again
        or (game.offer or game.declined) is not None
        or game.termination not in (None, Termination.LINE)
    ):
        return None
    mover, other = (game.x_seat, game.o_seat) if len(game.moves) % 2 else (game.o_seat, game.x_seat)
    if mover != COMPUTER or other == COMPUTER:
        return None
    return _reason_of_last(game.rules, game.moves)


def times_before(game: Game, reason: Reason) -> int:
    """How many earlier moves of the side that just moved had this reason."""
    earlier = range(len(game.moves) - 2, 0, -2)
    return sum(_reason_of_last(game.rules, game.moves[:plies]) is reason for plies in earlier)


@lru_cache(maxsize=16384)
def _reason_of_last(rules: str, moves: str) -> Reason:
    """Cached, because finding a reason takes longer than everything else in a board's text."""
    return reason_at_once(replay(rules, moves[:-1]), rules_of(rules).read_moves(moves[-1:])[0])
