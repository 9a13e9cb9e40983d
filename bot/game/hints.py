"""The best cell for the person to move, and why it is the best."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from bot.game.refusals import Refusal
from engine import STRATEGIES, Reason, explain

if TYPE_CHECKING:
    from storage.game import Game


class Why(Enum):
    """Why a hint names its cell."""

    WIN = "win"
    BLOCK = "block"
    FORK = "fork"
    BEST = "best"


class Hint(NamedTuple):
    """A cell, and why."""

    cell: int
    why: Why


def hint(game: Game) -> Hint | Refusal:
    """The best cell of a running game against the computer."""
    if not game.is_against_computer:
        return Refusal.COMPUTER_ONLY
    best = STRATEGIES["perfect"].candidates(game.position)
    rule = explain(game.position)
    reasons = {Reason.WIN: Why.WIN, Reason.BLOCK: Why.BLOCK, Reason.FORK: Why.FORK}
    if rule.cell in best:
        return Hint(rule.cell, reasons.get(rule.reason, Why.BEST))
    return Hint(best[0], Why.BEST)
