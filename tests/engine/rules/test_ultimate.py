"""Ultimate: its rules, and counts against a naive implementation."""

from itertools import chain
from random import Random

import pytest

from engine import Mark
from engine.rules.base import Region
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from tests.engine import naive


def perft(position: UltimatePosition, depth: int) -> int:
    if not depth:
        return 1
    return sum(perft(position.play(cell), depth - 1) for cell in position.legal_moves)


@pytest.mark.parametrize(("depth", "games"), [(1, 81), (2, 720), (3, 6_336), (4, 55_080)])
def test_so_many_games_of_so_many_plies_begin(depth: int, games: int) -> None:
    assert perft(ULTIMATE.start(), depth) == games
    assert depth > 3 or naive.perft(naive.Ultimate(), depth) == games


def test_every_position_of_random_games_is_what_its_boards_show() -> None:
    seen = set()
    for seed in range(30):
        rng, position, game = Random(seed), ULTIMATE.start(), naive.Ultimate()
        for ply in range(82):
            whole = naive.whole(game)
            assert position.legal_moves == tuple(naive.moves_in(game))
            assert position.is_over == naive.has_ended(game)
            assert (position.turn, position.ply) == (game.turn, ply)
            assert position.marks == "".join(game.boards)
            boards = {cell // 9 for cell in position.legal_moves}
            assert position.boards == tuple(sorted(boards))
            for board, mark in enumerate(whole):
                winner = Mark(mark) if mark in "XO" else None
                assert position.winner_of(board) is winner
                assert position.regions[board] == Region(board in boards, mark != ".", winner)
            seen |= {*whole, game.board}
            if position.outcome is not None:
                break
            cell = rng.choice(position.legal_moves)
            position, game = position.play(cell), naive.play_in(game, cell)
        assert position.outcome is not None
        won_by = naive.won_by(game)
        lines = [line for line in naive.CLASSIC.lines if {whole[board] for board in line} == {won_by}]
        cells = (tuple(chain.from_iterable(range(9 * board, 9 * board + 9) for board in line)) for line in lines)
        assert position.outcome == (won_by, tuple(cells), False)
        seen.add(f"won by {won_by}")
    assert seen == {*"XO#.", None, *range(9), "won by X", "won by O", "won by None"}
