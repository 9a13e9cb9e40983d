"""The marks of each look as shapes, and the colours of a picture: dark enough and light enough for any chat."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw

from bot.thinking.drawing.fonts import FONTS, sized

if TYPE_CHECKING:
    from collections.abc import Callable

PAPER: Final = "#222831"
PANEL: Final = "#2a313c"
CELL: Final = "#37404d"
LAST: Final = "#526075"
"""The cell of the last move."""
WON: Final = "#2b6b4c"
"""Who has won."""
GROUNDS: Final = ((WON, "#3d9068"), ("#7c3a41", "#a04c55"))
"""The cells of a line that wins, and of one that loses: in each, the others and that of the last move."""
STROKE: Final = "#ffd166"
"""Through a line."""
INK: Final = "#f2f4f7"
FAINT: Final = "#a9b4c2"

COLOURS: Final = {
    "classic": ("#ff6b6b", "#56b4ff"),
    "letters": ("#ffc078", "#8ce99a"),
    "shapes": ("#ff8f6b", "#5ea8ff"),
    "sky": ("#ffd43b", "#b7c4ff"),
}
"""The colours of both marks, by look; they differ by shape too."""
FINE: Final = 4
"""Shapes are drawn so many times as large and made smaller, so that their edges are smooth."""


def look_of(name: str) -> str:
    """A look that can be drawn: the usual one in the place of one that is not known."""
    return name if name in COLOURS else "classic"


def colour_of(look: str, mark: str) -> str:
    """The colour of a mark."""
    return COLOURS[look][mark == "O"]


@cache
def mark_shape(look: str, mark: str, side: int) -> Image.Image:
    """The shape of a mark in a square: how much of each pixel it covers."""
    big = Image.new("L", (side * FINE, side * FINE))
    SHAPES[look, mark](ImageDraw.Draw(big), side * FINE)
    return big.resize((side, side), Image.Resampling.LANCZOS)


@cache
def tile(  # noqa: PLR0917 - a cache is asked by place
    look: str, mark: str | None, side: int, ground: str, around: str, scale: float = 1.0
) -> Image.Image:
    """A cell with round corners.

    Args:
        look: How the mark looks.
        mark: `X`, `O`, or None for an empty cell.
        side: In pixels.
        ground: The colour of the cell.
        around: The colour beyond its corners.
        scale: How large the mark is of what it will be.
    """
    image = Image.new("RGB", (side, side), around)
    rounded = Image.new("L", (side * FINE, side * FINE))
    gap = max(FINE, round(side * FINE * 0.03))
    edge = side * FINE - gap - 1
    ImageDraw.Draw(rounded).rounded_rectangle((gap, gap, edge, edge), radius=side * FINE * 0.16, fill=255)
    image.paste(ground, mask=rounded.resize((side, side), Image.Resampling.LANCZOS))
    if mark is not None:
        size = max(1, round(side * scale))
        place = ((side - size) // 2, (side - size) // 2)
        image.paste(colour_of(look, mark), place, mark_shape(look, mark, size))
    return image


def _cross(draw: ImageDraw.ImageDraw, side: int) -> None:
    near, far, width = side * 0.27, side * 0.73, round(side * 0.13)
    for ends in (((near, near), (far, far)), ((near, far), (far, near))):
        draw.line(ends, fill=255, width=width)
        for x, y in ends:
            draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)


def _ring(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.ellipse((side * 0.2, side * 0.2, side * 0.8, side * 0.8), outline=255, width=round(side * 0.125))


def _letter(letter: str) -> Callable[[ImageDraw.ImageDraw, int], None]:
    def draw_it(draw: ImageDraw.ImageDraw, side: int) -> None:
        font = sized(FONTS / "NotoSans.ttf", round(side * 0.66))
        left, top, right, bottom = font.getbbox(letter)
        place = (side - left - right) / 2, (side - top - bottom) / 2
        draw.text(place, letter, fill=255, font=font, stroke_width=round(side * 0.02))

    return draw_it


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


def _moon(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.ellipse((side * 0.2, side * 0.2, side * 0.8, side * 0.8), fill=255)
    draw.ellipse((side * 0.36, side * 0.12, side * 0.9, side * 0.66), fill=0)


SHAPES: Final[dict[tuple[str, str], Callable[[ImageDraw.ImageDraw, int], None]]] = {
    ("classic", "X"): _cross,
    ("classic", "O"): _ring,
    ("letters", "X"): _letter("X"),
    ("letters", "O"): _letter("O"),
    ("shapes", "X"): _triangle,
    ("shapes", "O"): _disc,
    ("sky", "X"): _star,
    ("sky", "O"): _moon,
}
