"""Ends processes that a test has left running, and fails the test (Linux, proc(5))."""

import multiprocessing
import os
import signal
import time
from contextlib import suppress
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

GRACE_SECONDS: Final = 30.0
"""A process that is about to end may take so long."""
PYTHONS_OWN: Final = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""What the standard library starts once, and keeps."""
WORKER: Final = "multiprocessing.spawn"
worlds: Final[set[object]] = set()
"""The worlds whose bots are alive, which several tests may share: their workers may work on."""


def running() -> set[int]:
    """This process's children, and what is forked for it."""
    found: set[int] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found.update(map(int, task.read_text("ascii").split()))
    own = {pid for pid in found if not any(each in _words(pid) for each in PYTHONS_OWN)}
    forked = (child for child in multiprocessing.active_children() if isinstance(child, ForkServerProcess))
    return own | {child.pid for child in forked if child.pid is not None}


def end(left: set[int], grace: float = GRACE_SECONDS) -> list[str]:
    """End processes that haven't ended by themselves; returns their command lines."""
    deadline = time.monotonic() + grace
    while (left := {pid for pid in left if _command(pid)}) and time.monotonic() < deadline:
        time.sleep(0.01)
    commands = sorted(_command(pid) for pid in left)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return commands


def _command(pid: int) -> str:
    words = _words(pid)
    return "" if worlds and WORKER in words else words


def _words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""
