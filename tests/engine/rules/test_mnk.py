"""Boards of any size: lines, symmetries, positions, and the totals of small boards, against plain games."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import CLASSIC, EngineError, Mark, parse_rules
from engine.rules.mnk import MnkPosition, MnkRules, mnk_rules, symmetries
from tests.boards import board as position_of
from tests.engine import naive
from tests.engine.naive import Game

SIZES = list(product(range(3, 9), repeat=2))


def test_161_boards_have_the_lines_that_walking_finds_and_no_other_board_is_one() -> None:
    boards = 0
    for m, n, k in product(range(1, 11), range(1, 11), range(11)):
        if (m, n) not in SIZES or not 3 <= k <= max(m, n):
            with pytest.raises(EngineError, match=r"^(A board has|On a board of) .*\.$"):
                mnk_rules(m, n, k)
            continue
        rules, boards = mnk_rules(m, n, k), boards + 1
        assert sorted(map(sorted, rules.lines)) == sorted(map(sorted, Game(m, n, k).lines))
        for cell, masks in enumerate(rules.lines_through):
            assert len(masks) == sum(cell in line for line in rules.lines)
            assert all(mask >> cell & 1 for mask in masks)
    assert boards == 161


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_symmetries_keep_the_lines(m: int, n: int) -> None:
    rules = mnk_rules(m, n, 3)
    images = symmetries(m, n)
    assert images[0] == tuple(range(m * n))
    assert len(set(images)) == len(images) == (8 if m == n else 4)
    lines = {frozenset(line) for line in rules.lines}
    for image in images:
        assert {frozenset(image[cell] for cell in line) for line in lines} == lines


def rules_of(game: Game) -> MnkRules:
    rules = parse_rules(game.text)
    assert isinstance(rules, MnkRules)
    return rules


def assert_same(position: MnkPosition, game: Game, board: str) -> None:
    assert position.marks == board
    assert (position.turn, position.ply) == (naive.turn(board), len(board) - board.count("."))
    assert position.is_over == game.is_over(board)
    assert position.legal_moves == (() if position.is_over else tuple(naive.free(board)))
    if position.outcome is not None:
        lined = game.lined(board)
        lines = tuple(line for line in game.lines if {board[cell] for cell in line} == {lined})
        assert position.outcome == (game.winner(board), lines, False)
        assert position.outcome.is_draw == (lined is None)


@pytest.mark.parametrize("game", [naive.CLASSIC, naive.MISERE], ids=repr)
def test_every_position_of_three_by_three_is_what_its_board_shows(game: Game) -> None:
    for board in naive.reachable(game):
        position = position_of(board, rules_of(game))
        assert_same(position, game, board)
        for cell in position.legal_moves:
            after, again = position.play(cell), position_of(naive.play(board, cell), rules_of(game))
            assert (after, hash(after)) == (again, hash(again))


@st.composite
def any_game(draw: st.DrawFn) -> Game:
    """Any board, by the usual rules or misère."""
    m, n = draw(st.integers(3, 8)), draw(st.integers(3, 8))
    return Game(m, n, draw(st.integers(3, max(m, n))), misere=draw(st.booleans()))


@given(any_game(), st.data())
def test_on_every_board_marks_turn_and_outcome_follow_from_the_moves(game: Game, data: st.DataObject) -> None:
    cells = data.draw(st.permutations(range(game.m * game.n)))
    position, board, moves = rules_of(game).start(), game.empty, []
    for cell in cells[: data.draw(st.integers(0, len(cells)))]:
        if position.is_over:
            break
        position, board = position.play(cell), naive.play(board, cell)
        moves.append(cell)
    assert_same(position, game, board)
    rules = position.rules
    assert rules.after(rules.read_moves(rules.moves_text(moves))) == position
    assert rules.replay(" ".join(map(rules.name_of, moves))) == position


def layers(rules: MnkRules) -> list[Counter[MnkPosition]]:
    """For each number of plies, the positions that `play` reaches, each with the number of ways to it."""
    found = [Counter({rules.start(): 1})]
    while found[-1]:
        after: Counter[MnkPosition] = Counter()
        for position, paths in found[-1].items():
            for cell in position.legal_moves:
                after[position.play(cell)] += paths
        found.append(after)
    return found


def games(rules: MnkRules) -> Counter[tuple[int, Mark | None]]:
    ended: Counter[tuple[int, Mark | None]] = Counter()
    for ply, layer in enumerate(layers(rules)):
        for position, paths in layer.items():
            if position.outcome is not None:
                ended[ply, position.outcome.winner] += paths
    return ended


def test_every_game_is_counted_by_its_result_and_its_length() -> None:
    counted, lengths, winners = games(CLASSIC), Counter[int](), Counter[Mark | None]()
    for (length, winner), number in counted.items():
        lengths[length] += number
        winners[winner] += number
    assert counted.total() == 255_168
    assert winners == {Mark.X: 131_184, Mark.O: 77_904, None: 46_080}
    assert lengths == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
    swapped = {(length, winner and winner.other): number for (length, winner), number in counted.items()}
    assert games(rules_of(naive.MISERE)) == swapped


def test_of_5478_positions_958_are_over_and_up_to_symmetry_of_765_are_138() -> None:
    by_ply = layers(CLASSIC)
    assert sum(layer.total() for layer in by_ply) == 549_946, "what a search without a table looks at"
    found = {position for layer in by_ply for position in layer}
    classes = {}
    for position in found:
        board = position.marks
        classes[min("".join(board[cell] for cell in image) for image in symmetries(3, 3))] = position.is_over
    assert (len(found), sum(position.is_over for position in found)) == (5_478, 958)
    assert (len(classes), sum(classes.values())) == (765, 138)
