"""A bot is killed while it takes a picture or an export upon itself: the update comes again, and takes it over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from playground import Playground
from tests.faults.house import house

if TYPE_CHECKING:
    from playground.messages import Message
    from playground.people import Person
    from tests.faults.bots import InProcess
    from tests.faults.house import House


def film(message: Message) -> bool:
    """Whether it is a game's animation."""
    return message.animation is not None


def still(message: Message) -> bool:
    """Whether it is a game's still."""
    return message.photo is not None


def file(message: Message) -> bool:
    """Whether it is an export."""
    return message.document is not None


ASKED: Final = {"Share": film, "/share picture": still, "/export": file}
"""What is asked for, by a button or a command, and what comes of it."""


@pytest.mark.parametrize("asked", ASKED)
async def test_what_was_claimed_is_made_by_whoever_gets_the_update_again(asked: str, database_url: str) -> None:
    async with Playground() as playground, house(playground, database_url) as rooms:
        host = await rooms.start()
        cut, is_known = 0, False
        while not is_known:
            ann = playground.add_person("Ann", started=True)
            board = await _finished_game(ann, rooms, host)
            is_known = await _killed_at(cut, asked, board, ann, rooms)
            cut += 1
        assert cut > 2, "it was killed on either side of the claim"


async def _killed_at(cut: int, asked: str, board: Message, ann: Person, rooms: House) -> bool:
    """Let a bot die at a step of what is asked for; True if Telegram knows by then that it has the update."""
    first = await rooms.start()
    first.dies_at = cut
    await _ask(asked, ann, board)
    await rooms.given(first)
    if not rooms.playground.world.updates.pending():
        return True
    assert first.dead
    await rooms.brought_again(await rooms.start())
    await _came_once(asked, ann, rooms)
    return False


async def test_what_is_there_is_not_made_again_when_the_update_comes_again(database_url: str) -> None:
    async with Playground() as playground, house(playground, database_url) as rooms:
        ann = playground.add_person("Ann", started=True)
        first, second = await rooms.start(), await rooms.start()
        board = await _finished_game(ann, rooms, first)
        for asked in ("/share picture", "/export"):
            await _ask(asked, ann, board)
            (queued,) = rooms.mail
            await rooms.given(first)
            await _came_once(asked, ann, rooms)
            second.take(queued)
            await ann.private.wait_for(lambda message: "already" in message.text)
            await _came_once(asked, ann, rooms)


async def _finished_game(ann: Person, rooms: House, bot: InProcess) -> Message:
    """A game that Ann has given up, in her private chat."""
    await ann.say("/newgame easy", in_=ann.private)
    await rooms.given(bot)
    board = [message for message in ann.private.messages.values() if message.keyboard][-1]
    for label in (None, "Resign", "Yes, resign"):
        ann.press(board, str(board.button(label)["callback_data"]))
        await rooms.given(bot)
        await rooms.quiet()
    return board


async def _came_once(asked: str, ann: Person, rooms: House) -> None:
    """What was asked for comes, and no second one."""
    await ann.private.wait_for(ASKED[asked], within=30)
    await rooms.quiet()
    assert sum(map(ASKED[asked], ann.private.messages.values())) == 1


async def _ask(asked: str, ann: Person, board: Message) -> None:
    if asked.startswith("/"):
        await ann.say(asked, in_=ann.private)
    else:
        ann.press(board, str(board.button(asked)["callback_data"]))
