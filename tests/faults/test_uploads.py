"""While a file is being uploaded, its chat goes on: boards and texts don't wait for it."""

import gc
import gzip
import json
import os
from pathlib import Path

import pytest

from bot.features.privacy import handlers
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


async def test_a_file_comes_whole_and_once_though_it_is_refused_at_first(room: Room) -> None:
    house_, chat = room.house, room.ann.private
    house_.hold(room.bot, "sendDocument", Point.BEFORE)
    await room.said(room.ann, "/export", chat)
    await until(lambda: bool(house_.stopped(room.bot, "sendDocument")))
    room.playground.faults.add(kind="429", method="sendDocument", times=1, retry_after=3)
    house_.stopped_call(room.bot, "sendDocument").let_go()
    await house_.skip(4)
    await house_.quiet()
    await until(lambda: bool(_files(chat)))
    assert [json.loads(data)["you"] for data in _files(chat)] == [room.ann.id]


@pytest.mark.parametrize(("most", "files"), [(10**6, 1), (100, 0)])
async def test_a_big_file_is_compressed_and_one_that_telegram_would_not_take_is_said_to_be_too_big(
    room: Room, monkeypatch: pytest.MonkeyPatch, most: int, files: int
) -> None:
    monkeypatch.setattr(handlers, "PLAIN_BYTES", 100)
    monkeypatch.setattr(handlers, "MOST_BYTES", most)
    before, chat, said = _nameless(), room.ann.private, "compressed" if files else "bigger than the 50 MB"
    await room.said(room.ann, "/export", chat)
    await until(lambda: said in list(chat.messages.values())[-1].text)
    await room.house.quiet()
    found = [json.loads(gzip.decompress(data)) for data in _files(chat)]
    assert [data["you"] for data in found] == [room.ann.id] * files
    assert _nameless() == before


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


def _files(chat: Chat) -> list[bytes]:
    return [message.document.data for message in chat.messages.values() if message.document is not None]


def _nameless() -> int:
    """The number of open files without a name."""
    links = [Path(entry.path) for entry in os.scandir("/proc/self/fd")]
    return sum(os.path.lexists(link) and str(link.readlink()).endswith("(deleted)") for link in links)
