"""What docs/hosting.md tells people who run a bot is true."""

from __future__ import annotations

import re

from bot.metrics import Metrics
from playground import Playground
from tests.project.commands import ROOT, Checkout, readme_command


async def test_a_webhook_of_somebody_else_is_left_alone_unless_it_is_to_be_taken_over(checkout: Checkout) -> None:
    *_, module, option = words = readme_command(".venv/bin/python -m bot --take-over")
    assert (module, option) == ("bot", "--take-over")
    async with Playground() as playground:
        settings = {"BOT_TOKEN": playground.token, "BOT_API_URL": playground.url, "HTTP_PORT": "0"}
        playground.telegram.webhook.url = "https://elsewhere.example/hook"
        async with checkout.start(*words[:-1], **settings) as terminal:
            await terminal.says("A webhook is set for this bot, at elsewhere.example")
        async with checkout.start(*words, **settings) as terminal:
            await terminal.says("updates by long polling")
            status, _ = await terminal.ctrl_c()
    assert status == 0


def test_alerts_ask_for_metrics_that_there_are() -> None:
    metrics = Metrics()
    metrics.updated("tap", "done")
    metrics.failed("our fault")
    metrics.count_games({"running": 1})
    told = set(re.findall(r"^(oxo_[a-z_]+)", metrics.text().decode(), re.MULTILINE))
    rules = (ROOT / "deploy" / "prometheus-rules.yml").read_text()
    asked = set(re.findall(r"oxo_[a-z_]+", rules))
    assert asked
    assert asked <= told
