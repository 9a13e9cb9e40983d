"""Matches of the strongest level against other programs."""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from benchmarks import matches
from benchmarks.__main__ import main
from engine import EngineError, parse_rules

BRAIN = """#!{python}
import sys

print("MESSAGE I take the first free cell")
for line in sys.stdin:
    word, *rest = line.replace(",", " ").split()
    if word in ("START", "RECTSTART", "RESTART"):
        columns, rows = map(int, rest * 2) if len(rest) == 1 else map(int, rest or (columns, rows))
        taken = set()
        print("{answer}", flush=True)
    elif word == "BOARD":
        while (line := sys.stdin.readline().strip()) != "DONE":
            taken.add(tuple(map(int, line.split(",")[:2])))
    elif word == "TURN":
        taken.add(tuple(map(int, rest)))
    if word in ("BOARD", "TURN"):
        cell = next((x, y) for y in range(rows) for x in range(columns) if (x, y) not in taken)
        taken.add(cell)
        print("%d,%d" % cell, flush=True)
"""


def brain(path: Path, answer: str = "OK") -> str:
    """A program that speaks Gomocup's protocol, and plays badly."""
    program = path / "brain"
    program.write_text(BRAIN.format(python=sys.executable, answer=answer))
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Play a match of two games: the status, and what is said."""

    def played(*arguments: str) -> tuple[int, str]:
        command = ["benchmarks", "matches", "--games", "2", "--seconds", "0.02", *arguments]
        monkeypatch.setattr("sys.argv", command)
        return main(), "".join(capsys.readouterr())

    return played


@pytest.mark.slow
@pytest.mark.parametrize("board", ["6x5x5", "5x5x5"])
def test_a_program_that_speaks_gomocups_protocol_is_played_with_both_marks(
    board: str, tmp_path: Path, play: Callable[..., tuple[int, str]]
) -> None:
    program = brain(tmp_path)
    status, said = play("--board", board, "--program", program)
    assert status == 0
    *_, row = said.splitlines()
    assert row.startswith(f"| {board} | {program} | 0.02 | 2 | ")
    won, drawn, lost = map(int, row.strip("| ").rpartition("| ")[2].split(", "))
    assert (won + drawn, lost) == (2, 0)


@pytest.mark.parametrize(
    ("board", "answer", "why"),
    [
        ("15x15x5", "OK", "A board has 3 to 8 columns and rows, not 15 and 15."),
        ("5x5x4", "OK", "play five in a row"),
        ("5x5x5", "ERROR too small", "doesn't answer START: ERROR too small"),
    ],
)
def test_a_program_that_cannot_play_a_board_is_no_opponent(
    board: str, answer: str, why: str, tmp_path: Path, play: Callable[..., tuple[int, str]]
) -> None:
    status, said = play("--board", board, "--program", brain(tmp_path, answer))
    assert status == 1
    assert why in said


@pytest.mark.skipif(find_spec("pyspiel") is not None, reason="OpenSpiel is installed")
def test_without_openspiel_it_is_said_what_to_install(play: Callable[..., tuple[int, str]]) -> None:
    status, said = play("--board", "5x5x4")
    assert status == 1
    assert "pip install open-spiel" in said


@pytest.mark.parametrize("board", ["vanishing", "4x4x3-misere"])
def test_a_board_that_openspiel_does_not_know_is_played_by_nobody(
    board: str, play: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", ModuleType("pyspiel"))
    status, said = play("--board", board)
    assert status == 1
    assert f"Nobody plays {board}: OpenSpiel plays boards on which a line wins, and ultimate" in said


def test_a_board_on_which_every_opening_is_won_has_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "OPENINGS_TRIED", 3)
    with pytest.raises(EngineError, match="All of its openings are won"):
        matches.opening(parse_rules("6x6x3"), Random(1))
