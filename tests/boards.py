"""Positions as they are drawn."""

from functools import cache
from itertools import zip_longest

from engine import CLASSIC, IllegalMove, Mark, Rules
from engine.rules.mnk import MnkPosition


@cache
def board(text: str, rules: Rules = CLASSIC) -> MnkPosition:
    """The position that some game leads to, such as `XO. .X. ...`; spaces and slashes are ignored."""
    cells = [cell for cell in text if cell not in " /\n"]
    assert len(cells) == rules.cells, text
    x, o = ([cell for cell, each in enumerate(cells) if each == mark] for mark in Mark)
    assert len(x) - len(o) in (0, 1), text
    last = x if len(x) > len(o) else o
    for _ in range(max(1, len(last))):
        try:
            position = rules.after(cell for pair in zip_longest(x, o) for cell in pair if cell is not None)
        except IllegalMove:  # a line before the last ply
            last.append(last.pop(0))
        else:
            assert isinstance(position, MnkPosition)
            return position
    raise AssertionError(f"No game leads to {text}.")
