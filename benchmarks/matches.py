"""Matches of the search against players of other projects, with the same time a move for both.

Needs `open_spiel` (its Monte Carlo tree search in C++, which solves what it can) and `easyAI` (its Negamax in
Python), which nothing else here needs:

    pip install open_spiel easyAI
    python -m benchmarks.matches --board 7x7x5 --games 100 --seconds 0.25

An opening is a few random plies from which neither side is proven to win; where a board's openings can be
proven, they are draws. It is played twice, with sides changed. A score is the share of points, with its 95 %
interval by pairs of games.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.arena import Arena, Player
from benchmarks.matches_in_ultimate import InUltimate
from engine import Limits
from engine.search.driver import Budget
from engine.search.mnk.bits import Board, board
from engine.search.mnk.search import Searcher
from engine.search.mnk.solve import Solver

OPENING_PLIES = (2, 3, 4)
NODES_FOR_AN_OPENING = 150_000
PROVEN_OPENINGS = {(4, 4, 4), (5, 4, 4), (5, 5, 4)}
"""Boards whose openings have to be proven draws."""


def sides(on: Board, moves: Sequence[int]) -> tuple[int, int]:
    """The bits of the side to move and of the other one."""
    first, second = on.marks(moves[0::2]), on.marks(moves[1::2])
    return (second, first) if len(moves) % 2 else (first, second)


class Ours:
    """This project's search."""

    def __init__(self, on: Board, seconds: float, seed: int) -> None:
        self._board = on
        self._seconds = seconds
        self._rng = random.Random(seed)
        self._searcher = Searcher(on)

    def cell(self, moves: Sequence[int]) -> int:
        """See `benchmarks.arena.Player`."""
        own, other = sides(self._board, moves)
        return self._searcher.best(own, other, Budget(Limits(seconds=self._seconds)), self._rng).cell


class OpenSpiel:
    """OpenSpiel's Monte Carlo tree search with random roll-outs."""

    def __init__(self, on: Board, seconds: float, seed: int) -> None:
        spiel: Any = import_module("pyspiel")
        self._game = spiel.load_game(f"mnk(m={on.m},n={on.n},k={on.k})")
        evaluator = spiel.RandomRolloutEvaluator(1, seed)
        self._bot = spiel.MCTSBot(
            self._game, evaluator, 2.0, 10**9, 1000, True, seed, False, max_wall_clock_time=seconds
        )

    def cell(self, moves: Sequence[int]) -> int:
        """See `benchmarks.arena.Player`."""
        state = self._game.new_initial_state()
        for cell in moves:
            state.apply_action(cell)
        return int(self._bot.step(state))


class EasyAI:
    """easyAI's Negamax, one ply deeper at a time until time runs out.

    The game is played as in easyAI's own examples, where only a loss counts, but on our bits, which are faster.
    """

    def __init__(self, on: Board, seconds: float, seed: int) -> None:
        self._board = on
        self._seconds = seconds
        self._rng = random.Random(seed)
        self._negamax: Any = import_module("easyAI").Negamax

    def cell(self, moves: Sequence[int]) -> int:
        """See `benchmarks.arena.Player`."""
        game = easy_game(self._board, moves, time.monotonic() + self._seconds)
        choice = int(self._rng.choice(game.possible_moves()))
        try:
            for depth in range(1, self._board.cells - len(moves) + 1):
                choice = int(self._negamax(depth, win_score=90)(game.copy()))
        except TimeoutError:
            pass
        return choice


def easy_game(on: Board, moves: Sequence[int], deadline: float) -> Any:  # noqa: ANN401 - easyAI has no types
    """The game for easyAI: it is played on copies, and raises TimeoutError at the deadline."""
    easy: Any = import_module("easyAI")

    class Game(easy.TwoPlayerGame):  # type: ignore[misc] # easyAI has no types
        def __init__(self) -> None:
            self.players = [None, None]
            self.current_player = 1
            self.sides = sides(on, moves)
            self.won = False

        def possible_moves(self) -> list[int]:
            return on.cells_of(on.full ^ self.sides[0] ^ self.sides[1])

        def make_move(self, cell: int) -> None:
            if time.monotonic() > deadline:
                raise TimeoutError
            own, other = self.sides
            self.won = bool(on.missing(own, other, on.full)[0] & on.through[cell])
            # easyAI switches the player, not the sides, so they are swapped here.
            self.sides = (other, own | on.bits[cell])

        def is_over(self) -> bool:
            return self.won or self.sides[0] | self.sides[1] == on.full

        def scoring(self) -> int:
            return -100 if self.won else 0

    return Game()


PLAYERS: dict[str, type[OpenSpiel | EasyAI]] = {"openspiel": OpenSpiel, "easyai": EasyAI}


class OnBoard:
    """A board of m columns and n rows as an arena."""

    def __init__(self, on: Board) -> None:
        self._on = on

    def __str__(self) -> str:
        return f"{self._on.m}x{self._on.n}x{self._on.k}"

    def ours(self, seconds: float, seed: int) -> Player:
        """See `Arena`."""
        return Ours(self._on, seconds, seed)

    def theirs(self, name: str, seconds: float, seed: int) -> Player:
        """See `Arena`."""
        return PLAYERS[name](self._on, seconds, seed)

    def opening(self, rng: random.Random) -> list[int]:
        """See `Arena`; where the board's openings can be proven, it is a draw."""
        on = self._on
        solver = Solver(on)
        while True:
            moves = rng.sample(range(on.cells), rng.choice(OPENING_PLIES))
            verdict = solver.value(*sides(on, moves), Budget(Limits(nodes=NODES_FOR_AN_OPENING)))
            if verdict is None and (on.m, on.n, on.k) not in PROVEN_OPENINGS:
                return moves
            if verdict is not None and verdict.value == 0:
                return moves

    def play(self, moves: list[int], players: Sequence[Player]) -> int | None:
        """See `Arena`."""
        while len(moves) < self._on.cells:
            mover = len(moves) % 2
            moves.append(players[mover].cell(moves))
            if self._is_won(moves):
                return mover
        return None

    def _is_won(self, moves: Sequence[int]) -> bool:
        """Whether the last ply completed a line."""
        on = self._on
        other, own = sides(on, moves)
        before = own & ~on.bits[moves[-1]]
        return bool(on.missing(before, other, on.full)[0] & on.through[moves[-1]])


def match(on: Arena, opponent: str, games: int, seconds: float, seed: int, *, verbose: bool) -> None:
    """Play a match and print its score."""
    rng = random.Random(seed)
    pairs = []
    count = {"won": 0, "drawn": 0, "lost": 0}
    for number in range(games // 2):
        start = on.opening(rng)
        points = 0.0
        for side in (0, 1):
            mine = on.ours(seconds, seed + number)
            theirs = on.theirs(opponent, seconds, seed + number)
            moves = list(start)
            winner = on.play(moves, (mine, theirs) if side == 0 else (theirs, mine))
            result = "drawn" if winner is None else "won" if winner == side else "lost"
            count[result] += 1
            points += {"won": 1.0, "drawn": 0.5, "lost": 0.0}[result]
            if verbose:
                print(f"  {number} {'XO'[side]} {result} {moves[: len(start)]} {moves[len(start) :]}", flush=True)
        pairs.append(points / 2)
    mean = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((each - mean) ** 2 for each in pairs) / max(1, len(pairs) - 1) / len(pairs))
    print(
        f"{on} against {opponent}, {seconds} s a move, {2 * len(pairs)} games, seed {seed}: "
        f"{mean:.3f} ({mean - 1.96 * spread:.3f} to {mean + 1.96 * spread:.3f}), "
        f"{count['won']} won, {count['drawn']} drawn, {count['lost']} lost",
        flush=True,
    )


def main() -> None:
    """Play the match that the arguments describe."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", default="5x5x4", help="columns x rows x marks in a row, or ultimate")
    parser.add_argument("--opponent", choices=PLAYERS, default="openspiel")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    arena = InUltimate() if options.board == "ultimate" else OnBoard(board(*map(int, options.board.split("x"))))
    match(arena, options.opponent, options.games, options.seconds, options.seed, verbose=options.verbose)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
