"""What the publisher knows about chats."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest
from telegram import Bot

from bot.delivery.messages import Calls
from bot.delivery.pace import Pace
from bot.delivery.publisher import Publisher
from bot.metrics import Metrics
from bot.workers.pool import Workers
from storage.games.record import Board, Record
from storage.store import Store


async def test_an_inline_message_keeps_the_pace_of_its_chat_however_many_there_were_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.delivery.publisher.CHATS_KNOWN", 2)
    pace = Pace()
    publisher = Publisher(
        cast("Bot", None),
        cast("Calls", None),
        cast("Store", None),
        pace=pace,
        metrics=(metrics := Metrics()),
        workers=Workers(metrics),
    )
    for number in range(5):
        publisher.know_chat(f"message {number}", f"chat {number}")
    pace.pause("chat 4", 60, asyncio.get_running_loop().time())
    board = Board(1, 1, None, inline_message_id="message 4")
    assert publisher.expect([(cast("Record", None), board)]) > 50
