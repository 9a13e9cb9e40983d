"""The levels that people pick from."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine.strategies import STRATEGIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.strategies import Strategy


class Level(StrEnum):
    """How well the computer plays, weakest first."""

    BEGINNER = "beginner"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    PERFECT = "perfect"


LEVELS: Final[Mapping[Level, Strategy]] = MappingProxyType(
    {
        Level.BEGINNER: STRATEGIES["random"],
        Level.EASY: STRATEGIES["blocker"],
        Level.MEDIUM: STRATEGIES["open-lines"],
        Level.HARD: STRATEGIES["rules"],
        Level.PERFECT: STRATEGIES["perfect"],
    }
)
"""What plays at each level."""
