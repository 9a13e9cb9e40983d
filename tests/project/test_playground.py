"""What docs/playground.md says about the playground is true."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import aiohttp

from playground import Playground
from tests.project.commands import PAGES, ROOT, Checkout, readme_command

PAGE = PAGES["docs/playground.md"]


async def curl(words: list[str], url: str) -> dict[str, Any]:
    """What a curl command would get, at another address."""
    _, address, *rest = words
    address = address.replace("http://127.0.0.1:8080", url)
    async with aiohttp.ClientSession() as session:
        if not rest:
            async with session.get(address) as answer:
                return dict(await answer.json())
        async with session.post(address, data=rest[1]) as answer:
            return dict(await answer.json())


async def test_a_script_plays_as_it_is_shown(checkout: Checkout, port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    async with checkout.start("make", "play", f"PORT={port}", HTTP_PORT="0") as terminal:
        await terminal.says(r"Play at \S+")
        state = await curl(readme_command("curl http://127.0.0.1:8080/page/state"), url)
        assert state.keys() >= {"bot", "people", "chats", "messages", "commands", "descriptions"}
        say = readme_command(
            "curl http://127.0.0.1:8080/page/act -d "
            """'{"type": "say", "person": 5000000001, "chat_id": 5000000001, "text": "/newgame"}'"""
        )
        assert await curl(say, url) == {"type": "done"}
        async with asyncio.timeout(60):
            while len(state["messages"]["5000000001"]) < 2:
                state = await curl(["curl", "http://127.0.0.1:8080/page/state"], url)
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
        said = await terminal.says("BOT_TOKEN=.*")
        settings = dict(word.split("=", 1) for word in said.split())
        assert settings["BOT_API_URL"] == f"http://127.0.0.1:{port}"
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{settings['BOT_API_URL']}/bot{settings['BOT_TOKEN']}/getMe") as answer,
        ):
            assert (await answer.json())["ok"]


def test_the_people_and_the_group_are_those_that_it_names() -> None:
    playground = Playground()
    (group,) = playground.groups.values()
    assert f"*{group.title}*" in PAGE
    for person in playground.people.values():
        name = " ".join(filter(None, (person.first_name, person.last_name)))
        (row,) = re.findall(rf"^\| {name} \|.*$", PAGE, re.MULTILINE)
        assert f"`@{person.username}`" in row if person.username else "none" in row


def test_every_act_is_named() -> None:
    source = (ROOT / "playground" / "acts.py").read_text()
    acts = re.findall(r'^            "(\w+)": (?:self\._|lambda)', source, re.MULTILINE)
    assert len(acts) > 15
    assert [act for act in acts if f"`{act}`" not in PAGE and f'"type": "{act}"' not in PAGE] == []
