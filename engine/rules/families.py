"""Families of rules, within which results are counted together. Their names are stored."""

from __future__ import annotations

from typing import Final

from engine.rules.catalogue import NAMED
from engine.rules.mnk import CLASSIC, MISERE

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
