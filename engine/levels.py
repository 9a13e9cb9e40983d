"""The levels that people pick from."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """How well the computer plays, weakest first."""

    BEGINNER = "beginner"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    PERFECT = "perfect"
