"""What docs/hosting.md tells people who run a bot, or several, is true."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from bot.metrics import Metrics
from playground import Playground
from tests.faults.crowd import Ledger, crowd, settled, stuck
from tests.ports import HOST, free_port
from tests.processes import SECRET, Processes
from tests.project.commands import ROOT, Checkout, readme_command

DOCKERFILE = (ROOT / "Dockerfile").read_text()


async def test_a_webhook_of_somebody_else_is_left_alone_unless_it_is_to_be_taken_over(tmp_path: Path) -> None:
    *_, takes_over = readme_command(".venv/bin/python -m bot --take-over")
    async with Playground() as playground:
        playground.telegram.webhook.url = "https://elsewhere.example/hook"
        rig = Processes(playground, tmp_path, begins=False)
        await rig.start(ready=False)
        assert await rig.ended() == 1
        assert "A webhook is set for this bot, at elsewhere.example" in rig.logged()
        await rig.start(takes_over)
        assert await rig.end(signal.SIGINT) == 0
    assert not playground.telegram.webhook.url


def test_alerts_ask_for_metrics_that_there_are() -> None:
    metrics = Metrics()
    metrics.updated("tap", "done")
    metrics.failed("our fault")
    metrics.count_games({"running": 1})
    told = set(re.findall(r"^(oxo_[a-z_]+)", metrics.text().decode(), re.MULTILINE))
    asked = set(re.findall(r"oxo_[a-z_]+", (ROOT / "deploy" / "prometheus-rules.yml").read_text()))
    assert asked
    assert asked <= told


@pytest.fixture(scope="module")
def compose() -> list[str]:
    """The command that reads docker-compose.yml: Docker's plugin or its predecessor."""
    for words in (["docker", "compose"], ["docker-compose"]):
        if (
            shutil.which(words[0])
            and subprocess.run([*words, "version"], capture_output=True, check=False).returncode == 0
        ):
            return words
    pytest.skip("No docker compose is on the PATH. On Debian: apt install docker-compose")


def test_the_composition_is_sound(checkout: Checkout, compose: list[str]) -> None:
    assert readme_command("docker compose up -d")[:2] == ["docker", "compose"]
    (checkout.folder / ".env").write_text("BOT_TOKEN=123456:ABC-DEF\n")
    ended = checkout.run(*compose, "config")
    assert ended.returncode == 0, ended.stderr
    assert "BOT_TOKEN: 123456:ABC-DEF" in ended.stdout
    assert "data:/data" in ended.stdout or "target: /data" in ended.stdout
    assert "stop_grace_period: 15s" in ended.stdout
    assert "stop_signal: SIGTERM" in ended.stdout


def test_the_composition_of_several_is_sound_and_needs_a_webhook(checkout: Checkout, compose: list[str]) -> None:
    _, _, *rest, _, _ = readme_command("docker compose -f docker-compose.scale.yml up -d")
    (checkout.folder / ".env").write_text("BOT_TOKEN=123456:ABC-DEF\n")
    refused = checkout.run(*compose, *rest, "config")
    assert refused.returncode != 0
    assert "several bots need it in .env" in refused.stderr
    with (checkout.folder / ".env").open("a") as settings:
        settings.write("WEBHOOK_URL=https://oxo.example.org/hook\nWEBHOOK_SECRET=abc\n")
    ended = checkout.run(*compose, *rest, "config")
    assert ended.returncode == 0, ended.stderr
    services, _, _ = ended.stdout.partition("\nx-scaled:")  # newer versions repeat what services share
    assert services.count("DATABASE_URL: postgresql://oxo@postgres/oxo") == 2
    assert services.count("stop_grace_period: 15s") == 2
    assert "replicas: 2" in services
    assert re.findall(r"--(?:no-)?set-up", services) == ["--no-set-up", "--set-up"]
    mounted = set(re.findall(r"/(deploy/nginx/[\w.-]+\w)", services))
    assert len(mounted) == 2
    assert all((ROOT / path).is_file() for path in mounted)
    alone, several = ((ROOT / file).read_text() for file in ("docker-compose.yml", rest[1]))
    assert "\n  bot:\n" in alone
    assert "\n  bot:\n" in several, "one name, so that starting one setup ends the other's bot"


def test_what_the_image_is_built_from_reaches_the_builder() -> None:
    kept = set(re.findall(r"^!([\w.-]+)/?$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    files = {"LICENSE", "README.md", "pyproject.toml", "requirements.lock", "requirements-build.lock"}
    assert kept == files | {"bot", "engine", "storage"}
    assert all((ROOT / name).exists() for name in kept)
    assert re.search(r"^USER 10001$", DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :], re.MULTILINE), "not root"


async def test_the_service_of_systemd_waits_for_an_upgrade_but_for_no_bot_that_has_ended(port: int) -> None:
    unit = (ROOT / "deploy" / "oxo.service").read_text().replace("8081", str(port))
    (script,) = re.findall(r"^ExecStartPost=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    main = await asyncio.create_subprocess_exec("sleep", "60")
    checks = [
        await asyncio.create_subprocess_exec("sh", "-c", script, env={**os.environ, "MAINPID": str(pid)})
        for pid in (main.pid, os.getpid())
    ]
    await asyncio.sleep(0.5)
    main.kill()
    await main.wait()
    assert await checks[0].wait() == 1
    assert checks[1].returncode is None
    server = await asyncio.start_server(_well, HOST, port)
    assert await checks[1].wait() == 0
    server.close()


async def _well(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.0 200 OK\r\n\r\n")
    writer.close()


def test_the_health_check_tells_a_well_bot_from_none(tmp_path: Path, port: int) -> None:
    (words,) = re.findall(r"^HEALTHCHECK (?:.*\\\n)*.*?(\[.*\])$", DOCKERFILE, re.MULTILINE)
    python, *rest = json.loads(words)
    assert python == "python"
    (tmp_path / "healthz").write_text("ok")
    settings = {**os.environ, "HTTP_PORT": str(port), "http_proxy": "http://127.0.0.1:1"}

    def check() -> int:
        return subprocess.run([sys.executable, *rest], env=settings, capture_output=True, check=False).returncode

    assert check() == 1
    served = [
        sys.executable,
        "-u",
        "-m",
        "http.server",
        str(port),
        "--bind",
        "127.0.0.1",
        "--directory",
        str(tmp_path),
    ]
    with subprocess.Popen(served, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            assert check() == 0
            (tmp_path / "healthz").unlink()
            assert check() == 1
        finally:
            server.terminate()


# Several bots behind nginx, with the shipped configuration.


NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
needs_nginx = pytest.mark.skipif(NGINX is None, reason="There is no nginx. On Debian: apt install nginx-light")
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


def is_listening(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex((HOST, port)) == 0


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
            while not is_listening(port):
                assert process.returncode is None, "nginx rejects its configuration"
                await asyncio.sleep(0.02)
        yield port
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        await process.wait()


@needs_nginx
async def test_bots_are_set_up_by_hand_and_restart_one_after_the_other_and_nobody_notices(
    postgres_url: str, tmp_path: Path
) -> None:
    *_, sets_up = readme_command(".venv/bin/python -m bot --set-up")
    lines = (
        readme_command("HTTP_PORT=8081 .venv/bin/python -m bot --no-set-up"),
        readme_command("HTTP_PORT=8082 .venv/bin/python -m bot --no-set-up"),
    )
    ledger = Ledger()
    async with Playground() as playground:
        rig = Processes(playground, tmp_path, postgres_url, replicas=2)
        async with nginx(tmp_path, rig.ports) as port:
            rig.settings |= {"WEBHOOK_URL": f"http://{HOST}:{port}/hook", "WEBHOOK_SECRET": SECRET}
            await rig.start(sets_up, ready=False)
            assert await rig.ended() == 0
            for number, line in enumerate(lines):
                await rig.start(line[-1], number=number)
            players = crowd(playground, 10, ledger, seed=31)
            stop = asyncio.Event()
            playing = asyncio.gather(*(player.play(stop, pause=0.05) for player in players))
            for number, line in enumerate(lines):
                await ledger.reached(ledger.taps + 10)
                assert await rig.end(signal.SIGTERM, number) == 0
                await rig.start(line[-1], number=number)
            await ledger.reached(ledger.taps + 10)
            stop.set()
            await playing
            wrong = await settled(rig)
            assert not wrong
            assert not await stuck(rig, players)
            games = rig.games()
            assert ledger.look(games) == ledger.invented(games) == 0
            assert ledger.unanswered == 0, "a restart drops no update"
            for number in range(2):
                assert await rig.end(signal.SIGTERM, number) == 0
        assert len(playground.calls_of("setWebhook")) == 1
        rig.engine.dispose()


@needs_nginx
@pytest.mark.parametrize("file", ["oxo.conf", "oxo-docker.conf"])
async def test_nginx_takes_either_configuration(tmp_path: Path, file: str) -> None:
    async def answer(request: web.BaseRequest) -> web.Response:
        return web.Response(text=request.path)

    bot = web.ServerRunner(web.Server(answer))
    await bot.setup()
    await web.TCPSite(bot, HOST, 0).start()
    pages = {("POST", "/hook"): 200, ("GET", "/hook"): 403, ("GET", "/metrics"): 404}
    pages |= {("GET", "/readyz"): 404, ("GET", "/healthz"): 200}
    try:
        async with (
            nginx(tmp_path, [int(bot.addresses[0][1])], file) as port,
            aiohttp.ClientSession(f"http://{HOST}:{port}") as session,
        ):
            for (method, page), status in pages.items():
                async with session.request(method, page) as answered:
                    assert answered.status == status, page
    finally:
        await bot.cleanup()
