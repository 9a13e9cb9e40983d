"""Ultimate: its rules on drawn boards, and counts against a naive implementation."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import IllegalMove, Mark, parse_rules
from engine.rules.base import DRAW
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from tests.engine import naive, naive_ultimate


def perft(position: UltimatePosition, depth: int) -> int:
    """How many games of exactly this many more plies there are."""
    if not depth:
        return 1
    return sum(perft(position.play(cell), depth - 1) for cell in position.legal_moves)


def random_game(seed: int) -> list[int]:
    """The moves of a whole game played at random."""
    rng, position, moves = Random(seed), ULTIMATE.start(), []
    while not position.is_over:
        moves.append(rng.choice(position.legal_moves))
        position = position.play(moves[-1])
    return moves


def after(moves: list[int]) -> tuple[UltimatePosition, naive_ultimate.Game]:
    """The position after these moves, in both implementations."""
    position, game = ULTIMATE.start(), naive_ultimate.Game()
    for cell in moves:
        position, game = position.play(cell), naive_ultimate.play(game, cell)
    return position, game


@pytest.mark.parametrize(("depth", "games"), [(1, 81), (2, 720), (3, 6_336), (4, 55_080)])
def test_so_many_games_of_so_many_plies_begin(depth: int, games: int) -> None:
    assert perft(ULTIMATE.start(), depth) == naive_ultimate.perft(naive_ultimate.Game(), depth) == games


THIRTY = [(seed, back) for seed in range(10) for back in (2, 9, 20)]
"""Seeds of random games, each cut so many plies before its end."""


@pytest.mark.parametrize(("seed", "back"), THIRTY)
def test_later_positions_go_on_in_as_many_ways(seed: int, back: int) -> None:
    position, game = after(random_game(seed)[:-back])
    for depth in (1, 2, 3):
        assert perft(position, depth) == naive_ultimate.perft(game, depth)


def test_among_them_are_won_and_full_boards_free_choice_and_wins_of_the_whole() -> None:
    games = [after(random_game(seed)[:-back])[1] for seed, back in THIRTY]
    boards = [naive_ultimate.whole(game) for game in games]
    assert any("X" in board for board in boards)
    assert any("O" in board for board in boards)
    assert any("#" in board for board in boards)
    assert any(game.board is None for game in games)
    ends = [after(random_game(seed))[0].outcome for seed in range(10)]
    assert {end.winner for end in ends if end} == {Mark.X, Mark.O, None}


@pytest.mark.parametrize("seed", range(10, 30))
def test_every_position_of_a_game_is_what_its_boards_show(seed: int) -> None:
    position, game = ULTIMATE.start(), naive_ultimate.Game()
    for ply, cell in enumerate([*random_game(seed), None]):
        assert position.legal_moves == tuple(naive_ultimate.moves(game))
        assert position.is_over == naive_ultimate.ended(game)
        assert (position.turn, position.ply) == (game.turn, ply)
        assert "".join(position.mark_at(each) or "." for each in range(81)) == "".join(game.boards)
        won = "".join(position.winner_of(board) or "." for board in range(9))
        assert won == naive_ultimate.whole(game).replace("#", ".")
        if cell is None:
            assert position.outcome is not None
            assert position.outcome.winner == naive_ultimate.won_by(game)
            assert position.outcome.is_draw == (not position.outcome.lines)
        else:
            position, game = position.play(cell), naive_ultimate.play(game, cell)


@given(st.integers(0, 2**32), st.data())
def test_moves_give_the_position_back(seed: int, data: st.DataObject) -> None:
    moves = random_game(seed)
    moves = moves[: data.draw(st.integers(0, len(moves)))]
    position = after(moves)[0]
    assert ULTIMATE.replay(ULTIMATE.moves_text(moves)) == position
    assert ULTIMATE.read_moves(ULTIMATE.moves_text(moves)) == tuple(moves)


def test_its_rules_are_one_object_with_81_cells() -> None:
    assert parse_rules("ultimate") is ULTIMATE
    assert str(ULTIMATE) == "ultimate"
    assert (ULTIMATE.layout.columns, ULTIMATE.layout.rows, ULTIMATE.cells) == (9, 9, 81)
    assert ULTIMATE.moves_text(range(64)) == parse_rules("8x8x5").moves_text(range(64))


def test_cells_are_numbered_board_by_board_and_drawn_row_by_row() -> None:
    assert sorted(ULTIMATE.layout.drawn) == list(range(81))
    assert ULTIMATE.layout.drawn[:12] == (0, 1, 2, 9, 10, 11, 18, 19, 20, 3, 4, 5)
    assert parse_rules("4x3x3").layout.drawn == tuple(range(12))


def test_the_cell_of_a_ply_decides_the_board_of_the_next() -> None:
    position = ULTIMATE.start().play(9 * 2 + 7)
    assert position.board == 7
    assert position.boards == (7,)
    assert position.legal_moves == tuple(range(63, 72))
    with pytest.raises(IllegalMove, match="Cell 0 is on board 0, but the last ply sends this one to board 7"):
        position.play(0)


def test_sent_to_a_finished_board_one_may_choose_another() -> None:
    position = ULTIMATE.start()
    for cell in (36, 4, 37, 13, 38):
        position = position.play(cell)
    assert position.winner_of(4) is Mark.X
    position = position.play(22)
    assert position.board is None
    assert position.boards == (0, 1, 2, 3, 5, 6, 7, 8)
    with pytest.raises(IllegalMove, match="Cell 40 is on board 4, which is finished"):
        position.play(40)


def test_a_drawn_little_board_is_nobodys_and_a_game_without_a_line_is_a_draw() -> None:
    seen = (after(random_game(seed))[0] for seed in range(1_000))
    position = next(
        each for each in seen if each.outcome and each.outcome.is_draw and each.x_boards | each.o_boards != 0o777
    )
    nobodys = [board for board in range(9) if position.winner_of(board) is None]
    assert nobodys
    for board in nobodys:
        assert all(position.mark_at(cell) for cell in range(9 * board, 9 * board + 9))
    assert position.outcome == DRAW
    assert position.legal_moves == ()


def test_three_boards_in_a_row_win_the_game() -> None:
    position = next(
        position
        for position in (after(random_game(seed))[0] for seed in range(100))
        if position.outcome and position.outcome.winner
    )
    assert position.outcome is not None
    for line in position.outcome.lines:
        boards = tuple(sorted({cell // 9 for cell in line}))
        assert len(line) == 27
        assert boards in naive.LINES
        assert {position.winner_of(board) for board in boards} == {position.outcome.winner}
    assert position.legal_moves == position.boards == ()
    with pytest.raises(IllegalMove, match="The game is over"):
        position.play(0)


def test_there_is_no_mark_off_the_boards() -> None:
    for cell in (-1, 81):
        with pytest.raises(IndexError, match=f"no cell {cell}"):
            ULTIMATE.start().mark_at(cell)
        with pytest.raises(IllegalMove, match=f"no cell {cell}"):
            ULTIMATE.start().play(cell)
