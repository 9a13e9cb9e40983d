"""Plays and reads boards of every kind."""

from __future__ import annotations

import asyncio

from bot.context.services import DOUBLE_SECONDS
from bot.game.actions import Move, ShowAll, ShowRegion, ShowRules
from engine import Position, Rules
from playground.messages import Message
from playground.people import Person
from tests.boards import board
from tests.carried import action_of
from tests.e2e.driver import MARKS


def ply_of(message: Message) -> int:
    """The ply that a board shows, from its first button; -1 if the message isn't a board."""
    if not message.from_bot or not message.keyboard:
        return -1
    ply: int = getattr(action_of(message.keyboard[0][0]), "ply", -1)
    return ply


def position_on(message: Message, rules: Rules) -> Position:
    """The position that a keyboard of all cells shows; it must be reachable."""
    rows = message.labels[: rules.layout.rows]
    return board("".join(MARKS[label] for row in rows for label in row), rules)


def styled(message: Message, style: str) -> set[int]:
    """The cells of a style."""
    return {
        button.cell
        for row in message.keyboard
        for each in row
        if each.get("style") == style and isinstance(button := action_of(each), Move)
    }


async def put_on(person: Person, message: Message, cell: int) -> None:
    """Tap a cell and wait until the board shows that it was played."""
    ply = ply_of(message)
    (data,) = [
        str(each["callback_data"])
        for row in message.keyboard
        for each in row
        if isinstance(button := action_of(each), Move) and button.cell == cell
    ]
    answer = await person.tap(message, data=data)
    assert answer.text is None, answer.text
    await message.until(lambda shown: ply_of(shown) > ply)


def _page_of(button: dict[str, object]) -> str | None:
    match action_of(button):
        case ShowRegion(region=region):
            return str(region)
        case ShowAll():
            return "all"
        case ShowRules():
            return "rules"
    return None


async def turned(person: Person, message: Message, page: str) -> None:
    """Tap the button that turns a board to a region, `all` or `rules`, and wait; returns the board."""
    before = message.labels
    (data, *_) = [str(each["callback_data"]) for row in message.keyboard for each in row if _page_of(each) == page]
    answer = await person.tap(message, data=data)
    assert answer.text is None, answer.text
    await message.until(lambda shown: shown.labels != before)
    if page.isdigit():
        await asyncio.sleep(DOUBLE_SECONDS)
