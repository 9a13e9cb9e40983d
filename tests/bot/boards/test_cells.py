"""Names of cells, and how a typed move is parsed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.cells import OTHERWISE, BadMove, cell_name, is_like_a_move, read_move, short_name
from bot.boards.translations import LANGUAGES, texts
from engine import CLASSIC, parse_rules

T = texts("en")
WIDE = parse_rules("5x4x4")


NUMBERS = [
    "2,3",
    " 2,3 ",
    "2 3",
    "2;3",
    "2:3",
    "2.3",
    "2, 3",
    "2，3",
    "２,３",
    "２，３",
    "2、3",
    "۲،۳",
    "٢,٣",
    "२,३",
    "02,03",
    "6",
    "６",
    "۶",
    "٦",
    "६",
]
NAMES = ["c2", "C2", "Ｃ２", "middle right", "Right", " centre-right ", "C2.", "6!", "2, 3.", "Middle right. "]
CHINESE = ["右中", "右", "右边", "右中。", "右！"]


@pytest.mark.parametrize("text", NUMBERS + NAMES)
def test_a_move_may_be_typed_in_many_ways(text: str) -> None:
    assert read_move(text, CLASSIC.start(), T) == 5
    assert is_like_a_move(text, T)


@pytest.mark.parametrize("text", CHINESE)
def test_a_cell_may_be_typed_in_ones_own_language(text: str) -> None:
    assert read_move(text, CLASSIC.start(), texts("zh")) == 5
    assert is_like_a_move(text, texts("zh"))
    assert not is_like_a_move(text, T)


@given(st.integers(0, 19))
def test_rows_columns_and_numbers_count_from_one(cell: int) -> None:
    row, column = divmod(cell, 5)
    assert read_move(f"{row + 1},{column + 1}", WIDE.start(), T) == cell
    assert read_move(str(cell + 1), WIDE.start(), T) == cell
    assert cell_name(cell, WIDE, T) == f"row {row + 1}, column {column + 1}"


@given(st.integers(0, 19))
def test_letters_name_columns_and_numbers_rows(cell: int) -> None:
    assert read_move(short_name(cell, WIDE), WIDE.start(), T) == cell
    assert short_name(7, WIDE) == "c2"


@pytest.mark.parametrize("tag", LANGUAGES)
def test_each_cell_of_three_by_three_has_a_name_of_its_own_that_is_understood(tag: str) -> None:
    t = texts(tag)
    names = [cell_name(cell, CLASSIC, t) for cell in range(9)]
    assert len(set(names)) == 9
    assert [read_move(name, CLASSIC.start(), t) for name in names] == list(range(9))
    assert all(is_like_a_move(name, t) for name in names)
    others = {other: cell for cell, words in OTHERWISE.items() for other in t.gettext(words).split("|")}
    assert [read_move(other, CLASSIC.start(), t) for other in others] == list(others.values())


def test_on_bigger_boards_a_name_means_nothing() -> None:
    with pytest.raises(BadMove):
        read_move("centre", WIDE.start(), T)


@pytest.mark.parametrize("text", ["0", "10", "0,1", "4,1", "1,4", "999", "999,999"])
def test_a_cell_off_the_board_gets_another_answer_than_a_bad_format(text: str) -> None:
    with pytest.raises(BadMove, match="There's no such cell"):
        read_move(text, CLASSIC.start(), T)


@pytest.mark.parametrize("text", ["", "x", "1,2,3", "-1", "+5", "1.5.2", "五", "five", "1/2", "1\n2\n3", "5" * 30])
def test_what_is_no_move_is_said_to_be_none(text: str) -> None:
    with pytest.raises(BadMove, match="Write a move as"):
        read_move(text, CLASSIC.start(), T)


@given(st.text(max_size=60))
def test_any_text_is_a_cell_or_no_move(text: str) -> None:
    try:
        cell = read_move(text, CLASSIC.start(), T)
    except BadMove:
        return
    assert 0 <= cell < 9


@pytest.mark.parametrize("text", [" " * 4000, "1" * 4000, "1 " * 2000, "1" + " " * 3999, "1,," * 1300])
def test_long_texts_are_not_read_at_all(text: str) -> None:
    """Searching 4,000 spaces for a pair of numbers once took 0.14 s (D19)."""
    assert not is_like_a_move(text, T)
    with pytest.raises(BadMove, match="Write a move as"):
        read_move(text, CLASSIC.start(), T)


TALK = ["see you at 5", "5 apples", "hello", "", "12345678901234567890123456"]
NEARLY = ["left it", "centre?", "a1 steak", "top of the world", "右边吗"]


@pytest.mark.parametrize("text", TALK + NEARLY)
def test_talk_is_not_taken_for_a_move(text: str) -> None:
    assert not is_like_a_move(text, T)
