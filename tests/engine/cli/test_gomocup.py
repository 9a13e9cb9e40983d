"""Gomocup's protocol, as its manager speaks it."""

import re
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.gomocup import Brain
from tests.soak import SOAK

QUICK = "INFO timeout_turn 1"


def talk(*lines: str) -> list[str]:
    return list(Brain().answers(lines))


def cell(answer: str) -> tuple[int, int]:
    assert re.fullmatch(r"\d+,\d+", answer)
    column, row = answer.split(",")
    return int(column), int(row)


@pytest.mark.parametrize("size", [5, 15, 20])
def test_a_game_is_started_and_begun(size: int) -> None:
    started, played = talk(f"START {size}", QUICK, "BEGIN")
    assert started == "OK"
    assert all(0 <= each < size for each in cell(played))


@pytest.mark.parametrize("words", ["4", "21", "0", "-7", "x", "", "15 15"])
def test_other_sizes_are_refused(words: str) -> None:
    (answer,) = talk(f"START {words}")
    assert answer.startswith("ERROR ")


def test_turns_are_answered_on_empty_cells() -> None:
    brain = Brain()
    taken = {(10, 10), (9, 9), (3, 4)}
    for line in ("START 20", QUICK):
        list(brain.answers([line]))
    for column, row in sorted(taken):
        (answer,) = brain.answers([f"TURN {column},{row}"])
        assert cell(answer) not in taken
        taken.add(cell(answer))


def test_a_board_is_taken_over_and_the_line_completed() -> None:
    entries = ["5,5,1", "6,5,1", "7,5,1", "8,5,1", "4,5,2", "5,6,2", "6,6,2", "7,6,2"]
    assert talk("START 15", QUICK, "BOARD", *entries, "DONE") == ["OK", "9,5"]


def test_a_threat_on_a_board_is_answered() -> None:
    entries = ["5,5,2", "6,5,2", "7,5,2", "8,5,2", "4,5,1", "0,0,1", "2,9,1"]
    assert talk("START 15", QUICK, "BOARD", *entries, "DONE") == ["OK", "9,5"]


def test_a_bad_board_is_refused_once_it_is_whole() -> None:
    answers = talk("START 15", QUICK, "BOARD", "5,5,4", "5,5", "DONE", "BOARD", "5,5,1", "5,5,2", "DONE")
    assert [answer.split()[0] for answer in answers] == ["OK", "ERROR", "ERROR"]


def test_of_a_board_that_is_refused_nothing_stays() -> None:
    answers = talk("START 15", QUICK, "BOARD", "7,7,1", "5,5,4", "DONE", "BEGIN")
    assert [answer.split()[0] for answer in answers[:2]] == ["OK", "ERROR"]
    cell(answers[2])


@pytest.mark.parametrize("whose", [1, 2])
def test_nothing_is_played_once_somebody_has_five(whose: int) -> None:
    won = [f"{column},{column},{whose}" for column in range(5)]
    answers = talk("START 15", QUICK, "BOARD", *won, "DONE", "TURN 9,9", "RESTART", "BEGIN")
    assert answers[:4] == ["OK", "ERROR the game is over", "ERROR the game is over", "OK"]
    assert cell(answers[4])


def test_a_mark_is_taken_back_and_its_cell_is_free_again() -> None:
    answers = talk("START 15", QUICK, "TURN 7,7", "TAKEBACK 7,7", "TURN 7,7")
    assert answers[0] == answers[2] == "OK"
    assert cell(answers[3]) not in {(7, 7), cell(answers[1])}


def test_restart_empties_the_board() -> None:
    answers = talk("START 15", QUICK, "TURN 7,7", "RESTART", "TURN 7,7")
    assert answers[0] == answers[2] == "OK"
    assert cell(answers[1]) != (7, 7) != cell(answers[3])


@pytest.mark.parametrize(
    "line",
    ["TURN 7", "TURN 7,15", "TURN 15,7", "TURN a,b", "TURN -1,3", "TAKEBACK 3,3", "BEGIN now", "TURN 7,7,7"],
)
def test_what_cannot_be_done_is_an_error_and_the_game_goes_on(line: str) -> None:
    started, error, played = talk("START 15", QUICK, line, "BEGIN")
    assert started == "OK"
    assert error.startswith("ERROR ")
    cell(played)


def test_nothing_is_played_before_the_start() -> None:
    assert all(answer.startswith("ERROR ") for answer in talk("BEGIN", "TURN 1,1", "BOARD", "DONE", "RESTART"))


def test_begin_needs_an_empty_board_and_a_turn_an_empty_cell() -> None:
    answers = talk("START 15", QUICK, "TURN 7,7", "BEGIN", "TURN 7,7")
    assert [answer.split()[0] for answer in answers[2:]] == ["ERROR", "ERROR"]


def test_unknown_commands_are_named_so() -> None:
    assert talk("RECTSTART 15,20", "SWAP2BOARD", "hello") == [
        "UNKNOWN RECTSTART",
        "UNKNOWN SWAP2BOARD",
        "UNKNOWN hello",
    ]


def test_info_is_not_answered_and_commands_may_be_in_small_letters() -> None:
    assert talk("INFO", "INFO rule 0", "INFO timeout_match many", "info max_memory 0", "start 15") == ["OK"]


@pytest.mark.parametrize("value", ["---5", "5-", "٣", "9" * 5_000, "-", "1.5", ""])
def test_a_time_that_is_no_number_changes_nothing(value: str) -> None:
    started, played = talk("START 15", QUICK, f"INFO timeout_turn {value}", "BEGIN")
    assert started == "OK"
    cell(played)


def test_a_board_that_does_not_end_is_not_played_on() -> None:
    assert talk("START 15", QUICK, "BOARD", "7,7,2") == ["OK"]


def test_without_proofs_nearly_all_of_a_turn_is_used() -> None:
    brain = Brain()
    list(brain.answers(["START 15", "INFO timeout_turn 460"]))
    began = time.monotonic()
    (played,) = brain.answers(["BEGIN"])
    assert time.monotonic() - began > 0.3
    cell(played)


@pytest.mark.parametrize("left", [["INFO time_left 0"], ["INFO time_left -20"], []])
def test_a_match_without_time_left_is_played_fast_and_one_just_begun_has_its_whole_time(left: list[str]) -> None:
    began = time.process_time()
    started, played = talk("START 15", "INFO timeout_turn 60000", "INFO timeout_match 4000", *left, "BEGIN")
    assert started == "OK"
    cell(played)
    assert time.process_time() - began < 3


def test_about_says_who_plays() -> None:
    (about,) = talk("ABOUT")
    assert 'name="OXO"' in about
    assert "\n" not in about


def test_end_ends_the_process() -> None:
    lines = "START 20\nABOUT\nEND\nABOUT\n"
    run = subprocess.run(
        [sys.executable, "-m", "engine", "gomocup"], input=lines, capture_output=True, text=True, check=True
    )
    assert len(run.stdout.splitlines()) == 2


def test_a_whole_board_is_filled_to_its_last_cell() -> None:
    entries = [f"{each % 5},{each // 5},{1 + (each // 2 + each // 5) % 2}" for each in range(25)]
    *_, full = talk("START 5", QUICK, "BOARD", *entries, "DONE")
    assert full.startswith("ERROR ")


COMMANDS = (
    *(
        "START 5",
        "START 20",
        "START 21",
        "RESTART",
        "BEGIN",
        "TURN 0,0",
        "TURN 9,9",
        "TURN 1",
        "BOARD",
        "1,1,1",
        "2,2,2",
    ),
    *(
        "DONE",
        "TAKEBACK 0,0",
        "INFO timeout_turn 1",
        "INFO time_left -5",
        "ABOUT",
        "NONSENSE",
        "TURN １,１",
        "\x00",
    ),
)


@settings(deadline=None, max_examples=200 if SOAK else 20)
@given(st.lists(st.sampled_from(COMMANDS) | st.text(max_size=20), max_size=12))
def test_whatever_is_said_gets_an_answer_and_no_traceback(lines: list[str]) -> None:
    for answer in talk("INFO timeout_turn 1", *lines):
        assert re.match(r"OK|ERROR |UNKNOWN |name=|\d+,\d+$", answer)
