"""Button labels in every language, measured in Chromium: each row's labels fit on a phone."""

from __future__ import annotations

from typing import Final

from playwright.async_api import Browser

from bot.boards.translations import LANGUAGES
from tests.bot.screens import labels

ROW: Final = 330
"""Pixels of a row of buttons below a message on a phone that is 390 wide."""
GAP: Final = 4
PADDING: Final = 2 * 5
"""Pixels between two buttons, and in one beside its label."""

MEASURED: Final = """labels => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = "500 14px sans-serif";
    return labels.map((label) => pen.measureText(label).width);
}"""


async def test_every_label_fits_on_a_phone(browser: Browser) -> None:
    shown = sorted({(tag, *label) for tag in LANGUAGES for label in labels(tag)})
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    widths = await page.evaluate(MEASURED, [label for _, label, _ in shown])
    await page.close()
    rooms = [(ROW + GAP) / count - GAP - PADDING for _, _, count in shown]
    wide = [
        f"{tag}: {label} ({width:.0f} of {room:.0f} px)"
        for (tag, label, _), width, room in zip(shown, widths, rooms, strict=True)
        if width > room
    ]
    assert wide == []
