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


@pytest.mark.parametrize("is_awaited", [True, False])
def test_what_comes_after_the_response_or_when_nobody_waits_for_it_has_no_room(*, is_awaited: bool) -> None:
    reply = Reply(lambda: is_awaited)
    if is_awaited:
        reply.close()
    assert not reply.answer({"callback_query_id": "7"})
    assert reply.body is None


class Telegram:
    """What was answered; some answers hang."""

    def __init__(self, *, hangs: bool = False) -> None:
        self.heard: list[dict[str, Any]] = []
        self.hangs = hangs

    async def answer(self, parameters: dict[str, Any]) -> None:
        self.heard.append(parameters)
        if self.hangs:
            await asyncio.Event().wait()


async def test_only_what_is_given_is_sent() -> None:
    answers = Answers(cast("Bot", None), cast("Calls", telegram := Telegram()), Metrics())
    closed = Reply(lambda: False)
    answers.answer("1", reply=closed)
    answers.answer("2", "Taken.", alert=True, reply=Reply(lambda: True))
    answers.answer("3", "Taken.", alert=True)
    answers.answer("4", url="https://t.me/oxo")
    await answers.close(1)
    assert telegram.heard == [
        {"callback_query_id": "1"},
        {"callback_query_id": "3", "text": "Taken.", "show_alert": True},
        {"callback_query_id": "4", "url": "https://t.me/oxo"},
    ]


async def test_beyond_so_many_answers_under_way_none_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.delivery.messages.MOST_ANSWERS", 2)
    metrics = Metrics()
    answers = Answers(cast("Bot", None), cast("Calls", telegram := Telegram(hangs=True)), metrics)
    for number in range(3):
        answers.answer(str(number))
    answers.offer("3", [])
    await asyncio.sleep(0)
    assert telegram.heard == [{"callback_query_id": "0"}, {"callback_query_id": "1"}]
    assert b"oxo_dropped_total 2.0" in metrics.text()
    await answers.close(0)
