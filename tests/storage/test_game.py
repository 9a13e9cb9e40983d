"""The record of a game: its moves are the game, and a record that contradicts them is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Geometry, Mark, Position
from storage.errors import CorruptGame
from storage.game import CELLS, cell_of, geometry_of, geometry_text, moves_text
from tests.storage.examples import ANN, NEW

# X . O     X plays 0, 4 and 8, and O plays 2 and 6:
# . X .     the fifth ply wins.
# O . X
WON = "02468"
#          X O X   A full board without a line:
#          X O O   0 1 2 4 3 5 7 6 8
#          O X X
DRAWN = "012435768"


@given(st.lists(st.integers(0, 63), max_size=64))
def test_reading_stored_moves_is_the_inverse_of_writing_them(cells: list[int]) -> None:
    assert [cell_of(character) for character in moves_text(cells)] == cells


@given(st.builds(Geometry, st.integers(3, 8), st.integers(3, 8), st.just(3)))
def test_reading_a_geometry_is_the_inverse_of_writing_it(geometry: Geometry) -> None:
    assert geometry_of(geometry_text(geometry)) == geometry


def test_every_cell_of_the_largest_board_has_a_character_of_its_own() -> None:
    assert len(set(CELLS)) == len(CELLS) == 8 * 8


@pytest.mark.parametrize(
    "values",
    [
        {"moves": ""},
        {"moves": "04"},
        {"moves": WON, "termination": "line", "winner": "X"},
        {"moves": DRAWN, "termination": "full board"},
        {"moves": "04", "termination": "resignation", "winner": "O"},
        {"moves": "0", "termination": "timeout", "winner": "X"},
        {"moves": "0H", "geometry": "8x8x5"},
    ],
)
def test_a_sound_game_is_given_back(values: dict[str, str]) -> None:
    game = replace(NEW, **values)  # type: ignore[arg-type] # the table holds text fields only
    assert game.check() is game


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"moves": "00"}, "0"),
        ({"moves": "9"}, "9"),
        ({"moves": "é"}, "substring not found"),
        ({"moves": WON + "1", "termination": "line", "winner": "X"}, ""),
        ({"moves": "04", "geometry": "three"}, ""),
        ({"moves": "04", "geometry": "99x99x3"}, "99"),
        ({"moves": WON}, "end by line, but None"),
        ({"moves": WON, "termination": "full board", "winner": "X"}, "end by line, but full board"),
        ({"moves": WON, "termination": "resignation", "winner": "X"}, "end by line, but resignation"),
        ({"moves": WON, "termination": "line", "winner": "O"}, "won by X, but O"),
        ({"moves": WON, "termination": "line"}, "won by X, but None"),
        ({"moves": DRAWN, "termination": "full board", "winner": "O"}, "won by None, but O"),
        ({"moves": "04", "termination": "line", "winner": "X"}, "end by None, but line"),
        ({"moves": "04", "winner": "X"}, "won by None, but X"),
    ],
)
def test_a_game_that_contradicts_itself_is_refused(values: dict[str, str], reason: str) -> None:
    game = replace(NEW, id=77, **values)  # type: ignore[arg-type] # the table holds text fields only
    with pytest.raises(CorruptGame, match=r"^game 77 cannot be read: ") as refusal:
        game.check()
    assert reason in refusal.value.reason


def test_the_moves_replay_to_the_position_of_the_board() -> None:
    assert replace(NEW, moves=WON).position == Position.parse("X.O/.X./O.X")


def test_seats_tell_who_plays_which_mark() -> None:
    assert NEW.mark_of(ANN) is Mark.X
    assert NEW.mark_of(ANN + 1) is None
    assert [NEW.name(mark) for mark in (Mark.X, Mark.O)] == ["Ann", None]
    assert NEW.is_against_computer
    assert NEW.turn is Mark.X
    assert replace(NEW, moves="4").turn is Mark.O
