"""The tables of nine cells: that of vanishing against a second analysis, which takes plies back."""

from collections import Counter, deque
from random import Random

import pytest

from engine import CLASSIC, Level, Mark, Outcome, Position, best_move, choose, parse_rules
from engine.reviews import analyse_game
from engine.rules.vanishing import LAST_PLY, VANISHING, VanishingPosition
from engine.search.base import GameValue
from engine.search.solved import Solved, solved, table
from engine.strategies import ahead
from tests.boards import board as position_of
from tests.engine import naive
from tests.engine.naive import CLASSIC as PLAIN
from tests.engine.naive import MISERE, Game

pytestmark = pytest.mark.slow

State = tuple[tuple[int, ...], tuple[int, ...]]
"""The cells of the side to move and of the other, each oldest first."""

LINES = set(map(frozenset, PLAIN.lines))


def has_line(cells: tuple[int, ...]) -> bool:
    return frozenset(cells) in LINES


def states() -> set[State]:
    found: set[State] = {((), ())}
    fringe = list(found)
    for own, other in fringe:
        if has_line(other):
            continue
        for cell in set(range(9)) - {*own, *other}:
            after = other, (*own, cell)[-3:]
            if after not in found:
                found.add(after)
                fringe.append(after)
    return found


def taken_back(state: State) -> list[State]:
    """The states that may precede this one by a ply, and some that can't."""
    own, other = state
    before = [other[:-1]]
    if len(other) == 3:
        before += [(gone, *other[:-1]) for gone in set(range(9)) - {*own, *other}]
    return [(each, own) for each in before if other]


@pytest.fixture(scope="module")
def analysed() -> dict[State, tuple[GameValue, int]]:
    """The result of every state for the side to move, and the plies to the end; 0 for draws."""
    everything = states()
    known = {state: (GameValue.LOSS, 0) for state in everything if has_line(state[1])}
    left = {(own, other): 9 - len(own) - len(other) for own, other in everything}
    fringe = deque(known)
    while fringe:
        result, plies = known[state := fringe.popleft()]
        for before in taken_back(state):
            if before not in everything or before in known:
                continue
            left[before] -= 1
            if result is GameValue.LOSS or not left[before]:
                known[before] = GameValue(-result), plies + 1
                fringe.append(before)
    return {state: known.get(state, (GameValue.DRAW, 0)) for state in everything}


def position_in(state: State) -> VanishingPosition:
    own, other = state
    ply = len(own) + len(other)
    x, o = (other, own) if ply % 2 else (own, other)
    won = has_line(other)
    return VanishingPosition(x, o, ply, Outcome(list(Mark)[1 - ply % 2]) if won else None)


@pytest.mark.parametrize("game", [PLAIN, MISERE], ids=repr)
def test_every_position_has_its_value(game: Game) -> None:
    for board in naive.reachable(game):
        position, (result, plies) = position_of(board, parse_rules(game.text)), naive.value(game, board)
        assert table(position.rules).ending(position) == (result, plies)


@pytest.fixture(scope="module")
def vanishing() -> Solved:
    return table(VANISHING)


def test_two_analyses_agree_on_every_state(
    vanishing: Solved, analysed: dict[State, tuple[GameValue, int]]
) -> None:
    over = {state for state in analysed if has_line(state[1])}
    assert (len(analysed), len(over)) == (73_450, 6_768)
    assert Counter(result for state, (result, _) in analysed.items() if state not in over) == {
        GameValue.WIN: 45_709,
        GameValue.LOSS: 13_388,
        GameValue.DRAW: 7_585,
    }
    assert max(plies for _, plies in analysed.values()) == 17
    assert [state for state in analysed if vanishing.ending(position_in(state)) != analysed[state]] == []


def test_a_win_that_comes_after_the_last_ply_is_none(
    vanishing: Solved, analysed: dict[State, tuple[GameValue, int]]
) -> None:
    position = position_in(min(state for state, found in analysed.items() if found == (1, 5) and state[0][2:]))
    assert position.ply == 6
    assert vanishing.value(position._replace(ply=LAST_PLY - 6)).plies == 5
    assert vanishing.value(position._replace(ply=LAST_PLY - 4)).result is GameValue.DRAW


def test_perfect_keeps_every_win_and_wins_soonest(vanishing: Solved) -> None:
    for seed in range(30):
        rng, position = Random(seed), VANISHING.start()
        while not position.is_over:
            if position.turn is Mark.X:
                before = vanishing.ending(position)
                position = position.play(choose(Level.STRONGEST, position, rng))
                assert position.is_over or vanishing.ending(position) == (GameValue.LOSS, before[1] - 1)
            else:
                position = position.play(rng.choice(position.legal_moves))
        assert position.outcome is not None
        assert position.outcome.winner is Mark.X
        assert position.ply <= 13


def seen(position: Position, plies: int) -> int:
    """How a game that goes on for so many plies at most can end for the side to move, by playing them."""
    if position.outcome is not None:
        return {None: 0, position.turn: 1}.get(position.outcome.winner, -1)
    return max(-seen(position.play(cell), plies - 1) for cell in position.legal_moves) if plies else 0


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_the_table_shows_as_many_plies_as_playing_them(plies: int) -> None:
    for seed in range(12):
        rng, position = Random(seed), VANISHING.start()
        while not position.is_over and position.ply < 30:
            scores = {cell: -seen(position.play(cell), plies - 1) for cell in position.legal_moves}
            best = max(scores.values())
            assert ahead(plies)(position) == tuple(cell for cell, score in scores.items() if score == best)
            position = position.play(rng.choice(position.legal_moves))


def test_a_game_is_reviewed_exactly_and_the_best_cell_is_told() -> None:
    reviewed = analyse_game(VANISHING, "0418")
    assert [step.verdict for step in reviewed.steps] == ["mistake", "best", "blunder", "blunder"]
    assert reviewed.depth is None
    assert best_move(VANISHING.replay("a1 b2 b1 c3")).cell == 2


def test_a_table_belongs_to_its_rules_and_bigger_boards_have_none() -> None:
    assert solved(CLASSIC) is table(parse_rules("3x3x3"))
    assert solved(parse_rules("4x3x3")) is None
    with pytest.raises(TypeError, match="positions of 3x3x3, not of vanishing"):
        table(CLASSIC).value(VANISHING.start())
