"""What the publisher knows about chats."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest
from telegram import Bot
from telegram.error import NetworkError

from bot.boards.view import View
from bot.delivery.entries import OutgoingMessage
from bot.delivery.lanes import LONGEST
from bot.delivery.messages import Calls
from bot.delivery.pace import Pace
from bot.delivery.publisher import Publisher
from bot.metrics import Metrics
from bot.network.transport import Unanswered
from bot.workers.pool import Workers
from storage.games.game import Game, GameKind
from storage.games.record import Board, Notice, NoticeKind, Record
from storage.games.versions import Stored
from storage.store import Store

pytestmark = pytest.mark.virtual_time


class Refusing:
    """A Telegram that takes nothing."""

    async def edit(self, *_: object, **__: object) -> None:
        raise NetworkError("502")

    async def send(self, *_: object, **__: object) -> int:
        raise Unanswered("the connection ended without an answer")


class Forgetful:
    """A database that keeps nothing, and notes what was held last."""

    held: Any = None

    async def run(self, _work: object, **given: Any) -> list[Any]:  # noqa: ANN401 - any function's arguments
        if {"held", "notices"} <= {*given}:
            self.held = 0 in given["held"], 1 in given["notices"]
        return []

    async def read(self, _work: object, **_given: object) -> dict[str, int]:
        return {}


def publishing(calls: object = None, store: object = None, pace: Pace | None = None) -> Publisher:
    """A publisher that makes these calls."""
    metrics = Metrics()
    return Publisher(
        cast("Bot", SimpleNamespace(username="oxo")),
        cast("Calls", calls),
        cast("Store", store),
        pace=pace or Pace(),
        metrics=metrics,
        workers=Workers(metrics),
    )


async def test_what_finds_no_room_when_its_pause_ends_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board is then left to the sweep, a person may ask again, and a notice is made again."""
    monkeypatch.setattr("bot.delivery.recovery.FIRST_PAUSE_SECONDS", 2.0)
    chat, now = -5, int(time.time())
    publisher = publishing(Refusing(), store := Forgetful())

    def show(number: int) -> None:
        game = Game(number, chat, "3x3x3", GameKind.PAIR, 1000 + number, 2000, created_at=now, changed_at=now)
        old = Board(number, number, chat, message_id=1000 + number, wanted=1, shown=1)
        new = old._replace(wanted=2, look_at=now + 5)
        publisher.show_stored(Stored(Record(game, (new,)), new, old))

    show(0)
    publisher.say(OutgoingMessage(chat, View("a reply"), person=7))
    picture = Notice(1, NoticeKind.STILL, 1, None, chat, None, None, now)
    publisher.say(OutgoingMessage(chat, View("a picture"), notice=picture))
    await asyncio.sleep(0.05)
    await publisher.keep_in_step()
    assert store.held == (True, True)
    for number in range(1, 2 * LONGEST):
        show(number)
        await asyncio.sleep(0)
    await asyncio.sleep(2)
    await publisher.keep_in_step()
    assert store.held == (False, False)
    await publisher.close(0)


async def test_an_inline_message_keeps_the_pace_of_its_chat_however_many_there_were_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.delivery.publisher.CHATS_KNOWN", 2)
    pace = Pace()
    publisher = publishing(pace=pace)
    for number in range(5):
        publisher.know_chat(f"message {number}", f"chat {number}")
    pace.pause("chat 4", 60, asyncio.get_running_loop().time())
    board = Board(1, 1, None, inline_message_id="message 4")
    assert publisher.expect([(cast("Record", None), board)]) > 50
