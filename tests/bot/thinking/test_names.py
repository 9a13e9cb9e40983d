"""Names in any script: each letter from a font that has it, and in the order in which it is read."""

from __future__ import annotations

import unicodedata

import pytest
from PIL import Image, ImageDraw

from bot.thinking.drawing import lines
from bot.thinking.drawing.fonts import FONTS, characters_of, emoji_keys, font_files, font_of, sized

NAMES = {
    "Latin": "Zoë Ångström",
    "Vietnamese": "Ngô Bảo Châu",
    "Greek": "Ελένη",
    "Cyrillic": "Дмитрий",
    "simplified Chinese": "小波",
    "traditional Chinese": "陳國華",
    "Japanese": "田中さくら",
    "Korean": "김민준",
    "Arabic": "مريم",
    "Persian": "پژمان",
    "Hebrew": "יוסי כהן",
    "Devanagari": "शक्ति प्रिया",
    "Bengali": "বাংলা",
    "Tamil": "தமிழ்",
    "Telugu": "తెలుగు",
    "Thai": "สมชาย",
    "Khmer": "ភាសា",
    "Burmese": "မြန်မာ",
    "Georgian": "საბა",
    "Armenian": "Արմեն",
    "Amharic": "አበበ",
    "signs": "★ Ann ♪",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_the_fonts_beside_the_code_have_every_usual_script(name: str) -> None:
    own = [path for path in font_files() if path.parent == FONTS]
    missing = [c for c in name if c != " " and not any(ord(c) in characters_of(path) for path in own)]
    assert missing == []
    drawn = lines.parts_of(name)
    assert all(part.font is not None for part in drawn if part.text not in emoji_keys())
    assert lines.UNKNOWN not in "".join(part.text for part in drawn)


def image_of(text: str) -> Image.Image:
    """A name as it is drawn."""
    image = Image.new("RGB", (400, 60), "black")
    lines.draw(image, (5, 40), text, 30, "white")
    return image


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_letter_is_drawn_as_the_sign_of_a_missing_one(name: str) -> None:
    for letter in {c for c in name if unicodedata.category(c).startswith("L")}:
        font = font_of(letter)
        assert font is not None
        image = Image.new("RGB", (80, 60), "black")
        lines.draw(image, (5, 40), letter, 30, "white")
        missing = Image.new("RGB", (80, 60), "black")
        ImageDraw.Draw(missing).text((5, 40), "\uffff", font=sized(font, 30), anchor="ls")
        assert image.tobytes() != missing.tobytes(), letter
        assert image.getbbox() is not None, letter


def test_a_name_from_right_to_left_runs_so_and_its_parts_stand_in_their_order() -> None:
    assert [part.text.strip() for part in lines.parts_of("مريم Zoë")] == ["Zoë", "مريم"]
    assert [part.text.strip() for part in lines.parts_of("Ann مريم Bo")] == ["Ann", "مريم", "Bo"]
    assert lines.parts_of("مريم 12")[0].text == "12"
    assert lines.parts_of("אב")[0].level == 1
    isolated = lines.parts_of("\u2068مريم\u2069 wins")
    assert [part.text.strip() for part in isolated] == ["مريم", "wins"], "a name turns no sentence around"


def test_without_fribidi_arabic_letters_are_joined_and_turned_all_the_same() -> None:
    assert lines.visual("مريم", right_to_left=True) == "\ufee2\ufef3\ufeae\ufee3"
    assert lines.visual("אבג", right_to_left=True) == "גבא"
    assert lines.visual("Ann", right_to_left=False) == "Ann"


def test_an_emoji_of_several_characters_is_one_picture_in_its_own_colours() -> None:
    (astronaut, _, *_) = lines.parts_of("👩‍🚀 Zoë")
    assert (astronaut.text, astronaut.font) == ("1f469-200d-1f680", None)
    assert [part.text for part in lines.parts_of("🇩🇪👍🏽❤️")] == ["1f1e9-1f1ea", "1f44d", "2764"]
    colours = image_of("❤️").getcolors(100_000) or []
    assert any(r > 150 and g < 90 and b < 90 for _, (r, g, b) in colours)  # type: ignore[misc] # an RGB image's


def test_letters_for_show_and_strange_ones_become_plain_ones_or_a_dot_and_never_a_box() -> None:
    assert "".join(part.text for part in lines.parts_of("Ａｎｎ")) in ("Ａｎｎ", "Ann")
    known = "".join(part.text for part in lines.parts_of("A\U00010380\U000e0041"))
    assert known == "A·", "a letter of Ugaritic, and a character that nobody sees"


@pytest.mark.parametrize("name", ["A very long name that goes on and on", "小波" * 20, "👩‍🚀" * 20, "مريم " * 9])
def test_a_name_that_is_too_long_is_cut_between_letters_and_says_so(name: str) -> None:
    short = lines.fitted(name, 27, 200)
    assert short.endswith("…")
    assert name.startswith(short[:-1])
    assert lines.width(short, 27) <= 200
    assert not short[:-1].endswith("\u200d")
    assert lines.fitted("Ann", 27, 200) == "Ann"
