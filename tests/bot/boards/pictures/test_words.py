"""What can be written in pictures."""

from bot.boards.pictures.words import font
from bot.boards.wording import date_of
from bot.language import speaking

NO_GLYPH = "\U0010ffff"
"""A character that no font has."""


def shape(letter: str) -> bytes:
    return bytes(font(32).getmask(letter))


def test_dates_are_written_as_people_do_in_every_language_in_letters_that_the_font_has(tag: str) -> None:
    with speaking(tag):
        shown = [date_of(day * 86400) for day in range(20400, 20765, 28)]
    assert all(shape(letter) != shape(NO_GLYPH) for date in shown for letter in date if not letter.isspace())
    assert len(set(shown)) == len(shown)
    assert not any("-" in date for date in shown)


def test_a_date_in_english() -> None:
    assert date_of(1795600000) == "25 Nov 2026"
