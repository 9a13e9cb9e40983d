"""Matches of the search against OpenSpiel's Monte Carlo tree search in C++, with the same time a move for both.

Needs `open_spiel`, which nothing else here needs:

    pip install open_spiel
    python -m benchmarks.matches --board 7x7x5 --games 100 --seconds 0.25

An opening is a few random plies from which neither side is proven to win; where a board's openings can be
proven, they are draws. It is played twice, with sides changed. A score is the share of points, with its 95 %
interval by pairs of games.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from benchmarks.engine_levels import Score, points_of
from engine import Mark, Position, Rules, SearchLimits, parse_rules
from engine.levels import search
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from engine.search.base import GameValue

OPENING_PLIES = (2, 3, 4)
NODES_FOR_AN_OPENING = 150_000
PROVEN_OPENINGS = ("4x4x4", "5x4x4", "5x5x4")
"""Boards whose openings have to be proven draws."""
MatchPlayer: TypeAlias = Callable[[Sequence[int]], int]
"""Finds the cell to play after these moves, within the agreed time."""


def replayed(rules: Rules, moves: Sequence[int]) -> Position:
    """The position after these moves."""
    position = rules.start()
    for cell in moves:
        position = position.play(cell)
    return position


def ours(rules: Rules, seconds: float, seed: int) -> MatchPlayer:
    """This project's search."""
    searching = search(rules, SearchLimits(seconds=seconds), seed)
    return lambda moves: searching.best(replayed(rules, moves))


def open_spiel(rules: Rules, seconds: float, seed: int) -> MatchPlayer:
    """OpenSpiel's Monte Carlo tree search with random roll-outs.

    In ultimate, if the choice is free, it chooses the board first and then the cell, with the full time for each.
    """
    spiel: Any = import_module("pyspiel")
    name = "ultimate_tic_tac_toe"
    if rules is not ULTIMATE:
        name = "mnk(m={},n={},k={})".format(*str(rules).split("x"))
    game = spiel.load_game(name)
    evaluator = spiel.RandomRolloutEvaluator(1, seed)
    bot = spiel.MCTSBot(game, evaluator, 2.0, 10**9, 1000, True, seed, False, max_wall_clock_time=seconds)

    def cell(moves: Sequence[int]) -> int:
        state = game.new_initial_state()
        position = rules.start()
        for move in moves:
            if isinstance(position, UltimatePosition) and position.board is None:
                state.apply_action(move // 9)
            state.apply_action(move % 9 if rules is ULTIMATE else move)
            position = position.play(move)
        if not isinstance(position, UltimatePosition):
            return int(bot.step(state))
        board = position.board
        if board is None:
            board = int(bot.step(state))
            state.apply_action(board)
        return 9 * board + int(bot.step(state))

    return cell


def opening(rules: Rules, rng: random.Random) -> list[int]:
    """A few random plies from which neither side is proven to win."""
    judge = search(rules, SearchLimits(NODES_FOR_AN_OPENING))
    while True:
        moves: list[int] = []
        for _ in range(rng.choice(OPENING_PLIES)):
            moves.append(rng.choice(replayed(rules, moves).legal_moves))
        result = judge.value(replayed(rules, moves)).result
        if result is GameValue.DRAW or (result is None and str(rules) not in PROVEN_OPENINGS):
            return moves


def match(rules: Rules, games: int, seconds: float, seed: int) -> None:
    """Play a match and print its score."""
    rng = random.Random(seed)
    count: Counter[float] = Counter()
    pairs = []
    for number in range(games // 2):
        start = opening(rules, rng)
        pair = []
        for mark in Mark:
            players = {
                mark: ours(rules, seconds, seed + number),
                mark.other: open_spiel(rules, seconds, seed + number),
            }
            moves = [*start]
            while (position := replayed(rules, moves)).outcome is None:
                moves.append(players[position.turn](moves))
            pair.append(points_of(position, mark))
        count.update(pair)
        pairs.append(sum(pair) / 2)
    print(
        f"{rules} against OpenSpiel, {seconds} s a move, {2 * len(pairs)} games, seed {seed}: {Score.of(pairs)}, "
        f"{count[1]} won, {count[0.5]} drawn, {count[0]} lost"
    )


def main() -> None:
    """Play the match that the arguments describe."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--board", default="5x5x4", help="columns x rows x marks in a row, or ultimate")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    match(parse_rules(options.board), options.games, options.seconds, options.seed)


if __name__ == "__main__":
    main()
