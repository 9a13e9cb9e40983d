"""Games between two programs that speak Gomocup's protocol, such as this engine at two budgets.

    python -m benchmarks.engine_gomocup                                     one second against a tenth
    python -m benchmarks.engine_gomocup --first "./pbrain-other" --seconds 1 1 --size 20

Each opening, a few random plies close to the middle, is played twice with sides changed. Who answers with no legal
cell loses. Source: https://plastovicka.github.io/protocl2en.htm
"""

from __future__ import annotations

import argparse
import math
import shlex
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

OURS: Final = f"{shlex.quote(sys.executable)} -m engine gomocup"
IN_A_ROW: Final = 5
OPENING: Final = 3
NEAR: Final = 2
"""How far from the middle an opening's plies may be."""
OWN, OTHER = 1, 2


class IllegalAnswer(RuntimeError):
    """A program answered with no legal cell."""


class Program:
    """A program in a process of its own.

    Args:
        command: How it is started.
        milliseconds: The time for each of its plies.
        size: The cells of a side.
    """

    def __init__(self, command: str, milliseconds: int, size: int) -> None:
        self._size = size
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._say(f"START {size}")
        if self._heard() != "OK":
            raise RuntimeError(f"{command} does not play on {size} by {size}.")
        for key, value in (("timeout_turn", milliseconds), ("timeout_match", 0), ("rule", 0)):
            self._say(f"INFO {key} {value}")

    def begin(self, cells: Sequence[int]) -> int:
        """Its cell after an opening, told as a board; it is to move."""
        self._say("BOARD")
        for ply, cell in enumerate(cells):
            row, column = divmod(cell, self._size)
            self._say(f"{column},{row},{OWN if (len(cells) - ply) % 2 == 0 else OTHER}")
        self._say("DONE")
        return self._cell(cells)

    def turn(self, cells: Sequence[int]) -> int:
        """Its cell after the other program's, which comes last."""
        row, column = divmod(cells[-1], self._size)
        self._say(f"TURN {column},{row}")
        return self._cell(cells)

    def end(self) -> None:
        """End the process."""
        self._say("END")
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _cell(self, cells: Sequence[int]) -> int:
        answer = self._heard()
        column, _, row = answer.partition(",")
        if column.strip().isdigit() and row.strip().isdigit():
            cell = int(row) * self._size + int(column)
            if int(column) < self._size and int(row) < self._size and cell not in cells:
                return cell
        raise IllegalAnswer(answer)

    def _say(self, line: str) -> None:
        if self._process.stdin is None:
            raise RuntimeError("The program takes no input.")
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise IllegalAnswer("nothing: the program has ended") from error

    def _heard(self) -> str:
        """Its next line that is an answer."""
        if self._process.stdout is None:
            raise RuntimeError("The program gives no output.")
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise IllegalAnswer("nothing: the program has ended")
            if not line.startswith(("MESSAGE", "DEBUG", "UNKNOWN")):
                return line.strip()


def has_five(cells: Sequence[int], size: int) -> bool:
    """Whether the last ply completed five in a row or more."""
    own = {divmod(cell, size) for cell in cells[len(cells) - 1 :: -2]}
    row, column = divmod(cells[-1], size)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            step = way
            while (row + down * step, column + right * step) in own:
                length += 1
                step += way
        if length >= IN_A_ROW:
            return True
    return False


def opening(size: int, rng: Random) -> list[int]:
    """A few plies close to the middle."""
    middle = range(size // 2 - NEAR, size // 2 + NEAR + 1)
    return rng.sample([row * size + column for row in middle for column in middle], OPENING)


def game(commands: Sequence[str], seconds: Sequence[float], start: Sequence[int], size: int) -> float:
    """The points of the first of two programs, which makes the first ply after an opening."""
    programs: list[Program] = []
    cells = list(start)
    try:
        programs += [
            Program(command, round(1000 * time), size) for command, time in zip(commands, seconds, strict=True)
        ]
        while len(cells) < size * size:
            played = len(cells) - len(start)
            mover = played % 2
            try:
                program = programs[mover]
                cells.append(program.begin(cells) if played < len(programs) else program.turn(cells))
            except IllegalAnswer as answer:
                print(f"  {commands[mover]} answers {answer}", flush=True)
                return float(mover)
            if has_five(cells, size):
                return 1.0 - mover
    finally:
        for program in programs:
            program.end()
    return 0.5


def main() -> None:
    """Play the match that the arguments describe."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", default=OURS, help="a command; by default this engine")
    parser.add_argument("--second", default=OURS, help="a command; by default this engine")
    parser.add_argument("--seconds", nargs=2, type=float, default=(1.0, 0.1), help="for each ply of each of them")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, pairs = Random(options.seed), []
    for _ in range(options.games // 2):
        start = opening(options.size, rng)
        commands, seconds = (options.first, options.second), tuple(options.seconds)
        points = game(commands, seconds, start, options.size)
        points += 1 - game(commands[::-1], seconds[::-1], start, options.size)
        pairs.append(points / 2)
        print(f"  {start}: {points} of 2", flush=True)
    mean = sum(pairs) / len(pairs)
    spread = 1.96 * math.sqrt(sum((each - mean) ** 2 for each in pairs) / max(1, len(pairs) - 1) / len(pairs))
    print(
        f"{options.size}x{options.size}, {seconds[0]} s against {seconds[1]} s a ply, {2 * len(pairs)} games, "
        f"seed {options.seed}: {mean:.3f} ({mean - spread:.3f} to {mean + spread:.3f})"
    )


if __name__ == "__main__":
    main()
