"""The boards that are offered to people, and the line that is meant where a board is named by its size alone.

On long lines a random mover nearly always draws: there a beginner can neither win nor lose, and the levels say
nothing. So of each size only those lines are offered on which two random movers draw at most every other game.
Measured over 1,000 games each: 4x4x4 0.43, 5x5x4 0.07, 6x6x5 0.27, 7x7x6 0.49 and 8x8x6 0.28 are drawn, but of
5x5x5 0.58, of 6x6x6 0.78, of 7x7x7 0.86 and of 8x8x8 0.92. Ultimate is drawn in 0.25.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import InvalidRules
from engine.rules.catalogue import parse_rules
from engine.rules.geometry import LARGEST, SMALLEST
from engine.rules.mnk import MISERE, MnkRules

if TYPE_CHECKING:
    from engine.rules.base import Rules

MENU: Final = (
    *("3x3x3", "4x4x4", "5x5x4", "6x6x4", "7x7x5", "8x8x5"),
    *("3x3x3-misere", "4x4x3-misere", "5x5x4-misere", "ultimate", "vanishing"),
)
"""What menus show, one of each kind, by the text of the rules; the others are there for who names them."""

MOST_DRAWN: Final = 0.5
"""The share of games that two random movers may draw where a board is offered."""

_LONGEST: Final = (
    (3,),
    (3, 4),
    (3, 4, 4),
    (3, 4, 5, 5),
    (4, 4, 5, 5, 6),
    (4, 4, 5, 5, 6, 6),
)
"""The longest line that is offered: a row for each longer side from 3, in it an entry for each shorter one."""


class NotOffered(InvalidRules):
    """There is such a board, but nobody is to play on it."""


def is_offered(rules: Rules) -> bool:
    """Whether people can choose these rules."""
    return not isinstance(rules, MnkRules) or rules.line <= longest_line(rules.layout.columns, rules.layout.rows)


def is_offered_as(text: str) -> bool:
    """Whether a text names rules that people can choose."""
    try:
        return is_offered(parse_rules(text))
    except InvalidRules:
        return False


def longest_line(columns: int, rows: int) -> int:
    """The longest line that is offered on a board of this size, which is one that there is."""
    return _LONGEST[max(columns, rows) - SMALLEST][min(columns, rows) - SMALLEST]


def usual_line(columns: int, rows: int, *, misere: bool = False) -> int:
    """The line that is meant where only the size of a board is named.

    It is the one that makes a game of it: on 4 by 4 a line of three wins by force for who begins, while in misère
    it is the one of four that hardly ever decides.
    """
    shorter = min(columns, rows)
    if shorter == SMALLEST or (misere and max(columns, rows) == SMALLEST + 1):
        return SMALLEST
    return 4 if shorter < 7 else 5  # noqa: PLR2004 - from seven a side on there is room for five


def offered(columns: int, rows: int, line: int | None = None, *, misere: bool = False) -> Rules:
    """The rules of a board that people name; without a line, those with the usual one.

    Raises:
        NotOffered: The board exists, but is drawn too often.
        InvalidRules: There is no such board.
    """
    sides_fit = all(SMALLEST <= side <= LARGEST for side in (columns, rows))
    if line is None:
        line = usual_line(columns, rows, misere=misere) if sides_fit else SMALLEST
    rules = parse_rules(f"{columns}x{rows}x{line}" + (f"-{MISERE}" if misere else ""))
    if not is_offered(rules):
        raise NotOffered(f"{rules} is drawn so often that nobody is to play it.")
    return rules
