"""The words after a command, in any order, English or the person's own; and rules in words."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.players import level_name
from bot.boards.rule_words import BadWord, NoBoard, WordTwice, complaint, read, rules_among
from bot.boards.rules import nobody_won, rules_line, rules_name
from bot.language import speaking
from engine import Level, parse_rules
from engine.rules.catalogue import MENU, is_offered
from tests.bot.games import game_of_two


@pytest.mark.parametrize(
    ("typed", "rules"),
    [
        *((typed, "5x5x4") for typed in ["5x5", "5X5", "5×5", "5*5", "５×５", "５ｘ５", "5x5 5x5"]),
        *(("3x3", "3x3x3"), ("classic", "3x3x3"), ("6x6x5", "6x6x5"), ("8x5x5", "8x5x5")),
        *((typed, "3x3x3-misere") for typed in ("misere", "Misère", unicodedata.normalize("NFD", "misère"))),
        *((typed, "4x4x3-misere") for typed in ("4x4x3 misere", "misere 4x4", "4x4x3-misere")),
        *(("ultimate", "ultimate"), ("ULTIMATE", "ultimate")),
        *((rules, rules) for rules in MENU),
    ],
)
def test_a_board_may_be_typed_in_many_ways_among_other_words(typed: str, rules: str) -> None:
    assert rules_among(["hard", *typed.split(), "bot"]) == (["hard", "bot"], rules)


def test_a_board_may_be_typed_in_ones_own_language() -> None:
    for typed, rules in {
        "经典": "3x3x3",
        "反井字棋": "3x3x3-misere",
        "终极": "ultimate",
        "终极井字棋": "ultimate",
    }.items():
        with speaking("zh"):
            assert rules_among([typed]) == ([], rules)
        assert rules_among([typed]) == ([typed], None)


@pytest.mark.parametrize("word", ["hard", "5", "5x", "x5", "5x5x", "5x5x4x3", "axb", "5x5-what", "", "x" * 4000])
def test_what_names_no_board_is_left_for_others_to_read(word: str) -> None:
    assert rules_among([word]) == ([word], None)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        *((typed, "3 to 8 cells") for typed in ("9x9", "2x2", "100x100x5", "0x0")),
        *((typed, "3–4 in a row") for typed in ("5x5x5", "5x5x2", "5x5x0 misere")),
        ("3x3x4", "3 in a row"),
        ("8x8x8", "3–6 in a row"),
        ("misere ultimate", "no misère version"),
    ],
)
def test_a_board_that_is_not_there_gets_a_sentence(typed: str, said: str) -> None:
    with pytest.raises(NoBoard, match=said):
        rules_among(typed.split())


@given(st.lists(st.text(max_size=30), max_size=4))
def test_whatever_is_typed_names_a_board_that_is_offered_or_none(words: list[str]) -> None:
    try:
        _, rules = rules_among(words)
    except (NoBoard, WordTwice):
        return
    assert rules is None or is_offered(parse_rules(rules))


def test_words_come_in_any_order_and_case() -> None:
    for words in ("HARD Bot", "bot hard", "bot hard bot"):
        assert read(words.split(), "level", "first") == {"level": "hard", "first": "bot"}
    assert read([], "level", "first") == {}


@pytest.mark.parametrize(
    "words", ["easy hard", "me bot", "hard me random", "5x5 6x6", "ultimate 5x5", "3x3 5x5x4"]
)
def test_two_answers_to_one_question_are_refused(words: str) -> None:
    with pytest.raises(WordTwice) as caught:
        read(words.split(), "level", "first", "rules")
    assert "One word too many" in complaint(caught.value, "level", "first", "rules")


def test_a_word_that_means_nothing_here_is_answered_with_those_that_do() -> None:
    for kinds, word, named in (
        (["level"], "me", [*Level]),
        (["first"], "hard", ["Me", "OXO", "Random"]),
        (["level", "first"], "<b>&", [*Level, "Me", "OXO", "Random"]),
    ):
        with pytest.raises(BadWord) as caught:
            read([word], *kinds)
        said = complaint(caught.value, *kinds)
        assert all(f"<code>{each}</code>" in said for each in named)
        assert "<b>" not in said


# Rules in words.

LOSES = "<b>Misère</b> on 3×3: make three in a row and you <b>lose</b>."


@pytest.mark.parametrize(
    ("rules", "name", "line"),
    [
        ("3x3x3", "3×3", None),
        ("5x5x4", "5×5", "5×5, four in a row"),
        ("8x3x3", "8×3", "8×3, three in a row"),
        ("3x3x3-misere", "Misère", LOSES),
        ("5x5x3-misere", "Misère 5×5, 3 in a row", LOSES.replace("3×3", "5×5")),
        ("ultimate", "Ultimate", "<b>Ultimate</b>: three boards in a row win."),
    ],
)
def test_what_is_played_has_a_name_for_a_button_and_a_line_unless_everybody_knows_it(
    rules: str, name: str, line: str | None
) -> None:
    assert (rules_name(rules), rules_line(rules)) == (name, line)


def test_the_last_level_is_called_perfect_only_where_that_is_proven_and_a_draw_says_why() -> None:
    called = [level_name("perfect", rules) for rules in ("3x3x3", "3x3x3-misere", "5x5x4", "ultimate")]
    assert called == ["perfect", "perfect", "strongest", "strongest"]
    assert level_name("hard", "ultimate") == "hard"
    assert "board is full" in nobody_won(game_of_two(rules="5x5x4"))
    assert "All boards are finished" in nobody_won(game_of_two(rules="ultimate"))
