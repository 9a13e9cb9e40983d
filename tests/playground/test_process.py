"""`python -m playground` as a process, with a stand-in for the bot."""

from __future__ import annotations

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

from playground import moved
from tests.playground.client import Json

ROOT = Path(__file__).parents[2]

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


def put(folder: Path, bot: str) -> None:
    """Make this the bot that a process in the folder finds."""
    package = folder / "bot"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(bot)


@asynccontextmanager
async def running(
    folder: Path, bot: str | None, *arguments: str, **variables: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The playground in a folder with nothing but this bot, or with OXO if there is none."""
    if bot is not None:
        put(folder, bot)
    environment = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "MAKELEVEL"}}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "playground",
        *arguments,
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT), **variables},
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


async def test_the_address_is_told_once_the_bot_listens_and_ctrl_c_ends_both(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with own_port() as port:
        for suffix in ("", "-wal", "-shm"):
            (tmp_path / f"data/playground-{port}.db{suffix}").write_text("of another time")
        async with running(tmp_path, STEADY_BOT, "--port", str(port)) as process:
            assert await line(process.stdout) == f"Play at http://127.0.0.1:{port} (Ctrl-C ends it)"
            assert list((tmp_path / "data").iterdir()) == []
            assert (tmp_path / "starts").read_text().split()[1] == f"sqlite:///data/playground-{port}.db"
            process.send_signal(signal.SIGINT)
            assert await asyncio.wait_for(process.wait(), 60) == 0
    assert (tmp_path / "ended").read_text() == "by SIGTERM"


async def test_a_bot_that_dies_is_started_again(tmp_path: Path) -> None:
    arguments = ("--port", "0", "--database", "sqlite:///kept.db")
    async with running(tmp_path, STEADY_BOT, *arguments) as process:
        await line(process.stdout)
        first = (tmp_path / "starts").read_text().split()
        assert first[1] == "sqlite:///kept.db"
        os.kill(int(first[0]), signal.SIGKILL)
        assert await line(process.stderr) == "The bot ended (exit code -9); starting it again."
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60) == 0


async def test_a_bot_that_does_not_stay_up_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    broken = "import sys; sys.exit('no such setting: BOT_TOKNE')"
    async with running(tmp_path, broken, "--port", "0") as process:
        out, errors = await asyncio.wait_for(process.communicate(), 60)
        assert (process.returncode, out) == (1, b"")
        last = errors.decode().strip().splitlines()[-1]
        assert last == "The bot keeps stopping (exit code 1): no such setting: BOT_TOKNE"


@pytest.mark.parametrize(
    ("variables", "command"),
    [({}, "python -m playground --port {}"), ({"MAKELEVEL": "1"}, "make play PORT={}")],
)
async def test_a_port_in_use_is_one_sentence_with_the_command_for_another(
    tmp_path: Path, variables: dict[str, str], command: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with running(tmp_path, STEADY_BOT, "--port", str(port), **variables) as process:
            out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, out) == (1, b"")
    another = command.format(port + 10 if port + 10 <= 65_535 else 8080)
    assert errors.decode() == f"Port {port} on 127.0.0.1 can't be used; choose another with: {another}\n"
    assert not (tmp_path / "starts").exists()


@pytest.mark.parametrize("port", ["abc", "", "65536", "-1", "8o80", "1e3"])
async def test_what_is_no_port_is_told_in_one_sentence(tmp_path: Path, port: str) -> None:
    async with running(tmp_path, STEADY_BOT, f"--port={port}", MAKELEVEL="1") as process:
        out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, out) == (1, b"")
    assert errors.decode() == f"{port!r} is no port: give a number up to 65535, such as make play PORT=8090.\n"


async def test_without_a_bot_it_tells_what_one_needs(tmp_path: Path) -> None:
    async with running(tmp_path, STEADY_BOT, "--port", "0", "--no-bot") as process:
        settings = await line(process.stdout)
        assert settings.startswith("BOT_TOKEN=")
        _, told, url = settings.partition("BOT_API_URL=http://127.0.0.1:")
        assert told
        assert int(url) > 0
        assert await line(process.stdout) == f"The playground is at http://127.0.0.1:{url}"
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60) == 0


async def test_the_drawer_stops_kills_and_starts_the_bot(tmp_path: Path) -> None:
    async with running(tmp_path, STEADY_BOT, "--port", "0") as process, aiohttp.ClientSession() as session:
        url = (await line(process.stdout)).split()[2]
        async with session.ws_connect(f"{url}/page/ws") as page:

            async def until(state: str) -> None:
                while (heard := await page.receive_json(timeout=60))["type"] != "workshop" or (
                    heard["workshop"]["bot"] != state
                ):
                    pass

            await page.send_json({"type": "watch"})
            await until("running")
            await page.send_json({"type": "order", "what": "stop"})
            await until("stopped")
            assert (tmp_path / "ended").read_text() == "by SIGTERM"
            await page.send_json({"type": "order", "what": "start"})
            await until("running")
            await page.send_json({"type": "order", "what": "kill"})
            await until("stopped")
        assert len((tmp_path / "starts").read_text().splitlines()) >= 1
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60) == 0


def test_whatever_tells_the_time_of_day_is_moved(tmp_path: Path) -> None:
    bot = """
import time
machine = time.clock_gettime(time.CLOCK_REALTIME)
told = time.time(), time.time_ns() / 1e9, time.mktime(time.gmtime()) - time.mktime(time.gmtime(0))
print([round(each - machine, -1) for each in told], __name__, time.gmtime(0).tm_year)
"""
    put(tmp_path, bot)
    with tempfile.TemporaryFile() as ahead:
        ahead.write(moved.SECONDS.pack(90_000.0))
        ahead.flush()
        command = [sys.executable, moved.__file__, str(ahead.fileno())]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, pass_fds=[ahead.fileno()], check=True)
    assert done.stdout.decode() == "[90000.0, 90000.0, 90000.0] __main__ 1970\n"


async def test_the_bots_wall_clock_moves_with_the_playgrounds_and_what_is_due_comes_soon(tmp_path: Path) -> None:
    arguments = ("--port", "0", "--database", f"sqlite:///{tmp_path}/oxo.db")
    async with running(tmp_path, None, *arguments) as process, aiohttp.ClientSession() as session:
        url = (await line(process.stdout)).split()[2]

        async def act(**what: object) -> None:
            async with session.post(f"{url}/page/act", json=what) as response:
                assert (await response.json())["type"] in ("done", "answer")

        async with session.ws_connect(f"{url}/page/ws") as page:

            async def shown(words: str) -> Json:
                while (heard := await page.receive_json(timeout=30))["type"] != "message" or (
                    words not in heard["message"]["text"]
                ):
                    pass
                message: Json = heard["message"]
                return message

            ann = {"person": 5_000_000_001, "chat_id": 5_000_000_001}
            await act(type="say", text="/puzzle", **ann)
            puzzle = await shown("Puzzle")
            row = len(puzzle["reply_markup"]["inline_keyboard"]) - 1
            await act(type="tap", message_id=puzzle["message_id"], row=row, column=0, **ann)
            await act(type="advance", seconds=86_400)
            assert (await shown("Puzzle"))["date"] - puzzle["date"] < 86_400 + 30
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60) == 0
