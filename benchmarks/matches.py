"""Matches of the search against OpenSpiel's Monte Carlo tree search in C++, with the same time a move for both.

Needs `open_spiel`, which nothing else here needs:

    pip install open_spiel
    python -m benchmarks.matches --board 7x7x5 --games 100 --seconds 0.25

An opening is a few random plies from which neither side is proven to win; where a board's openings can be
proven, they are draws; in ultimate nobody can have won a board so early. It is played twice, with sides changed. A
score is the share of points, with its 95 % interval by pairs of games.
"""

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from engine import Mark, Position, Rules, SearchLimits, parse_rules
from engine.levels import search
from engine.rules.mnk import MnkRules
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from engine.search.base import Budget
from engine.search.bits import BitBoard, board_of
from engine.search.solve import Solver

OPENING_PLIES = (2, 3, 4)
NODES_FOR_AN_OPENING = 150_000
PROVEN_OPENINGS = ("4x4x4", "5x4x4", "5x5x4")
"""Boards whose openings have to be proven draws."""
POINTS = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


def board_in(rules: Rules) -> BitBoard:
    """The board of rules with lines of k cells that win."""
    if not isinstance(rules, MnkRules) or rules.misere:
        raise SystemExit(f"{rules} cannot be played here.")
    return board_of(rules)


class Ours:
    """This project's search."""

    def __init__(self, rules: Rules, seconds: float, seed: int) -> None:
        self._search = search(rules)
        self._seconds = seconds
        self._rng = random.Random(seed)

    def cell(self, position: Position, moves: Sequence[int]) -> int:  # noqa: ARG002 - others need the moves
        """The cell to play, within the agreed time."""
        self._search.renew(SearchLimits(seconds=self._seconds), self._rng.getrandbits(32))
        return self._search.best(position)


class OpenSpiel:
    """OpenSpiel's Monte Carlo tree search with random roll-outs.

    In ultimate, if the choice is free, it chooses the board first and then the cell, with the full time for each.
    """

    def __init__(self, rules: Rules, seconds: float, seed: int) -> None:
        spiel: Any = import_module("pyspiel")
        name = "ultimate_tic_tac_toe"
        if rules is not ULTIMATE:
            on = board_in(rules)
            name = f"mnk(m={on.m},n={on.n},k={on.k})"
        self._game = spiel.load_game(name)
        evaluator = spiel.RandomRolloutEvaluator(1, seed)
        self._bot = spiel.MCTSBot(
            self._game, evaluator, 2.0, 10**9, 1000, True, seed, False, max_wall_clock_time=seconds
        )

    def cell(self, position: Position, moves: Sequence[int]) -> int:
        """The cell to play, likewise."""
        state = self._game.new_initial_state()
        if not isinstance(position, UltimatePosition):
            for cell in moves:
                state.apply_action(cell)
            return int(self._bot.step(state))
        at = ULTIMATE.start()
        for cell in moves:
            if at.board is None:
                state.apply_action(cell // 9)
            state.apply_action(cell % 9)
            at = at.play(cell)
        chosen = at.board
        if chosen is None:
            chosen = int(self._bot.step(state))
            state.apply_action(chosen)
        return 9 * chosen + int(self._bot.step(state))


def opening(rules: Rules, rng: random.Random) -> list[int]:
    """A few random plies from which neither side is proven to win."""
    if rules is ULTIMATE:
        position: Position = ULTIMATE.start()
        moves: list[int] = []
        for _ in range(rng.choice(OPENING_PLIES)):
            moves.append(rng.choice(position.legal_moves))
            position = position.play(moves[-1])
        return moves
    on = board_in(rules)
    solver = Solver(on)
    while True:
        moves = rng.sample(range(on.cells), rng.choice(OPENING_PLIES))
        first, second = on.marks(moves[0::2]), on.marks(moves[1::2])
        sides = (second, first) if len(moves) % 2 else (first, second)
        verdict = solver.value(*sides, Budget(SearchLimits(nodes=NODES_FOR_AN_OPENING)))
        is_fair = str(rules) not in PROVEN_OPENINGS if verdict.result is None else verdict.result == 0
        if is_fair:
            return moves


def play(rules: Rules, moves: list[int], players: Sequence[Ours | OpenSpiel]) -> Mark | None:
    """Play a game from an opening; returns its winner. X's player comes first."""
    position = rules.start()
    for cell in moves:
        position = position.play(cell)
    while position.outcome is None:
        moves.append(players[len(moves) % 2].cell(position, moves))
        position = position.play(moves[-1])
    return position.outcome.winner


def match(rules: Rules, games: int, seconds: float, seed: int) -> None:
    """Play a match and print its score."""
    rng = random.Random(seed)
    pairs = []
    count: Counter[str] = Counter()
    for number in range(games // 2):
        start = opening(rules, rng)
        points = 0.0
        for mark in Mark:
            mine = Ours(rules, seconds, seed + number)
            theirs = OpenSpiel(rules, seconds, seed + number)
            winner = play(rules, list(start), (mine, theirs) if mark is Mark.X else (theirs, mine))
            result = "drawn" if winner is None else "won" if winner is mark else "lost"
            count[result] += 1
            points += POINTS[result]
        pairs.append(points / 2)
    mean = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((each - mean) ** 2 for each in pairs) / max(1, len(pairs) - 1) / len(pairs))
    print(
        f"{rules} against OpenSpiel, {seconds} s a move, {2 * len(pairs)} games, seed {seed}: "
        f"{mean:.3f} ({mean - 1.96 * spread:.3f} to {mean + 1.96 * spread:.3f}), "
        f"{', '.join(f'{count[result]} {result}' for result in POINTS)}"
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
    sys.setrecursionlimit(10_000)
    main()
