"""Families of rules: those in which somebody's results are counted together."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.mnk_rules import CLASSIC, MISERE
from engine.ultimate import ULTIMATE


class Family(StrEnum):
    """What is much the same game; the values are stored, so they never change."""

    CLASSIC = "classic"
    """Three in a row on 3 by 3."""
    BIGGER = "bigger"
    """Lines on every other board."""
    MISERE = "misere"
    """Whoever makes a line has lost."""
    ULTIMATE = "ultimate"


_NAMED: Final = {CLASSIC.text: Family.CLASSIC, ULTIMATE.text: Family.ULTIMATE}


def family_of(rules: str) -> Family:
    """The family of rules by their text, as `parse_rules` takes it."""
    if rules in _NAMED:
        return _NAMED[rules]
    return Family.MISERE if rules.endswith(f"-{MISERE}") else Family.BIGGER
