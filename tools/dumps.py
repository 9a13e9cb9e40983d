"""`python -m tools.dumps`: has people play games of every kind, and keeps what this release stores of it as text.

Each file in `tests/storage/releases` is a database; its name says which release made it. Later releases must go on
with all of them, so a release makes its files once, and nobody changes them.
"""

import asyncio
import re
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from importlib.metadata import version

from sqlalchemy import make_url

from benchmarks.databases import new_database
from playground import Playground
from tools.playing import ROOT, finished, playing, tapped

FOLDER = ROOT / "tests" / "storage" / "releases"
NOISE = re.compile(r"^(--.*|\\.*|SET .*|SELECT pg_catalog\.set_config.*)?\n", re.MULTILINE)
"""Lines of a PostgreSQL dump that say nothing of what is stored."""


def main() -> None:
    """Make the file of each database."""
    for kind in ("sqlite", "postgresql"):
        with new_database(kind) as url:
            asyncio.run(lived(url))
            (FOLDER / f"{version('oxo-bot')}.{kind}.sql").write_text(dumped(url))


def dumped(url: str) -> str:
    """The statements that make a database again."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(make_url(url).database or "")) as connection:
            return "\n".join(connection.iterdump()) + "\n"
    dump = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", url]
    said = subprocess.run(dump, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return NOISE.sub("", said.stdout)


async def lived(url: str) -> None:
    """Start a bot on a database, let people play, and stop it."""
    with tempfile.TemporaryDirectory() as folder:
        forgotten = f"{folder}/forgotten"
        async with playing(DATABASE_URL=url, FORGOTTEN_FILE=forgotten, EDITS_PER_MINUTE="0") as playground:
            await evening(playground)


async def evening(playground: Playground) -> None:
    """What people do: something of each kind that is stored."""
    ann, bo, cem = (playground.people[key] for key in ("ann", "bo", "cem"))
    dee, group = playground.world.add_person("Dee", started=True), playground.groups["noughts"]
    group.add(dee)
    for words in ("me", "beginner me misere"):
        await finished(await ann.ask(f"/newgame {words}"), ann)
    for words in ("hard me 5x5", "perfect oxo", "easy me ultimate", "medium me vanishing"):
        board = await ann.ask(f"/newgame {words}")
        await tapped(ann, board, *divmod(4, len(board.labels[0])))
    for words in ("/share", "/challenge 2m bo3 5x5", "/settings theme sky", "/puzzle b2", "/play 6x6", "/watch"):
        await ann.ask(words)
    await dee.ask("/play 6x6")
    await bo.ask("/play 7x7")
    for words, other in (("/newgame", dee), ("/challenge @xiao_bo 1d bo3", bo)):
        board = await ann.ask(words, in_=group)
        await other.tap(board, "Accept")
        await board.until(lambda board: "·" in str(board.labels))
        await finished(board, ann, other, most=4 if "bo3" in words else 9)
    await ann.ask("/challenge 4x4", in_=group)
    offers = await ann.inline("", in_=group)
    await cem.tap(ann.choose(offers[0], in_=group), "Accept")
    for words in ("/settings timezone Berlin", "/cup friday 20:00 weekly", "/puzzle", "/top season"):
        await ann.ask(words, in_=group)
    cup = await ann.ask("/cup", in_=group)
    for person in (bo, dee):
        await person.tap(cup, "Join")
    await ann.tap(cup, "Start")
    await group.wait_for(lambda each: "round 1" in each.text.lower(), after=cup)
    await dee.ask("/block", in_=group, reply_to=await bo.say("Hi!", in_=group))
    asked = await cem.ask("/forget")
    await cem.tap(asked, "Yes, delete it")
    await cem.private.wait_for(after=asked)
    group.remove(dee, by=ann)
    await asyncio.sleep(2)  # what follows from a last step is stored within a second


if __name__ == "__main__":
    main()
