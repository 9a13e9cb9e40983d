"""`python -m playground` as a process, with a stand-in for the bot, and once with OXO."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import aiohttp
import pytest

from playground import child, moved
from playground.__main__ import main
from tests.playground.client import Json, put
from tests.ports import free_port
from tests.project.commands import ROOT, Checkout

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


PLAYGROUND = (sys.executable, "-m", "playground")


async def test_the_bot_is_started_stopped_killed_and_started_again_until_ctrl_c(tmp_path: Path) -> None:
    put(tmp_path, STEADY_BOT)
    (tmp_path / "data").mkdir()
    starts, ended, port = tmp_path / "starts", tmp_path / "ended", free_port()
    for suffix in ("", "-wal", "-shm"):
        (tmp_path / f"data/playground-{port}.db{suffix}").write_text("of another time")
    command = (*PLAYGROUND, "--port", str(port))
    async with (
        Checkout(tmp_path).start(*command, PYTHONPATH=str(ROOT)) as terminal,
        aiohttp.ClientSession() as session,
    ):
        await terminal.says(f"^Play at http://127.0.0.1:{port} .Ctrl-C ends it.$")
        assert list((tmp_path / "data").iterdir()) == []
        assert starts.read_text().split()[1] == f"sqlite:///data/playground-{port}.db"
        async with session.ws_connect(f"http://127.0.0.1:{port}/page/ws") as page:

            async def until(kind: str, **fields: object) -> None:
                heard: Json = {"type": ""}
                while heard["type"] != kind or any(heard[kind][name] != is_ for name, is_ in fields.items()):
                    heard = await page.receive_json(timeout=60)

            await page.send_json({"type": "watch"})
            for order, states in (
                ("stop", ("stopping", "stopped")),
                ("start", ("running",)),
                ("kill", ("stopped",)),
                ("start", ("running",)),
            ):
                await page.send_json({"type": "order", "what": order})
                for state in states:
                    await until("workshop", bot=state)
                assert ended.read_text() == "by SIGTERM"
            await until("call", method="getUpdates")
            ended.unlink()
            os.kill(int(starts.read_text().splitlines()[-1].split()[0]), signal.SIGKILL)
            await until("workshop", bot="died")
            await terminal.says("^The bot ended .exit code -9.; starting it again.$")
            await until("call", method="getUpdates")
        assert (await terminal.ctrl_c())[0] == 0
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
    command = (*PLAYGROUND, "--port", "0", "--database", f"sqlite:///{tmp_path}/oxo.db")
    async with (
        Checkout(tmp_path).start(*command, PYTHONPATH=str(ROOT)) as terminal,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{await terminal.says('(?<=Play at )[^ ]+')}/page/ws") as page,
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
