"""Which font has a character, and the pictures of emoji.

Pillow draws the sign of a missing character where a font lacks one, and does not say so. So the tables of the
fonts are read here (OpenType, "cmap"), and each character goes to the first font that has it: of those beside this
module, then of those that the system may have.
"""

from __future__ import annotations

import io
import struct
import zipfile
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageFont, features

FONTS: Final = Path(__file__).with_name("fonts")
FIRST: Final = ("NotoSans.ttf", "NotoSansCJK.otf", "NotoSansArabic.ttf", "NotoSansHebrew.ttf")
"""The fonts that are looked into first, for what most names are written in."""
SYSTEM: Final = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/noto/NotoSansMath-Regular.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
)
"""Fonts of the system that have what the others lack, where they are installed."""
VARIANT: Final = "\ufe0f"
"""Says that a sign is to be drawn as an emoji."""
TONES: Final = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
JOINER: Final = "\u200d"
LONGEST: Final = 12
"""Characters of one emoji, at the most."""

SHAPES: Final[bool] = features.check_feature("raqm") is True
"""Whether Pillow can shape text itself; for that the system must have FriBiDi."""


class Emoji(NamedTuple):
    """An emoji in a text."""

    key: str
    """By which it is found."""
    length: int
    """Of how many characters it is made."""


@cache
def font_files() -> tuple[Path, ...]:
    """All fonts that there are, those that are looked into first first."""
    own = sorted((path for path in FONTS.iterdir() if path.suffix in (".ttf", ".otf")), key=_rank)
    return (*own, *(path for path in map(Path, SYSTEM) if path.exists()))


def _rank(path: Path) -> tuple[int, str]:
    return FIRST.index(path.name) if path.name in FIRST else len(FIRST), path.name


@cache
def font_of(character: str) -> Path | None:
    """The first font that has a character; None if none has it."""
    code = ord(character)
    return next((path for path in font_files() if code in characters_of(path)), None)


@cache
def sized(path: Path, size: int) -> ImageFont.FreeTypeFont:
    """A font in a size, in pixels."""
    engine = ImageFont.Layout.RAQM if SHAPES else ImageFont.Layout.BASIC
    return ImageFont.truetype(str(path), size, layout_engine=engine)


@cache
def characters_of(path: Path) -> frozenset[int]:
    """The characters that a font has; of a collection, its first font's."""
    data = path.read_bytes()
    start = struct.unpack_from(">I", data, 12)[0] if data.startswith(b"ttcf") else 0
    tables = struct.unpack_from(">H", data, start + 4)[0]
    for number in range(tables):
        tag, _, place, _ = struct.unpack_from(">4sIII", data, start + 12 + 16 * number)
        if tag == b"cmap":
            return _read_map(data, place)
    return frozenset()


def _read_map(data: bytes, start: int) -> frozenset[int]:
    """Read the widest table of characters: that of all planes, else that of the first one."""
    count = struct.unpack_from(">H", data, start + 2)[0]
    tables = {}
    for number in range(count):
        place = start + struct.unpack_from(">I", data, start + 8 + 8 * number)[0]
        tables[struct.unpack_from(">H", data, place)[0]] = place
    if 12 in tables:  # noqa: PLR2004 - the format's number
        return _read_groups(data, tables[12])
    return _read_segments(data, tables[4]) if 4 in tables else frozenset()  # noqa: PLR2004 - likewise


def _read_groups(data: bytes, place: int) -> frozenset[int]:
    found: set[int] = set()
    for number in range(struct.unpack_from(">I", data, place + 12)[0]):
        first, last, _ = struct.unpack_from(">III", data, place + 16 + 12 * number)
        found.update(range(first, last + 1))
    return frozenset(found)


def _read_segments(data: bytes, place: int) -> frozenset[int]:
    double = struct.unpack_from(">H", data, place + 6)[0]
    found: set[int] = set()
    for shift in range(0, double, 2):
        last = struct.unpack_from(">H", data, place + 14 + shift)[0]
        first = struct.unpack_from(">H", data, place + 16 + double + shift)[0]
        delta = struct.unpack_from(">H", data, place + 16 + 2 * double + shift)[0]
        offset = struct.unpack_from(">H", data, place + 16 + 3 * double + shift)[0]
        for code in range(first, last + 1):
            glyph = code
            if offset:
                at = place + 16 + 3 * double + shift + offset + 2 * (code - first)
                glyph = struct.unpack_from(">H", data, at)[0] if at + 2 <= len(data) else 0
            if glyph and (glyph + delta) % 0x10000:
                found.add(code)
    return frozenset(found)


@cache
def _emoji_pack() -> zipfile.ZipFile:
    return zipfile.ZipFile(FONTS / "emoji.zip")


@cache
def emoji_keys() -> frozenset[str]:
    """The emoji that there are, by their characters' numbers, without the sign that makes them emoji."""
    return frozenset(_emoji_pack().namelist())


@cache
def _beginnings() -> frozenset[str]:
    """The characters that an emoji may begin with."""
    return frozenset(chr(int(key.partition("-")[0], 16)) for key in emoji_keys())


def emoji_at(text: str, place: int) -> Emoji | None:
    """The longest emoji that begins at a place of a text; tones of skin are left out."""
    keys = emoji_keys()
    if text[place] not in _beginnings():
        return None
    for length in range(min(LONGEST, len(text) - place), 0, -1):
        part = text[place : place + length]
        plain = [c for c in part if c != VARIANT and c not in TONES]
        if not plain or part[-1] == JOINER:
            continue
        key = "-".join(f"{ord(c):x}" for c in plain)
        if key in keys:
            return Emoji(key, length)
    return None


@cache
def emoji_picture(key: str) -> Image.Image:
    """The picture of an emoji."""
    return Image.open(io.BytesIO(_emoji_pack().read(key))).convert("RGBA")
