"""Which button a player taps next, read from the keyboard that the bot showed."""

import random
from collections.abc import Callable
from typing import Any

Keyboard = list[list[dict[str, Any]]]
Choice = Callable[[Keyboard, random.Random], str | None]
"""From a keyboard to the callback data to tap, or None when only a new game helps."""

NOUGHTS = ("🟡", "⭕")
"""Noughts as they are drawn, and as they were before: `--against` an earlier release needs both."""
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def mark(button: dict[str, Any]) -> str | None:
    """The mark that a cell's label shows."""
    label = button["text"]
    return "X" if "❌" in label else "O" if any(nought in label for nought in NOUGHTS) else None


def cells(keyboard: Keyboard) -> list[dict[str, Any]]:
    """The nine cells: the first three buttons of the first three rows."""
    return [button for row in keyboard[:3] for button in row[:3]]


def is_board(keyboard: Keyboard) -> bool:
    """Whether a keyboard holds nine cells."""
    return len(cells(keyboard)) == 9


def is_over(keyboard: Keyboard) -> bool:
    """Whether the board shows a line or is full."""
    marks = [mark(button) for button in cells(keyboard)]
    return None not in marks or any(
        marks[first] is not None and marks[first] == marks[second] == marks[third]
        for first, second, third in LINES
    )


def choose_in_game(keyboard: Keyboard, rng: random.Random) -> str | None:
    """A random empty cell; on a board that is over, the first button below the cells (play again)."""
    if is_over(keyboard):
        below = keyboard[3:]
        return below[0][0]["callback_data"] if below else None
    data: str = rng.choice([button for button in cells(keyboard) if mark(button) is None])["callback_data"]
    return data


def choose_any(keyboard: Keyboard, rng: random.Random) -> str | None:
    """A random cell: a bare handler's keyboard never changes."""
    data: str = rng.choice(cells(keyboard))["callback_data"]
    return data


CHOICES: dict[str, Choice] = {"game": choose_in_game, "any": choose_any}
