"""Nothing is stored about people who only look around, until they start something."""

from __future__ import annotations

from typing import Final

import pytest
from sqlalchemy import func, select

from bot.boards.buttons import Setting, Stats, Top, Topic, read
from bot.commands import COMMANDS, TYPED
from playground.chats import Chat
from playground.messages import Message
from storage.schema import METADATA, TAKEN
from tests.faults.rooms import Room

BEGIN: Final = frozenset({"newgame", "challenge", "play", "watch", "export", "forget"})
"""The commands that begin something: a game, or what is noted until it is done."""
WORDS: Final = tuple(sorted({command.name for command in COMMANDS} - BEGIN | TYPED.keys()))


def kept(room: Room) -> dict[str, int]:
    """The number of rows of each table that isn't empty.

    For a day, a digest tells that a message was taken up already (`storage.taken`); it says nothing of anybody.
    """
    with room.house.engine.connect() as connection:
        counts = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in METADATA.sorted_tables
            if table is not TAKEN
        }
    return {name: count for name, count in counts.items() if count}


def leafing(message: Message) -> list[str]:
    """The data of a message's buttons that only turn pages."""
    carried = [str(button.get("callback_data")) for row in message.keyboard for button in row]
    return [
        data
        for data in carried
        if isinstance(found := read(data), Topic | Stats | Top) or (isinstance(found, Setting) and not found.value)
    ]


@pytest.mark.parametrize("place", ["private", "group"])
async def test_asking_alone_leaves_nothing_behind(room: Room, place: str) -> None:
    room.ann.started = True
    chat: Chat = room.ann.private if place == "private" else room.group
    before = kept(room)
    for word in WORDS:
        answer = await room.said(room.ann, f"/{word}", chat)
        for data in leafing(answer):
            await room.tapped(room.ann, answer, data)
        await room.house.quiet()
        assert kept(room) == before, word


async def test_a_group_in_which_nothing_was_begun_may_come_change_and_go(room: Room) -> None:
    before = kept(room)
    group = room.playground.add_group("Visited", [room.ann, room.bo])
    await room.house.given(room.bot)
    await room.said(room.ann, "/help", group)
    group.migrate()
    await room.house.given(room.bot)
    assert kept(room) == before
