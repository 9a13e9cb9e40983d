"""The two marks."""

from __future__ import annotations

from enum import StrEnum


class Mark(StrEnum):
    """A player's mark. X always moves first."""

    X = "X"
    O = "O"  # noqa: E741 - this is the mark's name

    @property
    def other(self) -> Mark:
        """The opponent's mark."""
        return Mark.O if self is Mark.X else Mark.X

    def __repr__(self) -> str:
        return f"Mark.{self.name}"
