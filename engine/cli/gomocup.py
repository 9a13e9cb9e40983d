"""Speak the protocol of Gomocup, the tournament of programs that play five in a row.

Boards of 5 to 20 a side; five or more in a row win. Source: https://plastovicka.github.io/protocl2en.htm
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator

from engine.search.driver import Budget
from engine.search.limits import Limits
from engine.search.mnk.bits import Board, board
from engine.search.mnk.search import Searcher

SMALLEST, LARGEST, IN_A_ROW = 5, 20, 5
ABOUT = 'name="OXO", version="0.1.0", author="OXO", country="-"'

_OWN, _OTHER, _LINE = 1, 2, 3
_DEFAULT_TURN = 30_000
_SLACK = 60
_FASTEST = 20
_PLIES_TO_COME = 20
_DIGITS = 3
_MILLISECONDS = re.compile("-?[0-9]{1,10}")


class ProtocolError(ValueError):
    """A command that cannot be carried out."""


class Brain:
    """One game: takes lines of input and gives the lines to print."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._searcher: Searcher | None = None
        self._marks: dict[int, int] = {}
        self._info = {"timeout_turn": _DEFAULT_TURN, "timeout_match": 0}
        self._commands: dict[str, Callable[[list[str], Iterator[str]], str | None]] = {
            "START": self._start,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": self._set_up,
            "TAKEBACK": self._takeback,
            "INFO": self._note,
            "ABOUT": lambda _words, _lines: ABOUT,
        }

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """The answers to these lines, until they end or the program is told to."""
        rest = iter(lines)
        for line in rest:
            command, *words = line.replace(",", " ").split() or [""]
            if command.upper() == "END":
                return
            if not command:
                continue
            carry_out = self._commands.get(command.upper())
            if carry_out is None:
                yield f"UNKNOWN {command}"
                continue
            try:
                answer = carry_out(words, rest)
            except ProtocolError as error:
                answer = f"ERROR {error}"
            if answer is not None:
                yield answer

    def _start(self, words: list[str], _lines: Iterator[str]) -> str:
        (size,) = _numbers(words, 1)
        if not SMALLEST <= size <= LARGEST:
            raise ProtocolError(f"boards have {SMALLEST} to {LARGEST} cells a side, not {size}")
        self._board = board(size, size, IN_A_ROW)
        return self._restart([], _lines)

    def _restart(self, words: list[str], _lines: Iterator[str]) -> str:
        _numbers(words, 0)
        self._searcher = Searcher(self._started())
        self._marks = {}
        return "OK"

    def _begin(self, words: list[str], _lines: Iterator[str]) -> str:
        _numbers(words, 0)
        self._started()
        if self._marks:
            raise ProtocolError("the board is not empty")
        return self._play()

    def _turn(self, words: list[str], _lines: Iterator[str]) -> str:
        self._put(words, _OTHER)
        return self._play()

    def _set_up(self, words: list[str], lines: Iterator[str]) -> str | None:
        """Take over a whole board, up to DONE. If input ends before that, nobody waits for an answer any more."""
        entries = []
        for line in lines:
            entry = line.replace(",", " ").split()
            if [word.upper() for word in entry] == ["DONE"]:
                break
            entries.append(entry)
        else:
            return None
        self._restart(words, lines)
        try:
            for entry in entries:
                self._place(entry)
        except ProtocolError:
            self._restart([], lines)  # half a board is none
            raise
        return self._play()

    def _place(self, entry: list[str]) -> None:
        """Put one mark of a board: its column, row and owner. An entry with a 3 marks a line, and is no mark."""
        column, row, field = _numbers(entry, 3)
        if field not in {_OWN, _OTHER, _LINE}:
            raise ProtocolError(f"a field is 1, 2 or 3, not {field}")
        if field != _LINE:
            self._put([str(column), str(row)], field)

    def _takeback(self, words: list[str], _lines: Iterator[str]) -> str:
        cell = self._cell(words)
        if cell not in self._marks:
            raise ProtocolError("that cell is empty")
        del self._marks[cell]
        # What the old searcher has found out only holds as long as turns alternate.
        self._searcher = Searcher(self._started())
        return "OK"

    def _note(self, words: list[str], _lines: Iterator[str]) -> None:
        """Keep what concerns time. Nothing else changes how we play, and nothing is answered."""
        match words:
            case ["timeout_turn" | "timeout_match" | "time_left" as key, value] if _MILLISECONDS.fullmatch(value):
                self._info[key] = int(value)

    def _started(self) -> Board:
        if self._board is None:
            raise ProtocolError("no board was started")
        return self._board

    def _cell(self, words: list[str]) -> int:
        on = self._started()
        column, row = _numbers(words, 2)
        if column >= on.m or row >= on.n:
            raise ProtocolError(f"there is no cell {column},{row}")
        return row * on.m + column

    def _put(self, words: list[str], whose: int) -> None:
        cell = self._cell(words)
        if cell in self._marks:
            raise ProtocolError("that cell is taken")
        self._marks[cell] = whose

    def _play(self) -> str:
        on = self._started()
        if len(self._marks) == on.cells or self._searcher is None:
            raise ProtocolError("the board is full")
        own, other = (
            on.marks(cell for cell, each in self._marks.items() if each == whose) for whose in (_OWN, _OTHER)
        )
        if _has_line(own) or _has_line(other):
            raise ProtocolError("the game is over")
        cell = self._searcher.best(own, other, Budget(Limits(seconds=self._milliseconds() / 1000))).cell
        self._marks[cell] = _OWN
        row, column = divmod(cell, on.m)
        return f"{column},{row}"

    def _milliseconds(self) -> int:
        """The time for the next ply: that of a turn, or an even part of what is left for the match."""
        allowed, match = self._info["timeout_turn"], self._info["timeout_match"]
        if match > 0:
            allowed = min(allowed, self._info.get("time_left", match) // _PLIES_TO_COME)
        return max(_FASTEST, allowed - _SLACK)


def _has_line(marks: int) -> bool:
    line = marks
    for step in range(1, IN_A_ROW):
        line &= marks >> step
    return bool(line)


def configure(parser: ArgumentParser) -> None:
    """Add no arguments: everything comes on standard input."""
    parser.epilog = (__doc__ or "").partition("\n\n")[2]


def run(arguments: Namespace) -> int:  # noqa: ARG001 - there are none
    """Play by standard input and output.

    Returns:
        The exit status.
    """
    for answer in Brain().answers(sys.stdin):
        print(answer, flush=True)  # noqa: T201 - this is the protocol
    return 0


def _numbers(words: list[str], count: int) -> list[int]:
    if len(words) != count or not all(
        word.isascii() and word.isdigit() and len(word) <= _DIGITS for word in words
    ):
        raise ProtocolError(f"{count} numbers belong here, not {' '.join(words)!r}")
    return [int(word) for word in words]
