"""The answer to a tap in the response to the request that has brought it."""

from __future__ import annotations

import json

from bot.delivery.callback_answers import Reply
from bot.delivery.calls import answer_to


def test_there_is_room_for_one_answer_while_the_request_is_open() -> None:
    reply = Reply(lambda: True)
    assert reply.answer(answer_to("7", "Taken."))
    assert not reply.answer(answer_to("8"))
    assert json.loads(reply.body or b"") == {
        "method": "answerCallbackQuery",
        "callback_query_id": "7",
        "text": "Taken.",
    }


def test_what_comes_after_the_response_has_no_room() -> None:
    reply = Reply(lambda: True)
    reply.close()
    assert not reply.answer(answer_to("7"))
    assert reply.body is None


def test_what_nobody_waits_for_any_more_has_no_room() -> None:
    reply = Reply(lambda: False)
    assert not reply.answer(answer_to("7"))
    assert reply.body is None
