"""What docs/playground.md shows works."""

import asyncio
from typing import Any

import aiohttp

from tests.project.commands import Checkout, readme_command


async def curl(words: list[str], url: str) -> dict[str, Any]:
    """What a curl command would get, at another address."""
    _, address, *rest = words
    address = address.replace("http://127.0.0.1:8080", url)
    async with (
        aiohttp.ClientSession() as session,
        session.post(address, data=rest[1]) if rest else session.get(address) as answer,
    ):
        return dict(await answer.json())


async def test_a_script_plays_as_it_is_shown_at_another_port(checkout: Checkout, port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    command = [word.replace("8090", str(port)) for word in readme_command("make play PORT=8090")]
    async with checkout.start(*command, HTTP_PORT="0") as terminal:
        assert await terminal.says(r"Play at \S+") == f"Play at {url}"
        look = readme_command("curl http://127.0.0.1:8080/page/state")
        state = await curl(look, url)
        assert state.keys() >= {"bot", "people", "chats", "messages", "commands", "descriptions"}
        say = readme_command(
            "curl http://127.0.0.1:8080/page/act -d "
            """'{"type": "say", "person": 5000000001, "chat_id": 5000000001, "text": "/newgame"}'"""
        )
        assert await curl(say, url) == {"type": "done"}
        async with asyncio.timeout(60):
            while len(state["messages"]["5000000001"]) < 2:
                state = await curl(look, url)
        tap = readme_command(
            "curl http://127.0.0.1:8080/page/act -d "
            """'{"type": "tap", "person": 5000000001, "chat_id": 5000000001, """
            """"message_id": 102, "row": 1, "column": 1}'"""
        )
        answered = await curl(tap, url)
    assert answered["type"] == "answer", answered


async def test_alone_it_says_what_a_bot_needs_to_join_it(checkout: Checkout, port: int) -> None:
    words = [*readme_command(".venv/bin/python -m playground --no-bot"), "--port", str(port)]
    async with checkout.start(*words) as terminal:
        settings = dict(word.split("=", 1) for word in (await terminal.says("BOT_TOKEN=.*")).split())
        assert settings["BOT_API_URL"] == f"http://127.0.0.1:{port}"
        about = f"{settings['BOT_API_URL']}/bot{settings['BOT_TOKEN']}/getMe"
        assert (await curl(["curl", about], about))["ok"]
