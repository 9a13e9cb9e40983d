"""The best cell for the person to move, and why it is the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.refusals import Refusal
from engine import LEVELS, STRATEGIES, Level, Limits, Reason
from engine.mnk_rules import MnkPosition
from engine.tactics import reason_where_a_line_wins

if TYPE_CHECKING:
    from storage.game import Game

REASONS: Final = tuple(Reason)
"""The reasons, the most telling first: of equally good cells the hint names the one with most to say for it."""


QUICKLY: Final = Limits(nodes=300)
"""What a hint may cost where no table has the answer: some hundredths of a second."""


class Hint(NamedTuple):
    """A cell, and what speaks for it."""

    cell: int
    why: Reason


def hint(game: Game) -> Hint | Refusal:
    """The best cell of a running game against the computer."""
    if not game.is_against_computer:
        return Refusal.COMPUTER_ONLY
    position = game.position
    perfect = STRATEGIES["perfect"]
    if not perfect.plays(position.rules):
        cell = LEVELS[Level.PERFECT].within(QUICKLY).candidates(position)[0]
        return Hint(cell, _reason(game, cell))
    best = perfect.candidates(position)
    return min((Hint(cell, _reason(game, cell)) for cell in best), key=lambda each: REASONS.index(each.why))


def _reason(game: Game, cell: int) -> Reason:
    position = game.position
    return reason_where_a_line_wins(position, cell) if isinstance(position, MnkPosition) else Reason.PREFERENCE
