"""One process that thinks, from outside: how it is started, asked and ended, and how many there may be."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Mapping

LONGEST_ANSWER: Final = 2**20
"""The most bytes of an answer."""
ROOT: Final = Path(__file__).parents[2]
"""Where this package stands."""


def most() -> int:
    """How many processes may think at the same time: one less than there are cores, at least one."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, cores - 1)


async def start() -> Process:
    """Start a process; it loads what stands beside this package, and nothing from where the bot was started."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "bot.thinking.worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        limit=LONGEST_ANSWER,
    )


async def exchange(process: Process, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Ask a process one question.

    Raises:
        OSError, ValueError: if it has ended, or says something else.
    """
    if process.stdin is None or process.stdout is None:
        raise OSError("it has no pipes")
    question = json.dumps({"name": name, "arguments": arguments})
    process.stdin.write(f"{question}\n".encode())
    await process.stdin.drain()
    line = await process.stdout.readline()
    if not line.endswith(b"\n"):
        raise OSError("it has ended")
    answer: dict[str, Any] = json.loads(line)
    return answer


async def end(process: Process | None) -> None:
    """End a process now, whatever it does."""
    if process is not None:
        kill(process)
        await process.wait()


def kill(process: Process) -> None:
    """End a process as soon as may be; nobody waits for it."""
    with suppress(ProcessLookupError):
        process.kill()
