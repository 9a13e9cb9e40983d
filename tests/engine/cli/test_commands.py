"""`python -m engine`: the output of the audit and the text game."""

import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import STRATEGIES
from engine.__main__ import COMMANDS, main
from tools.audit import brought_up_to_date

ROOT = Path(__file__).parents[3]


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], *([command, "--help"] for command in COMMANDS)):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        assert capsys.readouterr().out.startswith("usage: python -m engine")


def test_without_a_command_it_says_how_it_is_used() -> None:
    run = subprocess.run([sys.executable, "-m", "engine"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.startswith("usage: python -m engine")


def test_the_audit_of_a_strategy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "tempo"]) == 0
    printed = capsys.readouterr().out
    assert "| tempo | 71/5/0 | 334/123/0 |" in printed
    assert "rules" not in printed
    rows = re.findall(r"^\| tempo \|.*", printed, re.MULTILINE)
    docs = (ROOT / "docs" / "engine-audit.md").read_text(encoding="utf-8")
    assert rows
    assert set(rows) <= set(docs.splitlines())
    page = brought_up_to_date(docs, printed)
    assert page != docs
    assert brought_up_to_date(page, printed) == page


def test_a_strategy_that_is_none_cannot_be_audited(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "luck"]) == 2
    assert capsys.readouterr().err.startswith("There is no strategy luck; there are random, ")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("names", "row"),
    [
        pytest.param(list(STRATEGIES), "| blocker | ", id="strategies"),
        # tests/engine/players/test_levels.py checks the same scores in docs/engine.md.
        pytest.param([], "| 3x3x3 easy |", id="levels too"),
    ],
)
def test_the_audit_is_in_the_docs(names: list[str], row: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *names]) == 0
    docs = (ROOT / "docs" / "engine-audit.md").read_text(encoding="utf-8")
    printed = capsys.readouterr().out
    assert brought_up_to_date(docs, printed) == docs, "`python -m tools.audit` brings the tables up to date"
    stale = docs.replace(row, "| blockhead | ")
    assert stale != docs
    assert brought_up_to_date(stale, printed) == docs
    with pytest.raises(ValueError, match="no table below 'Records"):
        brought_up_to_date(docs.replace("## Records", "## Accounts"), printed)


def test_two_strategies_play_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--x", "alpha-beta", "--o", "blocker"]) == 0
    assert capsys.readouterr().out.endswith("X wins.\n")
    assert main(["play", "--x", "perfect", "--o", "perfect", "--seed", "1"]) == 0
    assert capsys.readouterr().out.endswith("A draw.\n")


def test_the_same_seed_gives_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    games = []
    for seed in ("7", "7", "8"):
        assert main(["play", "--rules", "ultimate", "--x", "random", "--o", "random", "--seed", seed]) == 0
        games.append(capsys.readouterr().out)
    assert games[0] == games[1] != games[2]


def test_a_person_types_cells(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"0\n0\n{'9' * 5000}\n4\n1\n5\n2\n"))
    assert main(["play"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("You can't play that") == 2
    assert printed.endswith("X X X\nO O .\n. . .\n\nX wins.\n".replace("O O .", ". O O"))


def test_a_person_may_leave(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("4\n"))
    assert main(["play", "--rules", "4x4x4"]) == 1
    assert " 4  5  6  7" in capsys.readouterr().out


def test_rules_that_are_none_are_refused_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--rules", "chess"]) == 2
    assert capsys.readouterr().err == "No rules are called 'chess': a board is written like 5x5x4.\n"


def test_a_strategy_that_cannot_play_these_rules_is_refused_before_anybody_moves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["play", "--rules", "5x5x4", "--o", "tempo"]) == 2
    assert capsys.readouterr() == ("", "tempo does not play 5x5x4.\n")


def test_the_last_level_is_called_strongest_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--x", "strongest", "--o", "perfect"]) == 0
    assert capsys.readouterr().out.endswith("A draw.\n")


def test_boards_of_ultimate_are_drawn_row_by_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("4\n"))
    assert main(["play", "--rules", "ultimate"]) == 1
    first, _, second = capsys.readouterr().out.partition("X plays 4.")
    assert first.splitlines()[:2] == [" 0  1  2  9 10 11 18 19 20", " 3  4  5 12 13 14 21 22 23"]
    assert " .  X  .  .  .  .  .  .  ." in second
    assert " .  .  . 36 37 38  .  .  ." in second


@pytest.mark.parametrize("command", ["serve", "play --x random --o random", "audit blocker"])
def test_a_reader_who_goes_away_ends_a_command_quietly(command: str) -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "engine", *command.split()],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stdin is not None
    assert run.stdout is not None
    run.stdout.close()
    _, errors = run.communicate("ABOUT\n" * 100)
    assert errors == ""


@pytest.mark.parametrize("command", ["serve", "play"])
def test_an_interrupted_command_ends_quietly(command: str) -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "engine", command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stdin is not None
    assert run.stdout is not None
    if command != "play":
        run.stdin.write("hello\n")
        run.stdin.flush()
    assert run.stdout.readline()
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (130, "")


@pytest.mark.parametrize("command", ["serve", "play", "audit blocker"])
def test_no_byte_and_no_character_ends_a_command(command: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "engine", *command.split()],
        cwd=ROOT,
        input=b"\xff\xd9\xa3 x\nvalue 3x3x3 \xd9\xa3\nABOUT\n\n",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert run.stderr == b""
    assert run.stdout.isascii()
