"""Taps and inline queries, their answers, messages known only by an inline id."""

import asyncio
from typing import Any

import pytest

from playground import Playground
from playground.chats import Chat, Message
from playground.people import Person
from playground.queries import Answer, InlineResult
from tests.playground.client import Api, Json, article, keys

TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"


@pytest.fixture
async def board(api: Api, chat: Chat) -> Message:
    sent = await api("sendMessage", chat_id=chat.id, text="your turn", reply_markup=keys(["a", "b"], ["c"]))
    return chat.messages[sent["message_id"]]


async def came(api: Api, kind: str) -> Json:
    (update,) = await api.updates(wait=5)
    found: Json = update[kind]
    return found


async def offered(api: Api, person: Person, text: str, result: Json, **more: object) -> list[InlineResult]:
    asking = asyncio.create_task(person.inline(text))
    query = await came(api, "inline_query")
    assert (query["from"]["id"], query["query"], query["chat_type"]) == (person.id, text, "sender")
    await api("answerInlineQuery", inline_query_id=query["id"], results=[result], **more)
    return await asking


@pytest.mark.parametrize(
    ("where", "data"),
    [
        ({"row": 1, "column": 0}, "c"),
        ({"row": 0, "column": 1}, "b"),
        ({"label": "a"}, "a"),
        ({"data": b"\xff?"}, "\ufffd?"),
        ({"data": "v9:"}, "v9:"),
    ],
)
async def test_a_tap_reaches_the_bot_and_its_answer_the_person(
    api: Api, ann: Person, board: Message, where: dict[str, Any], data: str
) -> None:
    tapping = asyncio.create_task(ann.tap(board, **where))
    query = await came(api, "callback_query")
    assert (query["data"], query["from"]["id"], query["message"]["message_id"]) == (data, ann.id, board.id)
    assert query["message"]["reply_markup"] == keys(["a", "b"], ["c"])
    await api("answerCallbackQuery", callback_query_id=query["id"], text="x" * 200, show_alert=True)
    assert await tapping == Answer("x" * 200, show_alert=True)
    refusal = await api.refused("answerCallbackQuery", callback_query_id=query["id"])
    assert (refusal.code, refusal.description) == (400, TOO_OLD)


async def test_a_button_that_is_not_there_cannot_be_tapped_and_a_deleted_message_can(
    api: Api, ann: Person, board: Message
) -> None:
    with pytest.raises(LookupError, match="labelled 'z'"):
        await ann.tap(board, "z")
    with pytest.raises(LookupError, match="row 2"):
        await ann.tap(board, row=2, column=0)
    ann.delete(board)
    with pytest.raises(TimeoutError, match="an answer to Ann's tap 'a'"):
        await ann.tap(board, "a", within=0.01)
    tapped = (await came(api, "callback_query"))["message"]
    assert tapped == {"chat": board.chat.as_json(), "message_id": board.id, "date": 0}


async def test_a_result_without_a_keyboard_has_no_inline_id_and_without_feedback_no_choice_is_told(
    api: Api, ann: Person, bo: Person, playground: Playground
) -> None:
    (result,) = await offered(api, ann, "x", article())
    meeting = playground.add_meeting(ann, bo)
    ann.choose(result, in_=meeting)
    assert "inline_message_id" not in await came(api, "chosen_inline_result")
    playground.bot.inline_feedback = False
    ann.choose(result, in_=meeting)
    assert await api.updates() == []
    playground.bot.inline = False
    with pytest.raises(ValueError, match="is off"):
        await ann.inline("x")


async def test_results_that_are_not_personal_reach_others_from_the_cache_for_a_while(
    api: Api, ann: Person, bo: Person, playground: Playground
) -> None:
    await offered(api, ann, "play", article(), cache_time=60)
    assert [result.id for result in await bo.inline("play", within=1)] == ["1"]
    await offered(api, bo, "mine", article(), is_personal=True)
    for person, text in ((ann, "mine"), (bo, "play")):
        playground.clock.advance(31)
        with pytest.raises(TimeoutError):
            await person.inline(text, within=0.01)
    query = ann.inline_query("x", ann.private)
    await api("answerInlineQuery", inline_query_id=query.id, results=[])
    refusal = await api.refused("answerInlineQuery", inline_query_id=query.id, results=[])
    assert refusal.description == TOO_OLD
