"""Names and figures in pictures, in a font that comes as a package.

It has Latin, Greek, Cyrillic and Hebrew letters. A text with others is left out of the picture; captions say in
any language what it shows.
"""

from functools import cache
from importlib.resources import files
from typing import Final
from unicodedata import bidirectional, category, normalize

from PIL import Image, ImageDraw, ImageFont, features

from bot.boards.names import belongs
from bot.boards.pictures.figures import Labels, Written
from bot.boards.pictures.positions import FAINT, FINE, INK, colour_of, mark_shape, rounded

FILE: Final = str(files("fontpkg_arimo") / "files" / "Arimo[wght].ttf")
NO_GLYPH: Final = "\U0010ffff"
"""A character that no font has."""
KEPT_CATEGORIES: Final = "LNM"
"""The categories of letters, digits and marks. Anything else, such as an emoji, can be left out of a name."""
SELECTORS: Final = "\ufe0e\ufe0f\u20e3"
"""What makes an emoji of the character before."""

GOLD: Final = "#ffd43b"
CROWN: Final = 34
"""The side of a winner's crown."""
SMALLER_TEXT, SMALL_TEXT = 0.85, 0.72
"""How large a text is that would be too long: on one line, and then on as many as there may be."""


@cache
def font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The font of all pictures."""
    made = ImageFont.truetype(FILE, size)
    made.set_variation_by_axes([700 if bold else 400])
    return made


def written(*texts: str) -> str:
    """The first of these texts of which the font has all letters, without emoji; empty if it has none."""
    return next(filter(None, map(_written, texts)), "")


def _written(text: str) -> str:
    kept = [each for each in normalize("NFC", text) if each not in SELECTORS and category(each) != "Cf"]
    if any(category(each)[0] in KEPT_CATEGORIES and not _has(each) for each in kept):
        return ""
    return " ".join("".join(filter(_has, kept)).split())


@cache
def _has(letter: str) -> bool:
    if bidirectional(letter) in {"R", "AL"} and not features.check("raqm"):
        return False  # it would be written backwards
    return _shape(letter) != _shape(NO_GLYPH)


def _shape(letter: str) -> tuple[tuple[int, int], bytes]:
    mask = font(32).getmask(letter)
    return mask.size, bytes(mask)


def write(
    draw: ImageDraw.ImageDraw,
    box: tuple[float, float, float, float],
    text: str,
    size: int,
    *,
    colour: str = INK,
    at: str = "l",
    bold: bool = False,
    lines: int = 1,
) -> None:
    """Write a text in a box, at its left, middle or right (`l`, `m`, `r`): smaller if it is long, else cut."""
    left, top, right, bottom = box
    face, shown = _fitted(text, right - left, size, bold=bold, lines=lines)
    place = {"l": left, "m": (left + right) / 2, "r": right}[at], (top + bottom) / 2
    draw.text(place, shown, fill=colour, font=face, anchor=f"{at}m", spacing=size // 8)


def _fitted(text: str, width: float, size: int, *, bold: bool, lines: int) -> tuple[ImageFont.FreeTypeFont, str]:
    for scale in (1, SMALLER_TEXT):
        face = font(round(size * scale), bold=bold)
        if face.getlength(text) <= width:
            return face, text
    face, words = font(round(size * SMALL_TEXT), bold=bold), text.split()
    fits = [at for at in range(2, len(words)) if face.getlength(" ".join(words[:at])) <= width]
    at = (fits or [1])[-1] if lines > 1 else len(words)
    rows = " ".join(words[:at]), " ".join(words[at:])
    return face, "\n".join(_cut(row, width, face) for row in rows if row)


def _cut(row: str, width: float, face: ImageFont.FreeTypeFont) -> str:
    if face.getlength(row) <= width:
        return row
    end = len(row) - 1
    while end > 1 and (face.getlength(f"{row[:end]}…") > width or belongs(row, end)):
        end -= 1
    return f"{row[:end].rstrip()}…"


def side(
    page: Image.Image,
    box: tuple[int, int, int, int],
    theme_and_mark: tuple[str, str],
    names: Written,
    *,
    ground: str,
    wins: bool = False,
) -> None:
    """A side of a game: its mark, which wears a crown if it wins, and beside it its player's name."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    page.paste(ground, (left, top), rounded(width, height, 16))
    name = written(*names)
    x = left + 6 if name else left + (width - height) // 2
    page.paste(colour_of(*theme_and_mark), (x, top), mark_shape(*theme_and_mark, height))
    if name:
        write(ImageDraw.Draw(page), (x + height, top, right - 14, bottom), name, 32, bold=True, lines=2)
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
    write(draw, box, written(labels.date), size, colour=FAINT)
    write(draw, box, labels.signature, size, colour=FAINT, at="r")
