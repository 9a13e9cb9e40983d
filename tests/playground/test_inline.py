"""Inline mode: queries, results, and messages known only by an inline id."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from playground import Playground
from playground.people import Person
from playground.queries import InlineResult
from tests.playground.client import Api, keys


def article(identifier: str = "1", **more: object) -> dict[str, Any]:
    content = {"message_text": "A challenge"}
    keyboard = keys(["Accept"])
    return {
        "type": "article",
        "id": identifier,
        "title": "Challenge",
        "input_message_content": content,
        "reply_markup": keyboard,
        **more,
    }


async def offered(api: Api, person: Person, text: str = "", **more: object) -> list[InlineResult]:
    asking = asyncio.create_task(person.inline(text))
    (update,) = await api.updates(wait=5)
    query = update["inline_query"]
    assert (query["from"]["id"], query["query"]) == (person.id, text)
    await api("answerInlineQuery", inline_query_id=query["id"], results=[article()], **more)
    return await asking


async def test_a_chosen_result_is_played_where_the_bot_is_not(
    api: Api, ann: Person, bo: Person, playground: Playground
) -> None:
    meeting = playground.add_meeting(ann, bo)
    (result,) = await offered(api, ann, "play", cache_time=0)
    board = ann.choose(result, in_=meeting)
    (update,) = await api.updates()
    chosen = update["chosen_inline_result"]
    assert (chosen["result_id"], chosen["query"], chosen["from"]["id"]) == ("1", "play", ann.id)
    tapping = asyncio.create_task(bo.tap(board, "Accept"))
    (update,) = await api.updates(wait=5)
    tap = update["callback_query"]
    assert tap["inline_message_id"] == chosen["inline_message_id"]
    assert "message" not in tap
    await api("answerCallbackQuery", callback_query_id=tap["id"])
    await tapping
    target = {"inline_message_id": tap["inline_message_id"]}
    assert await api("editMessageText", text="Your turn", reply_markup=keys(["·"]), **target) is True
    assert ((await board.changed()).text, board.labels) == ("Your turn", [["·"]])
    ann.delete(board)
    refusal = await api.refused("editMessageText", text="x", **target)
    assert refusal.description == "Bad Request: MESSAGE_ID_INVALID"


async def test_a_message_without_a_keyboard_gets_no_inline_id(api: Api, ann: Person) -> None:
    asking = asyncio.create_task(ann.inline("x"))
    (update,) = await api.updates(wait=5)
    plain = article()
    del plain["reply_markup"]
    await api("answerInlineQuery", inline_query_id=update["inline_query"]["id"], results=[plain])
    (result,) = await asking
    ann.choose(result)
    chosen, *_ = await api.updates()
    assert "inline_message_id" not in chosen["chosen_inline_result"]


async def test_without_feedback_a_choice_is_not_told(
    api: Api, ann: Person, bo: Person, playground: Playground
) -> None:
    playground.bot.inline_feedback = False
    (result,) = await offered(api, ann)
    ann.choose(result, in_=playground.add_meeting(ann, bo))
    assert await api.updates() == []


async def test_results_that_are_not_personal_reach_others_from_the_cache(
    api: Api, ann: Person, bo: Person
) -> None:
    await offered(api, ann, "play")
    assert [result.id for result in await bo.inline("play", within=1)] == ["1"]
    await offered(api, bo, "mine", is_personal=True)
    with pytest.raises(TimeoutError):
        await ann.inline("mine", within=0.01)


@pytest.mark.parametrize(
    ("results", "description"),
    [
        ([article(str(number)) for number in range(51)], "RESULTS_TOO_MUCH"),
        ([article(), article()], "RESULT_ID_DUPLICATE"),
        ([article("x" * 65)], "RESULT_ID_INVALID"),
        ([article("")], "RESULT_ID_INVALID"),
        ([article(title="")], "ARTICLE_TITLE_EMPTY"),
        ([article(input_message_content={"message_text": ""})], "message text is empty"),
        (
            [article(reply_markup={"inline_keyboard": [[{"text": "a", "callback_data": "x" * 65}]]})],
            "BUTTON_DATA_INVALID",
        ),
    ],
)
async def test_malformed_results_are_refused(
    api: Api, ann: Person, results: list[dict[str, Any]], description: str
) -> None:
    query = ann.inline_query("x", ann.private)
    refusal = await api.refused("answerInlineQuery", inline_query_id=query.id, results=results)
    assert refusal.description == f"Bad Request: {description}"


async def test_an_inline_query_is_answered_once_and_in_time(api: Api, ann: Person, playground: Playground) -> None:
    first, second = ann.inline_query("x", ann.private), ann.inline_query("y", ann.private)
    await api("answerInlineQuery", inline_query_id=first.id, results=[])
    refusal = await api.refused("answerInlineQuery", inline_query_id=first.id, results=[])
    assert refusal.description.startswith("Bad Request: query is too old")
    playground.clock.advance(31)
    refusal = await api.refused("answerInlineQuery", inline_query_id=second.id, results=[])
    assert refusal.description.startswith("Bad Request: query is too old")
