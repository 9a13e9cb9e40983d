"""Runs in the bot's process: `python -m bot` by a wall clock that the playground moves.

The argument is the number of an open file whose eight bytes say how many seconds the clock is ahead. Monotonic
clocks stay: what waits in the bot by one of them, for a second or a minute, waits as long as ever.
"""

import contextlib
import importlib
import os
import runpy
import struct
import sys
import time
from pathlib import Path
from types import ModuleType

SECONDS = struct.Struct("d")
"""What is in the file."""


def move(file: int) -> None:
    """Let the wall clock of this process be ahead by what is in the file."""
    true, parts = time.time, time.gmtime

    def moved() -> float:
        (ahead,) = SECONDS.unpack(os.pread(file, SECONDS.size, 0))
        return true() + float(ahead)

    def moved_parts(seconds: float | None = None) -> time.struct_time:
        return parts(moved() if seconds is None else seconds)

    vars(time).update(time=moved, time_ns=lambda: int(moved() * 1e9), gmtime=moved_parts)


def count(clock: ModuleType) -> None:
    """Let time that is skipped while the bot runs count as if it had run all the time, not as an outage."""
    noted, go_on = time.time() - time.monotonic(), clock.go_on

    def go_on_skipping(connection: object, now: int, unheard: int = 0) -> object:
        nonlocal noted
        before, noted = noted, time.time() - time.monotonic()
        return go_on(connection, now, unheard - round(noted - before))

    vars(clock)["go_on"] = go_on_skipping


def main() -> None:
    """Run the bot."""
    move(int(sys.argv.pop()))
    sys.path[0] = str(Path.cwd())  # as with "python -m bot", instead of the folder of this file
    with contextlib.suppress(ModuleNotFoundError):  # another bot keeps time otherwise
        count(importlib.import_module("storage.clock"))
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
