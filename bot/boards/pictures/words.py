"""Figures, dates and the bot's name in pictures, in a font that comes as a package; captions name people."""

from functools import cache
from importlib.resources import files
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.boards.pictures.figures import Labels
from bot.boards.pictures.positions import FAINT, FINE, INK, colour_of, mark_shape, rounded

FILE: Final = str(files("fontpkg_arimo") / "files" / "Arimo[wght].ttf")

GOLD: Final = "#ffd43b"
CROWN: Final = 34
"""The side of a winner's crown."""


@cache
def font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The font of all pictures."""
    made = ImageFont.truetype(FILE, size)
    made.set_variation_by_axes([700 if bold else 400])
    return made


def write(
    draw: ImageDraw.ImageDraw,
    box: tuple[float, float, float, float],
    text: str,
    size: int,
    *,
    colour: str = INK,
    at: str = "l",
    bold: bool = False,
) -> None:
    """Write a text in a box, at its left or right (`l`, `r`)."""
    left, top, right, bottom = box
    place = left if at == "l" else right, (top + bottom) / 2
    draw.text(place, text, fill=colour, font=font(size, bold=bold), anchor=f"{at}m")


def side(
    page: Image.Image,
    box: tuple[int, int, int, int],
    theme_and_mark: tuple[str, str],
    *,
    ground: str,
    wins: bool = False,
) -> None:
    """A side of a game: its mark, which wears a crown if it wins."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    page.paste(ground, (left, top), rounded(width, height, 16))
    x = left + (width - height) // 2
    page.paste(colour_of(*theme_and_mark), (x, top), mark_shape(*theme_and_mark, height))
    if wins:
        page.paste(GOLD, (x + (height - CROWN) // 2, top - CROWN * 2 // 3), _crown())


@cache
def _crown() -> Image.Image:
    big = Image.new("L", (CROWN * FINE, CROWN * FINE))
    points = ((0.12, 0.86), (0.0, 0.3), (0.29, 0.52), (0.5, 0.1), (0.71, 0.52), (1.0, 0.3), (0.88, 0.86))
    ImageDraw.Draw(big).polygon([(x * CROWN * FINE, y * CROWN * FINE) for x, y in points], fill=255)
    return big.resize((CROWN, CROWN), Image.Resampling.LANCZOS)


def foot(page: Image.Image, margin: int, height: int, size: int, labels: Labels) -> None:
    """The last line of a picture: a date, and the bot's name."""
    draw, bottom = ImageDraw.Draw(page), page.height
    box = margin, bottom - height, page.width - margin, bottom
    write(draw, box, labels.date, size, colour=FAINT)
    write(draw, box, labels.signature, size, colour=FAINT, at="r")
