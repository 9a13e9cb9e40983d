"""The cells of a board as buttons: a board whole, or a small board of nine at a time."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from bot.boards.players import Scene
from bot.boards.translations import AROUND, folded, in_order, listed, meanings
from bot.boards.view import DEFAULT, FADING, LETTERS, THEMES
from bot.game.attempt import Unclear
from bot.game.pages import shown_region
from bot.language import N_, _, per_language
from engine import AmbiguousMove, IllegalMove, MalformedMove, Mark, Position, Rules
from engine.rules.base import BIG, open_regions

LONGEST_MOVE: Final = 32
"""The longest text that is read as a move; anything longer is conversation."""

LIKE_A_MOVE: Final = re.compile(r"[0-9][0-9\s,;:.،、]{0,20}|[a-i][1-9]")
NOTHING_BUT_A_CELL: Final = re.compile(r"[0-9]{1,3}([\s,،、]{1,4}[0-9]{1,3})?|[a-i][1-9]")
"""Where several people talk: no `12:30`, `2:1` or `3.`."""

CENTRE_CELL: Final = 4
"""The centre of three by three."""

NINE: Final = (
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


@per_language
def _cells_by_name() -> Mapping[str, int]:
    """The cells of three by three by all their names in a language, and in English."""
    names = {name: cell for cell, name in enumerate(NINE)} | {others: cell for cell, others in OTHERWISE.items()}
    return {name.replace("-", " "): cell for name, cell in meanings(names).items()}


def _spelt(text: str) -> str:
    """The text in the spelling in which moves are read; empty if it is too long to be one."""
    return " ".join(folded(text).strip(AROUND).split()) if len(text) <= LONGEST_MOVE else ""


def _named(spelt: str) -> int | None:
    return _cells_by_name().get(" ".join(spelt.replace("-", " ").split()))


def is_like_a_move(text: str) -> bool:
    """Whether a reply to a board is meant as a move, valid or not, rather than as conversation."""
    spelt = _spelt(text)
    return LIKE_A_MOVE.fullmatch(spelt) is not None or _named(spelt) is not None


def is_nothing_but_a_cell(text: str) -> bool:
    """Whether a message can only be a move: numbers or `b2`, without a word or a sign that talk may have."""
    return len(text) <= LONGEST_MOVE and NOTHING_BUT_A_CELL.fullmatch(folded(text).strip()) is not None


class BadMove(Unclear):
    """A typed move that cannot be read or is not on the board; the error's text says why."""


def cell_name(cell: int, rules: Rules) -> str:
    """The name of a cell: its place on three by three, elsewhere its row and column, from 1."""
    layout = rules.layout
    if layout.has_names:
        region = layout.region_of(cell)
        name = _(NINE[layout.regions[region].index(cell)])
        if len(layout.regions) == 1:
            return name
        # Translators: a cell of one of nine boards, such as "top left board, centre".
        return _("{board} board, {cell}").format(board=_(NINE[region]), cell=name)
    row, column = layout.place_of(cell)
    return _("row {row}, column {column}").format(row=row + 1, column=column + 1)


def read_move(text: str, position: Position) -> int:
    """The cell that a typed move means: as the engine reads it, or a name.

    Digits and commas of any script work. With nine boards, a name alone is a cell of the board in which the next
    move has to be. The sentence of a BadMove says whether the format is bad or the cell isn't on the board.
    """
    text = _spelt(text)
    layout, cells = position.rules.layout, position.rules.cells
    if layout.has_names and (named := _named(text)) is not None:
        text = str(named + 1)
    try:
        return position.cell_of(text)
    except AmbiguousMove:
        sentence = _("You can choose the board, so write board and cell, like <code>5 3</code>.")
    except MalformedMove:
        if len(layout.regions) > 1:
            sentence = _(
                "Write a move as board and cell, each from 1 to 9, like <code>5 3</code>, or as "
                "<code>e5</code> (columns a to i, rows 1 to 9)."
            )
        else:
            sentence = _(
                "Write a move as row and column, like <code>2,3</code> or <code>b2</code>, or as a number "
                "from 1 to {cells}, like <code>5</code>."
            ).format(cells=cells)
    except IllegalMove:
        if text.isdecimal():
            sentence = _("There's no such cell. Cells are numbered 1 to {cells}.").format(cells=cells)
        else:
            sentence = _("There's no such cell. Rows go from 1 to {rows}, columns from 1 to {columns}.").format(
                rows=layout.rows, columns=layout.columns
            )
    raise BadMove(sentence)


OPEN_SIGN: Final = "🟦"
"""An empty cell that can be played now."""
FREE: Final = "⬜"
"""An empty cell that can't be played now."""
SPENT: Final = "◽"
"""A cell of a finished region outside its winner's mark."""

WIDE: Final[Mapping[str, Mapping[Mark | None, str]]] = {
    **THEMES,
    LETTERS: THEMES[DEFAULT],
    "shapes": {Mark.X: "🔺", Mark.O: "🔵"},
}
"""The marks by theme in the overview: emoji throughout, since all emoji are equally wide on a phone."""

LINE_MARKS: Final[Mapping[str, str]] = {"❌": "❎", "🟡": "🟢", "🔵": "🟢"}
"""Marks of a line that wins; of all others, a green square takes the place."""
LINE_CELL: Final = "🟩"
LOST_LINE_CELL: Final = "🟦"
"""A cell of a line that loses, as in misère."""

WIDE_SPACE: Final = "\N{EM SPACE}"
"""The gap between two regions side by side; Telegram keeps it at either end of a line, too."""

LEARNING: Final = 4
"""Plies for which the rule of the next board is told."""


def overview(scene: Scene) -> Sequence[str | None]:
    """What stands above a keyboard that has one region: where the next move is, where the last was, all drawn."""
    game, page = scene.game, scene.page
    position = game.position
    if len(position.rules.layout.regions) == 1:
        return ()
    in_letters = scene.theme == LETTERS
    following = None if game.is_over else next_line(position, page, "+" if in_letters else OPEN_SIGN)
    last = None
    if game.moves:
        cell = cell_name(position.rules.read_moves(game.moves[-1])[0], position.rules)
        last = _("{mark} Last: {cell}").format(mark=scene.marks[game.turn.other], cell=cell)
    return (following, last, "", whole(scene))


def whole(scene: Scene) -> str:
    """The whole board as lines of a message, in emoji or in letters."""
    game = scene.game
    if scene.theme == LETTERS:
        return f"<pre>{in_order(str(game.position))}</pre>"
    return in_order(emoji_grid(game.position, scene.theme, scene.page, over=game.is_over))


def next_line(position: Position, page: str | None, sign: str) -> str:
    """Which region the next move has to be in, after the emoji of the cells there."""
    region = shown_region(position, page)
    if region is not None and len(open_regions(position)) == 1:
        said = _("{cell} Next board: <b>{board}</b>.")
        said = said.format(cell=sign, board=_(NINE[region]))
    elif region is not None:
        said = _("{cell} Next board: <b>{board}</b>, or any other open board.")
        said = said.format(cell=sign, board=_(NINE[region]))
    else:
        said = _("{cell} Next: any open board. Choose one below.").format(cell=sign)
    if position.ply >= LEARNING:
        return said
    return f"{said}\n" + _("Play <b>top left</b> in any board, and the next move has to be in the top left board.")


def fading_line(scene: Scene) -> str | None:
    """Which marks go with their sides' next moves, that of the side to move first."""
    game, position = scene.game, scene.game.position
    if game.is_over or not position.fading:
        return None
    marks = {cell: scene.marks[position.mark_at(cell)] for cell in position.fading}
    cells = listed(
        f"{mark.lower() if scene.as_text else mark} {cell_name(cell, position.rules)}"
        for cell, mark in marks.items()
    )
    # Translators: the cells whose marks disappear next, in this order.
    return _("{sign} Vanishes next: {cells}").format(sign=FADING, cells=cells)


def emoji_grid(position: Position, theme: str | None, page: str | None = None, *, over: bool = False) -> str:
    """All regions in emoji: a won one as one big mark; in colour the cells to play now, at the end the line."""
    marks, layout, regions = WIDE.get(theme or DEFAULT, WIDE[DEFAULT]), position.rules.layout, position.regions
    shown = shown_region(position, page)
    to_play = () if over else open_regions(position) if shown is None else (shown,)
    line = {cell for cells in position.outcome.lines for cell in cells} if position.outcome else ()

    def marked(cell: int, mark: Mark) -> str:
        if cell not in line:
            return marks[mark]
        return LOST_LINE_CELL if position.rules.misere else LINE_MARKS.get(marks[mark], LINE_CELL)

    def drawn(cell: int) -> str:
        number = layout.region_of(cell)
        if (winner := regions[number].winner) is not None:
            return marked(cell, winner) if layout.regions[number].index(cell) in BIG[winner] else SPENT
        if (mark := position.mark_at(cell)) is not None:
            return marked(cell, mark)
        return OPEN_SIGN if number in to_play else FREE

    return "\n".join(layout.lines([drawn(cell) for cell in layout.drawn], "", WIDE_SPACE))
