"""The tests themselves: none leaves a process behind or is skipped unnoticed."""

import re
import signal
import subprocess
import sys

from tests import leftovers
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
