"""A line protocol: the best cell, and the value of a position.

    best RULES LEVEL SECONDS MOVES      the cell that a level plays, given so many seconds at most
    value RULES MOVES                   win N, draw, loss N or unknown, for the side to move

RULES is columns x rows x marks in a row, such as 5x5x4, with -misere behind it where a line loses. MOVES are
cells from 0 in reading order, separated by commas, or - for none. N counts the plies to the end where the winner
hurries and the loser delays; it is left out where only the value is proven. Whatever cannot be answered gets one
line that begins with "error".
"""

from __future__ import annotations

import sys
from random import Random

from engine.errors import EngineError, IllegalMove, InvalidGeometry
from engine.geometry import Geometry
from engine.mnk.bits import board
from engine.mnk.budget import Budget
from engine.mnk.levels import LEVELS, STRONGEST, choose
from engine.mnk.search import Searcher

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECONDS_FOR_A_VALUE = 9.5
LONGEST_SECONDS = 3_600.0

_MISERE = "-misere"
_ALIASES = {"perfect": STRONGEST}
_REMEMBERED = 2
_ENTRIES = 200_000


class Server:
    """Answers lines one after another; what it has searched for a board serves later lines too.

    Args:
        rng: Chooses among equals.
        seconds_for_a_value: After how many seconds a value is unknown.
    """

    def __init__(self, rng: Random, seconds_for_a_value: float = SECONDS_FOR_A_VALUE) -> None:
        self._rng = rng
        self._seconds_for_a_value = seconds_for_a_value
        self._searchers: dict[str, Searcher] = {}

    def answer(self, line: str) -> str:
        """The answer to one line, in one line."""
        try:
            match line.split():
                case ["best", rules, level, seconds, moves]:
                    return self._best(rules, level, seconds, moves)
                case ["value", rules, moves]:
                    return self._value(rules, moves)
        except EngineError as error:
            return f"error {error}"
        return "error A line is: best RULES LEVEL SECONDS MOVES, or: value RULES MOVES."

    def _best(self, rules: str, level: str, seconds: str, moves: str) -> str:
        name = _ALIASES.get(level, level)
        if name not in LEVELS:
            raise EngineError(f"The levels are {', '.join(LEVELS)}, not {level!r}.")
        budget = Budget(seconds=_seconds(seconds))
        searcher = self._searcher(rules)
        sides = _replay(searcher, _cells(moves))
        return str(choose(name, searcher, sides, budget, self._rng))

    def _value(self, rules: str, moves: str) -> str:
        searcher = self._searcher(rules)
        own, other = _replay(searcher, _cells(moves))
        verdict = searcher.solver.value(own, other, Budget(seconds=self._seconds_for_a_value))
        return "unknown" if verdict is None else str(verdict)

    def _searcher(self, rules: str) -> Searcher:
        searcher = self._searchers.pop(rules, None)
        if searcher is None:
            geometry = _geometry(rules.removesuffix(_MISERE))
            searcher = Searcher(
                board(geometry.m, geometry.n, geometry.k), misere=rules.endswith(_MISERE), entries=_ENTRIES
            )
        self._searchers[rules] = searcher
        if len(self._searchers) > _REMEMBERED:
            del self._searchers[next(iter(self._searchers))]
        return searcher


def serve(lines: Iterable[str], server: Server) -> None:
    """Print the answer to every line that is not empty, until they end."""
    for line in lines:
        if line.strip():
            print(server.answer(line), flush=True)  # noqa: T201 - this is the protocol


def main(argv: Sequence[str]) -> int:
    """Answer standard input on standard output; no arguments, or `--help`.

    Returns:
        The exit code.
    """
    if argv:
        print((__doc__ or "").strip())  # noqa: T201 - help is printed
        return 0 if list(argv) in (["-h"], ["--help"]) else 2
    serve(sys.stdin, Server(Random()))  # noqa: S311 - games are no secrets
    return 0


def _geometry(text: str) -> Geometry:
    sizes = text.split("x")
    if len(sizes) != 3 or not all(_is_number(size) for size in sizes):  # noqa: PLR2004 - m, n and k
        raise InvalidGeometry(f"Rules read like 5x5x4 or 4x4x3-misere, not {text!r}.")
    return Geometry(*map(int, sizes))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_SECONDS:
        raise EngineError(f"Seconds are a number from 0 to {LONGEST_SECONDS:.0f}, not {text!r}.")
    return seconds


def _cells(text: str) -> list[int]:
    if text == "-":
        return []
    cells = text.split(",")
    if not all(_is_number(cell) for cell in cells):
        raise IllegalMove(f"Moves are cells separated by commas, or -, not {text!r}.")
    return [int(cell) for cell in cells]


def _is_number(text: str) -> bool:
    return len(text) < 4 and text.isascii() and text.isdigit()  # noqa: PLR2004 - no board has 1,000 cells


def _replay(searcher: Searcher, cells: Iterable[int]) -> tuple[int, int]:
    """The bits of the side to move and of the other one after these moves.

    Raises:
        IllegalMove: One of them breaks the rules, or the game is over.
    """
    on = searcher.board
    own = other = 0
    over = False
    for cell in cells:
        if over:
            raise IllegalMove(f"The game is over before cell {cell} is played.")
        if cell >= on.cells:
            raise IllegalMove(f"There is no cell {cell}: cells are numbered 0 to {on.cells - 1}.")
        if (own | other) & on.bits[cell]:
            raise IllegalMove(f"Cell {cell} is taken.")
        completes = on.missing(own, other, on.full)[0] & on.through[cell]
        own, other = other, own | on.bits[cell]
        over = bool(completes) or own | other == on.full
    if over:
        raise IllegalMove("The game is over.")
    return own, other


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
