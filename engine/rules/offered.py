"""The boards that people can choose, and the length of a line if they name a board by its size alone.

Two random players nearly always draw where lines are long, so only those are offered with which they draw at most
every other game; docs/engine.md has the measures.
"""

from __future__ import annotations

from typing import Final

from engine.errors import InvalidRules
from engine.rules.base import Rules
from engine.rules.catalogue import parse_rules
from engine.rules.geometry import LARGEST, SMALLEST
from engine.rules.mnk import MISERE, MnkRules

MENU: Final = (
    *("3x3x3", "4x4x4", "5x5x4", "6x6x4", "7x7x5", "8x8x5"),
    *("3x3x3-misere", "4x4x3-misere", "5x5x4-misere", "ultimate", "vanishing"),
)
"""The rules in menus, one of each kind; others are available to people who name them."""

_LONGEST: Final = (
    (3,),
    (3, 4),
    (3, 4, 4),
    (3, 4, 5, 5),
    (4, 4, 5, 5, 6),
    (4, 4, 5, 5, 6, 6),
)
"""The longest line that is offered, by the length of the longer side (rows, from 3) and of the shorter one."""


class NotOffered(InvalidRules):
    """There is such a board, but it is not offered."""


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
    """The longest line that is offered on a board of this size, which must exist."""
    return _LONGEST[max(columns, rows) - SMALLEST][min(columns, rows) - SMALLEST]


def usual_line(columns: int, rows: int, *, misere: bool = False) -> int:
    """The length of a line if only the size of the board is named: the one that makes for a good game.

    On 4 by 4, a line of three is a forced win for the first player; in misère, a line of four is hardly ever
    completed.
    """
    shorter = min(columns, rows)
    if shorter == SMALLEST or (misere and max(columns, rows) == SMALLEST + 1):
        return SMALLEST
    return 4 if shorter < 7 else 5  # from seven a side on there is room for five


def offered(columns: int, rows: int, line: int | None = None, *, misere: bool = False) -> Rules:
    """The rules of a board that people name, with the usual line if they don't name one.

    Raises:
        NotOffered: The board exists, but too many of its games are drawn.
        InvalidRules: There is no such board.
    """
    sides_fit = all(SMALLEST <= side <= LARGEST for side in (columns, rows))
    if line is None:
        line = usual_line(columns, rows, misere=misere) if sides_fit else SMALLEST
    rules = parse_rules(f"{columns}x{rows}x{line}" + (f"-{MISERE}" if misere else ""))
    if not is_offered(rules):
        raise NotOffered(f"{rules} is drawn so often that nobody is to play it.")
    return rules
