"""Ultimate: the nine boards drawn in the text, and the one to move in, or the choice among them, as keyboard."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from bot.views.buttons import Cell, Turn
from bot.views.cells import NAMED, cell_name
from bot.views.looks import DEFAULT, LETTERS, marks_of
from bot.views.view import button
from engine import Mark
from engine.ultimate import ULTIMATE, UltimatePosition
from storage.game import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from gettext import NullTranslations

    from bot.views.people import Eyes
    from engine import Position
    from storage.game import Game

OPEN: Final = "🟦"
"""A cell that can be played now."""
FREE: Final = "▫️"
"""An empty cell that cannot be played now."""
SPENT: Final = "▪️"
"""A cell of a finished board that its winner's mark leaves out."""

WIDE: Final[Mapping[str, Mapping[Mark, str]]] = {
    DEFAULT: {Mark.X: "❌", Mark.O: "⭕"},
    "shapes": {Mark.X: "🔺", Mark.O: "🔵"},
    "sky": {Mark.X: "⭐", Mark.O: "🌙"},
}
"""The marks by looks as the overview has them: all emoji, since emoji are all equally wide on any phone."""

GAP: Final = "\N{EN SPACE}"
"""Between two boards that are drawn side by side; Telegram keeps it, wherever a line begins or ends."""

BIG: Final = {Mark.X: frozenset({0, 2, 4, 6, 8}), Mark.O: frozenset({0, 1, 2, 3, 5, 6, 7, 8})}
"""The cells that draw a winner's mark over the whole of a little board."""

ARROWS: Final = ("↖", "⬆", "↗", "⬅", "•", "➡", "↙", "⬇", "↘")
"""The little boards on buttons, by where they lie."""

NOBODYS: Final = "–"
"""A full board without a line, on its button and in letters."""

LEARNING: Final = 4
"""Plies for which the rule of the next board is told."""


def board_of(position: Position) -> int | None:
    """The little board in which the next move has to be; None where there is none, or a choice."""
    return position.board if isinstance(position, UltimatePosition) else None


def shown_part(position: UltimatePosition, page: str | None) -> int | None:
    """The little board whose cells the keyboard has; None while it has the choice among all."""
    if position.outcome is not None:
        return None
    if position.board is not None:
        return position.board
    part = int(page) if page is not None and page.isdigit() else None
    return part if part in position.boards else None


def overview(game: Game, eyes: Eyes, look: str | None, page: str | None) -> Sequence[str | None]:
    """What stands above the keyboard of a game: where the next move is, where the last was, all boards drawn."""
    position = game.position
    if not isinstance(position, UltimatePosition):
        return ()
    in_letters = look == LETTERS
    drawn = (
        f"<pre>{lettered(position)}</pre>" if in_letters else emoji_grid(position, look, page, over=game.is_over)
    )
    following = None if game.is_over else next_line(position, page, eyes.t, "+" if in_letters else OPEN)
    return (following, last_line(game, eyes), "", drawn)


def next_line(position: UltimatePosition, page: str | None, t: NullTranslations, sign: str) -> str:
    """Where the next move has to be, behind the sign of the cells there."""
    if position.board is not None:
        said = t.gettext("{cell} Next: the <b>{board}</b> board.")
        said = said.format(cell=sign, board=t.gettext(NAMED[position.board]))
    elif (part := shown_part(position, page)) is not None:
        said = t.gettext("{cell} Next: the <b>{board}</b> board, or any other that is open.")
        said = said.format(cell=sign, board=t.gettext(NAMED[part]))
    else:
        said = t.gettext("{cell} Next: any open board. Choose one below.").format(cell=sign)
    if position.ply >= LEARNING:
        return said
    return f"{said}\n" + t.gettext("The cell that is taken names the board of the move after it.")


def last_line(game: Game, eyes: Eyes) -> str | None:
    """Where the last move was."""
    if not game.moves:
        return None
    rules = rules_of(game.rules)
    mark = eyes.marks[Mark.X if game.ply % 2 else Mark.O]
    cell = cell_name(rules.read_moves(game.moves[-1])[0], rules, eyes.t)
    return eyes.t.gettext("{mark} Last: {cell}").format(mark=mark, cell=cell)


def emoji_grid(
    position: UltimatePosition, look: str | None, page: str | None = None, *, over: bool = False
) -> str:
    """The nine boards in emoji: a won one as one big mark, the cells to play now in colour."""
    marks = WIDE.get(look or DEFAULT, WIDE[DEFAULT])
    part = shown_part(position, page)
    boards = () if over else position.boards if part is None else (part,)

    def drawn(cell: int) -> str:
        board, small = divmod(cell, 9)
        if (winner := position.winner_of(board)) is not None:
            return marks[winner] if small in BIG[winner] else SPENT
        if (mark := position.mark_at(cell)) is not None:
            return marks[mark]
        return OPEN if board in boards else FREE

    return _laid_out([drawn(cell) for cell in ULTIMATE.drawn], "", GAP)


def lettered(position: UltimatePosition) -> str:
    """The nine boards in letters of one width, with the names of columns and rows; a `+` can be played now."""
    marks, legal = marks_of(LETTERS), frozenset(position.legal_moves)

    def drawn(cell: int) -> str:
        board, small = divmod(cell, 9)
        if (winner := position.winner_of(board)) is not None:
            return marks[winner] if small in BIG[winner] else " "
        if position.finished >> board & 1 and small == 4:  # noqa: PLR2004 - the centre of a board that is nobody's
            return NOBODYS
        mark = position.mark_at(cell)
        return "+" if mark is None and cell in legal else marks[mark]

    rows = _laid_out([drawn(cell) for cell in ULTIMATE.drawn], " ", "  ").split("\n")
    numbers = iter(range(1, 10))
    head = _thirds(list(ascii_lowercase[:9]), " ", "  ")
    return "\n".join([f"  {head}", *(f"{next(numbers)} {row}".rstrip() if row else "" for row in rows)])


def _laid_out(cells: Sequence[str], between: str, gap: str) -> str:
    """Eighty-one cells, row by row, with gaps between the boards."""
    rows = [_thirds(cells[start : start + 9], between, gap) for start in range(0, 81, 9)]
    return "\n\n".join("\n".join(rows[start : start + 3]) for start in (0, 3, 6))


def _thirds(row: Sequence[str], between: str, gap: str) -> str:
    return gap.join(between.join(row[start : start + 3]) for start in (0, 3, 6))


def rows(
    position: UltimatePosition,
    page: str | None,
    game_id: int,
    marks: Mapping[Mark | None, str],
    styles: Mapping[int, str],
) -> list[list[dict[str, str]]]:
    """The cells of the board to move in, or the nine boards to choose among, as rows of buttons.

    `styles` are by cell; a board bears that of one of its cells.
    """
    part = shown_part(position, page)
    if part is None:
        made = [_board_button(position, board, game_id, marks, styles) for board in range(9)]
    else:
        cells = range(9 * part, 9 * part + 9)
        labels = [marks[position.mark_at(cell)] for cell in cells]
        made = [
            button(label, Cell(game_id, position.ply, cell, is_small=True), styles.get(cell))
            for label, cell in zip(labels, cells, strict=True)
        ]
    return [made[:3], made[3:6], made[6:]]


def _board_button(
    position: UltimatePosition,
    board: int,
    game_id: int,
    marks: Mapping[Mark | None, str],
    styles: Mapping[int, str],
) -> dict[str, str]:
    """A little board as a button, which opens it: whose it is, or where it lies."""
    winner = position.winner_of(board)
    finished = bool(position.finished >> board & 1)
    if winner is not None:
        label = marks[winner]
    elif finished:
        label = NOBODYS
    else:
        label = marks[None] if position.is_over else ARROWS[board]
    own = [styles[cell] for cell in range(9 * board, 9 * board + 9) if styles.get(cell) == "success"]
    return button(label, Turn(game_id, position.ply, str(board)), own[0] if own else None)
