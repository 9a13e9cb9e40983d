"""What holds in every language: Telegram's limits, and a text-only game in its own words."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from babel import Locale
from babel.messages.pofile import read_po

from bot.boards.cells import cell_name, is_like_a_move, read_move
from bot.boards.lists import width
from bot.boards.players import first_name, level_name
from bot.boards.refusals import REFUSALS
from bot.boards.rule_words import read, to_say
from bot.boards.translations import DOMAIN, LANGUAGES, LOCALES, folded, is_right_to_left, own_name, texts, typed
from bot.commands import COMMANDS, PLAIN
from bot.features.basics import DESCRIPTION, NAME, SHORT_DESCRIPTION
from bot.game.new_game import First
from engine import CLASSIC, Level, parse_rules
from tests.bot.screens import choosing, helping, labels

TOAST, CAPTION, MESSAGE = 200, 1024, 4096
"""Characters that Telegram takes (Bot API, answerCallbackQuery, sendPhoto, sendMessage)."""
SHORT = 100
"""Characters of an English text that may be a toast."""
SENTENCE = 3
"""Words from which on a text is not the same in another language."""

OTHERS = sorted(set(LANGUAGES) - {"en"})


def translations(tag: str) -> Iterator[tuple[str, str]]:
    """Each text with each form of its translation."""
    path = LOCALES / LANGUAGES[tag] / "LC_MESSAGES" / f"{DOMAIN}.po"
    with path.open("rb") as file:
        for message in read_po(file):
            original = message.id if isinstance(message.id, str) else message.id[-1]
            for text in [message.string] if isinstance(message.string, str) else message.string:
                if original:
                    yield original, text


@pytest.mark.parametrize("tag", LANGUAGES)
def test_what_telegram_is_told_of_the_bot_is_short_enough(tag: str) -> None:
    t = texts(tag)
    assert len(t.gettext(NAME)) <= 64
    assert len(t.gettext(SHORT_DESCRIPTION)) <= 120
    assert len(t.gettext(DESCRIPTION)) <= 512
    assert all(1 <= len(t.gettext(command.description)) <= 256 for command in COMMANDS)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_no_label_is_cut_on_a_phone(tag: str) -> None:
    """A phone shows about 32 letters in a row of one button, and 16 in each of two."""
    wide = {(label, count) for label, count in labels(tag) if count <= 2 and width(label) > 32 // count}
    assert sorted(wide) == []


@pytest.mark.parametrize("tag", LANGUAGES)
def test_messages_and_toasts_are_short_enough(tag: str) -> None:
    assert all(len(view.text) <= MESSAGE for view in (*helping(tag), *choosing(tag)))
    assert all(len(texts(tag).gettext(said)) <= TOAST for said in REFUSALS.values())


@pytest.mark.parametrize("tag", OTHERS)
def test_what_is_short_in_english_is_no_longer_than_a_toast(tag: str) -> None:
    assert [text for original, text in translations(tag) if len(original) <= SHORT and len(text) > TOAST] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_no_sentence_is_left_in_english(tag: str) -> None:
    left = [text for original, text in translations(tag) if original == text]
    assert [text for text in left if sum(map(str.isalpha, text.split())) >= SENTENCE] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_there_is_a_text_for_each_plural_of_the_language(tag: str) -> None:
    locale = Locale.parse(LANGUAGES[tag])
    with (LOCALES / LANGUAGES[tag] / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        catalogue = read_po(file, locale=locale)
    for message in catalogue:
        assert not message.pluralizable or len(message.string) == catalogue.num_plurals


def test_every_language_has_a_name_of_its_own() -> None:
    names = [own_name(tag) for tag in LANGUAGES]
    assert len(set(names)) == len(names)
    assert all(is_right_to_left(texts(tag)) == (tag in {"ar", "fa", "he", "ur"}) for tag in LANGUAGES)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_game_can_be_played_by_ones_own_words_alone(tag: str) -> None:
    t = texts(tag)
    for board in to_say(t):
        asked = f"{board} {level_name(Level.EASY, t)} {first_name(First.ME, t)}".split()
        wished = read(asked, t, "rules", "level", "first")
        assert (wished["level"], wished["first"]) == ("easy", "me")
        assert parse_rules(wished["rules"]).start().legal_moves
    position = CLASSIC.start()
    for cell in (4, 0, 2, 6, 3, 5, 1, 7, 8):
        said = cell_name(cell, CLASSIC, t)
        assert is_like_a_move(said, t)
        assert read_move(said, position, t) == cell
        position = position.play(cell)
    assert position.is_over
    assert all(folded(t.gettext(words).split("|")[0]) in typed(words, t) for words in PLAIN.values())


@pytest.mark.parametrize("tag", OTHERS)
def test_a_command_in_a_text_can_be_tapped(tag: str) -> None:
    """Telegram doesn't link a command right after a letter."""
    for original, _ in translations(tag):
        text = texts(tag).gettext(original)
        assert not re.search(r"[^\W\d_]/[a-z]{3}", re.sub(r"</?b>|telegram\.org/", "", text)), text


@pytest.mark.parametrize("tag", OTHERS)
def test_what_a_text_says_to_type_after_newgame_is_understood(tag: str) -> None:
    said = [
        words for _, text in translations(tag) for words in re.findall(r"<code>/newgame ([^@<]+)</code>", text)
    ]
    assert all(read(words.split(), texts(tag), "rules", "level", "first") for words in said)
    assert len(said) >= 2


def test_texts_are_read_when_they_are_first_spoken() -> None:
    code = (
        "import bot.wiring, bot.run\n"
        "from bot.boards import translations\n"
        "assert translations._catalogue.cache_info().currsize == 0\n"
        "translations.texts('tr-TR').gettext('Play')\n"
        "assert translations._catalogue.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
