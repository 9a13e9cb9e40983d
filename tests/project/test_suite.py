"""The tests themselves: none leaves a process behind or is skipped unnoticed; what proofs found is summed up."""

import re
import signal
import subprocess
import sys
from dataclasses import asdict

import pytest

from tests import leftovers
from tests.figures import PROPERTY, Figures, summary
from tests.project.commands import ROOT, Checkout


def test_a_process_that_is_left_is_told_and_killed() -> None:
    before = leftovers.running()
    code = "print(flush=True); import time; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it runs, so the system knows how it was started
        assert leftovers.running() - before == {process.pid}
        (command,) = leftovers.end({process.pid}, grace=0)
    assert "sleep(60)" in command
    assert process.returncode == -signal.SIGKILL
    assert leftovers.end({process.pid}) == [], "it does not wait for processes that have ended"


def test_without_a_database_server_its_tests_fail_where_nothing_may_be_skipped() -> None:
    options = ("-p", "no:cacheprovider", "tests/storage/people/test_chats.py", "-k", "unknown_chat")
    nobody_there = {"OXO_TEST_POSTGRES": "postgresql://postgres@127.0.0.1:1/postgres", "OXO_NO_SKIPS": "1"}
    run = Checkout(ROOT).run(sys.executable, "-m", "pytest", *options, **nobody_there)
    assert "Nothing may be skipped here (OXO_NO_SKIPS). Skipped: No PostgreSQL server" in run.stdout
    assert re.search(r"1 passed, .*1 error|1 failed, 1 passed", run.stdout.splitlines()[-1])


def test_each_proof_has_a_row_and_the_last_one_adds_all_up() -> None:
    reports = [
        pytest.TestReport(
            f"tests/x.py::{test}", ("", None, ""), {}, "passed", None, "teardown", user_properties=found
        )
        for test, found in (
            ("test_kills[a]", [(PROPERTY, asdict(Figures(runs=3, moves_made=1000, most_seconds_to_settle=2.0)))]),
            ("test_kills[b]", [(PROPERTY, asdict(Figures(runs=4, moves_made=500, moves_lost=1)))]),
            ("test_more", [(PROPERTY, asdict(Figures(runs=1, boards_wrong=2)))]),
        )
    ]
    rows = {line.split()[-1]: " ".join(line.split()[:15]) for line in summary(reports)[-3:]}
    assert rows["test_kills"] == "7 0 0 1,500 1 0 0 0 0 0 0 0 0 0 2.0"
    assert rows["test_more"] == "1 0 0 0 0 0 0 0 0 0 2 0 0 0 0.0"
    assert rows["them"] == "8 0 0 1,500 1 0 0 0 0 0 2 0 0 0 2.0"
    assert summary([]) == []
