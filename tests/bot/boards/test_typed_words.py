"""The words after a command: English or the person's language, in any order; unknown words get an explanation."""

from __future__ import annotations

import pytest

from bot.boards.rule_words import BadWord, WordTwice, complaint, read
from bot.boards.translations import texts
from bot.game.new_game import First
from engine import Level

T = texts("en")
ZH = texts("zh-hans")


@pytest.mark.parametrize(
    ("words", "wished"),
    [
        ([], {}),
        (["hard"], {"level": "hard"}),
        (["HARD", "Bot"], {"level": "hard", "first": "bot"}),
        (["bot", "hard"], {"level": "hard", "first": "bot"}),
        (["easy", "easy"], {"level": "easy"}),
    ],
)
def test_words_come_in_any_order_and_case(words: list[str], wished: dict[str, str]) -> None:
    assert read(words, T, "level", "first") == wished


@pytest.mark.parametrize("level", Level)
def test_levels_may_be_named_in_english_and_in_ones_own_language(level: Level) -> None:
    assert read([level], ZH, "level") == read([ZH.gettext(level)], ZH, "level") == {"level": level}


@pytest.mark.parametrize("words", [["easy", "hard"], ["me", "bot"], ["hard", "me", "random"]])
def test_two_answers_to_one_question_are_refused(words: list[str]) -> None:
    with pytest.raises(WordTwice) as caught:
        read(words, T, "level", "first")
    assert "One word too many" in complaint(caught.value, T, "level", "first")


@pytest.mark.parametrize(
    ("kinds", "word", "named"),
    [
        (("level",), "me", [*Level]),
        (("first",), "hard", [*First]),
        (("level", "first"), "<b>&", [*Level, *First]),
    ],
)
def test_a_word_that_means_nothing_here_is_named_with_those_that_do(
    kinds: tuple[str, ...], word: str, named: list[str]
) -> None:
    with pytest.raises(BadWord) as caught:
        read([word], T, *kinds)
    said = complaint(caught.value, T, *kinds)
    assert all(f"<code>{each}</code>" in said for each in named)
    assert "<b>" not in said
