"""`python -m tools.dumps`: has people play games of every kind, and keeps what this release stores of it as text.

Each file in `tests/storage/releases` is a database; its name says which release made it. Later releases must go on
with all of them, so a release makes its files once, and nobody changes them.
"""

import asyncio
import contextlib
import re
import secrets
import sqlite3
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from playground import Playground
from playground.chats import Message
from playground.child import BotProcess
from playground.people import Person

FOLDER = Path(__file__).parents[1] / "tests" / "storage" / "releases"
NOISE = re.compile(r"^(--.*|\\.*|SET .*|SELECT pg_catalog\.set_config.*)?\n", re.MULTILINE)
"""Lines of a PostgreSQL dump that say nothing of what is stored."""
SERVER = "postgresql://postgres@127.0.0.1:5432/postgres"


def main() -> None:
    """Make the file of each database."""
    FOLDER.mkdir(exist_ok=True)
    name = f"oxo_dump_{secrets.token_hex(4)}"
    url = make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "oxo.db"
        asyncio.run(lived(f"sqlite:///{file}", folder))
        with contextlib.closing(sqlite3.connect(file)) as connection:
            store("sqlite", "\n".join(connection.iterdump()) + "\n")
        with psycopg.connect(SERVER, autocommit=True) as server:
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            try:
                asyncio.run(lived(url, folder))
                dump = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", url]
                said = subprocess.run(dump, capture_output=True, text=True, check=True)  # noqa: S603 - our own
                store("postgresql", NOISE.sub("", said.stdout))
            finally:
                server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def store(kind: str, dump: str) -> None:
    """Write a file."""
    (FOLDER / f"{version('oxo')}.{kind}.sql").write_text(dump)


async def lived(url: str, folder: str) -> None:
    """Start a bot on a database, let people play, and stop it."""
    async with Playground() as playground:
        settings = {
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "DATABASE_URL": url,
            "FORGOTTEN_FILE": f"{folder}/forgotten",
            "EDITS_PER_MINUTE": "0",
            "HTTP_PORT": "0",
            "LOG_LEVEL": "WARNING",
        }
        bot = BotProcess(settings)
        running = asyncio.create_task(bot.keep_running())
        try:
            await evening(playground)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def evening(playground: Playground) -> None:
    """What people do: something of each kind that is stored."""
    ann, bo, cem = (playground.people[key] for key in ("ann", "bo", "cem"))
    dee, group = playground.world.add_person("Dee", started=True), playground.groups["noughts"]
    group.add(dee)
    for words in ("me", "beginner me misere"):
        await finish(await ann.ask(f"/newgame {words}"), ann)
    for words in ("hard me 5x5", "perfect oxo", "easy me ultimate", "medium me vanishing"):
        board = await ann.ask(f"/newgame {words}")
        await moved(board, ann, 4)
    for words in ("/share", "/challenge 2m bo3 5x5", "/settings theme sky", "/puzzle b2", "/play 6x6", "/watch"):
        await ann.ask(words)
    await dee.ask("/play 6x6")
    await bo.ask("/play 7x7")
    for words, other in (("/newgame", dee), ("/challenge @xiao_bo 1d bo3", bo)):
        board = await ann.ask(words, in_=group)
        await other.tap(board, "Accept")
        await board.until(lambda board: "·" in str(board.labels))
        await finish(board, ann, other, most=4 if "bo3" in words else 9)
    await ann.ask("/challenge 4x4", in_=group)
    offers = await ann.inline("", in_=group)
    await cem.tap(ann.choose(offers[0], in_=group), "Accept")
    await ann.ask("/top season", in_=group)
    cup = await ann.ask("/cup", in_=group)
    for person in (bo, dee):
        await person.tap(cup, "Join")
    await ann.tap(cup, "Start")
    await cup.until(lambda cup: "Round 1" in cup.text)
    await dee.ask("/block", in_=group, reply_to=await bo.say("Hi!", in_=group))
    asked = await cem.ask("/forget")
    await cem.tap(asked, "Yes, delete it")
    await cem.private.wait_for(after=asked)
    group.remove(dee, by=ann)
    await asyncio.sleep(2)  # what follows from a last step is stored within a second


async def finish(board: Message, *people: Person, most: int = 81) -> None:
    """Play one free cell after the other, in turn if there are two people, until the game is over."""
    for number in range(most):
        if not any("·" in label for row in board.labels for label in row) or "Review" in str(board.labels):
            return
        places = [(r, c) for r, row in enumerate(board.labels) for c, label in enumerate(row) if label == "·"]
        row, column = places[0]
        await people[number % len(people)].tap(board, row=row, column=column)
        await board.changed()


async def moved(board: Message, person: Person, cell: int) -> None:
    """Tap a cell, and wait for what the board shows then."""
    width = len(board.labels[0])
    await person.tap(board, row=cell // width, column=cell % width)
    await board.changed()


if __name__ == "__main__":
    main()
