"""The tempo strategy without its faults."""

import pytest

from engine import CLASSIC, Mark
from engine.mended import mended_tempo
from engine.records import record
from tests.engine import naive


@pytest.mark.parametrize("mark", list(Mark))
@pytest.mark.parametrize("depth", range(2, 10))
def test_it_never_loses_at_any_depth(depth: int, mark: Mark) -> None:
    assert record(mended_tempo(depth), mark).losses == 0


def test_to_the_end_of_the_game_it_keeps_the_value_of_every_position() -> None:
    strategy = mended_tempo(9)
    wrong = [
        board
        for board in naive.unfinished()
        if strategy.candidates(CLASSIC.parse(board))[0] not in naive.keeping(board)
    ]
    assert wrong == []


def test_two_plies_deep_it_blocks_where_other_threatens() -> None:
    assert mended_tempo(2).candidates(CLASSIC.parse("XX. .O. ...")) == (2,)


@pytest.mark.parametrize("depth", [-1, 0, 1, CLASSIC.cells + 1])
def test_other_depths_are_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"2 to 9 plies ahead, not {depth}"):
        mended_tempo(depth)
