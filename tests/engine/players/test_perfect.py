"""Perfect play: its preferences among the cells that keep the game's value."""

from fractions import Fraction
from functools import cache

import pytest

from engine import STRATEGIES, Level, Position, parse_rules
from engine.cli.audit import positions
from engine.players.levels import player
from tests.boards import board as position_of
from tests.engine import naive

PERFECT = STRATEGIES["perfect"]
MISERE = parse_rules("3x3x3-misere")


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
    assert PERFECT.candidates(position_of(board)) == cells


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
        assert PERFECT.candidates(position_of(board)) == expected, board


@cache
def outlook(position: Position) -> tuple[int, int]:
    """The result of a misère game for the side to move, 1, 0 or -1, and the plies left, negative if it wins."""
    if position.outcome:
        return (1 if position.outcome.winner else 0), 0
    after = [outlook(position.play(cell)) for cell in position.legal_moves]
    score, plies = max((-score, -plies) for score, plies in after)
    return score, plies - score


def merit(position: Position, cell: int) -> tuple[int, int, Fraction]:
    """What perfect play compares: the result, the plies, and how a random player errs."""
    after = position.play(cell)
    score, plies = outlook(after)
    mistakes = sum(-outlook(after.play(reply))[0] < score for reply in after.legal_moves)
    return -score, -plies, (chance(after) if not score else Fraction(mistakes))


@cache
def best(position: Position) -> tuple[int, ...]:
    """The best cells; if it wins, only the speed of the win counts."""
    merits = {cell: merit(position, cell)[: 2 if outlook(position)[0] > 0 else 3] for cell in position.legal_moves}
    return tuple(cell for cell in merits if merits[cell] == max(merits.values()))


@cache
def chance(position: Position) -> Fraction:
    """How likely a random player, to move, loses to a player who always plays a best cell."""
    if position.outcome:
        return Fraction(0)
    total = Fraction(0)
    for reply in position.legal_moves:
        after = position.play(reply)
        cells = best(after) if not after.is_over else ()
        won = [chance(after.play(cell)) for cell in cells] or [
            Fraction(bool(after.outcome and after.outcome.winner))
        ]
        total += sum(won, Fraction(0)) / len(won)
    return total / len(position.legal_moves)


def test_in_misere_it_prefers_the_same_in_every_position() -> None:
    perfect = player(Level.PERFECT, MISERE)
    assert [each for each in positions(MISERE) if perfect.candidates(each) != best(each)] == []
