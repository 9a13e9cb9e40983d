"""The drawing above a keyboard that shows only part of a board: all regions, and where the next move may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import NullTranslations
from string import ascii_lowercase
from typing import Final

from bot.boards.cells import CENTRE, NAMED, cell_name
from bot.boards.players import Viewer
from bot.boards.themes import DEFAULT, LETTERS, NOBODYS, marks_of
from bot.boards.translations import in_order, listed
from bot.game.pages import shown_region
from engine import Mark, Position
from engine.rules.base import open_regions
from engine.rules.layout import Layout
from storage.games.game import Game, rules_of

OPEN: Final = "🟦"
"""An empty cell that can be played now."""
FREE: Final = "⬜"
"""An empty cell that can't be played now."""
SPENT: Final = "◽"
"""A cell of a finished region outside its winner's mark."""

WIDE: Final[Mapping[str, Mapping[Mark, str]]] = {
    DEFAULT: {Mark.X: "❌", Mark.O: "🟡"},
    "shapes": {Mark.X: "🔺", Mark.O: "🔵"},
    "sky": {Mark.X: "⭐", Mark.O: "🌙"},
}
"""The marks by theme in the overview: emoji throughout, since all emoji are equally wide on a phone."""

GAP: Final = "\N{EM SPACE}"
"""The gap between two regions side by side; Telegram keeps it at either end of a line, too."""

BIG: Final = {Mark.X: frozenset({0, 2, 4, 6, 8}), Mark.O: frozenset({0, 1, 2, 3, 5, 6, 7, 8})}
"""The cells that draw a winner's mark over a whole region."""

LEARNING: Final = 4
"""Plies for which the rule of the next board is told."""


def overview(game: Game, viewer: Viewer, theme: str | None, page: str | None) -> Sequence[str | None]:
    """What stands above a keyboard that has one region: where the next move is, where the last was, all drawn."""
    position = game.position
    if len(position.regions) == 1:
        return ()
    in_letters = theme == LETTERS
    board = lettered(position) if in_letters else emoji_grid(position, theme, page, over=game.is_over)
    board = in_order(board, viewer.t)
    following = None if game.is_over else next_line(position, page, viewer.t, "+" if in_letters else OPEN)
    return (following, last_line(game, viewer), "", f"<pre>{board}</pre>" if in_letters else board)


def next_line(position: Position, page: str | None, t: NullTranslations, sign: str) -> str:
    """In which region the next move has to be, behind the sign of the cells there."""
    region = shown_region(position, page)
    if region is not None and len(open_regions(position)) == 1:
        said = t.gettext("{cell} Next: the <b>{board}</b> board.")
        said = said.format(cell=sign, board=t.gettext(NAMED[region]))
    elif region is not None:
        said = t.gettext("{cell} Next: the <b>{board}</b> board, or any other open one.")
        said = said.format(cell=sign, board=t.gettext(NAMED[region]))
    else:
        said = t.gettext("{cell} Next: any open board. Choose one below.").format(cell=sign)
    if position.ply >= LEARNING:
        return said
    return f"{said}\n" + t.gettext("Your cell decides the next board.")


def fading_line(game: Game, t: NullTranslations, sign: str) -> str | None:
    """Which marks go with the next move, behind their sign."""
    position = game.position
    if game.is_over or not position.fading:
        return None
    cells = listed(t, [cell_name(cell, position.rules, t) for cell in position.fading])
    # Translators: the cells whose marks disappear with the next move.
    return t.gettext("{sign} Vanishes next: {cells}").format(sign=sign, cells=cells)


def last_line(game: Game, viewer: Viewer) -> str | None:
    """Where the last move was."""
    if not game.moves:
        return None
    rules = rules_of(game.rules)
    mark = viewer.marks[Mark.X if game.ply % 2 else Mark.O]
    cell = cell_name(rules.read_moves(game.moves[-1])[0], rules, viewer.t)
    return viewer.t.gettext("{mark} Last: {cell}").format(mark=mark, cell=cell)


def emoji_grid(position: Position, theme: str | None, page: str | None = None, *, over: bool = False) -> str:
    """All regions in emoji: a won one as one big mark, the cells to play now in colour."""
    marks, layout, regions = WIDE.get(theme or DEFAULT, WIDE[DEFAULT]), position.rules.layout, position.regions
    shown = shown_region(position, page)
    to_play = () if over else open_regions(position) if shown is None else (shown,)

    def drawn(cell: int) -> str:
        number = layout.region_of(cell)
        if (winner := regions[number].winner) is not None:
            return marks[winner] if layout.regions[number].index(cell) in BIG[winner] else SPENT
        if (mark := position.mark_at(cell)) is not None:
            return marks[mark]
        return OPEN if number in to_play else FREE

    return "\n".join(_rows([drawn(cell) for cell in layout.drawn], layout, "", GAP))


def lettered(position: Position) -> str:
    """All regions in letters of one width, with the names of columns and rows; a `+` can be played now."""
    marks, layout, regions = marks_of(LETTERS), position.rules.layout, position.regions
    legal = frozenset(position.legal_moves)

    def drawn(cell: int) -> str:
        number = layout.region_of(cell)
        place = layout.regions[number].index(cell)
        if (winner := regions[number].winner) is not None:
            return marks[winner] if place in BIG[winner] else " "
        if regions[number].is_finished and place == CENTRE:
            return NOBODYS
        mark = position.mark_at(cell)
        return "+" if mark is None and cell in legal else marks[mark]

    rows = _rows([drawn(cell) for cell in layout.drawn], layout, " ", "  ")
    head = _row(ascii_lowercase[: layout.columns], layout, " ", "  ")
    numbers = iter(range(1, layout.rows + 1))
    return "\n".join([f"  {head}", *(f"{next(numbers)} {row}".rstrip() if row else "" for row in rows)])


def _rows(cells: Sequence[str], layout: Layout, between: str, gap: str) -> list[str]:
    """The rows of a board, with gaps between the regions."""
    width, height = layout.columns, layout.region_rows
    rows = [_row(cells[start : start + width], layout, between, gap) for start in range(0, len(cells), width)]
    return [line for start in range(0, len(rows), height) for line in ("", *rows[start : start + height])][1:]


def _row(cells: Sequence[str], layout: Layout, between: str, gap: str) -> str:
    width = layout.region_columns
    return gap.join(between.join(cells[start : start + width]) for start in range(0, len(cells), width))
