"""While a file is on its way to Telegram its chat goes on: boards and words do not wait for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from bot.delivery.entries import Attachment, Words
from bot.views.view import View
from playground import Playground
from tests.faults.flights import Point
from tests.faults.house import house
from tests.faults.rig import until
from tests.faults.test_one_bot import Room

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """A room of the test's own."""
    async with Playground() as playground, house(playground, sqlite_url) as rooms:
        yield Room(rooms, await rooms.start())


@pytest.mark.parametrize(
    ("asked", "method"),
    [("/share", "sendAnimation"), ("/share picture", "sendPhoto"), ("/export", "sendDocument")],
)
async def test_a_game_goes_on_and_words_are_said_while_a_file_is_sent(room: Room, asked: str, method: str) -> None:
    house_, ann = room.house, room.ann
    ann.started = True
    over = await room.said(ann, "/newgame easy", ann.private)
    for label in (None, "Resign", "Yes, resign"):
        await room.tapped(ann, over, str(over.button(label)["callback_data"]))
    house_.hold(room.bot, method, Point.UNDER_WAY)
    await room.said(ann, asked, ann.private)
    await until(lambda: bool(house_.stopped(room.bot, method)))
    board = await room.said(ann, "/newgame easy", ann.private)
    assert board.keyboard, "the new board is there"
    assert board is not over
    await room.put(ann, board, 0)
    assert board.labels[0][0] == "❌"
    assert "/newgame" in (await room.said(ann, "/help", ann.private)).text
    house_.stopped_call(room.bot, method).let_go()
    await house_.quiet()
    files = [message.animation or message.photo or message.document for message in ann.private.messages.values()]
    assert sum(file is not None for file in files) == 1


async def test_files_of_one_chat_come_one_after_another_though_one_of_them_is_refused(room: Room) -> None:
    house_, chat = room.house, room.group
    house_.hold(room.bot, "sendDocument", Point.UNDER_WAY)
    room.playground.faults.add(kind="429", method="sendDocument", times=1, retry_after=3)
    for number in range(3):
        file = Attachment(f"{number}.txt", partial(str.encode, f"{number}"))
        room.bot.publisher.say(Words(chat.id, View(f"part {number}"), attachment=file))
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    assert len(house_.calls) == 1, "the others wait"
    house_.stopped_call(room.bot, "sendDocument").let_go()
    await house_.skip(4)
    await house_.quiet()
    sent = [message.document.data for message in chat.messages.values() if message.document is not None]
    assert sent == [b"0", b"1", b"2"]
