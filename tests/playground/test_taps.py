"""Taps and their answers."""

from __future__ import annotations

import asyncio

import pytest

from playground import Playground
from playground.chats import Chat
from playground.messages import Message
from playground.people import Person
from playground.queries import Answer
from tests.playground.client import Api, keys

TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"


@pytest.fixture
async def board(api: Api, chat: Chat) -> Message:
    sent = await api("sendMessage", chat_id=chat.id, text="your turn", reply_markup=keys(["a", "b"], ["c"]))
    return chat.messages[sent["message_id"]]


async def test_a_tap_reaches_the_bot_and_its_answer_the_person(api: Api, ann: Person, board: Message) -> None:
    tapping = asyncio.create_task(ann.tap(board, "b"))
    (update,) = await api.updates(wait=5)
    query = update["callback_query"]
    assert (query["data"], query["from"]["id"], query["message"]["message_id"]) == ("b", ann.id, board.id)
    assert query["message"]["reply_markup"] == keys(["a", "b"], ["c"])
    assert query["chat_instance"]
    await api("answerCallbackQuery", callback_query_id=query["id"], text="taken", show_alert=True)
    assert await tapping == Answer("taken", show_alert=True)


@pytest.mark.parametrize(
    ("where", "data"),
    [
        ({"row": 1, "column": 0}, "c"),
        ({"label": "a"}, "a"),
        ({"data": b"\xff?"}, "\ufffd?"),
        ({"data": "v9:"}, "v9:"),
    ],
)
async def test_a_button_is_named_by_place_label_or_raw_data(
    api: Api, ann: Person, board: Message, where: dict[str, object], data: str
) -> None:
    tapping = asyncio.create_task(ann.tap(board, **where))  # type: ignore[arg-type]  # the cases name its own keywords
    (update,) = await api.updates(wait=5)
    assert update["callback_query"]["data"] == data
    await api("answerCallbackQuery", callback_query_id=update["callback_query"]["id"])
    assert await tapping == Answer()


async def test_a_button_that_is_not_there_cannot_be_tapped(ann: Person, board: Message) -> None:
    with pytest.raises(LookupError, match="labelled 'z'"):
        await ann.tap(board, "z")
    with pytest.raises(LookupError, match="row 2"):
        await ann.tap(board, row=2, column=0)


async def test_a_stranger_to_the_chat_cannot_tap(bo: Person, board: Message) -> None:
    with pytest.raises(ValueError, match="is not in"):
        await bo.tap(board, "a")


async def test_an_unanswered_tap_times_out(ann: Person, board: Message) -> None:
    with pytest.raises(TimeoutError, match="an answer to Ann's tap 'a'"):
        await ann.tap(board, "a", within=0.01)


async def test_a_query_is_answered_once(api: Api, ann: Person, board: Message) -> None:
    query = ann.press(board, "a")
    await api("answerCallbackQuery", callback_query_id=query.id)
    refusal = await api.refused("answerCallbackQuery", callback_query_id=query.id)
    assert (refusal.code, refusal.description) == (400, TOO_OLD)


async def test_an_unknown_query_is_refused(api: Api) -> None:
    assert (await api.refused("answerCallbackQuery", callback_query_id="77")).description == TOO_OLD


async def test_an_answer_after_the_deadline_is_refused(
    api: Api, ann: Person, board: Message, playground: Playground
) -> None:
    query = ann.press(board, "a")
    playground.clock.advance(16)
    assert (await api.refused("answerCallbackQuery", callback_query_id=query.id)).description == TOO_OLD


async def test_an_answer_has_at_most_200_characters(api: Api, ann: Person, board: Message) -> None:
    query = ann.press(board, "a")
    refusal = await api.refused("answerCallbackQuery", callback_query_id=query.id, text="x" * 201)
    assert refusal.description == "Bad Request: MESSAGE_TOO_LONG"
    await api("answerCallbackQuery", callback_query_id=query.id, text="x" * 200)


async def test_an_answer_may_open_the_bots_own_link_and_no_other(
    api: Api, ann: Person, board: Message, playground: Playground
) -> None:
    query = ann.press(board, "a")
    refusal = await api.refused("answerCallbackQuery", callback_query_id=query.id, url="https://example.org")
    assert refusal.description == "Bad Request: URL_INVALID"
    url = f"https://t.me/{playground.bot.username}?start=x"
    await api("answerCallbackQuery", callback_query_id=query.id, url=url)
    assert (await query.answer).url == url


async def test_a_tap_on_a_deleted_message_carries_an_inaccessible_one(
    api: Api, ann: Person, board: Message
) -> None:
    ann.delete(board)
    ann.press(board, "a")
    (update,) = await api.updates()
    assert update["callback_query"]["message"] == {"chat": board.chat.as_json(), "message_id": board.id, "date": 0}


async def test_changed_waits_for_the_edit_that_follows_a_tap(api: Api, ann: Person, board: Message) -> None:
    for text in ("one", "two"):
        ann.press(board, "a")
        await api("editMessageText", chat_id=ann.id, message_id=board.id, text=text, reply_markup=keys(["a"]))
        assert (await board.changed()).text == text
    with pytest.raises(TimeoutError):
        await board.changed(within=0.01)
