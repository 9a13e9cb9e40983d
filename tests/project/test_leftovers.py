"""No test leaves a process behind."""

from __future__ import annotations

import signal
import subprocess

from tests import leftovers


def test_a_process_that_is_left_is_told_and_killed() -> None:
    before = leftovers.running()
    with subprocess.Popen(["sleep", "60"]) as process:
        assert leftovers.running() - before == {process.pid}
        (command,) = leftovers.end({process.pid}, grace=0)
    assert "sleep 60" in command
    assert process.returncode == -signal.SIGKILL
    assert leftovers.end({process.pid}) == [], "whatever has ended is not waited for"
