"""Bots that start quickly: forks of one process that has already loaded the bot's modules.

From then on they do the same as `python -m bot`, or as `python -m storage`; every start saves half a second of
processor time. Forks die with the process that runs the tests, however it ends.
"""

import asyncio
import atexit
import gc
import json
import os
import resource
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NotRequired, TypedDict

ROOT: Final = Path(__file__).parents[1]


class Order(TypedDict):
    """What a fork should run."""

    module: NotRequired[str]
    """What `python -m` runs; the bot, if there is none."""
    arguments: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    largest_file: NotRequired[int | None]
    """The maximum size of its files, in bytes."""


class Fork:
    """A running bot, with the methods of `asyncio.subprocess.Process` that tests use."""

    def __init__(self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._reader = reader
        self._writer = writer

    def send_signal(self, number: int) -> None:
        """Send it a signal.

        Raises:
            ProcessLookupError: if it has ended.
        """
        if self.returncode is not None:
            raise ProcessLookupError(self.pid)
        os.kill(self.pid, number)

    async def wait(self) -> int:
        """Wait until it has ended; returns its exit code, negative if a signal ended it."""
        if self.returncode is None:
            code = int(await self._reader.readline())
            self._writer.close()
            await self._writer.wait_closed()
            self.returncode = code
        return self.returncode

    async def end(self) -> None:
        """Kill it, unless it has ended."""
        with suppress(ProcessLookupError):
            self.send_signal(signal.SIGKILL)
        await self.wait()


_parent: socket.socket | None = None
_loader: int | None = None


def loader() -> int | None:
    """The process that is forked, once it has been needed."""
    return _loader


async def start(order: Order, output: int, errors: int | None = None) -> Fork:
    """Start a bot whose output goes to a file descriptor, and its errors to another if there is one."""
    global _parent  # noqa: PLW0603 - one for all tests of this process
    if _parent is None:
        _parent = _load()
    ours, theirs = socket.socketpair()
    with theirs:
        socket.send_fds(_parent, [json.dumps(order).encode()], [output, errors or output, theirs.fileno()])
    reader, writer = await asyncio.open_connection(sock=ours)
    return Fork(int(await reader.readline()), reader, writer)


async def run(order: Order, *, within: float = 60) -> tuple[int, str, str]:
    """Run a bot until it exits; returns its exit code, its output and its errors.

    Raises:
        TimeoutError: if it does not end in time.
    """
    with TemporaryFile() as output, TemporaryFile() as errors:
        fork = await start(order, output.fileno(), errors.fileno())
        try:
            code = await asyncio.wait_for(fork.wait(), within)
        finally:
            await fork.end()
        output.seek(0)
        errors.seek(0)
        return code, output.read().decode(), errors.read().decode()


def _load() -> socket.socket:
    global _loader  # noqa: PLW0603 - likewise
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-m", "tests.forks", str(theirs.fileno())]
        process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], start_new_session=True)
    _loader = process.pid

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def main(orders: socket.socket) -> None:
    """Fork on every order until there are no more; a fork becomes `python -m bot`."""
    import uvloop  # noqa: F401, PLC0415 - not where tests import this module

    import bot.run  # noqa: F401, PLC0415 - likewise
    import storage.maintenance  # noqa: F401, PLC0415 - what the bot doesn't need
    from storage.database import connect, parse_url  # noqa: PLC0415 - likewise
    from tests import patience  # noqa: PLC0415 - likewise

    patience.lengthen_timeouts()

    for url in ("sqlite:///none", "postgresql://127.0.0.1/none"):
        connect(parse_url(url), create=False).dispose()  # this loads the driver
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (served := _serve(orders)) is not None:
        order, outputs = served
        _become(order, outputs)
        try:
            runpy.run_module(order.get("module", "bot"), run_name="__main__", alter_sys=True)
        except SystemExit as end:
            _exit(end)


def _serve(orders: socket.socket) -> tuple[Order, list[int]] | None:
    """Fork on every order until there are no more; returns, in a fork, its order and its outputs' descriptors."""
    living: dict[int, socket.socket] = {}
    ended, signalled = socket.socketpair()
    signalled.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(signalled.fileno())
    try:
        while True:
            ready, _, _ = select.select([orders, ended], [], [])
            if ended in ready:
                ended.recv(4096)
                _tell_ends(living)
            if orders in ready:
                message, descriptors, _, _ = socket.recv_fds(orders, 1_000_000, 3)
                if not message:
                    return None
                outputs, teller = descriptors[:2], socket.socket(fileno=descriptors[2])
                if (pid := os.fork()) == 0:
                    for each in (orders, teller, *living.values()):
                        each.close()
                    living.clear()
                    return json.loads(message), outputs
                for output in outputs:
                    os.close(output)
                teller.sendall(b"%d\n" % pid)
                living[pid] = teller
    finally:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        ended.close()
        signalled.close()
        for pid in living:
            os.kill(pid, signal.SIGKILL)


def _tell_ends(living: dict[int, socket.socket]) -> None:
    while living:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with living.pop(pid) as teller, suppress(OSError):  # nobody may be listening any more
            teller.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def _become(order: Order, outputs: list[int]) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, output in enumerate(outputs, 1):
        os.dup2(output, number)
        os.close(output)
    if (limit := order.get("largest_file")) is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = [order.get("module", "bot"), *order["arguments"]]


def _exit(end: SystemExit) -> None:
    """End as Python does, but leave freeing the memory to the system: it takes a third of a bot's time."""
    if isinstance(end.code, int):
        threading._shutdown()  # type: ignore[attr-defined] # noqa: SLF001 - threads are waited for
        atexit._run_exitfuncs()  # noqa: SLF001 - and what modules have to do at the end is done
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code)
    raise end


if __name__ == "__main__":
    gc.disable()
    main(socket.socket(fileno=int(sys.argv[1])))
