"""A line of text in any script: which way its parts run, from which font each comes, and how it is drawn.

The order is that of the Unicode bidirectional algorithm (UAX #9), as far as names need it: without the controls
that turn a text around, which names do not have. Letters of one part are shaped by Pillow, which can where the
system has FriBiDi; elsewhere Arabic letters have the forms that Unicode keeps for old fonts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from PIL import Image, ImageDraw

from bot.thinking.drawing.fonts import (
    SHAPES,
    VARIANT,
    characters_of,
    emoji_at,
    emoji_picture,
    font_of,
    sized,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PIL.ImageFont import FreeTypeFont

RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
ISOLATED: Final = re.compile("\u2068[^\u2069]*\u2069?")
NUMBERS: Final = frozenset({"EN", "AN"})
MARKS: Final = frozenset({"Mn", "Me", "Mc", "Cf"})
"""What belongs to the letter before it."""
MORE: Final = "…"
UNKNOWN: Final = "·"
"""Stands for a character that no font has."""
EMOJI_SIZE: Final = 1.12
"""An emoji's width by the size of the letters beside it."""


class Part(NamedTuple):
    """A part of a line that is drawn in one go: letters of one font and direction, or an emoji."""

    text: str
    font: Path | None
    """None for an emoji, of which the text is the key."""
    level: int
    """How deep it is embedded; odd levels run from right to left."""


def parts_of(text: str) -> list[Part]:
    """The parts of a line in the order in which they stand from left to right."""
    base = _base(text)
    text = "".join(_known(text))
    levels = _levels(text, base)
    found: list[Part] = []
    place = 0
    while place < len(text):
        if (emoji := emoji_at(text, place)) is not None:
            found.append(Part(emoji.key, None, levels[place]))
            place += emoji.length
            continue
        character, level = text[place], levels[place]
        font = _font_of(character, found[-1] if found else None, level)
        if found and found[-1].font == font and found[-1].level == level:
            found[-1] = found[-1]._replace(text=found[-1].text + character)
        elif font is not None:
            found.append(Part(character, font, level))
        place += 1
    return _reordered(found)


def width(text: str, size: int) -> int:
    """How many pixels a line takes."""
    return sum(_width(part, size) for part in parts_of(text))


def fitted(text: str, size: int, room: int) -> str:
    """A line, shortened until it has room; never within a letter and its marks, or within an emoji."""
    if width(text, size) <= room:
        return text
    ends = [0, *_ends(text)]
    least, most = 0, len(ends) - 1
    while least < most:
        middle = (least + most + 1) // 2
        if width(text[: ends[middle]].rstrip() + MORE, size) <= room:
            least = middle
        else:
            most = middle - 1
    return text[: ends[least]].rstrip() + MORE


def draw(image: Image.Image, place: tuple[int, int], text: str, size: int, colour: str) -> None:
    """Draw a line on an RGB image, from its left end and the line that letters stand on.

    Args:
        image: What is drawn on.
        place: Where, in pixels.
        text: What.
        size: Of letters, in pixels.
        colour: Of letters; emoji have their own.
    """
    x, y = place
    canvas = ImageDraw.Draw(image)
    for part in parts_of(text):
        if part.font is None:
            side = round(size * EMOJI_SIZE)
            picture = emoji_picture(part.text).resize((side, side), Image.Resampling.LANCZOS)
            image.paste(picture, (x + round(size * 0.04), y - round(size * 0.93)), picture)
        else:
            letters, font = _letters(part), sized(part.font, size)
            canvas.text((x, y), letters, font=font, fill=colour, anchor="ls", direction=_direction(part))
        x += _width(part, size)


def _width(part: Part, size: int) -> int:
    if part.font is None:
        return round(size * (EMOJI_SIZE + 0.08))
    font: FreeTypeFont = sized(part.font, size)
    return round(font.getlength(_letters(part), direction=_direction(part)))


def _direction(part: Part) -> str | None:
    """Which way Pillow shapes a part, where it shapes at all."""
    return ("rtl" if part.level % 2 else "ltr") if SHAPES else None


def _letters(part: Part) -> str:
    """What Pillow is given to draw a part."""
    return part.text if SHAPES else visual(part.text, right_to_left=bool(part.level % 2))


def _known(text: str) -> list[str]:
    """The characters of a text, with plain ones in the place of those that no font has."""
    found: list[str] = []
    place = 0
    while place < len(text):
        if (emoji := emoji_at(text, place)) is not None:
            found.append(text[place : place + emoji.length])
            place += emoji.length
            continue
        character = text[place]
        place += 1
        if character == VARIANT or unicodedata.category(character) == "Cf":
            continue
        if character.isspace() or font_of(character) is not None:
            found.append(" " if character.isspace() else character)
            continue
        plain = [c for c in unicodedata.normalize("NFKD", character) if font_of(c) is not None]
        mark = unicodedata.category(character) in MARKS
        found.extend(plain or ([] if mark else [UNKNOWN]))
    return found


def _font_of(character: str, before: Part | None, level: int) -> Path | None:
    """The font of a character: that of the part before it for what belongs to it, if that has it too."""
    if before is not None and before.font is not None and before.level == level:
        belongs = character == " " or unicodedata.category(character) in MARKS
        if belongs and ord(character) in characters_of(before.font):
            return before.font
    return font_of(character)


def _base(text: str) -> int:
    """The direction of a line: of the first letter outside of isolates, which are around names, else of any."""
    for kinds in (map(unicodedata.bidirectional, part) for part in (ISOLATED.sub("", text), text)):
        for kind in kinds:
            if kind == "L" or kind in RIGHT_TO_LEFT:
                return int(kind in RIGHT_TO_LEFT)
    return 0


def _levels(text: str, base: int) -> list[int]:
    """How deep each character is embedded."""
    kinds = [unicodedata.bidirectional(c) or "L" for c in text]
    ways: list[int | None] = []
    """The direction of each, 1 from right to left; None for what has none of its own."""
    way = base
    for kind in kinds:
        way = 0 if kind == "L" else 1 if kind in RIGHT_TO_LEFT else way
        ways.append(way if kind == "L" or kind in RIGHT_TO_LEFT or kind in NUMBERS else None)
    for place in range(1, len(ways)):
        if kinds[place] == "NSM":
            ways[place] = ways[place - 1]
    found = []
    for place, kind in enumerate(kinds):
        settled = _way(ways, place, base)
        # A number in a text from right to left runs from left to right within it.
        inner = kind in NUMBERS and settled
        found.append(2 if inner else 1 if settled else 2 * base)
    return found


def _way(ways: Sequence[int | None], place: int, base: int) -> int:
    """The direction at a place; what has none takes that of its neighbours, else that of the line."""
    own = ways[place]
    if own is not None:
        return own
    before = next((way for way in reversed(ways[:place]) if way is not None), base)
    after = next((way for way in ways[place:] if way is not None), base)
    return before if before == after else base


def _reordered(parts: list[Part]) -> list[Part]:
    """Parts from left to right: at each level, from the deepest, whole stretches are turned around (rule L2)."""
    for level in range(max((part.level for part in parts), default=0), 0, -1):
        start = 0
        while start < len(parts):
            end = start
            while end < len(parts) and parts[end].level >= level:
                end += 1
            parts[start:end] = reversed(parts[start:end])
            start = end + 1
    return parts


def _ends(text: str) -> list[int]:
    """Where a text may be cut."""
    ends = []
    place = 0
    while place < len(text):
        emoji = emoji_at(text, place)
        place += emoji.length if emoji is not None else 1
        while place < len(text) and unicodedata.category(text[place]) in MARKS and emoji_at(text, place) is None:
            place += 1
        ends.append(place)
    return ends[:-1]


def visual(text: str, *, right_to_left: bool) -> str:
    """A part as it is drawn from left to right where Pillow shapes nothing: Arabic letters joined, all turned."""
    if not right_to_left:
        return text
    letters = [text[start:end] for start, end in zip([0, *_ends(text)], [*_ends(text), len(text)], strict=True)]
    return "".join(reversed(_joined(letters)))


def _joined(letters: Sequence[str]) -> list[str]:
    """Letters with the forms that they have in a word."""
    made = []
    for place, letter in enumerate(letters):
        forms = _forms().get(letter[0], {})
        before = _forms().get(letters[place - 1][0], {}) if place else {}
        after = _forms().get(letters[place + 1][0], {}) if place + 1 < len(letters) else {}
        to_before = "initial" in before and "final" in forms
        to_after = "initial" in forms and "final" in after
        name = (
            "medial" if to_before and to_after else "final" if to_before else "initial" if to_after else "isolated"
        )
        made.append(forms.get(name, letter[0]) + letter[1:])
    return made


@cache
def _forms() -> dict[str, dict[str, str]]:
    """The forms of each Arabic letter, by their names: `isolated`, `initial`, `medial` and `final`."""
    found: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFEFD)):
        name, _, letter = unicodedata.decomposition(chr(code)).partition(" ")
        if name.startswith("<") and len(letter) == 4:  # noqa: PLR2004 - the hexadecimal digits of one letter
            found.setdefault(chr(int(letter, 16)), {})[name.strip("<>")] = chr(code)
    return found
