"""What the README says about several bots at once."""

from __future__ import annotations

import asyncio
import re
import signal
from typing import TYPE_CHECKING

from playground import Playground
from tests.faults.rig import HOST, SECRET, Front, free_port
from tests.project.commands import ROOT, environment, readme_command

if TYPE_CHECKING:
    from asyncio.subprocess import Process


async def start(words: list[str], **settings: str) -> Process:
    """Start a command of the README, with the variables before it but with a port that is free here."""
    own = dict(word.split("=") for word in words if word.startswith("HTTP_PORT="))
    command = [word for word in words if not word.startswith("HTTP_PORT=")]
    assert len(command) < len(words) or not own
    return await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment(**settings))


async def test_two_bots_are_started_and_set_up_by_hand(postgres_url: str) -> None:
    ports = [free_port(), free_port()]
    front = Front(ports)
    await front.start()
    async with Playground() as playground:
        settings = {
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "DATABASE_URL": postgres_url,
            "WEBHOOK_URL": f"http://{HOST}:{front.port}/hook",
            "WEBHOOK_SECRET": SECRET,
        }
        job = await start(readme_command(".venv/bin/python -m bot --set-up"), **settings)
        assert await asyncio.wait_for(job.wait(), 20) == 0
        lines = (
            readme_command("HTTP_PORT=8081 .venv/bin/python -m bot --no-set-up"),
            readme_command("HTTP_PORT=8082 .venv/bin/python -m bot --no-set-up"),
        )
        bots = [
            await start(line, **settings, HTTP_PORT=str(port)) for line, port in zip(lines, ports, strict=True)
        ]
        playground.telegram.webhook.first_pause = 0.2
        for _ in range(4):
            await playground.people["ann"].ask("/newgame easy", within=30)
        for bot in bots:
            bot.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(bot.wait(), 20) == 0
        assert len(playground.calls_of("setWebhook")) == 1
    await front.stop()


def test_the_composition_has_two_replicas_behind_nginx_and_one_job() -> None:
    assert readme_command("docker compose --profile scale up nginx")
    text = (ROOT / "docker-compose.yml").read_text()
    services = dict(
        re.findall(r"^  ([a-z-]+):\n((?:    .*\n|\n)+)", text[text.index("\nservices:") :], re.MULTILINE)
    )
    assert services.keys() == {"bot", "replica", "set-up", "nginx", "postgres"}
    assert "--no-set-up" in services["replica"]
    assert "replicas: 2" in services["replica"]
    assert '"--set-up"' in services["set-up"]
    assert "scale" not in services["bot"]
    shared = text[: text.index("\nservices:")]
    for name, whole in (("CALLS_PER_SECOND", 28), ("EDITS_PER_MINUTE", 18)):
        found = re.search(rf'{name}: "([0-9]+)"', shared)
        assert found is not None
        assert 2 * int(found[1]) <= whole
