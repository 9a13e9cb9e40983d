"""Names of cells, and how a typed move is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from string import ascii_lowercase
from typing import Final

from bot.boards.translations import AROUND, N_, folded, meanings
from engine import Position, Rules
from engine.rules.base import open_regions

LONGEST: Final = 32
"""The longest text that is read as a move; anything longer is conversation."""

PAIR: Final = re.compile(r"([0-9]{1,3})[\s,;:.،、]{1,4}([0-9]{1,3})")
NUMBER: Final = re.compile(r"[0-9]{1,3}")
SHORT: Final = re.compile(r"([a-z])([0-9]{1,2})")
LIKE_A_MOVE: Final = re.compile(r"[0-9][0-9\s,;:.،、]{0,20}|[a-i][1-9]")

CENTRE: Final = 4
"""The centre of three by three."""

NAMED: Final = (
    N_("top left"),
    N_("top middle"),
    N_("top right"),
    N_("middle left"),
    N_("centre"),
    N_("middle right"),
    N_("bottom left"),
    N_("bottom middle"),
    N_("bottom right"),
)
"""The cells of three by three."""

OTHERWISE: Final = {
    # Translators: other names of the cell above the centre that people may type, with | between them.
    1: N_("top|top centre|top center"),
    # Translators: likewise of the cell left of the centre.
    3: N_("left|centre left|center left"),
    # Translators: likewise of the centre.
    4: N_("center|middle"),
    # Translators: likewise of the cell right of the centre.
    5: N_("right|centre right|center right"),
    # Translators: likewise of the cell below the centre.
    7: N_("bottom|bottom centre|bottom center"),
}


@cache
def _cells_by_name(t: NullTranslations) -> Mapping[str, int]:
    """The cells of three by three by all their names in a language, and in English."""
    names = {name: cell for cell, name in enumerate(NAMED)} | {others: cell for cell, others in OTHERWISE.items()}
    return {name.replace("-", " "): cell for name, cell in meanings(names, t).items()}


def _spelt(text: str) -> str:
    """The text in the spelling in which moves are read; empty if it is too long to be one."""
    return " ".join(folded(text).strip(AROUND).split()) if len(text) <= LONGEST else ""


def _named(spelt: str, t: NullTranslations) -> int | None:
    """The cell of three by three that a text names."""
    return _cells_by_name(t).get(" ".join(spelt.replace("-", " ").split()))


def is_like_a_move(text: str, t: NullTranslations) -> bool:
    """Whether a reply to a board is meant as a move, valid or not, rather than as conversation."""
    spelt = _spelt(text)
    return LIKE_A_MOVE.fullmatch(spelt) is not None or _named(spelt, t) is not None


class BadMove(ValueError):
    """A typed move that cannot be read or is not on the board; the error's text says why."""


def cell_name(cell: int, rules: Rules, t: NullTranslations) -> str:
    """The name of a cell: its place on three by three, elsewhere its row and column, from 1."""
    layout = rules.layout
    if layout.has_names:
        region = layout.region_of(cell)
        name = t.gettext(NAMED[layout.regions[region].index(cell)])
        if len(layout.regions) == 1:
            return name
        # Translators: a cell of one of nine boards, such as "top left board, centre".
        return t.gettext("{board} board, {cell}").format(board=t.gettext(NAMED[region]), cell=name)
    row, column = layout.place_of(cell)
    return t.gettext("row {row}, column {column}").format(row=row + 1, column=column + 1)


def _read_in_boards(text: str, position: Position, t: NullTranslations) -> int:
    """The cell of one of nine boards that a board and a cell mean, or a cell alone."""
    pair = PAIR.fullmatch(text)
    numbers = [int(part) for part in pair.groups()] if pair else []
    if NUMBER.fullmatch(text):
        numbers = [int(text)]
    elif (named := _named(text, t)) is not None:
        numbers = [named + 1]
    if not numbers or not all(1 <= number <= 9 for number in numbers):  # noqa: PLR2004 - nine boards of nine
        raise BadMove(
            t.gettext(
                "Write a move as board and cell, each from 1 to 9, like <code>5 3</code>, or as "
                "<code>e5</code> (columns a to i, rows 1 to 9)."
            )
        )
    boards = open_regions(position) if len(numbers) == 1 else (numbers[0] - 1,)
    if len(boards) != 1:
        raise BadMove(t.gettext("You can choose the board, so write board and cell, like <code>5 3</code>."))
    return position.rules.layout.regions[boards[0]][numbers[-1] - 1]


def short_name(cell: int, rules: Rules) -> str:
    """A cell as chess players call it: a letter for the column, a number for the row, such as `b2`."""
    row, column = rules.layout.place_of(cell)
    return f"{ascii_lowercase[column]}{row + 1}"


def read_move(text: str, position: Position, t: NullTranslations) -> int:
    """The cell that a typed move means: a row and a column, a number, all from 1, `b2`, or a name.

    Digits and commas of any script work. With nine boards, two numbers are a board and its cell, and a number or a
    name alone is a cell of the board in which the next move has to be.

    Raises:
        BadMove: with a sentence for a bad format, and another for a cell that is not on the board.
    """
    text = _spelt(text)
    layout, cells = position.rules.layout, position.rules.cells
    in_boards = len(layout.regions) > 1
    if layout.has_names and not in_boards and (named := _named(text, t)) is not None:
        return named
    if (short := SHORT.fullmatch(text)) and short[2] != "0":
        text = f"{short[2]},{ascii_lowercase.index(short[1]) + 1}"
    elif in_boards:
        return _read_in_boards(text, position, t)
    if pair := PAIR.fullmatch(text):
        row, column = (int(part) for part in pair.groups())
        if not (1 <= row <= layout.rows and 1 <= column <= layout.columns):
            raise BadMove(
                t.gettext("There's no such cell. Rows go from 1 to {rows}, columns from 1 to {columns}.").format(
                    rows=layout.rows, columns=layout.columns
                )
            )
        return layout.cell_at(row - 1, column - 1)
    if NUMBER.fullmatch(text):
        if not 1 <= int(text) <= cells:
            raise BadMove(t.gettext("There's no such cell. Cells are numbered 1 to {cells}.").format(cells=cells))
        return layout.drawn[int(text) - 1]
    raise BadMove(
        t.gettext(
            "Write a move as row and column, like <code>2,3</code> or <code>b2</code>, or as a number "
            "from 1 to {cells}, like <code>5</code>."
        ).format(cells=cells)
    )
