"""Misère and small boards counted by exhaustive play, against enumerated boards."""

from collections import Counter

import pytest

from engine import Mark
from engine.rules.mnk import MnkPosition, MnkRules, mnk_rules
from tests.boards import drawn
from tests.engine import naive

pytestmark = pytest.mark.slow


def positions(rules: MnkRules) -> set[MnkPosition]:
    """Every position that `play` can reach."""
    found, fringe = {rules.start()}, [rules.start()]
    while fringe:
        position = fringe.pop()
        after = {position.play(cell) for cell in position.legal_moves} - found
        found |= after
        fringe += after
    return found


def games(rules: MnkRules) -> Counter[Mark | None]:
    """How many games end in each way, counted ply by ply; equal positions are counted together."""
    results: Counter[Mark | None] = Counter()
    layer = Counter({rules.start(): 1})
    while layer:
        after: Counter[MnkPosition] = Counter()
        for position, paths in layer.items():
            if position.outcome is not None:
                results[position.outcome.winner] += paths
            for cell in position.legal_moves:
                after[position.play(cell)] += paths
        layer = after
    return results


def test_misere_has_the_games_of_the_usual_rules_with_the_winners_swapped() -> None:
    assert games(mnk_rules(3, 3, 3)) == {Mark.X: 131_184, Mark.O: 77_904, None: 46_080}
    assert games(mnk_rules(3, 3, 3, misere=True)) == {Mark.O: 131_184, Mark.X: 77_904, None: 46_080}


def test_misere_has_the_positions_of_the_usual_rules() -> None:
    found = {drawn(position) for position in positions(mnk_rules(3, 3, 3, misere=True))}
    assert found == naive.reachable()
    assert len(found) == 5_478


def naive_games(columns: int, rows: int, in_a_row: int) -> Counter[str | None]:
    """How many games each side wins, found by walking along every direction of character boards."""
    lines = [
        [(row + down * step) * columns + column + right * step for step in range(in_a_row)]
        for row in range(rows)
        for column in range(columns)
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
        if 0 <= column + right * (in_a_row - 1) < columns and row + down * (in_a_row - 1) < rows
    ]
    results: Counter[str | None] = Counter()
    layer = Counter({"." * columns * rows: 1})
    while layer:
        after: Counter[str] = Counter()
        for board, paths in layer.items():
            lined = {board[line[0]] for line in lines if len({board[cell] for cell in line}) == 1} - {"."}
            if lined or "." not in board:
                results[lined.pop() if lined else None] += paths
            else:
                mark = "O" if (board.count("X") + board.count("O")) % 2 else "X"
                for cell in range(columns * rows):
                    if board[cell] == ".":
                        after[naive.put(board, cell, mark)] += paths
        layer = after
    return results


@pytest.mark.soak
def test_on_four_by_three_so_many_games_end_with_a_line_or_without() -> None:
    lines = {Mark.X: 79_797_600, Mark.O: 56_875_968, None: 14_515_200}
    assert games(mnk_rules(4, 3, 3)) == naive_games(4, 3, 3) == lines
    assert games(mnk_rules(4, 3, 3, misere=True)) == {
        mark and mark.other: number for mark, number in lines.items()
    }


@pytest.mark.soak
def test_on_four_by_three_four_in_a_row_are_made_so_often() -> None:
    assert games(mnk_rules(4, 3, 4)) == naive_games(4, 3, 4)
