"""Pictures of a position, and of its marks."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from engine import Position, Rules

PAPER: Final = "#222831"
PANEL: Final = "#2a313c"
CELL: Final = "#37404d"
LAST_CELL: Final = "#526075"
"""The cell of the last move."""
WON_CELL: Final = "#2b6b4c"
"""The ground of whatever has won."""
GROUNDS: Final = ((WON_CELL, "#3d9068"), ("#7c3a41", "#a04c55"))
"""The cells of a line that wins, and of one that loses: in each, the others and that of the last move."""
STROKE: Final = "#f2f4f7"
"""The colour of the stroke through a line."""
INK: Final = "#f2f4f7"
FAINT: Final = "#a9b4c2"

COLOURS: Final = {
    "classic": ("#ff6b6b", "#ffd43b"),
    "letters": ("#ffc078", "#8ce99a"),
    "shapes": ("#ff8f6b", "#5ea8ff"),
    "sky": ("#ffd43b", "#ff6b6b"),
    "hearts": ("#ff6b6b", "#74a9ff"),
    "pets": ("#ffc94d", "#d9a877"),
    "fruit": ("#ff6b6b", "#ffe066"),
    "sweets": ("#f783ac", "#d9a066"),
    "weather": ("#ffd43b", "#74c0fc"),
    "space": ("#ff8787", "#e8b87a"),
}
"""The colours of both marks, by theme; they differ by shape too (`SHAPES`)."""
FADING_STRENGTH: Final = {True: 0.35, False: 0.65}
"""How much of its colour a mark has that goes with its side's next move, by whether that side is to move."""

FINE: Final = 4
"""Shapes are drawn so many times as large and made smaller, so that their edges are smooth."""


def colour_of(theme: str, mark: str) -> str:
    """The colour of a mark."""
    return COLOURS[theme][mark == "O"]


@cache
def mark_shape(theme: str, mark: str, side: int) -> Image.Image:
    """The shape of a mark in a square: how much of each pixel it covers."""
    big = Image.new("L", (side * FINE, side * FINE))
    draw = SHAPES.get((theme, mark)) or SHAPES["classic", mark]
    draw(ImageDraw.Draw(big), side * FINE)
    return big.resize((side, side), Image.Resampling.LANCZOS)


@cache
def rounded(width: int, height: int, radius: float, gap: float = 0) -> Image.Image:
    """The shape of a rectangle with round corners, which leaves a gap around it."""
    big = Image.new("L", (width * FINE, height * FINE))
    near, right, bottom = round(gap * FINE), width * FINE - 1, height * FINE - 1
    box = (near, near, right - near, bottom - near)
    ImageDraw.Draw(big).rounded_rectangle(box, radius * FINE, fill=255)
    return big.resize((width, height), Image.Resampling.LANCZOS)


@cache
def tile(  # noqa: PLR0917 - a cache is asked by place
    theme: str, mark: str | None, side: int, ground: str, around: str, scale: float = 1.0, strength: float = 1.0
) -> Image.Image:
    """A cell with round corners on the colour `around`, and its mark (`X`, `O`), if any.

    The side is in pixels, `scale` is relative to the mark's final size, and `strength` is how much of the mark's
    colour there is, up to 1.
    """
    image = Image.new("RGB", (side, side), around)
    image.paste(ground, mask=rounded(side, side, side * 0.16, max(1, side * 0.03)))
    if mark is not None:
        size = max(1, round(side * scale))
        place = ((side - size) // 2, (side - size) // 2)
        shape = mark_shape(theme, mark, size).point([round(covered * strength) for covered in range(256)])
        image.paste(colour_of(theme, mark), place, shape)
    return image


def _cross(draw: ImageDraw.ImageDraw, side: int) -> None:
    near, far, width = side * 0.27, side * 0.73, round(side * 0.13)
    for ends in (((near, near), (far, far)), ((near, far), (far, near))):
        draw.line(ends, fill=255, width=width)
        for x, y in ends:
            draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)


def _ring(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.ellipse((side * 0.2, side * 0.2, side * 0.8, side * 0.8), outline=255, width=round(side * 0.125))


def _letter_x(draw: ImageDraw.ImageDraw, side: int) -> None:
    left, right, top, bottom = side * 0.3, side * 0.7, side * 0.25, side * 0.75
    half = side * 0.075
    for lower, upper in ((left, right), (right, left)):
        corners = [(lower - half, bottom), (lower + half, bottom), (upper + half, top), (upper - half, top)]
        draw.polygon(corners, fill=255)


def _letter_o(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.ellipse((side * 0.24, side * 0.24, side * 0.76, side * 0.76), outline=255, width=round(side * 0.11))


def _triangle(draw: ImageDraw.ImageDraw, side: int) -> None:
    points = [(0.5, 0.25), (0.77, 0.72), (0.23, 0.72)]
    corners = [(x * side, y * side) for x, y in points]
    draw.polygon(corners, fill=255)
    draw.line([*corners, *corners[:2]], fill=255, width=round(side * 0.07), joint="curve")


def _disc(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.ellipse((side * 0.23, side * 0.23, side * 0.77, side * 0.77), fill=255)


def _star(draw: ImageDraw.ImageDraw, side: int) -> None:
    middle, points = side * 0.5, []
    for corner in range(10):
        radius = side * (0.34 if corner % 2 == 0 else 0.15)
        angle = math.pi * (corner / 5 - 0.5)
        points.append((middle + radius * math.cos(angle), middle * 1.04 + radius * math.sin(angle)))
    draw.polygon(points, fill=255)
    draw.line([*points, *points[:2]], fill=255, width=round(side * 0.035), joint="curve")


def _balloon(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.ellipse((side * 0.26, side * 0.16, side * 0.74, side * 0.7), fill=255)
    knot = [(0.5, 0.66), (0.57, 0.76), (0.43, 0.76)]
    draw.polygon([(x * side, y * side) for x, y in knot], fill=255)
    draw.line((side * 0.5, side * 0.74, side * 0.5, side * 0.88), fill=255, width=round(side * 0.04))


SHAPES: Final[dict[tuple[str, str], Callable[[ImageDraw.ImageDraw, int], None]]] = {
    ("classic", "X"): _cross,
    ("classic", "O"): _ring,
    ("letters", "X"): _letter_x,
    ("letters", "O"): _letter_o,
    ("shapes", "X"): _triangle,
    ("shapes", "O"): _disc,
    ("sky", "X"): _star,
    ("sky", "O"): _balloon,
}


SIDE: Final = 528
"""Pixels of the longer side of a board."""
REGION_GAP: Final = 12
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
        return self.x + self.side / 2, self.y + self.side / 2


class Drawn:
    """The board of a game as pictures, one position after another."""

    def __init__(self, rules: Rules, moves: str, theme: str) -> None:
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
        side = (SIDE - REGION_GAP * (layout.across - 1)) // max(layout.columns, layout.rows)
        made = {}
        for cell in layout.drawn:
            row, column = layout.place_of(cell)
            right, down = REGION_GAP * (column // layout.region_columns), REGION_GAP * (row // layout.region_rows)
            made[cell] = Square(column * side + right, row * side + down, side)
        return made

    def region(self, number: int) -> Square:
        """Where a region lies, of several, which are square."""
        first = self.squares[self.layout.regions[number][0]]
        return Square(first.x, first.y, self.layout.region_columns * first.side)

    def advance(self, image: Image.Image, ply: int, scale: float = 1.0) -> list[Square]:
        """Draw a ply on the picture of the board before it; returns the area that changed.

        The mark has a `scale` relative to its final size.
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
        image = self.ground()
        for number in range(1, ply + 1):
            self.advance(image, number)
        return image

    def ground(self) -> Image.Image:
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
            LAST_CELL if last else CELL,
            PANEL if self.in_regions else PAPER,
            scale if last else 1.0,
            FADING_STRENGTH[position.mark_at(cell) is position.turn] if cell in position.fading else 1.0,
        )

    def _put(self, image: Image.Image, cell: int, picture: Image.Image) -> None:
        square = self.squares[cell]
        image.paste(picture, (square.x, square.y))

    def _own(self, image: Image.Image, number: int, ply: int) -> None:
        x, y, side = self.region(number)
        for cell in self.layout.regions[number]:
            self._put(image, cell, self._tile(cell, ply))
        box = (x, y, x + side, y + side)
        winner = str(self.positions[ply].regions[number].winner)
        faded = Image.blend(Image.new("RGB", (side, side), PANEL), image.crop(box), FADED)
        faded.paste(colour_of(self.theme, winner), (0, 0), mark_shape(self.theme, winner, side))
        image.paste(faded, box)

    def ended(self) -> Image.Image:
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
        return list(dict.fromkeys(map(self.layout.region_of, line))) if self.in_regions else list(line)

    def _mark(self, image: Image.Image, place: int, ply: int) -> None:
        position, last = self.positions[ply], self.cells[ply - 1]
        if self.in_regions:
            square, mark = self.region(place), position.regions[place].winner
            is_last = self.layout.region_of(last) == place
        else:
            square, mark, is_last = self.squares[place], position.mark_at(place), last == place
        ground = GROUNDS[self.rules.misere][is_last]
        image.paste(tile(self.theme, mark, square.side, ground, PAPER), (square.x, square.y))


def _stroke(image: Image.Image, squares: Sequence[Square]) -> None:
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
