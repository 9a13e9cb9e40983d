"""`python -m engine`: how its commands begin and end, and the game in the terminal."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import CLASSIC, explain
from engine.__main__ import SUBCOMMANDS, main

ROOT = Path(__file__).parents[3]


def started(command: str, **options: str) -> subprocess.Popen[bytes]:
    words, pipe = [sys.executable, "-m", "engine", *command.split()], subprocess.PIPE
    return subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, env=os.environ | options)


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], *([command, "--help"] for command in SUBCOMMANDS)):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        assert capsys.readouterr().out.startswith("usage: python -m engine")


def test_without_a_command_it_says_how_it_is_used() -> None:
    with started("") as run:
        _, errors = run.communicate()
    assert (run.returncode, errors.startswith(b"usage: python -m engine")) == (2, True)


@pytest.mark.parametrize("command", ["serve", "show strongest", "play --x random --o random", "audit blocker"])
def test_a_reader_who_goes_away_ends_a_command_quietly(command: str) -> None:
    with started(command) as run:
        assert run.stdout is not None
        run.stdout.close()
        _, errors = run.communicate(b"ABOUT\n" * 100)
    assert errors == b""


@pytest.mark.parametrize(("command", "status"), [("serve", 0), ("play", 1)])
def test_closed_input_is_empty(command: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main([command]) == status


def test_an_interrupted_command_ends_quietly() -> None:
    with started("play") as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(b"hello\n")
        run.stdin.flush()
        assert run.stdout.readline()
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (130, b"")


def test_no_byte_and_no_character_ends_a_command() -> None:
    with started("play", PYTHONIOENCODING="ascii") as run:
        printed, errors = run.communicate(b"\xff\xd9\xa3 x\n\xd9\xa3\nABOUT\n\n")
    assert (errors, printed.isascii()) == (b"", True)


@pytest.mark.parametrize(
    ("seats", "ending"),
    [
        ("--x alpha-beta --o blocker", "X wins.\n"),
        ("--x perfect --o perfect --seed 1", "A draw.\n"),
        ("--x strongest --o perfect", "A draw.\n"),
    ],
)
def test_two_strategies_play_a_game(seats: str, ending: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *seats.split()]) == 0
    assert capsys.readouterr().out.endswith(ending)


def test_a_person_types_cells(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"a1\na1\n{'9' * 5000}\nB2\n2\n2,3\nc1\n"))
    assert main(["play"]) == 0
    printed = capsys.readouterr().out
    assert "O: a1 is taken: play b1, c1, a2, b2, c2, a3, b3, c3.\nO: '99999999999999999999' is no move" in printed
    assert printed.endswith("1 X X X\n2 · O O\n3 · · ·\nX wins.\n")


def test_a_person_may_leave_and_boards_of_ultimate_are_drawn_row_by_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\n"))
    assert main(["play", "--rules", "ultimate"]) == 1
    first, _, second = capsys.readouterr().out.partition("X plays b2.")
    assert first.splitlines()[:2] == ["  a b c  d e f  g h i", "1 + + +  + + +  + + +"]
    assert "2 · X ·  · · ·  · · ·" in second
    assert "4 · · ·  + + +  · · ·" in second


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--rules 3x3x4", "On a board of 3 columns and 3 rows a line has 3 cells, not 4.\n"),
        ("--rules 5x5x4 --o tempo", "tempo plays 3x3x3, not 5x5x4.\n"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anybody_moves(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments.split()]) == 2
    assert capsys.readouterr() == ("", sentence)


def test_a_strategy_shows_how_it_chooses_and_the_strongest_what_each_move_leads_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["show", "tempo", "b2 a1"]) == 0
    assert capsys.readouterr().out == f"{explain('tempo', CLASSIC.replay('b2 a1'))}\n"
    assert main(["show", "rules", "b2 b2"]) == 2
    assert capsys.readouterr().err == "b2 is taken: play a1, b1, c1, a2, c2, a3, b3, c3.\n"
    assert main(["show", "strongest", "b3 a5 c3 b5", "--rules", "5x5x4"]) == 0
    first, *others = capsys.readouterr().out.partition("\n\n")[2].splitlines()
    assert first == "d3 (best): win in 3 plies. It makes two threats at once."
    assert len(others) == 20
