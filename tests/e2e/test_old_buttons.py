"""Buttons that 1.0.0 has sent, which stay in chats: each does what it did, or the answer says why not.

They are tapped on the database that 1.0.0 has left (`tests/storage/releases`), as if the upgrade took a moment.
"""

import shutil
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.boards.buttons import read
from playground import Playground
from playground.chats import Chat, Message
from playground.people import Person
from playground.telegram import Call
from playground.texts import Text
from storage.database import parse_url
from storage.migrate import migrate
from tests.bot.reading import plain
from tests.world import World, world

LEFT: Final = Path(__file__).parents[1] / "storage" / "releases" / "1.0.0.sqlite.sql"
LEFT_AT: Final = 1_795_757_160

TAPS: Final = """
ann 9 faster:9
ann 9 stop:9
ann 6 m:6:2:0
ann 6 undo:6:4 | Move undone.
ann 3 hint:3 | Hint:
ann 3 resign:3:2
ann 3 goon:3
ann 3 resign:3:2
ann 3 giveup:3
ann 5 all:5:0
ann 5 region:5:0:4
ann 5 boards:5:0
ann 5 more:5:0
ann 5 options:5:0
ann 5 levels:5:0
ann 5 level:5:beginner
ann 5 rules:5:4x4x3-misere
ann 5 first:5:0
ann 1 review:1:0
ann 1 best:1:3 | This is a review: use
ann 1 try:1:3
ann 1 best:1:2
ann 1 try:1:3
ann 1 c:1:2:5 | there was a win.
ann 1 leave:1
ann 1 from:1:2
ann 1 again:1
ann 1 swap:1 | That button is out of date. Here's the board as it is now.
ann 2 share:2:0 | It's already here.
ann 2 share:2:1 | Drawing it
ann 12 ours:12:0 | That button is out of date. Here's the board as it is now.
ann 7 series:7:5
ann 7 clock:7:30
ann 7 block:7 | This challenge is no longer open.
bo 11 any:11
bo 11 meanwhile:11
bo 11 stay:11 | 好的！我接着找。
bo 11 cancel:11
ann menu bring:4
ann 13 m:13:4:4
bo 13 no:13:5 | 这个问题不是问你的，或者已经回答过了。
ann 13 undo:13:5
bo 13 yes:13:5
ann 13 claim:13 | The board has changed.
dee 14 decline:14 | This challenge is for someone else.
dee 14 computer:14 | Only the challenger can do that.
bo 14 accept:14:4x4x4:0:1
ann 12 rematch:12
ann 12 winner:12 | The board has changed.
ann menu challenge:12:O:u6g2443DlyNTnNt_
bo menu link:pxrsLbfrC3gjvz1fq9dCyw | 棋盘已经变了
ann cup cup:1:join | You're in already.
bo cup cup:1:leave
bo cup cup:1:start | 只有第一个加入的人或管理员
ann cup cup:1:cancel | This cup was called off. Send /cup
bo inline i:me:5000000001:59j_IA0j:eadG2h2rmoyz
bo inline i:bot:5000000001:KPHyEtb5:JGh_e2ibUW98
bo inline i:me-444:5000000001:_yBUa1QZ:eDrhJwupZjBe
dee inline i:me_5000000002:5000000001:gqmD_SGp:q7Kg7f3FNgZJ | This challenge is no longer open. Send /newgame
dee inline i:me:5000000001:V5Pya1gy:qyejIouAbCdE | This challenge is no longer open. Send /newgame
ann 15 rematch:15 | Your opponent left. Send /newgame
ann 15 review:15:0 | There's no finished game here to review. Send /newgame
ann menu invite
ann menu play
ann menu help:play
ann menu set::
ann menu set:board:
ann menu set:theme:sky | Theme: ⭐ 🎈
ann menu set:board:4x4x4 | Board: 4×4
ann menu stats:5000000001:0::0
ann menu stats:5000000001:0::1 | Drawing it
dee menu stats:5000000001:0::0
ann menu top:0:0::0
ann group top:1:1::0
ann group top:1:0::0 season:0
ann group top:1:0::0 newseason:0
ann group newseason:1
ann menu download | I'm collecting your data.
ann menu z:20784:0:24 | The board has changed.
ann menu tryagain:20784:1 | That button is out of date. Send /newgame
ann menu puzzle:20784
ann menu puzzle:20783
ann menu z:20784:0:0 remind:1 | I'll send you the puzzle every day
ann menu z:20784:0:0 remind:0 | No more reminders.
ann group solve | t.me
cem menu find:
cem menu find:3x3x3 | I'm already looking.
dee menu unblock:5000000002 blocked:0
dee menu unblock:5000000002
ann 9 watch:9
ann 9 winner:9 | The next game has already started, further down.
ann menu delete
ann menu forget:0
ann menu forget:1 | That question is too old. Please send /forget again.
"""
"""Who taps, where (a game's board, or another message), the data of its buttons, of which the last is tapped, and
what the answer begins with or has in it. Without that it does what it did, which is seen.

There is each form that 1.0.0 knew. Whoever leaves a cup is asked first now."""


class Tap(NamedTuple):
    """A row of the table."""

    who: str
    where: str
    data: list[str]
    said: str


def taps() -> list[Tap]:
    rows = (line.partition(" | ") for line in TAPS.split("\n") if line)
    made = ((*row.split(maxsplit=2), said) for row, _, said in rows)
    return [Tap(who, where, data.split(), said) for who, where, data, said in made]


def below(*data: str) -> list[list[dict[str, object]]]:
    return [[{"text": each, "callback_data": each}] for each in data]


class Old:
    """A bot of today where 1.0.0 was, and the messages that it has left."""

    def __init__(self, house: World) -> None:
        self.house, self.playground = house, house.playground
        self.group = self.playground.groups["noughts"]
        self.people = {**self.playground.people, "dee": self.playground.add_person("Dee", started=True)}
        self.group.add(self.people["dee"])
        for each in self.people.values():
            each.started = True
        self.shown: dict[str, Message] = {}

    def restore(self, file: Path) -> None:
        """Let the database and the messages be what 1.0.0 has left."""
        for each in file.parent.glob(f"{file.name}*"):
            each.unlink()
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(LEFT.read_text())
            of_boards = "SELECT game_id, chat_id, message_id, inline_message_id FROM boards WHERE game_id != 10"
            boards = connection.execute(of_boards).fetchall()
            cups = connection.execute("SELECT 'cup', chat_id, message_id, NULL FROM cups").fetchall()
        while next(self.playground.world.message_ids) < LATEST:
            pass
        for name, chat_id, message_id, inline in (*boards, *cups):
            if inline is not None:
                self.shown[str(name)] = self.by_inline(inline)
                continue
            message = Message(self.playground.world.chats[chat_id], self.playground.bot, Text("An old one."))
            message.id = message_id
            self.shown[str(name)] = message.chat.messages[message_id] = message

    def by_inline(self, inline_id: str) -> Message:
        message = Message(self.group, self.people["ann"], Text("An old one."), via_bot=True, inline_id=inline_id)
        self.playground.world.inline_messages[inline_id] = message
        return self.group.post(message)

    def message(self, tap: Tap) -> Message:
        if tap.where == "inline":
            return self.by_inline(tap.data[-1][-16:])
        if (known := self.shown.get(tap.where)) is not None:
            return known
        chat: Chat = self.group if tap.where == "group" else self.people[tap.who].private
        return chat.post(Message(chat, self.playground.bot, Text("An old menu.")))

    async def tapped(self, tap: Tap) -> str:
        """Let somebody tap; returns what they are told, once something is to be seen if that is nothing."""
        person, message, calls = self.people[tap.who], self.message(tap), self.playground.calls
        message.keyboard, before = below(*tap.data), len(calls)
        answer = await person.tap(message, data=tap.data[-1])
        said = plain(answer.text or "") or answer.url or ""
        if not said:
            await self.house.until(lambda: any(self._is_seen(call, message, person) for call in calls[before:]))
        await self.house.has_settled(message.chat)
        return said

    def _is_seen(self, call: Call, message: Message, person: Person) -> bool:
        """Whether a call changes the tapped message, or sends one to those who see it."""
        if message.inline_id is not None and call.parameters.get("inline_message_id") == message.inline_id:
            return True
        is_edit = call.method.startswith("edit") and str(call.parameters.get("message_id")) == str(message.id)
        return is_edit or (call.method.startswith("send") and call.chat in (person.id, message.chat.id))


LATEST: Final = 160
"""No message of 1.0.0 has a higher id."""


@pytest.fixture
async def old(tmp_path: Path, newest_on_sqlite: Path) -> AsyncIterator[Old]:
    file = tmp_path / "oxo.db"
    shutil.copyfile(newest_on_sqlite, file)
    async with Playground() as playground, world(playground, f"sqlite:///{file}") as house:
        house.engine.dispose()
        old = Old(house)
        old.restore(file)
        migrate(parse_url(f"sqlite:///{file}"))
        house.clock.ahead = LEFT_AT - time.time()
        await house.serve()
        yield old
        await house.stop()
        assert "Traceback" not in house.logged()


async def test_each_does_what_it_did_or_says_why_not(old: Old) -> None:
    wrong = {}
    for tap in taps():
        said = await old.tapped(tap)
        if tap.said not in said or (said and not tap.said):
            wrong[" ".join((tap.who, *tap.data))] = said
    assert wrong == {}
    assert old.house.value("SELECT count(*) FROM blocks") == 0, "by the id that 1.0.0 has put into the button"


def test_all_but_two_are_read() -> None:
    """Those bring their board up to date."""
    unread = [data for tap in taps() for data in tap.data if read(data) is None]
    assert unread == ["swap:1", "ours:12:0"]
