"""Every set of rules by its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import InvalidRules
from engine.mnk_rules import MISERE, mnk_rules

if TYPE_CHECKING:
    from engine.rules import Rules


def parse_rules(text: str) -> Rules:
    """The rules of this name: `5x5x4` (columns, rows and marks in a row), the same with `-misere`.

    The inverse of `Rules.text`; the same text gives the same object.

    Raises:
        InvalidRules: Nothing is played under this name.
    """
    board, dash, variant = text.partition("-")
    sides = board.split("x")
    if len(sides) != len("mnk") or not all(side.isascii() and side.isdigit() and len(side) == 1 for side in sides):
        raise InvalidRules(f"No rules are called {text!r}: a board is written like 5x5x4.")
    if dash and variant != MISERE:
        raise InvalidRules(f"No rules are called {text!r}: a board can only be followed by -{MISERE}.")
    m, n, k = map(int, sides)
    return mnk_rules(m, n, k, misere=bool(dash))
