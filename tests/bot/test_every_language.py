"""What holds in every language: Telegram's limits, and that each word that people type means one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from gettext import NullTranslations

import pytest
from babel import Locale
from babel.messages.pofile import read_po

from bot import shared_commands
from bot.boards.cells import LONGEST, NAMED, OTHERWISE, cell_name, is_like_a_move, read_move
from bot.boards.lists import width
from bot.boards.matchmaking import ANY
from bot.boards.players import first_name, level_name, level_names, strategy_names
from bot.boards.rule_words import BOARD_OF_THREE, CLOCK_WORDS, MISERE, read, to_say
from bot.boards.rules import ALL, family_name, rules_name
from bot.boards.rules import NAMED as RULES
from bot.boards.translations import folded, is_right_to_left, typed
from bot.commands import COMMANDS, PLAIN
from bot.context import acting
from bot.features.basics import DESCRIPTION, NAME, SHORT_DESCRIPTION
from bot.features.hints import words_for_hint
from bot.features.settings import OPTIONS, names, values
from bot.game.analysis import HintedCell
from bot.game.attempt import Refusal
from bot.game.choices import ADAPTIVE, First
from bot.language import DOMAIN, LANGUAGES, LOCALES, own_name, texts
from engine import CLASSIC, Level, Reason, parse_rules
from engine.levels import STRONGEST
from engine.rules.catalogue import FAMILIES, MENU
from tests.bot.screens import choosing, helping, labels

TOAST, MESSAGE = 200, 4096
"""Characters that Telegram takes (Bot API, answerCallbackQuery, sendMessage)."""
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
    """Bot API: setMyName, setMyShortDescription, setMyDescription, BotCommand."""
    limits = {NAME: 64, SHORT_DESCRIPTION: 120, DESCRIPTION: 512}
    limits |= {command.description: 256 for command in COMMANDS}
    assert all(1 <= len(texts(tag).gettext(text)) <= most for text, most in limits.items())


@pytest.mark.parametrize("tag", LANGUAGES)
def test_no_label_is_cut_on_a_phone(tag: str) -> None:
    """A phone shows about 32 letters in a row of one button, and 16 in each of two."""
    wide = {(label, count) for label, count in labels(tag) if count <= 2 and width(label) > 32 // count}
    assert sorted(wide) == []


@pytest.mark.parametrize("tag", LANGUAGES)
def test_messages_and_toasts_are_short_enough(tag: str) -> None:
    assert all(1 <= len(view.text) <= MESSAGE for view in (*helping(tag), *choosing(tag)))
    t, others = texts(tag), (acting.MEANINGLESS, acting.REDRAWN, acting.BROKEN_GAME, shared_commands.UNKNOWN_GAME)
    toasts = [t.gettext(words) for words in (*(refusal.value for refusal in Refusal), *others)]
    toasts += [words_for_hint(HintedCell(4, reason), CLASSIC, t) for reason in Reason]
    assert all(1 <= len(said) <= TOAST for said in toasts)
    assert len(set(toasts)) == len(Refusal) + len(others) + 14, "twelve reasons, hard positions, everything else"


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


@pytest.mark.parametrize("tag", LANGUAGES)
def test_no_two_choices_are_called_alike(tag: str) -> None:
    t = texts(tag)
    for called in (
        [level_name(level, t) for level in Level],
        [first_name(first, t) for first in First],
        [first_name(first, t, in_group=True) for first in First],
        [rules_name(rules, t) for rules in MENU],
        [family_name(family, t) for family in (ALL, *FAMILIES)],
        [own_name(other) for other in LANGUAGES],
    ):
        assert len(set(called)) == len(called)


def test_arabic_and_persian_are_written_from_right_to_left() -> None:
    assert {tag for tag in LANGUAGES if is_right_to_left(texts(tag))} == {"ar", "fa"}


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_game_can_be_played_by_ones_own_words_alone(tag: str) -> None:
    t = texts(tag)
    for board in (*to_say(t), "6x6x5"):
        for level in Level:
            asked = f"{board} {level_name(level, t)} {first_name(First.ME, t)}".split()
            wished = read(asked, t, "rules", "level", "first")
            assert (wished["level"], wished["first"]) == (level, "me")
            assert parse_rules(wished["rules"]).start().legal_moves
    position = CLASSIC.start()
    for cell in (4, 0, 2, 6, 3, 5, 1, 7, 8):
        others = t.gettext(OTHERWISE[cell]).split("|") if cell in OTHERWISE else []
        for said in (cell_name(cell, CLASSIC, t), *others):
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


def meant(words: Mapping[str, object], t: NullTranslations) -> list[tuple[str, object]]:
    """Each spelling with its meaning."""
    return [(spelt, meaning) for text, meaning in words.items() for spelt in typed(text, t)]


def named(t: NullTranslations) -> list[tuple[str, object]]:
    """The words after /newgame, /challenge, /play and /watch."""
    firsts: list[tuple[str, object]] = [
        (folded(first_name(first, t, in_group=where)), first) for first in First for where in (True, False)
    ]
    levels = {**{level.value: level for level in Level}, STRONGEST: Level.PERFECT, ADAPTIVE: ADAPTIVE}
    boards = {BOARD_OF_THREE: "3x3", MISERE: "misere", **{named.typed: text for text, named in RULES.items()}}
    firsts += [(word, seconds) for word, seconds in CLOCK_WORDS.items()]
    return [*firsts, *meant({**levels, **boards, ANY: "any", **{name: name for name in strategy_names(t)}}, t)]


def alone(t: NullTranslations) -> list[tuple[str, object]]:
    """The words that need no command."""
    cells = {**{name: cell for cell, name in enumerate(NAMED)}, **{name: cell for cell, name in OTHERWISE.items()}}
    return meant({**cells, **{words: name for name, words in PLAIN.items()}}, t)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_no_word_means_two_things_and_each_is_short_enough_to_be_read(tag: str) -> None:
    for known in (named(texts(tag)), alone(texts(tag))):
        for word, meaning in known:
            assert word
            assert {other for spelt, other in known if spelt == word} == {meaning}, word
    assert all(len(word) <= LONGEST for word, _ in alone(texts(tag)))
    assert all(len(name.split()) == 1 for name in level_names(texts(tag))), "so that it can be copied"


@pytest.mark.parametrize("tag", LANGUAGES)
def test_english_is_understood_besides_every_language(tag: str) -> None:
    assert set(named(texts("en"))) - {("challenger", First.ME), ("opponent", First.BOT)} <= {
        *named(texts(tag)),
        *((first.value, first) for first in First),
        ("oxo", First.BOT),
    }
    assert set(alone(texts("en"))) <= set(alone(texts(tag)))
    assert is_like_a_move("Centre", texts(tag))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("SÍ", "si"), ("İPTAL", "iptal"), ("ISTIFA", "ıstıfa"), ("Ещё", "еще"), ("Ｙｅｓ", "yes"), ("हाँ", "हां")),
        *(("نعم", "نَعَم"), ("إلغاء", "الغاء"), ("بله\u200c", "بله "), ("یک", "يك"), ("۱۲ ٣٤ ५६", "12 34 56")),
        ("\u2068a1\u2069", "a1"),
    ],
)
def test_spellings_of_one_word_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_settings_are_named_and_switched_as_their_buttons_say_it(tag: str) -> None:
    t = texts(tag)
    for name, option in OPTIONS.items():
        assert names(t)[folded(t.gettext(option.label))] == names(t)[name] == name
        for value in option.values:
            assert values(name, t)[value] == value
    assert {values("text", t)[folded(t.gettext(word))] for word in ("on", "off")} == {"on", "off"}
    assert all(values("language", t)[folded(own_name(code))] == code for code in LANGUAGES)
