"""The words after /watch: levels and strategies, X's first."""

import pytest

from bot.boards.rule_words import BadWord, NoBoard, WordError, WordTwice
from bot.features.watch import NotHere, board_for, complaint, read
from bot.language import speaking
from engine import CLASSIC, STRATEGIES, Level


@pytest.mark.parametrize(
    ("words", "wished"),
    [
        ("", (None, None, None)),
        ("easy 5x5 hard", ("5x5x4", "easy", "hard")),
        ("ultimate", ("ultimate", None, None)),
        ("perfect random", (None, "perfect", "random")),
        ("完美 随机", (None, "perfect", "random")),
        ("strongest", (None, "perfect", None)),
        *((f"EASY {name.upper()}", (None, "easy", name)) for name in (*Level, *STRATEGIES)),
    ],
)
def test_the_first_word_is_of_x_and_the_second_of_o_and_the_board_anywhere_among_them(
    words: str, wished: tuple[str | None, ...]
) -> None:
    with speaking("zh-hans"):
        assert read(words.split()) == wished


def test_a_strategy_for_one_board_plays_there_whatever_the_chat_has_chosen() -> None:
    assert board_for(("easy", "random"), "5x5x4") == "5x5x4"
    assert board_for(("easy", "tempo"), "5x5x4") == CLASSIC.text
    assert board_for(("easy", "hard"), None) == CLASSIC.text
    with pytest.raises(NotHere, match="tempo"):
        read(["5x5", "tempo"])


@pytest.mark.parametrize(
    ("words", "error", "told"),
    [
        ("nonsense", BadWord, "<code>hard</code>"),
        ("hard <b>", BadWord, "<code>hard</code>"),
        ("hard hard hard", WordTwice, "<code>hard</code>"),
        ("99x99", NoBoard, "99×99"),
    ],
)
def test_what_makes_no_sense_is_answered_with_what_does(words: str, error: type[WordError], told: str) -> None:
    with pytest.raises(error) as raised:
        read(words.split())
    said = complaint(raised.value)
    assert told in said
    assert "adaptive" not in said, "it follows a person"
    assert "open-lines" not in said, "strategies are for people who know them"
    assert "<b>" not in said
