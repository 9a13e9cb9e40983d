"""No test leaves a process behind."""

from __future__ import annotations

import signal
import subprocess
import sys

from tests import leftovers


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
