"""Cells in words: how they are called, and how a typed move is read."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gettext import NullTranslations

    from engine import Rules

LONGEST: Final = 24
"""Characters of a text that is read as a move; longer ones are talk."""

PAIR: Final = re.compile(r"([0-9]{1,3})[\s,;:.、]{1,4}([0-9]{1,3})")
NUMBER: Final = re.compile(r"[0-9]{1,3}")
LIKE_A_MOVE: Final = re.compile(r"^\s{0,4}[0-9０-９][0-9０-９\s,;:.，、；：．]{0,20}$")
"""What is taken for a move, good or bad, in answer to a board; other words there are talk between people."""


class BadMove(ValueError):
    """A typed move that cannot be read or lies beside the board; the error's text says why."""


def cell_name(cell: int, rules: Rules, t: NullTranslations) -> str:
    """A cell in words: its row and column, from 1."""
    row, column = divmod(cell, rules.columns)
    return t.gettext("row {row}, column {column}").format(row=row + 1, column=column + 1)


def read_move(text: str, rules: Rules, t: NullTranslations) -> int:
    """The cell that a typed move means: a row and a column, or a number, all from 1.

    Full-width digits and Chinese commas are as good as others.

    Raises:
        BadMove: with a sentence for a bad format, and another for a cell beside the board.
    """
    text = unicodedata.normalize("NFKC", text).strip() if len(text) <= LONGEST else ""
    if pair := PAIR.fullmatch(text):
        row, column = (int(part) for part in pair.groups())
        if not (1 <= row <= rules.rows and 1 <= column <= rules.columns):
            raise BadMove(
                t.gettext("There is no such cell: rows go from 1 to {rows}, columns from 1 to {columns}.").format(
                    rows=rules.rows, columns=rules.columns
                )
            )
        return (row - 1) * rules.columns + column - 1
    if NUMBER.fullmatch(text):
        if not 1 <= int(text) <= rules.cells:
            raise BadMove(
                t.gettext("There is no such cell: they are numbered from 1 to {cells}.").format(cells=rules.cells)
            )
        return int(text) - 1
    raise BadMove(
        t.gettext(
            "I read a move as row and column, like <code>/move 2,3</code>, or as a number from 1 to {cells}, "
            "like <code>/move 5</code>."
        ).format(cells=rules.cells)
    )
