"""A board as a picture: where its cells lie, and how each of them looks at a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PIL import Image, ImageDraw

from bot.thinking.drawing.marks import CELL, FINE, GROUNDS, LAST, PANEL, PAPER, STROKE, colour_of, mark_shape, tile
from engine.mnk_rules import MnkRules
from engine.ultimate import UltimatePosition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position, Rules

SIDE: Final = 528
"""Pixels of the longer side of a board."""
GAP: Final = 12
"""Pixels between the boards of ultimate."""
FADED: Final = 0.24
"""How much is left of the marks below the mark of who has won a little board."""


class Square(NamedTuple):
    """Where a square lies on the picture of a board."""

    x: int
    y: int
    side: int

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.side / 2, self.y + self.side / 2


class Drawn:
    """The board of a game as pictures, one position after another."""

    def __init__(self, rules: Rules, moves: str, look: str) -> None:
        """Replay a game.

        Raises:
            EngineError: if its moves cannot be played.
        """
        self.rules = rules
        self.look = look
        self.cells = rules.read_moves(moves)
        self.positions: list[Position] = [rules.start()]
        for cell in self.cells:
            self.positions.append(self.positions[-1].play(cell))
        self.is_ultimate = isinstance(self.positions[0], UltimatePosition)
        self.squares = self._squares()
        self.size = (
            max(square.x + square.side for square in self.squares.values()),
            max(square.y + square.side for square in self.squares.values()),
        )

    def _squares(self) -> dict[int, Square]:
        gaps = 2 * GAP if self.is_ultimate else 0
        side = (SIDE - gaps) // max(self.rules.columns, self.rules.rows)
        made = {}
        for place, cell in enumerate(self.rules.drawn):
            row, column = divmod(place, self.rules.columns)
            apart = (GAP * (column // 3), GAP * (row // 3)) if self.is_ultimate else (0, 0)
            made[cell] = Square(column * side + apart[0], row * side + apart[1], side)
        return made

    def little(self, board: int) -> Square:
        """Where a little board of ultimate lies."""
        first = self.squares[9 * board]
        return Square(first.x, first.y, 3 * first.side)

    def advance(self, image: Image.Image, ply: int, scale: float = 1.0) -> list[Square]:
        """Draw a ply on the picture of the board before it; the result is where that has changed.

        Args:
            image: The board after `ply - 1` plies.
            ply: Which ply.
            scale: How large its mark is of what it will be.
        """
        squares = []
        for cell in self.cells[max(0, ply - 2) : ply]:
            self._put(image, cell, self._tile(cell, ply, scale))
            squares.append(self.squares[cell])
        position = self.positions[ply]
        if isinstance(position, UltimatePosition):
            for board in dict.fromkeys(cell // 9 for cell in self.cells[max(0, ply - 2) : ply]):
                if position.winner_of(board) is not None:
                    self._own(image, position, board, ply)
                    squares.append(self.little(board))
        return squares

    def image(self, ply: int) -> Image.Image:
        """The whole board after a ply."""
        image = self.ground()
        for number in range(1, ply + 1):
            self.advance(image, number)
        return image

    def ground(self) -> Image.Image:
        """The empty board."""
        image = Image.new("RGB", self.size, PAPER)
        if self.is_ultimate:
            for board in range(9):
                x, y, side = self.little(board)
                image.paste(PANEL, (x, y, x + side, y + side))
        for cell in self.squares:
            self._put(image, cell, self._tile(cell, 0))
        return image

    def _tile(self, cell: int, ply: int, scale: float = 1.0) -> Image.Image:
        """A cell as it looks after a ply; its mark is smaller while it comes."""
        mark = self.positions[ply].mark_at(cell)
        last = ply > 0 and self.cells[ply - 1] == cell
        around = PANEL if self.is_ultimate else PAPER
        side = self.squares[cell].side
        return tile(self.look, mark, side, LAST if last else CELL, around, scale if last else 1.0)

    def _put(self, image: Image.Image, cell: int, picture: Image.Image) -> None:
        square = self.squares[cell]
        image.paste(picture, (square.x, square.y))

    def _own(self, image: Image.Image, position: UltimatePosition, board: int, ply: int) -> None:
        """Draw the mark of who has won a little board over all of it."""
        x, y, side = self.little(board)
        for cell in range(9 * board, 9 * board + 9):
            self._put(image, cell, self._tile(cell, ply))
        box = (x, y, x + side, y + side)
        winner = str(position.winner_of(board))
        faded = Image.blend(Image.new("RGB", (side, side), PANEL), image.crop(box), FADED)
        faded.paste(colour_of(self.look, winner), (0, 0), mark_shape(self.look, winner, side))
        image.paste(faded, box)

    def ended(self) -> Image.Image:
        """The board at the end of the game, with its lines marked."""
        ply = len(self.cells)
        image = self.image(ply)
        outcome = self.positions[ply].outcome
        for line in () if outcome is None else outcome.lines:
            for place in self._places(line):
                self._mark(image, place, ply)
        for line in () if outcome is None else outcome.lines:
            places = self._places(line)
            _stroke(image, [self.little(place) if self.is_ultimate else self.squares[place] for place in places])
        return image

    def _places(self, line: Sequence[int]) -> list[int]:
        """The cells of a line; in ultimate, its little boards."""
        return list(dict.fromkeys(cell // 9 for cell in line)) if self.is_ultimate else list(line)

    def _mark(self, image: Image.Image, place: int, ply: int) -> None:
        """Let a cell of a line, or a little board, stand out."""
        position = self.positions[ply]
        if isinstance(position, UltimatePosition):
            square, mark, last = self.little(place), position.winner_of(place), self.cells[ply - 1] // 9 == place
        else:
            square, mark, last = self.squares[place], position.mark_at(place), self.cells[ply - 1] == place
        loses = isinstance(self.rules, MnkRules) and self.rules.misere
        image.paste(tile(self.look, mark, square.side, GROUNDS[loses][last], PAPER), (square.x, square.y))


def _stroke(image: Image.Image, squares: Sequence[Square]) -> None:
    """A line with round ends through the middles of squares."""
    (x, y), (to_x, to_y) = squares[0].middle, squares[-1].middle
    # It goes a little beyond the outer middles.
    length = max(abs(to_x - x), abs(to_y - y)) or 1
    beyond = 0.22 * squares[0].side / length
    ends = [
        ((x - (to_x - x) * beyond) * FINE, (y - (to_y - y) * beyond) * FINE),
        ((to_x + (to_x - x) * beyond) * FINE, (to_y + (to_y - y) * beyond) * FINE),
    ]
    width = max(4, round(squares[0].side * 0.05)) * FINE
    shape = Image.new("L", (image.width * FINE, image.height * FINE))
    draw = ImageDraw.Draw(shape)
    draw.line(ends, fill=235, width=width)
    for end_x, end_y in ends:
        draw.ellipse((end_x - width / 2, end_y - width / 2, end_x + width / 2, end_y + width / 2), fill=235)
    image.paste(STROKE, mask=shape.resize(image.size, Image.Resampling.LANCZOS))
