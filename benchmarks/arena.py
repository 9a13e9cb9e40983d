"""The parts of a match between programs: players and boards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol


class Player(Protocol):
    """A player, which chooses cells."""

    def cell(self, moves: Sequence[int]) -> int:
        """The cell to play after these moves, within the agreed time."""


class Arena(Protocol):
    """The board of a match, with its players."""

    def ours(self, seconds: float, seed: int) -> Player:
        """This project's search, with this many seconds a move."""

    def theirs(self, name: str, seconds: float, seed: int) -> Player:
        """The opponent of this name, likewise."""

    def opening(self, rng: random.Random) -> list[int]:
        """A few random plies from which neither side is proven to win."""

    def play(self, moves: list[int], players: Sequence[Player]) -> int | None:
        """The number of the player who wins a game from an opening, None for a draw; X's player comes first."""
