"""A board as a picture: where its cells lie, and how each of them looks at a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from bot.boards.pictures.marks import (
    CELL,
    FADING,
    FINE,
    GROUNDS,
    LAST,
    PANEL,
    PAPER,
    STROKE,
    colour_of,
    mark_shape,
    tile,
)
from engine import Position, Rules

SIDE: Final = 528
"""Pixels of the longer side of a board."""
GAP: Final = 12
"""Pixels between regions."""
FADED: Final = 0.24
"""How much is left of the marks in a region that is won, below the mark of its winner."""


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

    def __init__(self, rules: Rules, moves: str, theme: str) -> None:
        """Replay a game.

        Raises:
            EngineError: if its moves cannot be played.
        """
        self.rules = rules
        self.theme = theme
        self.cells = rules.read_moves(moves)
        self.positions: list[Position] = [rules.start()]
        for cell in self.cells:
            self.positions.append(self.positions[-1].play(cell))
        self.layout = rules.layout
        self.in_regions = len(self.layout.regions) > 1
        self.squares = self._squares()
        self.size = (
            max(square.x + square.side for square in self.squares.values()),
            max(square.y + square.side for square in self.squares.values()),
        )

    def _squares(self) -> dict[int, Square]:
        layout = self.layout
        side = (SIDE - GAP * (layout.across - 1)) // max(layout.columns, layout.rows)
        made = {}
        for cell in layout.drawn:
            row, column = layout.place_of(cell)
            right, down = GAP * (column // layout.region_columns), GAP * (row // layout.region_rows)
            made[cell] = Square(column * side + right, row * side + down, side)
        return made

    def region(self, number: int) -> Square:
        """Where a region lies, of several, which are square."""
        first = self.squares[self.layout.regions[number][0]]
        return Square(first.x, first.y, self.layout.region_columns * first.side)

    def advance(self, image: Image.Image, ply: int, scale: float = 1.0) -> list[Square]:
        """Draw a ply on the picture of the board before it; returns the area that changed.

        Args:
            image: The board after `ply - 1` plies.
            ply: Which ply.
            scale: The size of its mark relative to its final size.
        """
        last = self.cells[max(0, ply - 2) : ply]
        before, after = self.positions[ply - 1], self.positions[ply]
        changed = [cell for cell in self.squares if before.mark_at(cell) is not after.mark_at(cell)]
        squares = []
        for cell in dict.fromkeys((*last, *changed, *before.fading, *after.fading)):
            self._put(image, cell, self._tile(cell, ply, scale))
            squares.append(self.squares[cell])
        if self.in_regions:
            for number in dict.fromkeys(map(self.layout.region_of, last)):
                if after.regions[number].winner is not None:
                    self._own(image, number, ply)
                    squares.append(self.region(number))
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
        if self.in_regions:
            for number in range(len(self.layout.regions)):
                x, y, side = self.region(number)
                image.paste(PANEL, (x, y, x + side, y + side))
        for cell in self.squares:
            self._put(image, cell, self._tile(cell, 0))
        return image

    def _tile(self, cell: int, ply: int, scale: float = 1.0) -> Image.Image:
        """A cell as it looks after a ply; its mark is smaller while it comes."""
        position = self.positions[ply]
        last = ply > 0 and self.cells[ply - 1] == cell
        return tile(
            self.theme,
            position.mark_at(cell),
            self.squares[cell].side,
            LAST if last else CELL,
            PANEL if self.in_regions else PAPER,
            scale if last else 1.0,
            FADING if cell in position.fading else 1.0,
        )

    def _put(self, image: Image.Image, cell: int, picture: Image.Image) -> None:
        square = self.squares[cell]
        image.paste(picture, (square.x, square.y))

    def _own(self, image: Image.Image, number: int, ply: int) -> None:
        """Draw the mark of its winner over all of a region."""
        x, y, side = self.region(number)
        for cell in self.layout.regions[number]:
            self._put(image, cell, self._tile(cell, ply))
        box = (x, y, x + side, y + side)
        winner = str(self.positions[ply].regions[number].winner)
        faded = Image.blend(Image.new("RGB", (side, side), PANEL), image.crop(box), FADED)
        faded.paste(colour_of(self.theme, winner), (0, 0), mark_shape(self.theme, winner, side))
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
            _stroke(image, [self.region(place) if self.in_regions else self.squares[place] for place in places])
        return image

    def _places(self, line: Sequence[int]) -> list[int]:
        """The cells of a line; of several regions, those that make it."""
        return list(dict.fromkeys(map(self.layout.region_of, line))) if self.in_regions else list(line)

    def _mark(self, image: Image.Image, place: int, ply: int) -> None:
        """Let a cell of a line, or a region, stand out."""
        position, last = self.positions[ply], self.cells[ply - 1]
        if self.in_regions:
            square, mark = self.region(place), position.regions[place].winner
            is_last = self.layout.region_of(last) == place
        else:
            square, mark, is_last = self.squares[place], position.mark_at(place), last == place
        ground = GROUNDS[self.rules.misere][is_last]
        image.paste(tile(self.theme, mark, square.side, ground, PAPER), (square.x, square.y))


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
