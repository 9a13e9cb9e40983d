"""All rules by name: which there are, which are offered, and the families that results are counted in.

Two random players nearly always draw where lines are long, so only those are offered with which they draw at most
every other game; docs/engine.md has the measures.
"""

import copyreg
import re
from collections.abc import Mapping
from typing import Final

from engine.rules.base import InvalidRules, Rules
from engine.rules.mnk import CLASSIC, LARGEST, MISERE, SMALLEST, MnkRules, mnk_rules
from engine.rules.ultimate import ULTIMATE
from engine.rules.vanishing import VANISHING

NAMED: Final[Mapping[str, Rules]] = {"u": ULTIMATE, "v": VANISHING}
"""Rules with a name of their own, by its abbreviation. Both are stored and sent, so they never change."""

_SIDES: Final = re.compile("x".join(["(0|[1-9][0-9]{0,8})"] * 3))


def parse_rules(text: str) -> Rules:
    """The rules of this name: `5x5x4` (columns, rows, marks in a row), `5x5x4-misere`, `ultimate` or `vanishing`.

    The inverse of `Rules.text`. The same text gives the same object.

    Raises:
        InvalidRules: There are no rules of this name.
    """
    board, dash, variant = str(text).partition("-")
    if board in (named := {rules.text: rules for rules in NAMED.values()}) and not dash:
        return named[board]
    if not (sides := _SIDES.fullmatch(board)):
        board = "a board is written like 5x5x4: columns, rows, and how many in a row win"
        raise InvalidRules(f"No rules are called {text!r}: {board}; others are {' and '.join(named)}.")
    if dash and variant != MISERE:
        raise InvalidRules(f"No rules are called {text!r}: a board can only be followed by -{MISERE}.")
    return mnk_rules(*map(int, sides.groups()), misere=bool(dash))


for _kind in (MnkRules, *map(type, NAMED.values())):  # a copy is the same object, too
    copyreg.pickle(_kind, lambda rules: (parse_rules, (rules.text,)))

THREE_BY_THREE: Final = "classic"
"""Three in a row on 3 by 3."""

BIGGER: Final = "bigger"
"""Lines on every other board."""

FAMILIES: Final = (THREE_BY_THREE, BIGGER, MISERE, *(rules.text for rules in NAMED.values()))
"""All families. Rules with a name of their own are a family of their own."""


def family_of(rules: str) -> str:
    """The family of rules by their text, as `parse_rules` takes it."""
    if rules in FAMILIES:
        return rules
    if rules == CLASSIC.text:
        return THREE_BY_THREE
    return MISERE if rules.endswith(f"-{MISERE}") else BIGGER


MENU: Final = (
    *("3x3x3", "4x4x4", "5x5x4", "6x6x4", "7x7x5", "8x8x5"),
    *("3x3x3-misere", "4x4x3-misere", "5x5x4-misere", "ultimate", "vanishing"),
)
"""The rules in menus, one of each kind; others are available to people who name them. None is a forced win of few
plies (`usual_line`)."""

_LONGEST: Final = ((3,), (3, 4), (3, 4, 4), (3, 4, 5, 5), (4, 4, 5, 5, 6), (4, 4, 5, 5, 6, 6))
"""The longest line that is offered, by the length of the longer side (rows, from 3) and of the shorter one."""


class NotOffered(InvalidRules):
    """There is such a board, but it is not offered."""


def is_offered(rules: Rules) -> bool:
    """Whether people can choose these rules: those with a name, and boards on which enough games are decided."""
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
    return 4 if shorter < 7 else 5


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
