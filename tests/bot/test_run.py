"""A signal ends the process in time, whatever it does: while it is loaded, and if something hangs forever."""

import signal
import subprocess
import sys
from typing import Final

import pytest

HANGING: Final = """
import asyncio
from bot import run

run.LAST_SECONDS = 0.1

async def hang():
    stopping = run._stopping()
    print("ready", flush=True)
    await stopping.wait()
    await asyncio.get_running_loop().create_future()

asyncio.run(hang())
"""


@pytest.mark.slow
def test_a_stop_that_hangs_is_ended() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HANGING], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            process.send_signal(signal.SIGTERM)
            _, told = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0
    assert b"Something hangs" in told


INTERRUPTED: Final = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "bot.run":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
runpy.run_module("bot", run_name="__main__")
"""


def test_ctrl_c_while_it_is_loaded_ends_it_without_a_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, check=False)
    assert done.returncode == -signal.SIGINT
    assert done.stderr == b""
