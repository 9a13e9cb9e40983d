"""Our line protocol, as a program talks to it."""

import random
import subprocess
import sys

import pytest

from engine.mnk.levels import LEVELS
from engine.serve import Server, main


def ask(line: str) -> str:
    return Server(random.Random(1), seconds_for_a_value=2).answer(line)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("value 3x3x3 -", "draw"),
        ("value 3x3x3 0,1,2,3", "win 3"),
        ("value 3x3x3 0,3,1", "loss 4"),
        ("value 3x3x3 0,3,1,4", "win 1"),
        ("value 4x4x3 -", "win 5"),
        ("value 4x3x3-misere -", "loss 11"),
        ("value 5x5x5 12", "draw"),
        ("best 3x3x3 perfect 1 0,3,1,4", "2"),
        ("best 3x3x3 strongest 1 0,3,1", "2"),
        ("best 3x3x3 easy 0 0,3,1", "2"),
        ("best 6x5x4 medium 0 0,29,1,28,2", "3"),
    ],
)
def test_lines_are_answered(line: str, answer: str) -> None:
    assert ask(line) == answer


@pytest.mark.parametrize(
    "line",
    [
        "value 3x3x3 0,3,1,4,2",
        "best 3x3x3 easy 1 0,3,1,4,2",
        "value 3x3x3 0,1,2,4,3,5,7,6,8",
        "value 3x3x3 0,3,1,4,2,5",
        "value 3x3x3 0,0",
        "value 3x3x3 9",
        "value 3x3x3 -1",
        "value 3x3x3 0,",
        "value 3x3x3 ٣",
        "value 3x3x9 -",
        "value 9x9x5 -",
        "value 3x3 -",
        "value 3x3x3-wild -",
        "value 3x3x3",
        "best 3x3x3 easy 1",
        "best 3x3x3 master 1 -",
        "best 3x3x3 easy nan -",
        "best 3x3x3 easy -1 -",
        "best 3x3x3 easy soon -",
        "move 3x3x3 -",
        "",
    ],
)
def test_what_cannot_be_answered_gets_one_line_that_begins_with_error(line: str) -> None:
    answer = ask(line)
    assert answer.startswith("error ")
    assert "\n" not in answer


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", ["3x3x3", "5x5x4", "4x4x3-misere", "8x8x5"])
def test_every_level_plays_an_empty_cell_by_all_rules(rules: str, level: str) -> None:
    assert int(ask(f"best {rules} {level} 0.05 0,5")) not in {0, 5}


def test_a_value_that_is_not_found_in_time_is_unknown() -> None:
    assert Server(random.Random(1), seconds_for_a_value=0).answer("value 8x8x5 -") == "unknown"


def test_the_process_goes_on_after_bad_input() -> None:
    lines = "nonsense\n\nvalue 3x3x3 -\nbest 3x3x3 perfect 1 0,3,1,4\n"
    run = subprocess.run(
        [sys.executable, "-m", "engine.serve"], input=lines, capture_output=True, text=True, check=True
    )
    first, *rest = run.stdout.splitlines()
    assert first.startswith("error ")
    assert rest == ["draw", "2"]


def test_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "best RULES LEVEL SECONDS MOVES" in capsys.readouterr().out
    assert main(["--fast"]) == 2
