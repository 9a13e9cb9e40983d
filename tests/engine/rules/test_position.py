"""Positions on 3 by 3: what a position is, what follows from it, and what is refused."""

import pytest

from engine import CLASSIC, EngineError, IllegalMove, Mark, Outcome
from tests.boards import board as position_of
from tests.boards import drawn
from tests.engine import naive


def test_a_game_is_played_and_won() -> None:
    position = CLASSIC.start()
    assert (position.turn, position.ply, position.outcome) == (Mark.X, 0, None)
    for cell in (4, 0, 2, 6, 5):
        position = position.play(cell)
    assert drawn(position) == "O.X.XXO.."
    assert position.turn is Mark.O
    assert position.outcome is None
    assert position.legal_moves == (1, 3, 7, 8)
    won = position.play(3)
    assert drawn(won) == "O.XOXXO.."
    assert won.is_over
    assert won.outcome == Outcome(Mark.O, ((0, 3, 6),))
    assert not won.outcome.is_draw
    assert won.legal_moves == ()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = position_of("XOX XOO O.X").play(7)
    assert position.outcome is not None
    assert position.outcome.is_draw
    assert position.outcome.winner is None
    assert position.outcome.lines == ()


def test_one_ply_may_complete_two_lines() -> None:
    position = position_of("XXX/XOO/XOO")
    assert position.outcome == Outcome(Mark.X, ((0, 1, 2), (0, 3, 6)))
    assert position_of(".XX/XOO/XOO").play(0) == position
    assert position_of(".XX/XOO/XOO").play(0).outcome == position.outcome


def test_every_position_is_what_its_board_shows() -> None:
    for board in naive.reachable():
        position = position_of(board)
        assert position.turn == naive.turn(board)
        assert position.ply == 9 - board.count(".")
        assert position.is_over == naive.is_over(board)
        assert position.legal_moves == (() if naive.is_over(board) else tuple(naive.free(board)))
        assert "".join(position.mark_at(cell) or "." for cell in range(9)) == board
        if position.outcome is not None:
            assert position.outcome.winner == naive.winner(board)
        for cell in position.legal_moves:
            after = position.play(cell)
            again = position_of(naive.play(board, cell))
            assert (after, after.outcome, hash(after)) == (again, again.outcome, hash(again))


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
        position_of(board).play(cell)
    assert str(refused.value) == sentence


def test_stored_moves_are_replayed_or_refused() -> None:
    assert CLASSIC.after([]) == CLASSIC.start()
    assert CLASSIC.after(iter([0, 4, 8])) == position_of("X.. .O. ..X")
    with pytest.raises(IllegalMove, match="Cell 4 is taken"):
        CLASSIC.after([0, 4, 4])
    with pytest.raises(IllegalMove, match="The game is over"):
        CLASSIC.after([0, 3, 1, 4, 2, 5])


def test_there_is_no_mark_off_the_board() -> None:
    for cell in (-1, 9):
        with pytest.raises(IndexError, match=f"no cell {cell}"):
            CLASSIC.start().mark_at(cell)


def test_every_refusal_is_a_value_error_of_the_engine() -> None:
    assert issubclass(IllegalMove, EngineError)
    assert issubclass(EngineError, ValueError)


def test_a_position_is_a_value() -> None:
    position = CLASSIC.after([4, 0])
    same = position_of("O.. .X. ...")
    assert position == same
    assert {position: "found"}[same] == "found"
    assert position != CLASSIC.after([4, 2])
    with pytest.raises(AttributeError):
        position.x = 0  # type: ignore[misc] # what is tested
    played = position.play(8)
    assert (drawn(position), drawn(played)) == ("O...X....", "O...X...X")


def test_the_two_marks_are_each_other_s_other() -> None:
    assert Mark.X.other is Mark.O
    assert Mark.O.other is Mark.X
    assert [str(mark) for mark in Mark] == ["X", "O"]
