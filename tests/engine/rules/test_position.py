"""Positions on 3 by 3: what a position is, what follows from it, and what is refused."""

import copy
import itertools
import pickle

import pytest

from engine import (
    CLASSIC,
    EngineError,
    IllegalMove,
    MalformedPosition,
    Mark,
    Outcome,
    UnreachablePosition,
    parse_rules,
)
from tests.engine import naive


def test_a_game_is_played_and_won() -> None:
    position = CLASSIC.start()
    assert (position.turn, position.ply, position.outcome) == (Mark.X, 0, None)
    for cell in (4, 0, 2, 6, 5):
        position = position.play(cell)
    assert str(position) == "O . X\n. X X\nO . ."
    assert position.turn is Mark.O
    assert position.outcome is None
    assert position.legal_moves == (1, 3, 7, 8)
    won = position.play(3)
    assert str(won) == "O . X\nO X X\nO . ."
    assert won.is_over
    assert won.outcome == Outcome(Mark.O, ((0, 3, 6),))
    assert not won.outcome.is_draw
    assert won.legal_moves == ()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = CLASSIC.parse("XOX XOO O.X").play(7)
    assert position.outcome is not None
    assert position.outcome.is_draw
    assert position.outcome.winner is None
    assert position.outcome.lines == ()


def test_one_ply_may_complete_two_lines() -> None:
    position = CLASSIC.parse("XXX/XOO/XOO")
    assert position.outcome == Outcome(Mark.X, ((0, 1, 2), (0, 3, 6)))
    assert CLASSIC.parse(".XX/XOO/XOO").play(0) == position
    assert CLASSIC.parse(".XX/XOO/XOO").play(0).outcome == position.outcome


def test_exactly_the_5478_reachable_boards_are_positions() -> None:
    accepted = set()
    for cells in itertools.product("XO.", repeat=9):
        board = "".join(cells)
        try:
            accepted.add(CLASSIC.parse(board).format())
        except UnreachablePosition:
            continue
    assert accepted == naive.reachable()
    assert len(accepted) == 5_478


def test_every_position_is_what_its_board_shows() -> None:
    for board in naive.reachable():
        position = CLASSIC.parse(board)
        assert position.turn == naive.turn(board)
        assert position.ply == 9 - board.count(".")
        assert position.is_over == naive.is_over(board)
        assert position.legal_moves == (() if naive.is_over(board) else tuple(naive.free(board)))
        assert "".join(position.mark_at(cell) or "." for cell in range(9)) == board
        if position.outcome is not None:
            assert position.outcome.winner == naive.winner(board)
        for cell in position.legal_moves:
            after = position.play(cell)
            again = CLASSIC.parse(naive.play(board, cell))
            assert (after, after.outcome, hash(after)) == (again, again.outcome, hash(again))


def test_texts_and_positions_are_inverse() -> None:
    for board in naive.reachable():
        position = CLASSIC.parse(board)
        assert position.format() == board
        assert CLASSIC.parse(str(position)) == position
        assert eval(repr(position), {"parse_rules": parse_rules}) == position  # noqa: S307 - the promise under test
        assert CLASSIC.position(position.x, position.o) == position


@pytest.mark.parametrize(
    "text",
    [
        "X.O.X....",
        "X.O/.X./...",
        "X.O\n.X.\n...",
        "X . O\n. X .\n. . .\n",
        "  X.O\n  .X.\n  ...",
        "X.O\r\n.X.\r\n...",
    ],
)
def test_a_board_may_be_written_in_one_or_in_three_rows(text: str) -> None:
    assert CLASSIC.parse(text) == CLASSIC.after([0, 2, 4])
    assert parse_rules("3x3x3").parse(text) == CLASSIC.after([0, 2, 4])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A board of 9 cells cannot have 0."),
        ("X.O", "A board of 9 cells cannot have 3."),
        ("X.O/...", "A board of 3 rows of 3 cells cannot have rows of 3, 3."),
        ("X.O/..../..", "A board of 3 rows of 3 cells cannot have rows of 3, 4, 2."),
        ("X.Q......", "A cell is X, O or '.', not 'Q'."),
        ("x........", "A cell is X, O or '.', not 'x'."),
        ("........." * 2, "A board of 9 cells cannot have 18."),
    ],
)
def test_a_malformed_text_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(MalformedPosition) as refused:
        CLASSIC.parse(text)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("XX. ... ...", "X moves first and turns alternate, so 2 X and 0 O cannot be."),
        ("O.. ... ...", "X moves first and turns alternate, so 0 X and 1 O cannot be."),
        ("XXX OOO ...", "Both sides have a line, but the game ends with the first."),
        ("XXX OO. O..", "X has a line, but O has moved after it."),
        ("OOO XX. XX.", "O has a line, but X has moved after it."),
    ],
)
def test_an_unreachable_board_is_refused_with_a_sentence(board: str, sentence: str) -> None:
    with pytest.raises(UnreachablePosition) as refused:
        CLASSIC.parse(board)
    assert str(refused.value) == sentence


def test_lines_without_a_shared_cell_are_refused() -> None:
    with pytest.raises(UnreachablePosition, match="X has lines that no single ply can have completed"):
        parse_rules("4x4x3").parse("XXX./OO.O/XXX./OO..")


@pytest.mark.parametrize(
    ("x", "o", "sentence"),
    [
        (0b11, 0b10, "X and O share cell 1."),
        (0b111, 0b110, "X and O share cells 1, 2."),
        (1 << 9, 0, "There are marks outside of the 9 cells."),
        (-1, 0, "There are marks outside of the 9 cells."),
    ],
)
def test_bitmasks_that_are_no_board_are_refused(x: int, o: int, sentence: str) -> None:
    with pytest.raises(MalformedPosition) as refused:
        CLASSIC.position(x, o)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("board", "cell", "sentence"),
    [
        ("X.. .O. ...", 0, "Cell 0 is taken."),
        ("X.. .O. ...", 4, "Cell 4 is taken."),
        ("X.. .O. ...", 9, "There is no cell 9: this board's cells are numbered 0 to 8."),
        ("X.. .O. ...", -1, "There is no cell -1: this board's cells are numbered 0 to 8."),
        ("XXX OO. ...", 8, "The game is over, so cell 8 cannot be played."),
    ],
)
def test_an_illegal_move_is_refused_with_a_sentence(board: str, cell: int, sentence: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        CLASSIC.parse(board).play(cell)
    assert str(refused.value) == sentence


def test_stored_moves_are_replayed_or_refused() -> None:
    assert CLASSIC.after([]) == CLASSIC.start()
    assert CLASSIC.after(iter([0, 4, 8])) == CLASSIC.parse("X.. .O. ..X")
    with pytest.raises(IllegalMove, match="Cell 4 is taken"):
        CLASSIC.after([0, 4, 4])
    with pytest.raises(IllegalMove, match="The game is over"):
        CLASSIC.after([0, 3, 1, 4, 2, 5])


def test_there_is_no_mark_off_the_board() -> None:
    for cell in (-1, 9):
        with pytest.raises(IndexError, match=f"no cell {cell}"):
            CLASSIC.start().mark_at(cell)


def test_every_refusal_is_a_value_error_of_the_engine() -> None:
    for refusal in (IllegalMove, MalformedPosition, UnreachablePosition):
        assert issubclass(refusal, EngineError)
    assert issubclass(EngineError, ValueError)


def test_a_position_is_a_value() -> None:
    position = CLASSIC.after([4, 0])
    same = CLASSIC.parse("O.. .X. ...")
    assert position == same
    assert {position: "found"}[same] == "found"
    assert position != CLASSIC.after([4, 2])
    assert copy.deepcopy(position) == pickle.loads(pickle.dumps(position)) == position  # noqa: S301 - our own bytes
    with pytest.raises(AttributeError):
        position.x = 0  # type: ignore[misc] # what is tested
    played = position.play(8)
    assert (position.format(), played.format()) == ("O...X....", "O...X...X")


def test_the_two_marks_are_each_other_s_other() -> None:
    assert Mark.X.other is Mark.O
    assert Mark.O.other is Mark.X
    assert [str(mark) for mark in Mark] == ["X", "O"]
    assert eval(repr(Mark.X), {"Mark": Mark}) is Mark.X  # noqa: S307 - the promise under test
