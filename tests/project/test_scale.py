"""What the docs say about running several bots at once is true."""

from __future__ import annotations

import asyncio
import re
import signal
from asyncio.subprocess import Process
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from playground import Playground
from tests.faults.test_scale import NGINX, nginx
from tests.ports import HOST, free_port
from tests.processes import SECRET, Front
from tests.project.commands import ROOT, environment, readme_command


async def start(words: list[str], **settings: str) -> Process:
    """Start a command of the docs with the variables before it, but with a port that is free here."""
    own = dict(word.split("=") for word in words if word.startswith("HTTP_PORT="))
    command = [word for word in words if not word.startswith("HTTP_PORT=")]
    assert len(command) < len(words) or not own
    return await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment(**settings))


async def test_two_bots_are_started_and_set_up_by_hand(postgres_url: str) -> None:
    ports = [free_port(), free_port()]
    front = Front(ports)
    async with AsyncExitStack() as ending, Playground() as playground:
        await front.start()
        ending.push_async_callback(front.stop)
        settings = {
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "DATABASE_URL": postgres_url,
            "WEBHOOK_URL": f"http://{HOST}:{front.port}/hook",
            "WEBHOOK_SECRET": SECRET,
        }
        job = await start(readme_command(".venv/bin/python -m bot --set-up"), **settings)
        assert await asyncio.wait_for(job.wait(), 60) == 0
        lines = (
            readme_command("HTTP_PORT=8081 .venv/bin/python -m bot --no-set-up"),
            readme_command("HTTP_PORT=8082 .venv/bin/python -m bot --no-set-up"),
        )
        bots = [
            await start(line, **settings, HTTP_PORT=str(port)) for line, port in zip(lines, ports, strict=True)
        ]
        playground.telegram.webhook.first_pause = 0.2
        for _ in range(4):
            await playground.people["ann"].ask("/newgame easy", within=60)
        for bot in bots:
            bot.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(bot.wait(), 60) == 0
        assert len(playground.calls_of("setWebhook")) == 1


def test_the_composition_of_several_has_two_bots_behind_nginx_and_one_job() -> None:
    assert readme_command("docker compose -f docker-compose.scale.yml up -d")
    text = (ROOT / "docker-compose.scale.yml").read_text()
    services = dict(
        re.findall(r"^  ([a-z-]+):\n((?:    .*\n|\n)+)", text[text.index("\nservices:") :], re.MULTILINE)
    )
    assert services.keys() == {"bot", "set-up", "nginx", "postgres"}
    assert "--no-set-up" in services["bot"]
    assert "replicas: 2" in services["bot"]
    assert '"--set-up"' in services["set-up"]
    mounted = re.findall(r"- \./(\S+?):/etc/nginx/", services["nginx"])
    assert len(mounted) == 2
    assert all((ROOT / path).is_file() for path in mounted)


def test_the_polling_bot_is_replaced_by_the_several_and_cannot_run_with_them() -> None:
    """Both files call it `bot`, in the same project, so that starting one setup ends the other's bot."""
    alone, several = ((ROOT / f"docker-compose{name}.yml").read_text() for name in ("", ".scale"))
    assert re.findall(
        r"^  ([a-z-]+):$", alone[alone.index("\nservices:") : alone.index("\nvolumes:")], re.MULTILINE
    ) == ["bot"]
    assert re.search(r"^  bot:$", several, re.MULTILINE)
    for name in ("WEBHOOK_URL", "WEBHOOK_SECRET"):
        assert f"{name}: ${{{name}:?" in several


@pytest.mark.skipif(NGINX is None, reason="There is no nginx. On Debian: apt install nginx-light")
@pytest.mark.parametrize("file", ["oxo.conf", "oxo-docker.conf"])
async def test_nginx_takes_either_configuration(tmp_path: Path, file: str) -> None:
    bot = web.ServerRunner(web.Server(answer))
    await bot.setup()
    await web.TCPSite(bot, HOST, 0).start()
    try:
        async with (
            nginx(tmp_path, [int(bot.addresses[0][1])], file) as port,
            aiohttp.ClientSession(f"http://{HOST}:{port}") as session,
        ):
            for method, page, status in (
                ("POST", "/hook", 200),
                ("GET", "/hook", 403),
                ("GET", "/metrics", 404),
                ("GET", "/readyz", 404),
                ("GET", "/healthz", 200),
            ):
                async with session.request(method, page) as answered:
                    assert answered.status == status, page
    finally:
        await bot.cleanup()


async def answer(request: web.BaseRequest) -> web.Response:
    return web.Response(text=request.path)
