"""Moves as text, one character a ply, as they are stored; and moves that no rules allow."""

from random import Random

import pytest

from engine import CLASSIC, EngineError, IllegalMove, parse_rules
from engine.rules.base import CELLS, MalformedMoves
from tests.boards import board

STORED = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


@pytest.mark.parametrize("text", ["8x8x5", "ultimate", "3x3x3"])
def test_a_move_is_one_character_as_it_has_been_stored_all_along(text: str) -> None:
    rules = parse_rules(text)
    written = rules.moves_text(range(rules.cells))
    assert written == CELLS[: rules.cells]
    assert written[:64] == STORED[: rules.cells]
    assert rules.read_moves(written) == tuple(range(rules.cells))


def test_stored_moves_are_replayed() -> None:
    assert CLASSIC.replay("") == CLASSIC.start()
    assert CLASSIC.replay("408") == CLASSIC.after(iter([4, 0, 8])) == board("O.. .X. ..X")


@pytest.mark.parametrize(("text", "character"), [("0409", "9"), ("04 ", " "), ("A", "A"), ("04×", "×")])
def test_a_character_that_stands_for_no_cell_is_refused(text: str, character: str) -> None:
    for read in (CLASSIC.read_moves, CLASSIC.replay):
        with pytest.raises(MalformedMoves) as refused:
            read(text)
        assert str(refused.value) == f"The character {character!r} is not one of the 9 cells."


@pytest.mark.parametrize("cell", [-1, 9])
def test_a_cell_off_the_board_cannot_be_written(cell: int) -> None:
    with pytest.raises(EngineError, match=f"There is no cell {cell}"):
        CLASSIC.moves_text([0, cell])


def test_cells_are_numbered_region_by_region_and_drawn_row_by_row() -> None:
    layout = parse_rules("ultimate").layout
    assert sorted(layout.drawn) == list(range(81))
    assert layout.drawn[:12] == (0, 1, 2, 9, 10, 11, 18, 19, 20, 3, 4, 5)
    assert (layout.columns, layout.rows, layout.region_of(9), layout.place_of(9)) == (9, 9, 1, (0, 3))
    assert [layout.cell_at(*layout.place_of(cell)) for cell in range(81)] == list(range(81))
    rules = parse_rules("5x4x3")
    assert (rules.layout.columns, rules.layout.rows, rules.layout.drawn) == (5, 4, tuple(range(rules.cells)))


@pytest.mark.parametrize(
    ("rules", "cells", "cell", "sentence"),
    [
        *(("3x3x3", (0, 4), cell, f"Cell {cell} is taken.") for cell in (0, 4)),
        *(
            ("3x3x3", (0, 4), cell, f"There is no cell {cell}: this board's cells are numbered")
            for cell in (-1, 9)
        ),
        ("3x3x3", (0, 3, 1, 4, 2), 8, "The game is over, so cell 8 cannot be played."),
        *(("vanishing", (0, 4, 1, 5, 3, 7), cell, f"Cell {cell} is taken") for cell in (0, 4)),  # 0 is X's oldest
        ("vanishing", (), 9, "no cell 9"),
        ("ultimate", (25,), 0, "Cell 0 is on board 0, but the last ply sends this one to board 7"),
        ("ultimate", (36, 4, 37, 13, 38, 22), 40, "Cell 40 is on board 4, which is finished"),
        ("ultimate", (36, 4, 37, 13, 38, 22), 4, "Cell 4 is taken"),
        *(("ultimate", (), cell, f"no cell {cell}") for cell in (-1, 81)),
    ],
)
def test_an_illegal_move_is_refused_with_a_sentence(
    rules: str, cells: tuple[int, ...], cell: int, sentence: str
) -> None:
    with pytest.raises(IllegalMove, match=sentence):
        parse_rules(rules).after(cells).play(cell)


@pytest.mark.parametrize("text", ["3x3x3", "vanishing", "ultimate"])
def test_after_the_end_nothing_is_played_and_off_the_board_there_is_no_mark(text: str) -> None:
    rng, position = Random(1), parse_rules(text).start()
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves))
    with pytest.raises(IllegalMove, match="The game is over"):
        position.play(0)
    for cell in (-1, position.rules.cells):
        with pytest.raises(IndexError, match=f"no cell {cell}"):
            position.mark_at(cell)
