"""Matches of the strongest level against other programs.

    pip install open-spiel                                         the group "matches" of pyproject.toml
    python -m benchmarks matches                                   OpenSpiel's search, on a board of each kind
    python -m benchmarks matches --board 8x8x5 --games 100         more games, on one board
    python -m benchmarks matches --board 8x8x5 --program ./brain   any program that speaks Gomocup's protocol

The level plays as in the bot, looking at as many positions as it may, within 1.5 s a move; the opponent has the
same time. An opening is a few random plies from which neither side is proven to win; where a board's openings can
be proven, they are draws. It is played twice, with sides changed. A score is the share of points, with its 95 %
interval by pairs of games.
"""

import random
import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, TextIO, TypeAlias, cast

from benchmarks.engine_levels import Score, points_of
from engine import EngineError, Level, Mark, Rules, SearchLimits, choose, parse_rules
from engine.levels import nodes_of, search
from engine.rules.mnk import MnkRules
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from engine.search.base import GameValue

BOARDS: Final = ("5x5x4", "6x6x4", "7x7x5", "8x8x5", "ultimate")
OPENING_PLIES: Final = (2, 3, 4)
OPENINGS_TRIED: Final = 200
"""So many are found to be won before a board is taken to have no level opening."""
NODES_FOR_AN_OPENING: Final = 150_000
PROVEN_OPENINGS: Final = ("4x4x4", "5x4x4", "5x5x4")
"""Boards whose openings have to be proven draws."""
MatchPlayer: TypeAlias = Callable[[Sequence[int]], int]
"""Finds the cell to play after these moves, within the agreed time."""


def strongest(rules: Rules, seconds: float, seed: int) -> MatchPlayer:
    """The strongest level, as the bot asks it."""
    limits = SearchLimits(nodes_of(Level.STRONGEST, rules), seconds)
    return lambda moves: choose(Level.STRONGEST, rules.after(moves), random.Random(seed), limits)


def open_spiel(rules: Rules, seconds: float, seed: int) -> MatchPlayer:
    """OpenSpiel's Monte Carlo tree search in C++, with random roll-outs.

    In ultimate, if the choice is free, it chooses the board first and then the cell, with the full time for each.
    """
    spiel: Any = import_module("pyspiel")
    name = "ultimate_tic_tac_toe"
    if rules is not ULTIMATE:
        if not isinstance(rules, MnkRules) or rules.misere:
            raise EngineError(f"OpenSpiel plays boards on which a line wins, and ultimate, not {rules}.")
        name = f"mnk(m={rules.layout.columns},n={rules.layout.rows},k={rules.line})"
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


class Gomocup:
    """A program that speaks Gomocup's protocol, which knows five in a row alone."""

    def __init__(self, program: subprocess.Popen[str], rules: Rules, seconds: float) -> None:
        if not isinstance(rules, MnkRules) or rules.misere or rules.line != 5:
            raise EngineError(f"Gomocup's programs play five in a row, such as 8x8x5, not {rules}.")
        self._to, self._from = cast("TextIO", program.stdin), cast("TextIO", program.stdout)
        self._columns, self._moves = rules.layout.columns, list[int]()
        columns, rows = rules.layout.columns, rules.layout.rows
        self._ask(f"START {columns}" if columns == rows else f"RECTSTART {columns},{rows}", "OK")
        for key, value in (("timeout_turn", int(1000 * seconds)), ("timeout_match", 0), ("rule", 0)):
            self._say(f"INFO {key} {value}")

    def __call__(self, moves: Sequence[int]) -> int:
        if self._moves and list(moves[:-1]) == self._moves:
            answer = self._ask(f"TURN {self._written(moves[-1])}", r"\d+,\d+")
        else:
            self._ask("RESTART", "OK")
            own = len(moves) % 2
            marks = [f"{self._written(cell)},{1 if ply % 2 == own else 2}" for ply, cell in enumerate(moves)]
            answer = self._ask("\n".join(["BOARD", *marks, "DONE"]), r"\d+,\d+")
        column, row = map(int, answer.split(","))
        self._moves = [*moves, row * self._columns + column]
        return self._moves[-1]

    def _written(self, cell: int) -> str:
        return f"{cell % self._columns},{cell // self._columns}"

    def _say(self, text: str) -> None:
        self._to.write(f"{text}\n")
        self._to.flush()

    def _ask(self, text: str, wanted: str) -> str:
        """The first line that looks as it is wanted; a program may say other things before."""
        self._say(text)
        for line in map(str.strip, self._from):
            if re.fullmatch(wanted, line):
                return line
            if line.startswith("ERROR"):
                break
        else:
            line = "it ended"
        raise EngineError(f"The program doesn't answer {text.split(maxsplit=1)[0]}: {line}.")


@contextmanager
def opponent(options: Namespace, rules: Rules) -> Iterator[MatchPlayer]:
    """The program to play against."""
    if options.program is None:
        yield open_spiel(rules, options.seconds, options.seed)
        return
    command = [options.program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        try:
            yield Gomocup(program, rules, options.seconds)
        finally:
            program.kill()


def opening(rules: Rules, rng: random.Random) -> list[int]:
    """A few random plies from which neither side is proven to win."""
    judge = search(rules, SearchLimits(NODES_FOR_AN_OPENING))
    for _ in range(OPENINGS_TRIED):
        moves: list[int] = []
        for _ in range(rng.choice(OPENING_PLIES)):
            moves.append(rng.choice(rules.after(moves).legal_moves))
        result = judge.value(rules.after(moves)).result
        if result is GameValue.DRAW or (result is None and str(rules) not in PROVEN_OPENINGS):
            return moves
    raise EngineError("All of its openings are won for one side.")


def points(rules: Rules, start: Sequence[int], mark: Mark, player: MatchPlayer, other: MatchPlayer) -> float:
    """What a game from an opening brings to the player who has this mark."""
    moves = [*start]
    while (position := rules.after(moves)).outcome is None:
        moves.append((player if position.turn is mark else other)(moves))
    return points_of(position, mark)


def match(rules: Rules, other: MatchPlayer, games: int, seconds: float, seed: int) -> str:
    """Play a match: its score, and how many games were won, drawn and lost."""
    rng = random.Random(seed)
    count: Counter[float] = Counter()
    pairs = []
    for number in range(max(1, games // 2)):
        start, ours = opening(rules, rng), strongest(rules, seconds, seed + number)
        pair = [points(rules, start, mark, ours, other) for mark in Mark]
        count.update(pair)
        pairs.append(sum(pair) / 2)
    return f"{2 * len(pairs)} | {Score.of(pairs)} | {count[1]}, {count[0.5]}, {count[0]}"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of a match."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.description = __doc__
    parser.add_argument("--board", action="append", help=f"may be repeated; by default {', '.join(BOARDS)}")
    parser.add_argument("--games", type=int, default=20, help="on each board, in pairs (default: 20)")
    parser.add_argument("--seconds", type=float, default=1.5, help="for each move, as in the bot (default: 1.5)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", metavar="PATH", help="a program to play against instead of OpenSpiel")


def run(options: Namespace) -> int:
    """Play the matches and print their table; returns 1 if there is no opponent."""
    print(
        "| board | opponent | s a move | games | score | won, drawn, lost |\n| --- | --- | --: | --: | --: | --: |"
    )
    boards = options.board or (BOARDS if options.program is None else [each for each in BOARDS if "x5" in each])
    for board in boards:
        try:
            rules = parse_rules(board)
            with opponent(options, rules) as other:
                found = match(rules, other, options.games, options.seconds, options.seed)
        except (ImportError, OSError, EngineError) as error:
            how = " (`pip install open-spiel`)" if isinstance(error, ImportError) else ""
            print(f"Nobody plays {board}{how}: {error}", file=sys.stderr)
            return 1
        print(f"| {rules} | {options.program or 'OpenSpiel'} | {options.seconds} | {found} |", flush=True)
    return 0
