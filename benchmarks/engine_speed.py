"""Nodes per second and time to depth, beside easyAI's Negamax in the same run.

    pip install easyAI
    python -m benchmarks.engine_speed

Both look at the same positions, one depth after the other, each with a new search, in processor time. easyAI
plays on our bits, as in `benchmarks.matches`. A node is a position that a search looks at. The depths differ in
what they hold: ours goes on through forced plies and looks for sequences of threats at every leaf, and beyond the
root it tries the twelve most hopeful cells.
"""

from __future__ import annotations

import argparse
import math
import time
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, Final

from benchmarks.matches import easy_game, sides
from engine import Limits, parse_rules
from engine.mnk.alphabeta import AlphaBeta
from engine.mnk.bits import board
from engine.mnk.budget import Budget
from engine.mnk.table import ENTRIES
from engine.searching import search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.bits import Board

BOARDS: Final = ("5x5x4", "6x6x4", "7x7x5", "8x8x5")
POSITIONS: Final = 5
PLIES: Final = 6
NODES_IN_ULTIMATE: Final = 100_000


def ours(on: Board, moves: Sequence[int], depth: int) -> tuple[int, float]:
    """The nodes and the seconds until our search has reached a depth."""
    own, other = sides(on, moves)
    alpha_beta, budget = AlphaBeta(on, ENTRIES), Budget()
    began = time.process_time()
    mine, theirs = on.missing(own, other, on.full), on.missing(other, own, on.full)
    cells = alpha_beta.order(own, other, mine, theirs)
    for each in range(1, depth + 1):
        _, cells = alpha_beta.rank(own, other, cells, each, budget)
    return budget.nodes, time.process_time() - began


def easy_ai(on: Board, moves: Sequence[int], depth: int) -> tuple[int, float]:
    """The same of easyAI."""
    negamax: Any = import_module("easyAI").Negamax
    game = easy_game(on, moves, math.inf)
    plies = 0
    play = type(game).make_move

    def counted(self: object, cell: int) -> None:
        nonlocal plies
        plies += 1
        play(self, cell)

    type(game).make_move = counted
    began = time.process_time()
    for each in range(1, depth + 1):
        negamax(each, win_score=90)(game.copy())
    return plies, time.process_time() - began


def positions(on: Board) -> list[list[int]]:
    """Random positions in which nobody can complete a line at once."""
    found: list[list[int]] = []
    rng = Random(1)
    while len(found) < POSITIONS:
        moves = rng.sample(range(on.cells), PLIES)
        own, other = sides(on, moves)
        if not on.missing(own, other, on.full)[0] and not on.missing(other, own, on.full)[0]:
            found.append(moves)
    return found


def ultimate() -> None:
    """Print how fast ultimate is searched, and how deep."""
    position = parse_rules("ultimate").start().play(40)
    began = time.process_time()
    value = search(position.rules, Limits(nodes=NODES_IN_ULTIMATE)).value(position)
    seconds = time.process_time() - began
    print(
        f"\nultimate, {NODES_IN_ULTIMATE:,} nodes after the first ply: {NODES_IN_ULTIMATE / seconds:,.0f} nodes/s"
        f", depth {value.depth} in {seconds:.2f} s"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--depth", type=int, default=3)
    options = parser.parse_args()
    print("| board | depth | ours, nodes/s | ours, ms | easyAI, nodes/s | easyAI, ms | times as fast |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    for text in BOARDS:
        on = board(*map(int, text.split("x")))
        for depth in range(2, options.depth + 1):
            totals = []
            for measure in (ours, easy_ai):
                pairs = [measure(on, moves, depth) for moves in positions(on)]
                nodes, seconds = (sum(each) for each in zip(*pairs, strict=True))
                totals.append((nodes / seconds, 1000 * seconds / POSITIONS))
            (speed, taken), (their_speed, they_took) = totals
            print(
                f"| {text} | {depth} | {speed:,.0f} | {taken:.1f} | {their_speed:,.0f} | {they_took:.1f} "
                f"| {they_took / taken:.1f} |",
                flush=True,
            )
    ultimate()


if __name__ == "__main__":
    main()
