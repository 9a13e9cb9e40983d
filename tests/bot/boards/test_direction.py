"""From right to left, each line begins at the right, and commands, moves and numbers in it stay as they're typed.

It is computed as Telegram's apps do, by the Unicode bidirectional algorithm (UAX #9).
"""

import re
import unicodedata
from collections.abc import Iterator
from string import Formatter

import pytest
from babel import Locale

from bot.boards.translations import versus
from bot.language import LANGUAGES, RIGHT_TO_LEFT, _, catalogue_of, from_right_to_left, speaking
from tests.bot.catalogues import stored
from tests.bot.screens import helping

bidi = pytest.importorskip("bidi", reason="make installs it")

SAMPLES = {
    "columns": "7",
    "rows": "6",
    "count": "12",
    "number": "5",
    "cell": "b2",
    "short": "a1",
    "rating": "1512 (+12)",
}
"""What is filled in; everything else is a name in Latin letters."""
AS_TYPED = re.compile(r"<code>([^<]*)</code>|((?<![\w<])/[a-z]+|@\w+|\d+×\d+|\b[a-z]\d\b|\d+[–:,.]\d+)")
MARKS = re.compile("[\u200e\u200f\u2066-\u2069]")
FROM_RIGHT_TO_LEFT = [tag for tag, folder in LANGUAGES.items() if Locale.parse(folder).text_direction == "rtl"]


def filled(text: str) -> str:
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return text.format(**{name: SAMPLES.get(name, "Ann") for name in names})


def said(tag: str) -> Iterator[str]:
    """Every text of a language with something filled in, but for lists of words to type; and the help."""
    for message in stored(catalogue_of(LANGUAGES[tag])):
        forms = [message.string] if isinstance(message.string, str) else message.string
        if message.id:
            yield from (filled(from_right_to_left(form)) for form in forms if "|" not in form)
    with speaking(tag):
        yield from (view.text for view in helping())


def shown(line: str) -> str:
    """A line as it is seen, from left to right, without marks."""
    return MARKS.sub("", bidi.get_display(line))


@pytest.mark.parametrize("tag", FROM_RIGHT_TO_LEFT)
def test_each_line_begins_at_the_right_and_what_is_typed_stays_in_order(tag: str) -> None:
    for line in (line for text in said(tag) for line in text.split("\n")):
        letters = re.sub(r"<[^>]*>", "", line)
        if not any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in letters):
            continue
        assert bidi.get_base_level(letters) == 1, line
        for found in AS_TYPED.finditer(line):
            typed = MARKS.sub("", found[1] or found[2])
            assert shown(typed) in shown(letters), line


@pytest.mark.parametrize("tag", ["en", *FROM_RIGHT_TO_LEFT])
def test_the_first_of_two_sides_stands_where_lines_begin(tag: str) -> None:
    ann, bo = "\u2068Ann\u2069", "\u2068Bo\u2069"
    with speaking(tag):
        lines = [versus(f"{ann} 2", f"1 {bo}"), _("⭐ Game of the cup: {game}").format(game=versus(ann, bo))]
    seen = [("Ann 2 – 1 Bo", "Ann – Bo"), ("Bo 1 – 2 Ann", "Bo – Ann")][tag in FROM_RIGHT_TO_LEFT]
    assert all(part in shown(line) for part, line in zip(seen, lines, strict=True))
