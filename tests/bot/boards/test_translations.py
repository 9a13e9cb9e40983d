"""Translations have the same placeholders and markup as the texts marked in the code; some may be missing."""

import ast
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from gettext import c2py
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale
from babel.messages.catalog import Message

from bot.boards.translations import in_order, listed, sentences
from bot.language import (
    DOMAIN,
    LANGUAGES,
    LOCALES,
    Texts,
    by_code,
    code_of,
    forms_in,
    from_right_to_left,
    language_of,
    read_texts,
    speaking,
)
from tests.bot.catalogues import stored
from tools.texts import is_translated

ROOT = Path(__file__).parents[3]
SPEAKING = """
import sys
from pathlib import PurePath
read = []
def note(event, told):
    if event == "open" and str(told[0]).endswith(".po"):
        read.append(PurePath(told[0]).parts[-3])
sys.addaudithook(note)
import bot.run
from bot.language import _, read_texts, speaking
for tag in ("en", "de", "de"):
    print(*read)
    with speaking(tag):
        assert _("Hint") == {"en": "Hint", "de": "Tipp"}[tag]
read_texts("fr")
with speaking("fr"):
    assert _("Hint") == "Indice"
print(*read)
"""
"""A new process; after each step, the catalogues that it has read."""
PACKAGE = ROOT / "bot"
CATALOGUES = {path.parent.parent.name: path for path in sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))}
EACH = pytest.mark.parametrize("path", CATALOGUES.values(), ids=CATALOGUES)


@cache
def numbers_of(path: Path, count: int) -> list[list[int]]:
    """The numbers below 200 of each plural form of a catalogue."""
    form_of = c2py(stored(path).plural_expr)
    return [[number for number in range(200) if count == 1 or form_of(number) == form] for form in range(count)]


@cache
def catalogue(path: Path) -> list[Message]:
    """The messages that have a translation."""
    return [message for message in stored(path) if message.id and is_translated(message)]


def unmarked(text: str) -> str:
    return re.sub("[\u2068\u2069\u200f]", "", text)


def forms(text: str | Sequence[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def tags(text: str) -> list[str]:
    return sorted(re.findall(r"</?[a-z-]+[^>]*>", text))


def test_every_language_has_one_folder_and_a_catalogue() -> None:
    folders = {folder.name for folder in LOCALES.iterdir() if folder.is_dir()}
    assert set(CATALOGUES) == folders == set(LANGUAGES.values()) - {"en"}


@EACH
def test_translations_have_the_placeholders_and_the_markup_of_the_original(path: Path) -> None:
    for message in catalogue(path):
        originals, translations = forms(message.id), forms(message.string)
        for translation, numbers in zip(translations, numbers_of(path, len(translations)), strict=True):
            found = placeholders(translation)
            if len(numbers) == 1 and "count" not in found:  # such as the dual: it may spell the number out
                found = sorted([*found, *{"count"}.intersection(placeholders(originals[-1]))])
            assert any(found == placeholders(text) for text in originals), message.id
            assert any(tags(translation) == tags(text) for text in originals), message.id
            assert translation.count("\n\n") == originals[0].count("\n\n"), message.id
            assert set(re.findall(r"/\w+", translation)) == set(re.findall(r"/\w+", originals[-1])), message.id


@EACH
def test_a_catalogue_is_read_as_babel_reads_it(path: Path) -> None:
    """But for the marks of right-to-left languages."""
    texts = Texts(*forms_in(path))
    for message in catalogue(path):
        if isinstance(message.id, str):
            said = {texts.gettext(message.id)}
        else:
            one, many = message.id
            said = {texts.ngettext(one, many, number) for number in range(200)}
        assert {*map(unmarked, said)} == {*forms(message.string)}


WRITTEN = """
msgid ""
msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#: bot/somewhere.py
msgid "English"
msgstr "Español"

# What an editor has wrapped.
msgid ""
"Say \\"yes\\" "
"to that"
msgstr ""
"Di \\"sí\\"\\n"
"a eso"

#, python-brace-format, fuzzy
msgid "A loss"
msgstr "Un empate"

msgid "A draw"
msgstr ""

msgid "{n} win"
msgid_plural "{n} wins"
msgstr[0] "una victoria"
msgstr[1] ""

#~ msgid "A win"
#~ msgstr "Una victoria"
"""


def test_what_has_no_translation_or_only_a_doubtful_one_is_english(tmp_path: Path) -> None:
    (tmp_path / "oxo.po").write_text(WRITTEN)
    texts = Texts(*forms_in(tmp_path / "oxo.po"))
    assert texts.gettext("English") == "Español"
    assert texts.gettext('Say "yes" to that') == 'Di "sí"\na eso'
    assert [texts.gettext(text) for text in ("A loss", "A draw", "A win")] == ["A loss", "A draw", "A win"]
    assert [texts.ngettext("{n} win", "{n} wins", number) for number in (1, 2)] == ["{n} win", "{n} wins"]
    assert not is_translated(Message("A loss", "Un empate", flags=["fuzzy"])), "a release says so"


def test_texts_are_marked_whole_and_never_put_together_before() -> None:
    """Texts for gettext are literals or names: an f-string or a concatenation is never in a catalogue.

    Nor would a literal inside an f-string, before Python 3.12.
    """
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="_" | "N_" | "n_"), args=arguments):
                    put_together = [each for each in arguments[:2] if isinstance(each, ast.JoinedStr | ast.BinOp)]
                    assert not put_together, f"{path.name}:{node.lineno}"
                case ast.JoinedStr():
                    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
                    literal = [call.func for call in calls if call.args and isinstance(call.args[0], ast.Constant)]
                    marked = [func for func in literal if ast.unparse(func) in ("_", "n_")]
                    assert marked == [], f"{path.name}:{node.lineno}"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        *((tag, "en") for tag in (None, "", "en", "en-GB", "vo", "zha", "-zh", "../../zh", "x" * 1000)),
        *((tag, "zh_Hans") for tag in ("zh", "zh-hans", "ZH_CN", "zh-SG")),
        ("pt-PT", "pt_BR"),
        ("in-ID", "id"),
    ],
)
def test_the_language_is_known_by_its_tag(tag: str | None, language: str) -> None:
    assert language_of(tag) == language
    assert read_texts(tag).gettext("Play again")


def test_two_scripts_of_a_language_are_told_apart_and_the_first_has_the_short_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = by_code(["zh_Hant", "pt_BR", "zh_Hans"])
    assert both == {"en": "en", "pt": "pt_BR", "zh": "zh_Hans", "zh-hant": "zh_Hant"}
    monkeypatch.setattr("bot.language.LANGUAGES", both)
    tags = ("zh", "zh-CN", "zh-hans-HK", "zh-hant", "zh_Hant_TW", "zh-TW", "zh-HK", "pt-PT")
    assert [code_of.__wrapped__(tag) for tag in tags] == [*["zh"] * 3, *["zh-hant"] * 4, "pt"]


@pytest.mark.slow
def test_a_catalogue_is_read_and_kept_when_somebody_speaks_its_language_and_not_before() -> None:
    said = subprocess.run([sys.executable, "-c", SPEAKING], capture_output=True, check=True, text=True, cwd=ROOT)
    assert said.stdout.splitlines() == ["", "", "de", "de fr fr"], (
        "what is told Telegram at the start is read apart"
    )


def test_sentences_and_lists_are_put_together_as_a_language_does() -> None:
    assert sentences("One.") == "One."
    assert sentences("One.", "Two.", "Three.") == "One. Two. Three."
    assert listed(["a", "{b}", "c"]) == "a, {b}, c"
    with speaking("zh"):
        assert sentences("一。", "二！", "三。") == "一。二！三。"
        assert listed(["甲", "乙", "丙"]) == "甲、乙、丙"


def test_chinese_has_no_space_between_sentences() -> None:
    for message in catalogue(CATALOGUES["zh_Hans"]):
        for translation in forms(message.string):
            assert not re.search("[。！？：；，、] |[\u4e00-\u9fff][,;:!?.]", translation), translation


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("{name} برد!", ">[{name}] برد!"),
        ("{name}: {cell}", ">[{name}]: [{cell}]"),
        ("با {columns}×{rows} یا /newgame شروع کن", "با [{columns}×{rows}] یا [/newgame] شروع کن"),
        ("<b>بنویس</b> <code>/move 5 3</code>.", "<b>بنویس</b> [<code>/move 5 3</code>]."),
        ('<a href="tg://user?id=1">بازی</a>\nOXO بازی', '<a href="tg://user?id=1">بازی</a>\n>OXO بازی'),
        ("بله|ok|{no}", "بله|ok|{no}"),
        ("🎉 بازی", "🎉 بازی"),
        ("OXO ({level})", ">[OXO] ([{level}])"),
    ],
)
def test_from_right_to_left_names_and_latin_text_stay_apart(written: str, shown: str) -> None:
    made = from_right_to_left(written)
    assert made.replace("\u2068", "[").replace("\u2069", "]").replace("\u200f", ">") == shown


def test_only_right_to_left_languages_have_marks_and_there_each_plural_form_has() -> None:
    for tag in set(LANGUAGES) - {"en"}:
        texts = read_texts(tag)
        said = {texts.ngettext("{count} draw", "{count} draws", count) for count in range(20)}
        is_rtl = Locale.parse(LANGUAGES[tag]).text_direction == "rtl"
        assert {unmarked(form) != form for form in said if "{" in form} == {is_rtl}, tag
    assert read_texts("fa").gettext("{one} {two}") == "{one} {two}"


def test_a_drawn_board_is_not_turned_around_from_right_to_left() -> None:
    """Each line is isolated and equally wide, so that columns line up from right to left."""
    with speaking("fa"):
        assert in_order("   a\n1  a1") == "\u200e\u2066   a\u00a0\u2069\n\u200e\u20661  a1\u2069"
    assert in_order("   a\n1  a1") == "   a\n1  a1"
