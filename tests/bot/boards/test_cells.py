"""Cells: their names and how a typed move is parsed; ultimate's drawing and keyboard."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.buttons import OnGame
from bot.boards.cells import (
    BadMove,
    cell_name,
    emoji_grid,
    is_like_a_move,
    is_nothing_but_a_cell,
    read_move,
)
from bot.game.pages import ShowAll, ShowRegion
from bot.game.play import Move
from bot.language import speaking
from engine import CLASSIC, parse_rules
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from storage.games.game import Game, Termination
from storage.games.record import WHOLE, Board
from tests.bot.games import ANN, BO, board_in, computer_game, game_of_two
from tests.bot.reading import below, buttons, carried, cells, keyboard_for, keyboard_of, lines

WIDE = parse_rules("5x4x4")

NUMBERS = "2,3| 2,3 |2 3|2;3|2:3|2.3|2, 3|2，3|２,３|２，３|2、3|۲،۳|٢,٣|२,३|02,03|6|６|۶|٦|६|⑥|6️⃣"
NAMES = "c2|C2|Ｃ２|middle right|Right| centre-right |C2.|6!|2, 3.|Middle right. "


@pytest.mark.parametrize("text", f"{NUMBERS}|{NAMES}".split("|"))
def test_a_move_may_be_typed_in_many_ways(text: str) -> None:
    assert read_move(text, CLASSIC.start()) == 5
    assert is_like_a_move(text)


def test_a_cell_may_be_typed_in_ones_own_language_and_on_bigger_boards_by_no_name() -> None:
    for text in ("右中", "右", "右边", "右中。", "右！"):
        with speaking("zh"):
            assert read_move(text, CLASSIC.start()) == 5
            assert is_like_a_move(text)
        assert not is_like_a_move(text)
    with pytest.raises(BadMove):
        read_move("centre", WIDE.start())


def test_rows_columns_and_numbers_count_from_one_and_letters_name_columns() -> None:
    for cell in range(20):
        row, column = divmod(cell, 5)
        assert cell_name(cell, WIDE) == f"row {row + 1}, column {column + 1}"
        assert WIDE.name_of(cell) == f"{'abcde'[column]}{row + 1}"
        for said in (f"{row + 1},{column + 1}", str(cell + 1), WIDE.name_of(cell)):
            assert read_move(said, WIDE.start()) == cell


@pytest.mark.parametrize("text", ["", "x", "1,2,3", "-1", "+5", "1.5.2", "五", "five", "1/2", "1\n2\n3", "5" * 30])
def test_what_is_no_move_is_said_to_be_none_and_a_cell_off_the_board_not_to_be_there(text: str) -> None:
    with pytest.raises(BadMove, match="Write a move as"):
        read_move(text, CLASSIC.start())
    for outside in ("0", "10", "0,1", "4,1", "1,4", "999", "999,999"):
        with pytest.raises(BadMove, match="There's no such cell"):
            read_move(outside, CLASSIC.start())


@given(st.text(max_size=60))
def test_any_text_is_a_cell_or_no_move(text: str) -> None:
    try:
        cell = read_move(text, CLASSIC.start())
    except BadMove:
        return
    assert 0 <= cell < 9


TALK = "see you at 5|5 apples|hello||12345678901234567890123456"
NEARLY = "left it|centre?|a1 steak|top of the world|右边吗"
LONG = [" " * 4000, "1" * 4000, "1 " * 2000, "1" + " " * 3999, "1,," * 1300]
"""Searching 4,000 spaces for a pair of numbers once took 0.14 s (D19)."""


@pytest.mark.parametrize("text", [*f"{TALK}|{NEARLY}".split("|"), *LONG])
def test_talk_is_not_taken_for_a_move_and_long_texts_are_not_read_at_all(text: str) -> None:
    assert not is_like_a_move(text)
    if text in LONG:
        with pytest.raises(BadMove, match="Write a move as"):
            read_move(text, CLASSIC.start())


@pytest.mark.parametrize("text", ["2,3", "2 3", "２，3", "٢,٣", "02,03", "6", "⑥", " 6 ", "c2", "C2"])
def test_in_a_group_numbers_and_a_letter_with_a_number_are_moves(text: str) -> None:
    assert is_nothing_but_a_cell(text)
    assert read_move(text, CLASSIC.start()) == 5


@pytest.mark.parametrize(
    "text", [*["Right!", "Top!", "Left", "middle", "右", "6!", "c2.", "12:30", "2:1", "2.3", "3.", "2026"], *LONG]
)
def test_in_a_group_no_word_and_nothing_with_a_sign_is_a_move(text: str) -> None:
    assert not is_nothing_but_a_cell(text)


HALL = board_in()
WON = "2I190"
"""X has the top left board by its first row, whose first cell sends O there: so O may choose."""


def ultimate(moves: str = "", **values: Any) -> Game:  # noqa: ANN401 - a game's field
    return game_of_two(moves, rules="ultimate", version=5, **values)


def position_of(moves: str) -> UltimatePosition:
    position = ultimate(moves).position
    assert isinstance(position, UltimatePosition)
    return position


def page(game: Game, region: int | None = None) -> Board:
    return board_in(page=WHOLE if region is None else ShowRegion(game.ply, region).page(game))


def test_the_boards_are_drawn_in_emoji_that_are_all_equally_wide_and_only_those_to_move_in_are_coloured() -> None:
    drawn = emoji_grid(position_of(WON), None)
    free = ["🟦🟦🟦 🟦🟦🟦 🟦🟦🟦"] * 3
    first = ["❌◽❌ 🟡🟦🟦 🟡🟦🟦", "◽❌◽ 🟦🟦🟦 🟦🟦🟦", "❌◽❌ 🟦🟦🟦 🟦🟦🟦"]
    assert drawn.replace("\u2003", " ").split("\n") == [*first, "", *free, "", *free]
    drawn = emoji_grid(position_of("4"), "sky").replace("\u2003", " ")
    assert drawn.split("\n")[1] == "⬜⭐⬜ ⬜⬜⬜ ⬜⬜⬜"
    assert drawn.split("\n")[4:7] == ["⬜⬜⬜ 🟦🟦🟦 ⬜⬜⬜"] * 3


def test_in_letters_columns_and_rows_have_names() -> None:
    assert str(position_of("2I")).splitlines()[:6] == [
        "  a b c  d e f  g h i",
        "1 + + X  · · ·  O · ·",
        "2 + + +  · · ·  · · ·",
        "3 + + +  · · ·  · · ·",
        "",
        "4 · · ·  · · ·  · · ·",
    ]


def test_the_text_says_where_the_next_move_is_and_where_the_last_was() -> None:
    assert {"🟦 Next board: <b>centre</b>.", "❌ Last: top left board, centre"} <= {*lines(ultimate("4"), HALL)}
    assert "🟦 Next: any open board. Choose one below." in lines(ultimate(WON), HALL)
    chosen = lines(ultimate(WON), page(ultimate(WON), 8))
    assert "🟦 Next board: <b>bottom right</b>, or any other open board." in chosen
    assert "".join(chosen).count("🟦") == 1 + 9, "only the cells of the chosen board"
    resigned = "".join(lines(ultimate(WON, termination=Termination.RESIGNATION), HALL))
    assert not [word for word in ("Next:", "🟦") if word in resigned]


def test_the_keyboard_has_the_cells_of_the_board_that_is_decided_or_all_boards_or_the_chosen_one() -> None:
    decided = keyboard_of(ultimate("4"), page(ultimate("4")))
    assert carried(decided)[:9] == [OnGame(7, Move(1, cell)) for cell in range(36, 45)]
    assert below(decided) == ["Call off | Undo"]
    free = keyboard_of(ultimate(WON), page(ultimate(WON)))
    assert cells(free) == "❌⬆↗ ⬅•➡ ↙⬇↘"
    assert carried(free)[:9] == [OnGame(7, ShowRegion(5, board)) for board in range(9)]
    assert cells(keyboard_of(ultimate(WON), page(ultimate(WON), 0))) == cells(free), "a finished board is no page"
    chosen = keyboard_of(ultimate(WON), page(ultimate(WON), 2))
    assert (cells(chosen), below(chosen)) == ("🟡·· ··· ···", ["‹ Boards | Resign | Undo"])
    assert (carried(chosen)[0], carried(chosen)[9]) == (OnGame(7, Move(5, 18)), OnGame(7, ShowAll(5)))
    fresh = computer_game("", rules="ultimate")
    first = keyboard_of(fresh, page(fresh, 2))
    assert below(first) == [f"‹ Boards | {row}" for row in below(keyboard_of(fresh, page(fresh)))]
    assert carried(first)[9] == OnGame(7, ShowAll(0))


def test_the_line_of_boards_that_lost_is_seen_and_never_red() -> None:
    position, moves, rng = ULTIMATE.start(), "", Random(2)
    while not position.is_over:
        cell = rng.choice(position.legal_moves)
        position, moves = position.play(cell), moves + ULTIMATE.move_text(cell)
    assert position.outcome is not None
    won = {cell // 9 for line in position.outcome.lines for cell in line}
    assert won
    over = ultimate(moves, winner=position.outcome.winner, termination=Termination.LINE)
    for viewer in (ANN.id, BO.id):
        has_lost = over.mark_of(viewer) is not over.winner
        style = "primary" if has_lost else "success"
        styles = [each.get("style") for row in buttons(keyboard_for(over, viewer))[:3] for each in row]
        assert styles == [style if board in won else None for board in range(9)]


def test_in_text_a_plus_marks_where_one_may_play_and_the_ways_to_write_a_cell_are_named() -> None:
    for viewer in (ANN.id, BO.id):
        said = lines(ultimate("4"), board_in(viewer, viewer=viewer, as_text=True))
        assert "+ Next board: <b>centre</b>." in said
        assert ("Type a cell to play it: d4, or board and cell: 5 1." in said) == (viewer == BO.id)
