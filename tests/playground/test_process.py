"""`python -m playground` as a process, with a stand-in for the bot, and once with OXO."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import aiohttp
import pytest

from playground import child, moved
from playground.__main__ import main
from tests.playground.client import Json, put

ROOT = Path(__file__).parents[2]
ANN, NOUGHTS = 5_000_000_001, -4_000_000_001
STEADY_BOT = """
import os, pathlib, signal, sys, time, urllib.request

def end(*_):
    pathlib.Path("ended").write_text("by SIGTERM")
    sys.exit(0)

signal.signal(signal.SIGTERM, end)
with open("starts", "a") as starts:
    print(os.getpid(), os.environ["DATABASE_URL"], file=starts)
url = os.environ["BOT_API_URL"] + "/bot" + os.environ["BOT_TOKEN"] + "/getUpdates"
urllib.request.urlopen(url).read()
time.sleep(60)
"""


@contextmanager
def own_port() -> Iterator[int]:
    """A port that nobody else gets meanwhile: it stays bound, and only sockets that share it can listen."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


@asynccontextmanager
async def running(folder: Path, *arguments: str, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The playground in a folder, with the bot that is there, or else with OXO."""
    environment = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "MAKELEVEL"}}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground", *arguments),
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT), **more},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.communicate(), 60)


async def line(stream: asyncio.StreamReader | None) -> str:
    assert stream is not None
    return (await asyncio.wait_for(stream.readline(), 60)).decode().strip()


async def test_the_bot_is_started_stopped_killed_and_started_again_until_ctrl_c(tmp_path: Path) -> None:
    put(tmp_path, STEADY_BOT)
    (tmp_path / "data").mkdir()
    starts, ended = tmp_path / "starts", tmp_path / "ended"
    with own_port() as port:
        for suffix in ("", "-wal", "-shm"):
            (tmp_path / f"data/playground-{port}.db{suffix}").write_text("of another time")
        async with running(tmp_path, "--port", str(port)) as process, aiohttp.ClientSession() as session:
            assert await line(process.stdout) == f"Play at http://127.0.0.1:{port} (Ctrl-C ends it)"
            assert list((tmp_path / "data").iterdir()) == []
            assert starts.read_text().split()[1] == f"sqlite:///data/playground-{port}.db"
            async with session.ws_connect(f"http://127.0.0.1:{port}/page/ws") as page:

                async def until(kind: str, **fields: object) -> None:
                    heard: Json = {"type": ""}
                    while heard["type"] != kind or any(heard[kind][name] != is_ for name, is_ in fields.items()):
                        heard = await page.receive_json(timeout=60)

                async def order(what: str, *states: str) -> None:
                    await page.send_json({"type": "order", "what": what})
                    for state in states:
                        await until("workshop", bot=state)

                await page.send_json({"type": "watch"})
                await order("stop", "stopping", "stopped")
                assert ended.read_text() == "by SIGTERM"
                await order("start", "running")
                await order("kill", "stopped")
                await order("start", "running")
                await until("call", method="getUpdates")
                ended.unlink()
                os.kill(int(starts.read_text().splitlines()[-1].split()[0]), signal.SIGKILL)
                await until("workshop", bot="died")
                assert await line(process.stderr) == "The bot ended (exit code -9); starting it again."
                await until("call", method="getUpdates")
            process.send_signal(signal.SIGINT)
            assert await asyncio.wait_for(process.wait(), 60) == 0
    assert ended.read_text() == "by SIGTERM"


def test_a_bot_that_does_not_stay_up_is_given_up_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "import sys; sys.exit('no such setting: BOT_TOKNE')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(child, "RESTART_PAUSE", 0.0)
    told = main(["--port", "0", "--database", "sqlite:///kept.db"])
    assert told == "The bot keeps stopping (exit code 1): no such setting: BOT_TOKNE"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("made", [False, True], ids=["by python", "by make"])
def test_a_port_that_cannot_be_used_is_one_sentence_with_a_command(
    *, made: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAKELEVEL", raising=False)
    if made:
        monkeypatch.setenv("MAKELEVEL", "1")
    command = "make play PORT={}" if made else "python -m playground --port {}"
    for port in ("abc", "", "65536", "-1", "8o80", "1e3"):
        told = f"{port!r} is no port: give a number up to 65535, such as {command.format(8090)}."
        assert main([f"--port={port}"]) == told
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        sentence = main(["--port", str(port)])
    another = command.format(port + 10 if port + 10 <= 65_535 else 8080)
    assert sentence == f"Port {port} on 127.0.0.1 can't be used; choose another with: {another}"


def test_whatever_tells_the_time_of_day_is_moved(tmp_path: Path) -> None:
    put(
        tmp_path,
        """
import time
machine = time.clock_gettime(time.CLOCK_REALTIME)
told = time.time(), time.time_ns() / 1e9, time.mktime(time.gmtime()) - time.mktime(time.gmtime(0))
print([round(each - machine, -1) for each in told], __name__, time.gmtime(0).tm_year)
""",
    )
    with tempfile.TemporaryFile() as ahead:
        ahead.write(moved.SECONDS.pack(90_000.0))
        ahead.flush()
        command = [sys.executable, moved.__file__, str(ahead.fileno())]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, pass_fds=[ahead.fileno()], check=True)
    assert done.stdout.decode() == "[90000.0, 90000.0, 90000.0] __main__ 1970\n"


async def test_the_bots_clock_moves_with_the_playgrounds_and_what_is_due_comes_soon(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/oxo.db"
    async with (
        running(tmp_path, "--port", "0", "--database", database) as process,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{(await line(process.stdout)).split()[2]}/page/ws") as page,
    ):

        async def shown(words: str) -> Json:
            while True:
                heard = await page.receive_json(timeout=60)
                if heard["type"] in ("message", "edited") and words in heard["message"]["text"]:
                    message: Json = heard["message"]
                    return message

        await page.send_json({"type": "say", "text": "/challenge", "person": ANN, "chat_id": NOUGHTS})
        challenge = await shown("looking for an opponent")
        await page.send_json({"type": "advance", "seconds": 86_400})
        expired = await shown("expired")
        assert expired["message_id"] == challenge["message_id"]
        assert expired["edit_date"] - challenge["date"] < 86_400 + 30
