"""The playground's page, as a person uses it in a browser."""

from __future__ import annotations

from typing import Final

from playwright.async_api import Locator, Page

EMPTY: Final = "·"
RESULTS: Final = ("You win", "I win", "Draw")


async def enter(page: Page, url: str, person: str = "Ann") -> None:
    """Open the page as a person, in their private chat with the bot, and press Start."""
    await page.goto(url)
    await page.locator("[data-person-id]", has_text=person).click()
    await page.locator("#chats [data-chat-id]").first.click()
    await page.locator("#start").click()
    await page.locator("[data-message-id]", has_text="/newgame").last.wait_for()


async def new_game(page: Page, words: str = "") -> Locator:
    """Ask for a game; returns the message with its board."""
    await page.locator("#composer").fill(f"/newgame {words}".strip())
    await page.locator("#composer").press("Enter")
    board = page.locator("[data-message-id]", has=page.locator("[data-row='2'][data-column='2']")).last
    await board.wait_for()
    return board


async def tap(board: Locator, cell: int) -> None:
    """Tap a cell and wait until the board shows more marks than before."""
    before = await board.inner_text()
    await board.locator(f"[data-row='{cell // 3}'][data-column='{cell % 3}']").click()
    await board.page.wait_for_function(
        "([node, before]) => node.innerText !== before", arg=[await board.element_handle(), before], timeout=10_000
    )


async def play_to_the_end(board: Locator) -> str:
    """Tap empty cells until the game is over; returns the message's text."""
    for _ in range(5):
        labels = [
            await board.locator(f"[data-row='{cell // 3}'][data-column='{cell % 3}']").inner_text()
            for cell in range(9)
        ]
        await tap(board, next(cell for cell, label in enumerate(labels) if EMPTY in label))
        text = await board.inner_text()
        if any(result in text for result in RESULTS):
            return text
    raise AssertionError(f"Five taps fill the board, yet the game goes on: {text}")
