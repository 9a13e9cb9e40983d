"""The fonts of pictures, made small: `python -m tools.fonts` writes them from those of Debian.

It needs the Debian packages fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji, fonttools and unicode-data,
and is run when those have something new. What each font is for stands in the README beside them.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NOTO: Final = Path("/usr/share/fonts/truetype/noto")
CJK: Final = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
EMOJI: Final = NOTO / "NotoColorEmoji.ttf"
SEQUENCES: Final = Path("/usr/share/unicode/emoji/emoji-test.txt")
FONTS: Final = Path(__file__).parents[1] / "bot" / "thinking" / "drawing" / "fonts"

SIMPLIFIED: Final = 2
"""The font of simplified Chinese in the collection."""
SYMBOLS: Final = ((0x2000, 0x2BFF), (0x1F100, 0x1F1FF), (0x1F650, 0x1F67F), (0x1F780, 0x1F7D8))
"""The signs that people put into names, and emoji have not."""
SCRIPTS: Final = (
    *("", "Arabic", "Armenian", "Bengali", "CanadianAboriginal", "Cherokee", "Devanagari", "Ethiopic", "Georgian"),
    *("Gujarati", "Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao", "Lisu", "Malayalam", "Myanmar", "Oriya"),
    *("Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tifinagh"),
)
SIZE: Final = 40
"""Pixels of an emoji, each way."""
BITMAPS: Final = 109
"""The one size that the emoji's font has."""
TONES: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
VARIANT: Final = "\ufe0f"


def main() -> int:
    """Write all fonts anew."""
    for script in SCRIPTS:
        path = NOTO / f"NotoSans{script}-Regular.ttf"
        _subset(path, FONTS / path.name.replace("-Regular", ""), "--unicodes=*")
    for name in ("Symbols", "Symbols2"):
        ranges = ",".join(f"{first:x}-{last:x}" for first, last in SYMBOLS)
        _subset(NOTO / f"NotoSans{name}-Regular.ttf", FONTS / f"NotoSans{name}.ttf", f"--unicodes={ranges}")
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as wanted:
        wanted.write("".join(sorted(common_cjk())))
        wanted.flush()
        only = (f"--font-number={SIMPLIFIED}", f"--text-file={wanted.name}", "--layout-features=")
        _subset(CJK, FONTS / "NotoSansCJK.otf", *only)
    _write_emoji(FONTS / "emoji.zip")
    return 0


def common_cjk() -> set[str]:
    """The characters of East Asia that the usual standards count as common.

    All of GB 2312 (simplified Chinese), level 1 of Big5 (traditional), level 1 of JIS X 0208 and the kana
    (Japanese), and all syllables of Hangul that KS X 1001 has.
    """
    found = set(_of_codec("gb2312", range(0xA1, 0xF8)))
    found |= set(_of_codec("big5", range(0xA1, 0xC7)))
    found |= set(_of_codec("euc_jp", range(0xA1, 0xD0)))
    found |= set(_of_codec("euc_kr", range(0xB0, 0xC9)))
    return {c for c in found if ord(c) >= 0x2E80}  # noqa: PLR2004 - what comes before is no East Asian character


def _of_codec(codec: str, leads: Iterable[int]) -> Iterable[str]:
    for lead in leads:
        for trail in range(0x40, 0xFF):
            try:
                yield bytes((lead, trail)).decode(codec)
            except UnicodeDecodeError:
                continue


def _subset(source: Path, target: Path, *options: str) -> None:
    """Keep of a font what is asked for, without hints for low resolutions."""
    usual = ["--no-hinting", "--drop-tables+=DSIG", "--name-IDs=0,1,2,13,14", "--notdef-outline"]
    if source != CJK:
        usual.append("--layout-features=*")
    subprocess.run(  # noqa: S603 - a command of Debian's with our own arguments
        ["/usr/bin/pyftsubset", str(source), f"--output-file={target}", *usual, *options], check=True
    )


def _write_emoji(target: Path) -> None:
    """Small pictures of all emoji, but those that differ by a tone of skin alone."""
    font = ImageFont.truetype(str(EMOJI), BITMAPS, layout_engine=ImageFont.Layout.RAQM)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as pack:
        for sequence in _sequences():
            picture = _emoji(font, sequence)
            if picture is not None:
                info = zipfile.ZipInfo("-".join(f"{ord(c):x}" for c in sequence if c != VARIANT))
                pack.writestr(info, picture)


def _sequences() -> Sequence[str]:
    found = {}
    for line in SEQUENCES.read_text(encoding="utf-8").splitlines():
        if "; fully-qualified" in line:
            sequence = "".join(chr(int(word, 16)) for word in line.partition(";")[0].split())
            plain = sequence.replace(VARIANT, "")
            # Signs that are letters first stay with the fonts of letters.
            if not TONES.search(sequence) and (len(plain) > 1 or ord(plain) > 0x2000):  # noqa: PLR2004 - likewise
                found[plain] = sequence
    return list(found.values())


def _emoji(font: ImageFont.FreeTypeFont, sequence: str) -> bytes | None:
    """An emoji as a PNG with a palette; None where the font draws it as several."""
    if font.getlength(sequence) > 1.5 * BITMAPS:
        return None
    left, top, right, bottom = font.getbbox(sequence)
    size = int(max(right - left, bottom - top))
    image = Image.new("RGBA", (size, size))
    place = ((size - (right - left)) // 2 - left, (size - (bottom - top)) // 2 - top)
    ImageDraw.Draw(image).text(place, sequence, font=font, embedded_color=True)
    small = image.resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.quantize(48, Image.Quantize.FASTOCTREE).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
