"""Our line protocol, as a program uses it."""

import random
import subprocess
import sys

import pytest

from engine.cli.serve import answer


def ask(line: str, seconds: float = 60) -> str:
    return answer(line, random.Random(1), seconds_for_a_value=seconds)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("value 3x3x3 -", "draw"),
        ("value 3x3x3 0,1,2,3", "win 3"),
        ("value 3x3x3 0,3,1", "loss 4"),
        ("value 4x4x3 -", "win 5"),
        ("value 5x5x5 12", "draw"),
        ("value vanishing -", "win 13"),
        ("best 3x3x3 perfect 1 0,3,1,4", "2"),
        ("best 3x3x3 strongest 0 0,3,1", "2"),
        ("best 6x5x4 medium 0 0,29,1,28,2", "3"),
        ("best ultimate easy 0 36,4,37,13", "38"),
    ],
)
def test_lines_are_answered(line: str, expected: str) -> None:
    assert ask(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        *("value 3x3x3 0,3,1,4,2", "best 3x3x3 easy 1 0,3,1,4,2", "value 3x3x3 0,1,2,4,3,5,7,6,8"),
        *("value 3x3x3 0,3,1,4,2,5", "value 3x3x3 0,0", "value 3x3x3 9", "best ultimate hard 0 80,81"),
        *("value 3x3x3 -1", "value 3x3x3 0,", "value 3x3x3 ٣", "value 3x3x3 01", "value 3x3x3 +1"),
        *("value 8x8x5 1_0", "value 3x3x9 -", "value 9x9x5 -", "value 3x3 -", "value 3x3x3-wild -"),
        *("best 3x3x3 master 1 -", "best 3x3x3 easy nan -", "best 3x3x3 easy -1 -", "best 3x3x3 easy soon -"),
        *("best 3x3x3 easy inf -", "best 3x3x3 easy ١ -", "best 3x3x3 easy 1_0 -", "best 3x3x3 easy 1 ,"),
        *("value 3x3x3", "best 3x3x3 easy 1", "move 3x3x3 -", ""),
        *("value 3x3x3 " + "0," * 9_000, "value " + "9" * 9_000 + " -", "x" * 9_000),
    ],
    ids=lambda line: line[:30],
)
def test_what_cannot_be_answered_gets_one_short_line_that_begins_with_error(line: str) -> None:
    found = ask(line)
    assert found.startswith("error ")
    assert "\n" not in found
    assert len(found) <= 200


def test_a_value_that_is_not_found_in_time_is_unknown() -> None:
    assert ask("value 8x8x5 27", seconds=0) == "unknown"


def served(lines: bytes, *arguments: str) -> list[str]:
    command = [sys.executable, "-m", "engine", "serve", *arguments]
    return subprocess.run(command, input=lines, capture_output=True, check=True).stdout.decode().splitlines()


def test_the_process_goes_on_after_bad_input_and_a_seed_makes_it_repeat_itself() -> None:
    lines = b"nonsense\n\n\xff\xfe value\nvalue 3x3x3 -\n" + b"best 5x5x4 beginner 0 -\n" * 5
    first, second, value, *cells = served(lines, "--seed", "4")
    assert first.startswith("error ")
    assert second.startswith("error ")
    assert value == "draw"
    assert served(lines, "--seed", "4") == [first, second, value, *cells]
