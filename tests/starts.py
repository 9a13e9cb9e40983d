"""Starts the project's programs as processes, as `python -m` does, with the patience that a slow machine needs."""

import asyncio
import runpy
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from tests import patience

ROOT: Final = Path(__file__).parents[1]


async def start(
    module: str,
    *arguments: str,
    folder: Path,
    environment: Mapping[str, str],
    output: IO[bytes] | int,
    errors: int = STDOUT,
    largest_file: int | None = None,
) -> Process:
    """Start what `python -m` runs; its files can't grow beyond so many bytes, if there is a limit."""
    limits = () if largest_file is None else ("prlimit", f"--fsize={largest_file}")
    return await asyncio.create_subprocess_exec(
        *(*limits, sys.executable, "-m", "tests.starts", module, *arguments),
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdout=output,
        stderr=errors,
    )


async def run(
    module: str, *arguments: str, folder: Path, environment: Mapping[str, str], within: float = 60
) -> tuple[int, str, str]:
    """Run it until it exits; returns its exit code, its output and its errors.

    Raises:
        TimeoutError: if it does not end in time.
    """
    process = await start(module, *arguments, folder=folder, environment=environment, output=PIPE, errors=PIPE)
    try:
        out, err = await asyncio.wait_for(process.communicate(), within)
    finally:
        await end(process)
    return await process.wait(), out.decode(), err.decode()


async def end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


if __name__ == "__main__":
    patience.lengthen_timeouts()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
