"""Our line protocol, as a program uses it."""

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Level, parse_rules
from engine.cli.serve import answer
from tests.soak import SOAK


def ask(line: str) -> str:
    return answer(line, random.Random(1), seconds_for_a_value=60)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("value 3x3x3 -", "draw"),
        ("value 3x3x3 0,1,2,3", "win 3"),
        ("value 3x3x3 0,3,1", "loss 4"),
        ("value 3x3x3 0,3,1,4", "win 1"),
        ("value 4x4x3 -", "win 5"),
        ("value 4x3x3-misere -", "loss 11"),
        ("value 5x5x5 12", "draw"),
        ("value vanishing -", "win 13"),
        ("best 3x3x3 perfect 1 0,3,1,4", "2"),
        ("best 3x3x3 strongest 1 0,3,1", "2"),
        ("best 3x3x3 perfect 0 0,3,1", "2"),
        ("best 6x5x4 medium 0 0,29,1,28,2", "3"),
    ],
)
def test_lines_are_answered(line: str, expected: str) -> None:
    assert ask(line) == expected


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
        "value 3x3x3 01",
        "value 3x3x3 +1",
        "value 8x8x5 1_0",
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
        "best 3x3x3 easy inf -",
        "best 3x3x3 easy ١ -",
        "best 3x3x3 easy 1_0 -",
        "best 3x3x3 easy 1 ,",
        "move 3x3x3 -",
        "",
    ],
)
def test_what_cannot_be_answered_gets_one_line_that_begins_with_error(line: str) -> None:
    found = ask(line)
    assert found.startswith("error ")
    assert "\n" not in found


@pytest.mark.parametrize("line", ["value 3x3x3 " + "0," * 9_000, "value " + "9" * 9_000 + " -", "x" * 9_000])
def test_a_long_line_gets_a_short_answer(line: str) -> None:
    found = ask(line)
    assert found.startswith("error ")
    assert len(found) <= 200


@pytest.mark.parametrize("level", [*Level, "strongest"])
@pytest.mark.parametrize("rules", ["3x3x3", "5x5x4", "4x4x3-misere", "8x8x5", "3x3x3-misere", "vanishing"])
def test_every_level_plays_an_empty_cell_by_all_rules(rules: str, level: str) -> None:
    assert int(ask(f"best {rules} {level} 0.05 0,5")) not in {0, 5}


def test_a_value_that_is_not_found_in_time_is_unknown() -> None:
    assert answer("value 8x8x5 -", random.Random(1), seconds_for_a_value=0) == "unknown"


def test_the_process_goes_on_after_bad_input() -> None:
    lines = "nonsense\n\nvalue 3x3x3 -\nbest 3x3x3 perfect 1 0,3,1,4\n"
    run = subprocess.run(
        [sys.executable, "-m", "engine", "serve"], input=lines, capture_output=True, text=True, check=True
    )
    first, *rest = run.stdout.splitlines()
    assert first.startswith("error ")
    assert rest == ["draw", "2"]


def test_cells_of_ultimate_are_numbered_board_by_board() -> None:
    assert int(ask("best ultimate strongest 0.05 40,36")) in range(9)
    assert int(ask("best ultimate easy 0 40,41")) in range(45, 54)
    assert ask("best ultimate easy 0 40,0").startswith("error Cell 0 is on board 0")
    assert ask("best ultimate hard 0 80,81").startswith("error There is no cell 81")


def test_a_win_in_ultimate_is_seen_and_nothing_can_be_asked_after_it() -> None:
    position, rng = parse_rules("ultimate").start(), random.Random(2)
    moves: list[int] = []
    while position.outcome is None:
        moves.append(rng.choice(position.legal_moves))
        position = position.play(moves[-1])
    assert position.outcome.winner is not None
    *before, last = map(str, moves)
    assert ask(f"value ultimate {','.join(before)}") == "win 1"
    assert ask(f"best ultimate strongest 0.1 {','.join(before)}")
    assert ask(f"value ultimate {','.join([*before, last])}").startswith("error The game is over")


def test_a_seed_makes_the_process_repeat_itself() -> None:
    lines = "best 5x5x4 beginner 0 -\n" * 5
    outputs = {
        subprocess.run(
            [sys.executable, "-m", "engine", "serve", "--seed", "4"],
            input=lines,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    }
    assert len(outputs) == 1


def test_bytes_that_are_no_text_are_an_error_like_any_other() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "engine", "serve"],
        input=b"\xff\xfe value\nvalue 3x3x3 -\n",
        capture_output=True,
        check=True,
    )
    assert [line.split()[0] for line in run.stdout.decode().splitlines()] == ["error", "draw"]


PIECES = (
    *(
        "best",
        "value",
        "5x5x4",
        "3x3x3-misere",
        "ultimate",
        "9x9x9",
        "easy",
        "strongest",
        "0",
        "1e400",
        "nan",
        "-1",
    ),
    *("-", "0,1", "0,0", "99", "4,0,8", "\x00", "²", "x" * 50, ","),
)


@settings(deadline=None, max_examples=200 if SOAK else 25)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join) | st.text(max_size=30), max_size=4))
def test_whatever_is_said_gets_one_line_each(lines: list[str]) -> None:
    rng = random.Random(1)
    for line in lines:
        assert "\n" not in answer(line, rng, seconds_for_a_value=0.01)
