"""The bot plays through a proxy, the only way to its Telegram, and its log shows no password."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from playground import Playground
from tests.e2e.test_settings import TOKEN, check_sentence, run
from tests.people import position_of, tap_cell
from tests.processes import Processes
from tests.relays import FAR, HOST, PASSWORD, QUOTED, Certificates, Relay, listening

REFUSED: Final = "cannot connect through the proxy: SOCKS error: credentials not accepted"


def port_of(playground: Playground) -> int:
    """Where the playground listens."""
    port = urlsplit(playground.url).port
    assert port is not None
    return port


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "all_proxy"])
async def test_a_game_is_played_through_a_proxy_by_tls(tmp_path: Path, name: str) -> None:
    certificates = Certificates(tmp_path)
    async with Playground() as playground:
        front = Relay(port_of(playground))
        async with listening(front.lead, certificates.context) as by_tls:
            relay = Relay(by_tls)
            serve, scheme = (relay.speak_socks, "socks5h") if name == "all_proxy" else (relay.speak_http, "http")
            async with listening(serve) as proxy:
                settings = {
                    "BOT_API_URL": f"https://{FAR}",
                    "SSL_CERT_FILE": str(certificates.file),
                    "LOG_LEVEL": "DEBUG",
                    name: f"{scheme}://{QUOTED}@{HOST}:{proxy}",
                }
                async with Processes(playground, tmp_path, begins=False, settings=settings) as process:
                    await process.start()
                    board = await process.newgame()
                    await tap_cell(playground.people["ann"], board, 4)
                    assert position_of(board).ply == 2
                    assert await process.stop() == 0
    assert all(FAR in destination for destination in relay.heard)
    log = process.logged()
    told = [word for word in (PASSWORD, QUOTED, playground.token.partition(":")[2]) if word in log]
    assert not told
    assert "Traceback" not in log


async def test_a_wrong_password_is_logged_as_such_and_not_shown(tmp_path: Path) -> None:
    relay = Relay(1)
    async with Playground() as playground, listening(relay.speak_socks) as proxy:
        address = f"socks5h://ann:hunter2@{HOST}:{proxy}"
        settings = {"BOT_API_URL": f"https://{FAR}", "PROXY_URL": address, "LOG_LEVEL": "DEBUG"}
        async with Processes(playground, tmp_path, begins=False, settings=settings) as process:
            await process.start(ready=False)
            async with asyncio.timeout(60):
                while REFUSED not in process.logged():  # noqa: ASYNC110 - a log announces nothing
                    await asyncio.sleep(0.05)
    assert "hunter2" not in process.logged()


@pytest.mark.parametrize("name", ["PROXY_URL", "https_proxy"])
async def test_a_proxy_that_cannot_be_meant_stops_the_start_with_a_sentence(tmp_path: Path, name: str) -> None:
    code, output = await run(tmp_path, BOT_TOKEN=TOKEN, **{name: "ftp://ann:hunter2@proxy.example.org"})
    check_sentence(code, output, f"{name.upper()} is malformed", "socks5h://")
    assert "hunter2" not in output
