"""The words after /watch: levels and strategies, X's first."""

from __future__ import annotations

import pytest

from bot.boards.rule_words import BadWord, NoBoard, WordError, WordTwice
from bot.boards.translations import texts
from bot.features.watch import NotHere, board_for, complaint, read
from engine import CLASSIC, STRATEGIES, Level

EN, ZH = texts("en"), texts("zh-hans")


def test_without_words_no_players_are_named() -> None:
    assert read([], EN) == (None, None, None)


def test_the_board_may_be_said_anywhere_among_them() -> None:
    assert read(["easy", "5x5", "hard"], EN) == ("5x5x4", "easy", "hard")
    assert read(["ultimate"], EN) == ("ultimate", None, None)
    with pytest.raises(NotHere, match="tempo"):
        read(["5x5", "tempo"], EN)
    with pytest.raises(NoBoard) as raised:
        read(["99x99"], EN)
    assert "99×99" in complaint(raised.value, EN)


def test_a_strategy_for_one_board_plays_there_whatever_the_chat_has_chosen() -> None:
    assert board_for(("easy", "random"), "5x5x4") == "5x5x4"
    assert board_for(("easy", "tempo"), "5x5x4") == CLASSIC.text
    assert board_for(("easy", "hard"), None) == CLASSIC.text


@pytest.mark.parametrize("name", [*Level, *STRATEGIES])
def test_every_level_and_every_strategy_has_its_word(name: str) -> None:
    assert read([name.upper()], EN).x == name
    assert read(["easy", name], EN)[1:] == ("easy", name)


def test_the_first_word_is_of_x_and_the_second_of_o_in_any_language() -> None:
    assert read(["perfect", "random"], ZH)[1:] == ("perfect", "random")
    assert read(["完美", "随机"], ZH)[1:] == ("perfect", "random")
    assert read(["strongest"], EN).x == "perfect"


@pytest.mark.parametrize(
    ("words", "error"), [(["nonsense"], BadWord), (["hard", "<b>"], BadWord), (["hard"] * 3, WordTwice)]
)
def test_what_makes_no_sense_is_answered_with_what_does(words: list[str], error: type[WordError]) -> None:
    with pytest.raises(error) as raised:
        read(words, EN)
    said = complaint(raised.value, EN)
    assert "<code>hard</code>" in said
    assert "adaptive" not in said, "it follows a person"
    assert "open-lines" not in said, "strategies are for people who know them"
    assert "<b>" not in said
