"""All rules by name, and by a shorter name for callback data, where space is short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.errors import InvalidRules
from engine.rules.base import Rules
from engine.rules.mnk import MISERE, mnk_rules
from engine.rules.ultimate import ULTIMATE
from engine.rules.vanishing import VANISHING

NAMED: Final[Mapping[str, Rules]] = {"u": ULTIMATE, "v": VANISHING}
"""Rules with a name of their own, by its abbreviation. Both are stored and sent, so they never change."""


def parse_rules(text: str) -> Rules:
    """The rules of this name: `5x5x4` (columns, rows, marks in a row), `5x5x4-misere`, `ultimate` or `vanishing`.

    The inverse of `Rules.text`. The same text gives the same object.

    Raises:
        InvalidRules: There are no rules of this name.
    """
    for rules in NAMED.values():
        if text == rules.text:
            return rules
    board, dash, variant = text.partition("-")
    sides = board.split("x")
    if len(sides) != len("mnk") or not all(side.isascii() and side.isdigit() and len(side) == 1 for side in sides):
        raise InvalidRules(f"No rules are called {text!r}: a board is written like 5x5x4.")
    if dash and variant != MISERE:
        raise InvalidRules(f"No rules are called {text!r}: a board can only be followed by -{MISERE}.")
    m, n, k = map(int, sides)
    return mnk_rules(m, n, k, misere=bool(dash))
