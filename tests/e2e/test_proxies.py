"""The bot plays through a proxy, the only way to its Telegram, and its log shows no password."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from playground import Playground
from tests.people import position_of, tap_cell
from tests.processes import Processes
from tests.relays import FAR, HOST, PASSWORD, QUOTED, Certificates, Relay, listening


def port_of(playground: Playground) -> int:
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
