"""Moves by name and as they are stored; moves that no rules allow; and what a position looks like."""

import re
from random import Random

import pytest

from engine import CLASSIC, AmbiguousMove, EngineError, IllegalMove, MalformedMove, parse_rules
from engine.rules.base import CELLS
from engine.rules.ultimate import UltimatePosition
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
    assert CLASSIC.after(CLASSIC.read_moves("")) == CLASSIC.start()
    assert CLASSIC.after(CLASSIC.read_moves("408")) == CLASSIC.after(iter([4, 0, 8])) == board("O.. .X. ..X")


@pytest.mark.parametrize(("text", "character"), [("0409", "9"), ("04 ", " "), ("A", "A"), ("04×", "×")])
def test_a_character_that_stands_for_no_cell_is_refused(text: str, character: str) -> None:
    with pytest.raises(MalformedMove) as refused:
        CLASSIC.read_moves(text)
    assert str(refused.value) == f"The character {character!r} is not one of the 9 cells."


@pytest.mark.parametrize("text", ["3x3x3", "8x7x5", "ultimate", "vanishing"])
def test_a_cell_has_a_name_by_which_it_is_played(text: str) -> None:
    rules = parse_rules(text)
    start = rules.start()
    for cell in range(rules.cells):
        row, column = rules.layout.place_of(cell)
        assert rules.name_of(cell) == f"{'abcdefghi'[column]}{row + 1}"
        assert rules.replay(rules.name_of(cell)) == start.play(rules.name_of(cell).upper()) == start.play(cell)
    assert CLASSIC.replay("b2 a1  c3") == CLASSIC.replay("2,2 1 9") == CLASSIC.after([4, "a1", 8])


@pytest.mark.parametrize(
    ("rules", "moves", "typed", "cell"),
    [("5x4x4", "", "7", 6), ("5x4x4", "", "2,1", 5), ("ultimate", "e5", "3", 38), ("ultimate", "", "5 3", 38)],
)
def test_numbers_count_from_one(rules: str, moves: str, typed: str, cell: int) -> None:
    assert parse_rules(rules).replay(moves).cell_of(typed) == cell


@pytest.mark.parametrize(
    ("rules", "typed", "error", "sentence"),
    [
        ("3x3x3", "zz", MalformedMove, "'zz' is no move: write its column and row, like b2."),
        ("3x3x3", "d4", IllegalMove, "There is no cell d4: columns are a to c, rows 1 to 3."),
        ("3x3x3", "10", IllegalMove, "There is no cell 10: columns are a to c, rows 1 to 3."),
        ("ultimate", "5", AmbiguousMove, "Cell 5 may be on any open board: name one too, like 5,5."),
        ("ultimate", "10", MalformedMove, "A board and its cell are numbered 1 to 9, like 5,3."),
    ],
)
def test_a_text_that_is_not_one_cell_is_refused_with_what_would_be_right(
    rules: str, typed: str, error: type[EngineError], sentence: str
) -> None:
    with pytest.raises(EngineError) as refused:
        parse_rules(rules).start().play(typed)
    assert (type(refused.value), str(refused.value)) == (error, sentence)


@pytest.mark.parametrize("text", ["5x5x4", "vanishing", "ultimate"])
@pytest.mark.parametrize("move", [None, 1.0, 1.5, float("nan"), b"b2", (1, 2), ["b2"]])
def test_what_is_neither_text_nor_a_number_of_a_cell_is_no_move(text: str, move: object) -> None:
    with pytest.raises(MalformedMove) as refused:
        parse_rules(text).start().play(move)  # type: ignore[arg-type] # as it must not be
    assert str(refused.value) == f"{str(move)[:20]!r} is no move: write its column and row, like b2."


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
        *(("3x3x3", (0, 4), cell, f"{name} is taken: play b1, c1, a2,") for name, cell in (("a1", 0), ("b2", 4))),
        ("8x8x5", (0,), 0, "a1 is taken: play b1, c1, d1, e1, f1, g1, h1, a2, b2 or 54 others."),
        *(
            ("3x3x3", (0, 4), cell, f"There is no cell {cell}: this board's cells are numbered")
            for cell in (-1, 9)
        ),
        ("3x3x3", (0, 3, 1, 4, 2), 8, "The game is over, so c3 can't be played."),
        ("vanishing", (0, 4, 1, 5, 3, 7), 0, "a1 is taken: play c1, a3, c3."),  # X's oldest
        ("vanishing", (), 9, "no cell 9"),
        (
            "ultimate",
            (25,),
            0,
            "a1 can't be played now: play d7, e7, f7, d8, e8, f8, d9, e9, f9.",
        ),
        ("ultimate", (36, 4, 37, 13, 38, 22), 40, "e5 can't be played now: play a1, b1"),
        ("ultimate", (36, 4, 37, 13, 38, 22), 4, "b2 is taken"),
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
        for ask in (position.mark_at, position.rules.name_of):
            with pytest.raises(EngineError, match=f"no cell {cell}"):
                ask(cell)


def test_a_position_is_drawn_as_it_is_read_and_its_repr_is_short() -> None:
    position = parse_rules("5x4x4").replay("c3 b2")
    assert str(position).splitlines() == [
        "  a b c d e",
        "1 · · · · ·",
        "2 · O · · ·",
        "3 · · X · ·",
        "4 · · · · ·",
    ]
    assert repr(position) == "MnkPosition('5x4x4', x='c3', o='b2')"
    vanishing = parse_rules("vanishing").replay("c1 b2 a1 b3 c3 a2")
    assert str(vanishing).splitlines() == ["  a b c", "1 X · x", "2 O o ·", "3 · O X"], "the oldest are small"
    assert repr(vanishing) == "VanishingPosition(x='c1 a1 c3', o='b2 b3 a2', ply=6)"


def test_boards_that_are_won_or_nobodys_are_drawn_so_and_where_one_may_play_is_a_plus() -> None:
    x, o = (sum(1 << 9 * at + cell for cell in cells) for at, cells in ((0, (0, 1, 2)), (1, (0, 3, 6))))
    full = [sum(1 << 18 + cell for cell in cells) for cells in ((0, 2, 3, 7, 8), (1, 4, 5, 6))]
    position = UltimatePosition(x | full[0], o | full[1], 1, 2, 7, 4, None)
    assert str(position).splitlines()[:6] == [
        "  a b c  d e f  g h i",
        "1 X   X  O O O  X O X",
        "2   X    O   O  X – O",
        "3 X   X  O O O  O X X",
        "",
        "4 · · ·  + + +  · · ·",
    ]
    assert repr(position).endswith("board=4)")


def test_a_notebook_shows_a_picture_with_every_mark_and_the_winning_line() -> None:
    picture = CLASSIC.replay("a1 a2 b1 b2 c1")._repr_svg_()
    assert re.findall(">(.)</text>", picture) == ["a", "b", "c", "1", "2", "3", "X", "X", "X", "O", "O"]
    assert re.findall('fill="(.{4})" stroke', picture) == ["#fd8"] * 3 + ["#eee"] * 6
