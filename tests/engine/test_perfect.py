"""Perfect play: what it prefers among the cells that keep the game's value."""

import pytest

from engine import CLASSIC, STRATEGIES
from tests.engine import naive

PERFECT = STRATEGIES["perfect"]


@pytest.mark.parametrize(
    ("board", "cells"),
    [
        # Drawn: the corners, against which a random player errs most.
        ("... ... ...", (0, 2, 6, 8)),
        # Drawn: against a corner only the centre holds.
        ("X.. ... ...", (4,)),
        # Won: the cell that wins at once, and two such cells.
        ("XX. OO. ...", (2,)),
        ("X.X .OO X.O", (1, 3)),
        # Lost: the only cell that lasts until X's next ply but one.
        ("... ..O .XX", (6,)),
        # Lost, and no cell lasts longer: those that leave X one winning reply instead of two.
        ("... .XX OXO", (1, 3)),
    ],
)
def test_it_prefers(board: str, cells: tuple[int, ...]) -> None:
    assert PERFECT.candidates(CLASSIC.parse(board)) == cells


def test_the_bound_that_it_reaches_is_the_highest_that_keeping_the_value_allows() -> None:
    start = naive.EMPTY
    assert [str(chance) for chance in naive.perfect_to_move(start)] == ["191/192", "0"]
    assert [str(chance) for chance in naive.random_to_move(start)] == ["866/945", "0"]


def test_lost_it_also_makes_the_fewest_random_players_win() -> None:
    for board in filter(lambda board: naive.score(board) < 0, naive.unfinished()):
        after = {cell: naive.play(board, cell) for cell in naive.keeping(board)}
        longest = naive.highest(after, naive.plies_left)
        least = min(naive.random_to_move(after[cell])[1] for cell in longest)
        expected = tuple(cell for cell in longest if naive.random_to_move(after[cell])[1] == least)
        assert PERFECT.candidates(CLASSIC.parse(board)) == expected, board
