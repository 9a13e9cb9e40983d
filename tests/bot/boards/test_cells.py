"""Names of cells, and how a typed move is parsed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.cells import BadMove, cell_name, is_like_a_move, read_move, short_name
from bot.boards.translations import texts
from engine import CLASSIC, parse_rules

T, ZH = texts("en"), texts("zh")
WIDE = parse_rules("5x4x4")

NUMBERS = "2,3| 2,3 |2 3|2;3|2:3|2.3|2, 3|2，3|２,３|２，３|2、3|۲،۳|٢,٣|२,३|02,03|6|６|۶|٦|६"
NAMES = "c2|C2|Ｃ２|middle right|Right| centre-right |C2.|6!|2, 3.|Middle right. "


@pytest.mark.parametrize("text", f"{NUMBERS}|{NAMES}".split("|"))
def test_a_move_may_be_typed_in_many_ways(text: str) -> None:
    assert read_move(text, CLASSIC.start(), T) == 5
    assert is_like_a_move(text, T)


@pytest.mark.parametrize("text", ["右中", "右", "右边", "右中。", "右！"])
def test_a_cell_may_be_typed_in_ones_own_language(text: str) -> None:
    assert read_move(text, CLASSIC.start(), ZH) == 5
    assert is_like_a_move(text, ZH)
    assert not is_like_a_move(text, T)


@pytest.mark.parametrize("cell", range(20))
def test_rows_columns_and_numbers_count_from_one_and_letters_name_columns(cell: int) -> None:
    row, column = divmod(cell, 5)
    assert cell_name(cell, WIDE, T) == f"row {row + 1}, column {column + 1}"
    assert short_name(cell, WIDE) == f"{'abcde'[column]}{row + 1}"
    for said in (f"{row + 1},{column + 1}", str(cell + 1), short_name(cell, WIDE)):
        assert read_move(said, WIDE.start(), T) == cell


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


TALK = "see you at 5|5 apples|hello||12345678901234567890123456"
NEARLY = "left it|centre?|a1 steak|top of the world|右边吗"


@pytest.mark.parametrize("text", f"{TALK}|{NEARLY}".split("|"))
def test_talk_is_not_taken_for_a_move(text: str) -> None:
    assert not is_like_a_move(text, T)
