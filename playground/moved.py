"""Runs in the bot's process: `python -m bot` by a wall clock that the playground moves.

The argument is the number of an open file whose eight bytes say how many seconds the clock is ahead. Monotonic
clocks stay: what waits in the bot by one of them, for a second or a minute, waits as long as ever.
"""

import contextlib
import importlib
import math
import os
import runpy
import struct
import sys
import time
from pathlib import Path

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


def main() -> None:
    """Run the bot."""
    move(int(sys.argv.pop()))
    sys.path[0] = str(Path.cwd())  # as with "python -m bot", instead of the folder of this file
    # The bot lets a minute pass after its clock was set, as it may have been set wrongly; here it never is.
    with contextlib.suppress(ModuleNotFoundError):  # another bot has no such guard
        vars(importlib.import_module("bot.background.clock"))["JUMP_SECONDS"] = math.inf
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
