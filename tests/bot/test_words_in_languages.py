"""What people type, in every language: each word is understood, and means one thing."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations

import pytest

from bot.boards.cells import LONGEST, NAMED, OTHERWISE, is_like_a_move
from bot.boards.matchmaking import ANY
from bot.boards.players import DIFFICULTIES, first_name, level_name, strategy_names
from bot.boards.rule_words import BOARD_OF_THREE, CLOCK_WORDS, MISERE
from bot.boards.rules import NAMED as RULES
from bot.boards.translations import LANGUAGES, folded, own_name, texts, typed
from bot.commands import PLAIN
from bot.features.settings import LABELS, VALUES, names, values
from bot.game.new_game import ADAPTIVE, First
from engine import Level
from engine.players.levels import STRONGEST


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
def test_no_word_means_two_things(tag: str) -> None:
    for known in (named(texts(tag)), alone(texts(tag))):
        for word, meaning in known:
            assert word
            assert {other for spelt, other in known if spelt == word} == {meaning}, word


@pytest.mark.parametrize("tag", LANGUAGES)
def test_words_are_short_enough_to_be_read(tag: str) -> None:
    assert all(len(word) <= LONGEST for word, _ in alone(texts(tag)))


@pytest.mark.parametrize("tag", LANGUAGES)
def test_what_a_level_is_called_is_one_word_that_can_be_copied(tag: str) -> None:
    assert all(len(level_name(level, texts(tag)).split()) == 1 for level in DIFFICULTIES)


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
        ("SÍ", "si"),
        ("İPTAL", "iptal"),
        ("ISTIFA", "ıstıfa"),
        ("Ещё", "еще"),
        ("نعم", "نَعَم"),
        ("إلغاء", "الغاء"),
        ("بله‌", "بله "),
        ("یک", "يك"),
        ("हाँ", "हां"),
        ("Ｙｅｓ", "yes"),
        ("۱۲ ٣٤ ५६", "12 34 56"),
        ("\u2068a1\u2069", "a1"),
    ],
)
def test_spellings_of_one_word_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_settings_are_named_and_switched_as_their_buttons_say_it(tag: str) -> None:
    t = texts(tag)
    for name in VALUES:
        assert names(t)[folded(t.gettext(LABELS[name]))] == names(t)[name] == name
        for value in VALUES[name]:
            assert values(name, t)[value] == value
    assert {values("text", t)[folded(t.gettext(word))] for word in ("on", "off")} == {"on", "off"}
    assert all(values("language", t)[folded(own_name(code))] == code for code in LANGUAGES)
