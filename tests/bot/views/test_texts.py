"""Texts: every one that the code marks is translated, with the same placeholders and markup, and compiled."""

from __future__ import annotations

import ast
import gettext
import re
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import bot
from bot.texts import DOMAIN, LANGUAGES, LOCALES, language_of, texts

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

PACKAGE = Path(bot.__file__).parent
KEYWORDS = {"gettext": None, "ngettext": (1, 2), "N_": None, "_": None}
CATALOGUES = sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def extracted() -> set[str]:
    """Every text that the code of the bot marks for translation."""
    found: set[str] = set()
    for _, _, message, _, _ in extract_from_dir(
        str(PACKAGE), method_map=[("**.py", "python")], keywords=KEYWORDS, comment_tags=()
    ):
        found.update([message] if isinstance(message, str) else message)
    return found


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def tags(text: str) -> list[str]:
    return sorted(re.findall(r"</?[a-z-]+[^>]*>", text))


def test_the_code_marks_its_texts() -> None:
    assert len(extracted()) > 40
    assert "Play again" in extracted()


def test_every_language_has_a_catalogue_and_every_catalogue_a_language() -> None:
    assert {path.parent.parent.name for path in CATALOGUES} == set(LANGUAGES.values()) - {"en"}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_every_text_is_translated_and_no_translation_is_left_over(path: Path) -> None:
    messages = {message.id: message for message in catalogue(path) if message.id}
    known = {text for key in messages for text in ([key] if isinstance(key, str) else key)}
    assert extracted() - known == set(), "these have no translation"
    assert known - extracted() == set(), "these are no text of the bot any more"
    for message in messages.values():
        translations = [message.string] if isinstance(message.string, str) else message.string
        assert all(translations), f"{message.id} is not translated"
        assert not message.fuzzy, f"{message.id} is doubtful"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_translations_have_the_placeholders_and_the_markup_of_the_original(path: Path) -> None:
    for message in catalogue(path):
        if not message.id:
            continue
        originals = [message.id] if isinstance(message.id, str) else list(message.id)
        for translation in [message.string] if isinstance(message.string, str) else message.string:
            assert any(placeholders(translation) == placeholders(text) for text in originals), message.id
            assert any(tags(translation) == tags(text) for text in originals), message.id
            assert translation.count("\n\n") == originals[0].count("\n\n"), message.id
            assert set(re.findall(r"/\w+", translation)) == set(re.findall(r"/\w+", originals[-1])), message.id


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_the_compiled_catalogue_is_the_written_one(path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogue(path):
        if message.id and isinstance(message.id, str):
            assert compiled.gettext(message.id) == message.string


def test_answers_to_taps_fit_into_telegrams_200_characters() -> None:
    from bot import refusals, taps  # noqa: PLC0415 - only this test reads them

    names = {**vars(refusals), **vars(taps)}
    toasts = [value for name, value in names.items() if not name.startswith("__")]
    sentences = [text for value in toasts if isinstance(value, dict) for text in value.values()]
    sentences += [text for text in toasts if isinstance(text, str) and text in extracted()]
    assert len(sentences) > 10
    for sentence in sentences:
        for tag in LANGUAGES:
            assert len(texts(tag).gettext(sentence)) <= 200


def test_texts_are_marked_whole_and_never_put_together_before() -> None:
    """What gettext is given is a literal or a name: an f-string or a sum would never be found in a catalogue."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="gettext") | ast.Name(id="N_"), args=[argument, *_]):
                    assert not isinstance(argument, ast.JoinedStr | ast.BinOp), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("en", "en"),
        ("en-GB", "en"),
        ("de", "en"),
        ("zh", "zh_Hans"),
        ("zh-hans", "zh_Hans"),
        ("zh-Hant-TW", "zh_Hans"),
        ("ZH_CN", "zh_Hans"),
        ("zha", "en"),
        ("-zh", "en"),
        ("../../zh", "en"),
        ("x" * 1000, "en"),
    ],
)
def test_the_language_is_known_by_the_first_part_of_the_tag(tag: str | None, language: str) -> None:
    assert language_of(tag) == language
    assert texts(tag).gettext("Play again")
