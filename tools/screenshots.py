"""`python -m tools.screenshots`: takes the README's pictures anew, in a playground of its own with the bot in it.

What is said and played is always the same, and so is the time: a picture changes only if what it shows does.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from playwright.async_api import async_playwright

from playground import Playground
from playground.child import BotProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from playground.chats import Chat
    from playground.messages import Message
    from playground.people import Person

DOCS: Final = Path(__file__).parents[1] / "docs"
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NOON: Final = 12 * 3600
DAY: Final = 24 * 3600
PHONE: Final = (390, 780)
DESKTOP: Final = (820, 885)
TRIES: Final = 200
"""How often a move is taken back until the computer, which has several good ones, answers as in the picture."""


class Picture(NamedTuple):
    """A picture to be taken: what a person sees of a chat."""

    file: Path
    person: Person
    chat: Chat
    size: tuple[int, int]
    scheme: Literal["light", "dark"]


async def main(folder: Path, browser_path: str) -> None:
    """Take all pictures into a folder."""
    async with playing() as playground, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        ann, bo, cem = (playground.people[key] for key in ("ann", "bo", "cem"))
        group = playground.groups["noughts"]
        await play_in(group, ann, bo, cem)
        await photograph(browser, playground, Picture(folder / "group.png", ann, group, DESKTOP, "light"))
        await play_alone(ann)
        await photograph(browser, playground, Picture(folder / "phone.png", ann, ann.private, PHONE, "dark"))
        await browser.close()


@contextlib.asynccontextmanager
async def playing() -> AsyncIterator[Playground]:
    """A playground at noon, with the bot in it."""
    with tempfile.TemporaryDirectory() as folder:
        async with Playground() as playground:
            playground.clock.advance(NOON + DAY - playground.clock.now() % DAY)
            settings = {
                "BOT_TOKEN": playground.token,
                "BOT_API_URL": playground.url,
                "DATABASE_URL": f"sqlite:///{folder}/oxo.db",
                "HTTP_PORT": "0",
                "LOG_LEVEL": "WARNING",
            }
            bot = BotProcess(settings, lambda line: print(line, file=sys.stderr))  # noqa: T201 - it reports
            running = asyncio.create_task(bot.keep_running())
            try:
                yield playground
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)


async def play_in(group: Chat, ann: Person, bo: Person, cem: Person) -> None:
    """A game between two in the group, and a challenge to everybody."""
    board = await ann.ask("/newgame", in_=group)
    await tapped(bo, board, 0, 0)
    for person, cell in ((ann, 4), (bo, 0), (ann, 8), (bo, 2), (ann, 1)):
        await tapped(person, board, *divmod(cell, 3))
    await cem.ask("/newgame", in_=group)


async def play_alone(ann: Person) -> None:
    """A game against the computer, which always comes to the same board, and a hint."""
    await ann.ask("/start")
    board = await ann.ask("/newgame perfect")
    for _ in range(TRIES):
        await tapped(ann, board, 1, 1)
        if board.labels[0][0] == "⭕":
            break
        await tapped(ann, board, *place_of(board, "Undo"))
    for cell in (2, 3):
        await tapped(ann, board, *divmod(cell, 3))
    await tapped(ann, board, *place_of(board, "Hint"))


async def tapped(person: Person, message: Message, row: int, column: int) -> None:
    """Tap a button, and wait until the message shows what that has done."""
    message.seen = message.revision
    await person.tap(message, row=row, column=column)
    await message.changed()


def place_of(message: Message, label: str) -> tuple[int, int]:
    """The row and column of a button."""
    ((row, column),) = [(row, labels.index(label)) for row, labels in enumerate(message.labels) if label in labels]
    return row, column


async def photograph(browser: Browser, playground: Playground, picture: Picture) -> None:
    """Photograph the page."""
    person, chat = picture.person, picture.chat
    width, height = picture.size
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=picture.scheme,
        reduced_motion="reduce",
        timezone_id="UTC",
        locale="en-GB",
    )
    page = await context.new_page()
    await page.clock.set_fixed_time(playground.clock.now())
    await page.goto(f"{playground.url}/#person={person.id}&chat={chat.id}")
    await page.locator("[data-message-id]").last.wait_for()
    await page.locator("body").evaluate("() => document.fonts.ready.then(() => null)")
    hide = "(days) => days.forEach((day) => { day.style.visibility = 'hidden'; })"
    await page.locator(".day").evaluate_all(hide)
    await page.screenshot(path=picture.file)
    await context.close()


def chromium() -> str:
    """The path of a browser."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    sys.exit("No Chromium is on the PATH. On Debian: apt install chromium")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tools.screenshots", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DOCS, help="where the pictures go (default: docs)")
    asyncio.run(main(parser.parse_args().folder, chromium()))
