"""Ultimate for `benchmarks.matches`: our search, and OpenSpiel's.

If the choice is free, OpenSpiel chooses the board first and then the cell, with the full time for each.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.arena import Player
from engine import Limits
from engine.players.searching import search
from engine.rules.ultimate import ULTIMATE, UltimatePosition

OPENING_PLIES = (2, 3, 4)


def position(moves: Sequence[int]) -> UltimatePosition:
    """The position after these moves."""
    found = ULTIMATE.start()
    for cell in moves:
        found = found.play(cell)
    return found


class Ours:
    """This project's search."""

    def __init__(self, seconds: float, seed: int) -> None:
        self._search = search(ULTIMATE)
        self._seconds = seconds
        self._rng = random.Random(seed)

    def cell(self, moves: Sequence[int]) -> int:
        """See `benchmarks.arena.Player`."""
        self._search.renew(Limits(seconds=self._seconds), self._rng.getrandbits(32))
        return self._search.best(position(moves))


class OpenSpiel:
    """OpenSpiel's Monte Carlo tree search with random roll-outs."""

    def __init__(self, seconds: float, seed: int) -> None:
        spiel: Any = import_module("pyspiel")
        self._game = spiel.load_game("ultimate_tic_tac_toe")
        evaluator = spiel.RandomRolloutEvaluator(1, seed)
        self._bot = spiel.MCTSBot(
            self._game, evaluator, 2.0, 10**9, 1000, True, seed, False, max_wall_clock_time=seconds
        )

    def cell(self, moves: Sequence[int]) -> int:
        """See `benchmarks.arena.Player`."""
        state = self._game.new_initial_state()
        at = ULTIMATE.start()
        for cell in moves:
            if at.board is None:
                state.apply_action(cell // 9)
            state.apply_action(cell % 9)
            at = at.play(cell)
        if at.board is not None:
            return 9 * at.board + int(self._bot.step(state))
        board = int(self._bot.step(state))
        state.apply_action(board)
        return 9 * board + int(self._bot.step(state))


class InUltimate:
    """Ultimate as an arena; see `benchmarks.arena.Arena`."""

    def __str__(self) -> str:
        return "ultimate"

    def ours(self, seconds: float, seed: int) -> Player:
        """Our search."""
        return Ours(seconds, seed)

    def theirs(self, name: str, seconds: float, seed: int) -> Player:
        """The opponent of this name."""
        if name != "openspiel":
            raise SystemExit(f"{name} does not play ultimate here.")
        return OpenSpiel(seconds, seed)

    def opening(self, rng: random.Random) -> list[int]:
        """A few random plies, too few for anybody to have won a board."""
        moves: list[int] = []
        for _ in range(rng.choice(OPENING_PLIES)):
            moves.append(rng.choice(position(moves).legal_moves))
        return moves

    def play(self, moves: list[int], players: Sequence[Player]) -> int | None:
        """The number of the player who wins a game from an opening, None for a draw; X's player comes first."""
        while (outcome := position(moves).outcome) is None:
            moves.append(players[len(moves) % 2].cell(moves))
        return None if outcome.winner is None else "XO".index(outcome.winner)
