"""The marks of each theme as shapes, and the colours of pictures: a dark card, in light and dark chats alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Final

from PIL import Image, ImageDraw

PAPER: Final = "#222831"
PANEL: Final = "#2a313c"
CELL: Final = "#37404d"
LAST: Final = "#526075"
"""The cell of the last move."""
WON: Final = "#2b6b4c"
"""The ground of whatever has won."""
GROUNDS: Final = ((WON, "#3d9068"), ("#7c3a41", "#a04c55"))
"""The cells of a line that wins, and of one that loses: in each, the others and that of the last move."""
STROKE: Final = "#f2f4f7"
"""Through a line."""
INK: Final = "#f2f4f7"
FAINT: Final = "#a9b4c2"

COLOURS: Final = {
    "classic": ("#ff6b6b", "#ffd43b"),
    "letters": ("#ffc078", "#8ce99a"),
    "shapes": ("#ff8f6b", "#5ea8ff"),
    "sky": ("#ffd43b", "#b7c4ff"),
}
"""The colours of both marks, by theme; they differ by shape too."""
FADING: Final = 0.35
"""How much of its colour a mark has that goes with the next move."""

FINE: Final = 4
"""Shapes are drawn so many times as large and made smaller, so that their edges are smooth."""


def colour_of(theme: str, mark: str) -> str:
    """The colour of a mark."""
    return COLOURS[theme][mark == "O"]


@cache
def mark_shape(theme: str, mark: str, side: int) -> Image.Image:
    """The shape of a mark in a square: how much of each pixel it covers."""
    big = Image.new("L", (side * FINE, side * FINE))
    SHAPES[theme, mark](ImageDraw.Draw(big), side * FINE)
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
    """A cell with round corners.

    Args:
        theme: How the mark looks.
        mark: `X`, `O`, or None for an empty cell.
        side: In pixels.
        ground: The colour of the cell.
        around: The colour beyond its corners.
        scale: The size of the mark relative to its final size.
        strength: How much of the mark's colour there is, up to 1.
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


def _moon(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.ellipse((side * 0.2, side * 0.2, side * 0.8, side * 0.8), fill=255)
    draw.ellipse((side * 0.36, side * 0.12, side * 0.9, side * 0.66), fill=0)


SHAPES: Final[dict[tuple[str, str], Callable[[ImageDraw.ImageDraw, int], None]]] = {
    ("classic", "X"): _cross,
    ("classic", "O"): _ring,
    ("letters", "X"): _letter_x,
    ("letters", "O"): _letter_o,
    ("shapes", "X"): _triangle,
    ("shapes", "O"): _disc,
    ("sky", "X"): _star,
    ("sky", "O"): _moon,
}
