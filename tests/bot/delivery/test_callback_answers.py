"""Answering a tap in the response to the webhook request that delivered it."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from telegram import Bot

from bot.delivery.messages import Answers, Calls, Reply
from bot.metrics import Metrics


def test_there_is_room_for_one_answer_while_the_request_is_open() -> None:
    reply = Reply(lambda: True)
    assert reply.answer({"callback_query_id": "7", "text": "Taken."})
    assert not reply.answer({"callback_query_id": "8"})
    assert json.loads(reply.body or b"") == {
        "method": "answerCallbackQuery",
        "callback_query_id": "7",
        "text": "Taken.",
    }


def test_what_comes_after_the_response_has_no_room() -> None:
    reply = Reply(lambda: True)
    reply.close()
    assert not reply.answer({"callback_query_id": "7"})
    assert reply.body is None


def test_what_nobody_waits_for_any_more_has_no_room() -> None:
    reply = Reply(lambda: False)
    assert not reply.answer({"callback_query_id": "7"})
    assert reply.body is None


async def test_only_what_is_given_is_sent() -> None:
    sent: list[dict[str, Any]] = []

    class Telegram:
        async def answer(self, parameters: dict[str, Any]) -> None:
            sent.append(parameters)

    answers = Answers(cast("Bot", None), cast("Calls", Telegram()), Metrics())
    closed = Reply(lambda: False)
    answers.answer("1", reply=closed)
    answers.answer("2", "Taken.", alert=True, reply=Reply(lambda: True))
    answers.answer("3", "Taken.", alert=True)
    answers.answer("4", url="https://t.me/oxo")
    await answers.close(1)
    assert sent == [
        {"callback_query_id": "1"},
        {"callback_query_id": "3", "text": "Taken.", "show_alert": True},
        {"callback_query_id": "4", "url": "https://t.me/oxo"},
    ]


async def test_beyond_so_many_answers_under_way_none_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.delivery.messages.MOST_ANSWERS", 2)
    begun: list[object] = []

    class Hanging:
        async def answer(self, parameters: dict[str, Any]) -> None:
            begun.append(parameters["callback_query_id"])
            await asyncio.Event().wait()

    metrics = Metrics()
    answers = Answers(cast("Bot", None), cast("Calls", Hanging()), metrics)
    for number in range(3):
        answers.answer(str(number))
    answers.offer("3", [])
    await asyncio.sleep(0)
    assert begun == ["0", "1"]
    assert b"oxo_dropped_total 2.0" in metrics.text()
    await answers.close(0)
