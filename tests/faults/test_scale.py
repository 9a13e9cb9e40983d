"""Several bots on one database, behind nginx with the shipped configuration."""

import asyncio
import re
import shutil
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from playground import Playground
from tests.faults.crowd import Ledger, crowd, settled, stuck
from tests.ports import HOST, free_port
from tests.processes import SECRET, Processes

ROOT = Path(__file__).parents[2]
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
DELIVERED = ROOT / "deploy" / "nginx"


def local(configuration: str, port: int, bots: Sequence[int]) -> str:
    """The shipped configuration adapted to this machine: other ports, no certificate, no container names."""
    servers = "".join(f"server {HOST}:{bot} max_fails=0;" for bot in bots)
    configuration = re.sub(
        r"^(ssl|resolver| +(ssl_|listen \[|server 127.0.0.1:8082)).*\n", "", configuration, flags=re.MULTILINE
    )
    configuration = re.sub(r"server (127.0.0.1|bot):8081( resolve)? max_fails=0;", servers, configuration)
    configuration = re.sub(r"listen (443 ssl|80);", f"listen {HOST}:{port};", configuration)
    return f"daemon off; pid nginx.pid; error_log nginx.log; events {{}} http {{\n{configuration}\n}}\n"


@asynccontextmanager
async def nginx(folder: Path, bots: Sequence[int], file: str = "oxo.conf") -> AsyncIterator[int]:
    assert NGINX is not None
    port = free_port()
    adapted = local((DELIVERED / file).read_text(), port, bots)
    assert str(bots[0]) in adapted
    (folder / "nginx.conf").write_text(adapted)
    shutil.copy(DELIVERED / "oxo-server.inc", folder)
    process = await asyncio.create_subprocess_exec(NGINX, "-p", str(folder), "-c", "nginx.conf")
    try:
        async with asyncio.timeout(60):
            while not await listens(port):
                assert process.returncode is None, "nginx rejects its configuration"
                await asyncio.sleep(0.02)
        yield port
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


@pytest.mark.skipif(NGINX is None, reason="There is no nginx. On Debian: apt install nginx-light")
async def test_bots_behind_nginx_restart_one_after_the_other_and_nobody_notices(
    postgres_url: str, tmp_path: Path
) -> None:
    ledger = Ledger()
    async with Playground() as playground:
        rig = Processes(playground, tmp_path, postgres_url, replicas=2)
        async with nginx(tmp_path, rig.ports) as port:
            address = f"http://{HOST}:{port}/hook"
            settings = {"WEBHOOK_URL": address, "WEBHOOK_SECRET": SECRET}
            for number in range(2):
                await rig.start("--no-set-up", number=number, settings=settings)
            rig.ports.append(free_port())
            rig.processes.append(None)
            await rig.start("--set-up", number=2, ready=False, settings=settings)
            job = rig.processes.pop()
            assert job is not None
            assert await asyncio.wait_for(job.wait(), 60) == 0
            players = crowd(playground, 10, ledger, seed=31)
            stop = asyncio.Event()
            playing = asyncio.gather(*(player.play(stop, pause=0.05) for player in players))
            for number in range(2):
                await asyncio.sleep(0.5)
                assert await rig.end(signal.SIGTERM, number) == 0
                await rig.start("--no-set-up", number=number, settings=settings)
            await asyncio.sleep(0.5)
            stop.set()
            await playing
            wrong, _ = await settled(rig)
            assert not wrong
            assert not await stuck(rig, players)
            games = rig.games()
            assert ledger.look(games) == ledger.invented(games) == 0
            assert ledger.unanswered == 0, "a restart drops no update"
            async with aiohttp.ClientSession(f"http://{HOST}:{port}/") as session:
                for page, status in (("metrics", 404), ("readyz", 404), ("healthz", 200), ("hook", 403)):
                    async with session.get(page) as answer:
                        assert answer.status == status, page
                async with session.post("hook") as answer:
                    assert answer.status == 401
            for number in range(2):
                await rig.end(signal.SIGTERM, number)
        rig.engine.dispose()
