"""Moves as text, one character a ply, as they are stored."""

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


def test_stored_moves_are_replayed_or_refused() -> None:
    assert CLASSIC.replay("") == CLASSIC.start()
    assert CLASSIC.replay("408") == CLASSIC.after(iter([4, 0, 8])) == board("O.. .X. ..X")
    for text, sentence in {"044": "Cell 4 is taken", "031425": "The game is over"}.items():
        with pytest.raises(IllegalMove, match=sentence):
            CLASSIC.replay(text)


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
