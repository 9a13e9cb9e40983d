"""While a file is being uploaded, its chat goes on: boards and texts don't wait for it."""

import gc
import os
from pathlib import Path

import pytest

from bot.boards.view import View
from bot.delivery.entries import Attachment, OutgoingMessage
from playground.chats import Chat
from tests.flights import Point
from tests.processes import until
from tests.world import Room


@pytest.mark.parametrize(
    ("asked", "method"),
    [("/share", "sendAnimation"), ("/share picture", "sendPhoto"), ("/export", "sendDocument")],
)
async def test_a_game_goes_on_and_words_are_said_while_a_file_is_sent(room: Room, asked: str, method: str) -> None:
    house_, ann = room.house, room.ann
    over = await room.said(ann, "/newgame easy", ann.private)
    await room.put(ann, over, 0)
    for label in ("Resign", "Yes, resign"):
        await room.pressed(ann, over, label)
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


async def test_the_parts_of_a_file_come_in_order_and_once_though_one_of_them_is_refused(room: Room) -> None:
    house_, chat = room.house, room.group
    house_.hold(room.bot, "sendDocument", Point.UNDER_WAY)
    room.bot.publisher.say(_file(chat, 3))
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    assert len(house_.calls) == 1, "the others wait"
    first = house_.stopped_call(room.bot, "sendDocument")
    house_.hold(room.bot, "sendDocument", Point.BEFORE)
    first.let_go()
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    room.playground.faults.add(kind="429", method="sendDocument", times=1, retry_after=3)
    house_.stopped_call(room.bot, "sendDocument").let_go()
    await house_.skip(4)
    await house_.quiet()
    await until(lambda: len(_files(chat)) == 3)
    assert _files(chat) == [b"0", b"1", b"2"]


async def test_nothing_stays_open_of_an_export_that_is_refused(room: Room) -> None:
    house_, ann = room.house, room.ann
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
        assert _nameless() == before, "though the GC has not run"
    finally:
        gc.enable()


def _file(chat: Chat, parts: int) -> OutgoingMessage:
    names = [f"{part}.txt" for part in range(parts)]
    content = Attachment(names, names, lambda part: f"{part}".encode())
    return OutgoingMessage(chat.id, View(names[0]), attachment=content)


def _files(chat: Chat) -> list[bytes]:
    return [message.document.data for message in chat.messages.values() if message.document is not None]


def _nameless() -> int:
    """The number of open files without a name."""
    links = [Path(entry.path) for entry in os.scandir("/proc/self/fd")]
    return sum(os.path.lexists(link) and str(link.readlink()).endswith("(deleted)") for link in links)
