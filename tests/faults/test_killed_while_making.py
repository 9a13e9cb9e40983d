"""A bot is killed at each step of making a picture, an export, or the confirmation to a forgotten person.

What can happen to an entry of the outbox, and what another process then does:

1. Killed before the request is stored: Telegram redelivers the update, and it is stored then.
2. Stored, not made, not sent: the sweep claims it after five seconds and makes it.
3. Made and being sent, but Telegram hasn't received it: likewise.
4. Telegram has received it, but that isn't stored: likewise, so it comes twice. Nobody can tell this from 3.
5. It is stored that it was sent: nothing more comes, even if Telegram redelivers the update.

People who ask again are told in 2 to 4 that it's being made, and in 5, within half a minute, that it's there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pytest
from sqlalchemy import select

from bot.background import erasure as forgetting
from playground import Playground
from playground.messages import Message
from playground.people import Person
from storage.schema import OUTBOX
from tests.bots import Bot
from tests.figures import Figures
from tests.soak import SOAK
from tests.world import World, world


@dataclass(frozen=True)
class Case:
    """Something that takes a while to make."""

    asked: str
    """What is said, or the button that is tapped."""
    came: Callable[[Message], bool]
    """Whether a message is the requested one."""
    again: str
    """What is said to somebody who asks again while it is being made."""


PICTURE: Final = Case("/share picture", lambda message: message.photo is not None, "Drawing it…")
EXPORT: Final = Case("/export", lambda message: message.document is not None, "on its way")
CASES: Final = (
    PICTURE,
    EXPORT,
    Case("/forget yes", lambda message: "your data is deleted" in message.text, "I'm already"),
    Case("Share", lambda message: message.animation is not None, "Drawing it…"),
    Case("As a picture", lambda message: message.photo is not None, "Drawing it…"),
)
KILLED: Final = CASES if SOAK else CASES[:3]


@pytest.mark.parametrize("case", KILLED, ids=[case.asked for case in KILLED])
async def test_wherever_a_bot_is_killed_it_comes(case: Case, sqlite_url: str, figures: Figures) -> None:
    async with Playground() as playground, world(playground, sqlite_url) as rooms:
        cut, survived, twice = 0, False, 0
        while not survived:
            ann = playground.add_person("Ann", started=True)
            survived, count = await _killed_at(cut, case, ann, rooms)
            assert count in (1, 2), f"killed at step {cut}"
            twice += count == 2
            figures.runs += 1
            figures.faults += not survived
            cut += 1 if SOAK else 3
        assert cut > 6, "there was a step to kill at"
        assert twice < cut / 2, "only between the call and storing its result"


async def test_asked_again_while_it_is_made_it_says_so(sqlite_url: str) -> None:
    async with Playground() as playground, world(playground, sqlite_url) as rooms:
        for case in (PICTURE, EXPORT):
            ann = playground.add_person("Ann", started=True)
            first = await rooms.start()
            message = await _prepared(case, ann, rooms, first)
            first.dies_at = len(first.steps) + 3
            await _ask(case, ann, message, rooms, first)
            assert first.dead
            second = await rooms.start()
            await _ask(case, ann, message, rooms, second)
            assert any(case.again in said.text for said in ann.private.messages.values()), "right after a restart"
            await _come(second, rooms)
            assert sum(map(case.came, ann.private.messages.values())) == 1


async def _killed_at(cut: int, case: Case, ann: Person, rooms: World) -> tuple[bool, int]:
    """Kill a bot at a step; returns whether it survived, and how often the message came."""
    bot = await rooms.start()
    message = await _prepared(case, ann, rooms, bot)
    bot.dies_at = len(bot.steps) + cut
    await _ask(case, ann, message, rooms, bot)
    await _forget(bot, rooms)
    died = bot.dead
    bot.kill()
    second = await rooms.start()
    await rooms.brought_again(second)
    await _come(second, rooms)
    with rooms.engine.connect() as connection:
        left = connection.execute(select(OUTBOX.c.id).where(~OUTBOX.c.said)).all()
    assert not left, f"killed at step {cut}"
    second.kill()
    return not died, sum(map(case.came, ann.private.messages.values()))


async def _come(bot: Bot, rooms: World) -> None:
    """Let everything be made and sent."""
    for _ in range(2):
        await _forget(bot, rooms)
        await rooms.skip(6)
        await bot.sweep()
        await _idle(bot, rooms)
    await rooms.heal(sweeps=1)


async def _idle(bot: Bot, rooms: World) -> None:
    """Wait until nothing is being made any more; skip no time meanwhile, since drawing has a time limit."""
    async with asyncio.timeout(30):
        while (bot.tasks or len(bot.timers)) and not bot.dead:  # noqa: ASYNC110 - another process draws
            await asyncio.sleep(0.005)
    await rooms.still()


async def _forget(bot: Bot, rooms: World) -> None:
    """Let a bot go on forgetting people who asked for it."""
    if not bot.dead:
        await bot.do(_until_forgotten(bot))
    await _idle(bot, rooms)


async def _until_forgotten(bot: Bot) -> None:
    while await forgetting.look(bot.services):
        pass


async def _prepared(case: Case, ann: Person, rooms: World, bot: Bot) -> Message:
    """Ann has finished a game; returns the message that she taps or replies to."""
    await ann.say("/newgame easy", in_=ann.private)
    await rooms.given(bot)
    message = _last(ann)
    for label in (None, "Resign", "Yes, resign"):
        ann.press(message, str(message.button(label)["callback_data"]))
        await rooms.given(bot)
        await rooms.quiet()
    if case.asked in ("As a picture", "/forget yes"):
        await ann.say("/stats" if case.asked == "As a picture" else "/forget", in_=ann.private)
        await rooms.given(bot)
        await rooms.quiet()
        message = _last(ann)
    return message


def _last(ann: Person) -> Message:
    return [message for message in ann.private.messages.values() if message.keyboard][-1]


async def _ask(case: Case, ann: Person, message: Message, rooms: World, bot: Bot) -> None:
    if case.asked.startswith("/"):
        await ann.say(case.asked, in_=ann.private)
    else:
        ann.press(message, str(message.button(case.asked)["callback_data"]))
    await rooms.given(bot)
    await _idle(bot, rooms)
