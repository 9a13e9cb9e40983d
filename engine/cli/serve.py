"""Answer lines on standard input: the best cell, or the value of a position.

    best RULES LEVEL SECONDS MOVES      the cell that a level plays, given so many seconds at most
    value RULES MOVES                   win N, draw, loss N or unknown, for the side to move

RULES is columns x rows x marks in a row, such as 5x5x4, followed by -misere if a line loses; or ultimate, or
vanishing. LEVEL is the name of a level, such as easy; the last one is called perfect or strongest. MOVES are
cells from 0 in reading order (in ultimate 9 x board + cell), separated by commas, or - for none. N is the number
of plies to the end if the winner hurries and the loser delays; it is left out if only the value is proven. A line
that can't be answered gets one line that begins with "error".
"""

import re
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from random import Random
from typing import Final

from engine.levels import choose, search
from engine.rules.base import EngineError, IllegalMove, Position
from engine.rules.catalogue import parse_rules
from engine.search.base import SearchLimits
from engine.search.solved import solved

SECONDS_FOR_A_VALUE: Final = 9.5
LONGEST_SECONDS: Final = 3_600.0

_LONGEST_ANSWER: Final = 200
_CELL: Final = re.compile("0|[1-9][0-9]?")
_SECONDS: Final = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+")


def answer(line: str, rng: Random, seconds_for_a_value: float = SECONDS_FOR_A_VALUE) -> str:
    """The answer to one line, in one line. A value that takes longer than these seconds is unknown."""
    try:
        match line.split():
            case ["best", rules, level, seconds, moves]:
                limits = SearchLimits(seconds=_seconds(seconds))
                return str(choose(level, _position(rules, moves), rng, limits))
            case ["value", rules, moves]:
                position = _position(rules, moves)
                limits = SearchLimits(seconds=seconds_for_a_value)
                return str((solved(position.rules) or search(position.rules, limits)).value(position))
    except EngineError as error:
        return f"error {error}"[:_LONGEST_ANSWER]
    return "error A line is: best RULES LEVEL SECONDS MOVES, or: value RULES MOVES."


def configure(parser: ArgumentParser) -> None:
    """Add the only argument: the seed."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (__doc__ or "").partition("\n\n")[2]
    parser.add_argument("--seed", type=int, help="makes choices among equals repeatable")


def run(arguments: Namespace) -> int:
    """Answer standard input on standard output."""
    rng = Random(arguments.seed)  # noqa: S311 - games are no secrets
    for line in sys.stdin:
        if line.strip():
            print(answer(line, rng), flush=True)  # noqa: T201 - this is the protocol
    return 0


def _position(rules: str, moves: str) -> Position:
    """The position after these moves."""
    cells = [] if moves == "-" else moves.split(",")
    if not all(map(_CELL.fullmatch, cells)):
        raise IllegalMove(f"Moves are cells separated by commas, or -, not {moves!r}.")
    position = parse_rules(rules).after(map(int, cells))
    if position.outcome is not None:
        raise IllegalMove("The game is over.")
    return position


def _seconds(text: str) -> float:
    if not _SECONDS.fullmatch(text) or float(text) > LONGEST_SECONDS:
        raise EngineError(f"Seconds are a number from 0 to {LONGEST_SECONDS:.0f}, not {text!r}.")
    return float(text)
