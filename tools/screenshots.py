"""`python -m tools.screenshots`: takes the pictures of the README, in a playground of its own with the bot in it.

Texts, moves and the time are always the same: a picture changes only if what it shows does.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright

from playground import Playground
from playground.chats import Chat
from playground.child import BotProcess
from playground.messages import Message
from playground.people import Person

DOCS: Final = Path(__file__).parents[1] / "docs"
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NOON: Final = 12 * 3600
DAY: Final = 24 * 3600
PHONE: Final = (390, 640)
DESKTOP: Final = (820, 885)
COLOURS: Final = 128
"""Of each frame of the animation."""
FRAME, LAST_FRAME = 900, 4000
"""How long frames stand, in milliseconds."""
SHOWN: Final = """([id, labels]) => {
  const buttons = document.querySelectorAll(`[data-message-id="${id}"] button[data-row]`);
  return JSON.stringify([...buttons].map((button) => button.textContent)) === JSON.stringify(labels);
}"""
"""Whether the page shows these buttons below a message."""
TEMPO: Final = ((0, 4), (1, 1), (0, 0), (1, 8), (0, 6), (1, 3), (0, 2))
"""The game of the animation: who takes which cell. X threatens twice, and wins."""


class View(NamedTuple):
    """A person's view of a chat, in a window of a given size."""

    person: Person
    chat: Chat
    size: tuple[int, int]
    scheme: Literal["light", "dark"] = "light"


async def main(folder: Path, browser_path: str) -> None:
    """Take all pictures into a folder."""
    async with playing() as playground, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        ann, bo, cem = (playground.people[key] for key in ("ann", "bo", "cem"))
        group = playground.groups["noughts"]
        phone = View(ann, group, PHONE)
        await film(browser, playground, phone, folder / "game.gif", bo)
        await play_in(group, ann, bo, cem)
        async with opened(browser, playground, View(ann, group, DESKTOP)) as page:
            await page.screenshot(path=folder / "group.png")
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


async def film(browser: Browser, playground: Playground, view: View, file: Path, opponent: Person) -> None:
    """Film a game of two, tap by tap."""
    frames: list[Image.Image] = []
    board = await view.person.ask("/newgame", in_=view.chat)
    async with opened(browser, playground, view) as page:
        for who, cell in ((1, None), *TEMPO):
            frames.append(await frame(page))
            row, column = (0, 0) if cell is None else divmod(cell, 3)
            await tapped((view.person, opponent)[who], board, row, column)
            await page.wait_for_function(SHOWN, arg=[board.id, [label for row in board.labels for label in row]])
        frames.append(await frame(page))
    durations = [FRAME] * (len(frames) - 1) + [LAST_FRAME]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)


async def frame(page: Page) -> Image.Image:
    """The page's current picture, in a few colours."""
    shot = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
    return shot.quantize(COLOURS, dither=Image.Dither.NONE)


async def tapped(person: Person, message: Message, row: int, column: int) -> None:
    """Tap a button, and wait until the message shows its effect."""
    message.seen = message.revision
    await person.tap(message, row=row, column=column)
    await message.changed()


@contextlib.asynccontextmanager
async def opened(browser: Browser, playground: Playground, view: View) -> AsyncIterator[Page]:
    """The page in a window of its own, once it shows the chat."""
    width, height = view.size
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=view.scheme,
        reduced_motion="reduce",
        timezone_id="UTC",
        locale="en-GB",
    )
    page = await context.new_page()
    await page.clock.set_fixed_time(playground.clock.now())
    await page.goto(f"{playground.url}/#person={view.person.id}&chat={view.chat.id}")
    await page.locator("[data-message-id]").last.wait_for()
    await page.locator("body").evaluate("() => document.fonts.ready.then(() => null)")
    hide = "(days) => days.forEach((day) => { day.style.visibility = 'hidden'; })"
    await page.locator(".day").evaluate_all(hide)
    yield page
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
