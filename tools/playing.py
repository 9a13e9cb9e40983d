"""A playground with a bot in it, in which tools have people play."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playground import Playground
from playground.chats import Message
from playground.people import Person

ROOT = Path(__file__).parents[1]
AFTER_A_GAME = {"🔎", "Find it"}
"""What opens the review of a finished game."""
STOP = 15.0
"""Seconds that the bot may take to stop."""


@asynccontextmanager
async def playing(python: str = sys.executable, folder: Path = ROOT, **settings: str) -> AsyncIterator[Playground]:
    """Start a bot in a folder, with these settings besides the usual ones; in the end, stop it as a host does."""
    async with Playground() as playground:
        usual = {
            "PATH": os.environ["PATH"],
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "HTTP_PORT": "0",
            "LOG_LEVEL": "WARNING",
        }
        bot = await asyncio.create_subprocess_exec(python, "-m", "bot", cwd=folder, env=usual | settings)
        try:
            yield playground
        finally:
            bot.terminate()
            status = await asyncio.wait_for(bot.wait(), STOP)
    if status:
        sys.exit(f"The bot ended with exit code {status}.")


async def tapped(person: Person, board: Message, row: int, column: int) -> None:
    """Tap a button, and wait until the board shows its effect."""
    await person.tap(board, row=row, column=column)
    await board.changed()


async def finished(board: Message, *people: Person, most: int = 81) -> None:
    """Play one free cell after the other, in turn if there are two people, until the game is over."""
    for number in range(most):
        places = [(r, c) for r, row in enumerate(board.labels) for c, label in enumerate(row) if "·" in label]
        if not places or not AFTER_A_GAME.isdisjoint(board.labels[-1]):
            return
        await tapped(people[number % len(people)], board, *places[0])
