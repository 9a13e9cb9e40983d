"""While a file is on its way to Telegram its chat goes on: boards and words do not wait for it."""

from __future__ import annotations

import gc
import os
from functools import partial
from pathlib import Path
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

    from playground.chats import Chat


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
        room.bot.publisher.say(_file(chat, number))
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    assert len(house_.calls) == 1, "the others wait"
    house_.stopped_call(room.bot, "sendDocument").let_go()
    await house_.skip(4)
    await house_.quiet()
    await until(lambda: len(_files(chat)) == 3)
    assert _files(chat) == [b"0", b"1", b"2"]


async def test_files_come_one_after_another_though_their_topic_is_gone(room: Room) -> None:
    house_, chat = room.house, room.group
    house_.hold(room.bot, "sendDocument", Point.UNDER_WAY)
    for number in range(3):
        room.bot.publisher.say(_file(chat, number, thread_id=77))
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    first = house_.stopped_call(room.bot, "sendDocument")
    house_.hold(room.bot, "sendDocument", Point.UNDER_WAY)  # once more, without the topic
    first.let_go()
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    await house_.still()
    assert len(house_.calls) == 1, "the others wait"
    house_.stopped_call(room.bot, "sendDocument").let_go()
    await house_.quiet()
    await until(lambda: len(_files(chat)) == 3)
    assert _files(chat) == [b"0", b"1", b"2"]


async def test_a_file_that_nobody_answers_is_not_sent_again_and_the_next_one_goes(room: Room) -> None:
    house_, chat = room.house, room.group
    for number in range(2):
        house_.hold(room.bot, "sendDocument", Point.ANSWERED)
        room.bot.publisher.say(_file(chat, number))
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    house_.stopped_call(room.bot, "sendDocument").lose_answer()
    await house_.quiet()
    await until(lambda: len(_files(chat)) == 2)
    await house_.heal()
    assert _files(chat) == [b"0", b"1"]


async def test_files_follow_a_group_that_becomes_a_supergroup(room: Room) -> None:
    house_ = room.house
    house_.hold(room.bot, "sendDocument", Point.UNDER_WAY)
    for number in range(3):
        room.bot.publisher.say(_file(room.group, number))
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    new = room.group.migrate()
    await house_.given(room.bot)
    house_.stopped_call(room.bot, "sendDocument").let_go()
    await until(lambda: len(_files(new)) == 3)
    room.bot.publisher.say(_file(room.group, 3))
    await until(lambda: len(_files(new)) == 4)
    assert _files(new) == [b"0", b"1", b"2", b"3"]


async def test_nothing_stays_open_of_an_export_that_is_refused(room: Room) -> None:
    house_, ann = room.house, room.ann
    ann.started = True
    before = _nameless()
    house_.hold(room.bot, "sendDocument", Point.UNDER_WAY)
    gc.disable()
    try:
        await room.said(ann, "/export", ann.private)
        await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
        assert _nameless() == before + 1
        ann.block()
        house_.stopped_call(room.bot, "sendDocument").let_go()
        await house_.quiet()
        assert not _files(ann.private)
        assert _nameless() == before, "though no garbage was looked for"
    finally:
        gc.enable()


def _file(chat: Chat, number: int, thread_id: int | None = None) -> Words:
    content = Attachment(f"{number}.txt", partial(str.encode, f"{number}"))
    return Words(chat.id, View(f"part {number}"), thread_id=thread_id, attachment=content)


def _files(chat: Chat) -> list[bytes]:
    """The files that have come to a chat."""
    return [message.document.data for message in chat.messages.values() if message.document is not None]


def _nameless() -> int:
    """How many files are open that have no name."""
    links = [Path(entry.path) for entry in os.scandir("/proc/self/fd")]
    return sum(os.path.lexists(link) and str(link.readlink()).endswith("(deleted)") for link in links)
