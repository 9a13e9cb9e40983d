"""`python -m tools.screenshots`: takes the pictures of the README, in a playground of its own with the bot in it.

Texts, moves and the time are always the same: a picture changes only if what it shows does.
"""

import argparse
import asyncio
import contextlib
import io
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from playground import Playground
from playground.chats import Chat, Message
from playground.people import Person
from tools.playing import ROOT, playing, tapped

DOCS = ROOT / "docs"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NOON = 12 * 3600
DAY = 24 * 3600
PHONE = ViewportSize(width=390, height=640)
DESKTOP = ViewportSize(width=820, height=885)
COLOURS = 128
"""Of each frame of the animation."""
FRAME, LAST_FRAME = 900, 4000
"""How long frames stand, in milliseconds."""
SHOWN = """([id, labels]) => {
  const buttons = document.querySelectorAll(`[data-message-id="${id}"] button[data-row]`);
  return JSON.stringify([...buttons].map((button) => button.textContent)) === JSON.stringify(labels);
}"""
"""Whether the page shows these buttons below a message."""
TEMPO = ((1, 0), (0, 4), (1, 1), (0, 0), (1, 8), (0, 6), (1, 3), (0, 2))
"""The game of the animation: who taps which cell; the first tap accepts. X threatens twice, and wins."""


async def main(folder: Path, browser_path: str, data: str) -> None:
    """Take all pictures into a folder."""
    url = f"sqlite:///{data}/oxo.db"
    async with playing(DATABASE_URL=url) as playground, async_playwright() as playwright:
        playground.clock.advance(NOON + DAY - playground.clock.now() % DAY)
        browser = await playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        ann, bo, cem = (playground.people[key] for key in ("ann", "bo", "cem"))
        group = playground.groups["noughts"]
        board = await ann.ask("/newgame", in_=group)
        async with opened(browser, playground, ann, group, PHONE) as page:
            await film(page, folder / "game.gif", board, (ann, bo))
        board = await ann.ask("/newgame", in_=group)
        for person, cell in ((bo, 0), (ann, 4), (bo, 0), (ann, 8), (bo, 2), (ann, 1)):
            await tapped(person, board, *divmod(cell, 3))
        await cem.ask("/newgame", in_=group)
        async with opened(browser, playground, ann, group, DESKTOP) as page:
            await page.screenshot(path=folder / "group.png")
        await browser.close()


async def film(page: Page, file: Path, board: Message, people: tuple[Person, Person]) -> None:
    """Film a game of two, tap by tap."""
    frames = [await frame(page)]
    for who, cell in TEMPO:
        await tapped(people[who], board, *divmod(cell, 3))
        await page.wait_for_function(SHOWN, arg=[board.id, [label for row in board.labels for label in row]])
        frames.append(await frame(page))
    durations = [FRAME] * len(TEMPO) + [LAST_FRAME]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)


async def frame(page: Page) -> Image.Image:
    """The page's current picture, in a few colours."""
    shot = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
    return shot.quantize(COLOURS, dither=Image.Dither.NONE)


@contextlib.asynccontextmanager
async def opened(
    browser: Browser, playground: Playground, person: Person, chat: Chat, size: ViewportSize
) -> AsyncIterator[Page]:
    """A person's page in a window of its own, once it shows the chat."""
    context = await browser.new_context(viewport=size, reduced_motion="reduce", timezone_id="UTC", locale="en-GB")
    page = await context.new_page()
    await page.clock.set_fixed_time(playground.clock.now())
    await page.goto(f"{playground.url}/#person={person.id}&chat={chat.id}")
    await page.locator("[data-message-id]").last.wait_for()
    await page.locator("body").evaluate("() => document.fonts.ready.then(() => null)")
    hide = "(days) => days.forEach((day) => { day.style.visibility = 'hidden'; })"
    await page.locator(".day").evaluate_all(hide)
    yield page
    await context.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tools.screenshots", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DOCS, help="where the pictures go (default: docs)")
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        sys.exit("No Chromium is on the PATH. On Debian: apt install chromium")
    with tempfile.TemporaryDirectory() as data:
        asyncio.run(main(parser.parse_args().folder, browser_path, data))
