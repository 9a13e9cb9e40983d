"""Edits: what they change, and when they are refused."""

from __future__ import annotations

import pytest

from playground import Playground
from playground.chats import Chat
from playground.messages import Message
from playground.people import Person
from tests.playground.client import Api, keys

NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


@pytest.fixture
async def board(api: Api, chat: Chat) -> Message:
    sent = await api("sendMessage", chat_id=chat.id, text="your turn", reply_markup=keys(["·", "·"]))
    return chat.messages[sent["message_id"]]


async def test_an_edit_changes_text_and_keyboard(api: Api, chat: Chat, board: Message) -> None:
    markup = keys(["❌", "·"])
    edited = await api(
        "editMessageText", chat_id=chat.id, message_id=board.id, text="my turn", reply_markup=markup
    )
    assert (edited["message_id"], edited["text"], edited["reply_markup"]) == (board.id, "my turn", markup)
    assert edited["edit_date"] >= edited["date"]
    assert (board.text, board.labels, board.revision) == ("my turn", [["❌", "·"]], 1)


async def test_an_edit_without_a_keyboard_removes_it(api: Api, chat: Chat, board: Message) -> None:
    edited = await api("editMessageText", chat_id=chat.id, message_id=board.id, text="your turn")
    assert "reply_markup" not in edited
    assert board.labels == []


async def test_an_edit_that_changes_nothing_is_refused(api: Api, chat: Chat, board: Message) -> None:
    same = {"chat_id": chat.id, "message_id": board.id, "reply_markup": keys(["·", "·"])}
    assert (await api.refused("editMessageText", text="your turn", **same)).description == NOT_MODIFIED
    assert (await api.refused("editMessageReplyMarkup", **same)).description == NOT_MODIFIED
    assert board.revision == 0


async def test_the_keyboard_alone_can_be_changed(api: Api, chat: Chat, board: Message) -> None:
    markup = keys(["❌", "⭕"])
    await api("editMessageReplyMarkup", chat_id=chat.id, message_id=board.id, reply_markup=markup)
    assert (board.text, board.labels) == ("your turn", [["❌", "⭕"]])


async def test_a_message_that_is_gone_is_not_found(api: Api, chat: Chat, board: Message, ann: Person) -> None:
    ann.delete(board)
    refusal = await api.refused("editMessageText", chat_id=chat.id, message_id=board.id, text="x")
    assert refusal.description == "Bad Request: message to edit not found"


async def test_a_message_of_somebody_else_cannot_be_edited(api: Api, chat: Chat, ann: Person) -> None:
    own = await ann.say("hello")
    refusal = await api.refused("editMessageText", chat_id=chat.id, message_id=own.id, text="x")
    assert refusal.description == "Bad Request: message can't be edited"


async def test_a_message_with_a_reply_keyboard_cannot_be_edited(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="x", reply_markup={"keyboard": [[{"text": "a"}]]})
    refusal = await api.refused("editMessageText", chat_id=chat.id, message_id=sent["message_id"], text="y")
    assert refusal.description == "Bad Request: message can't be edited"


@pytest.mark.parametrize(
    ("target", "description"),
    [
        ({}, "chat_id is empty"),
        ({"chat_id": "here"}, "chat not found"),
        ({"chat_id": 17, "message_id": 1}, "chat not found"),
        ({"inline_message_id": "?"}, "invalid inline message identifier specified"),
        ({"inline_message_id": "A" * 27}, "MESSAGE_ID_INVALID"),
    ],
)
async def test_an_edit_must_name_a_message(api: Api, target: dict[str, object], description: str) -> None:
    refusal = await api.refused("editMessageText", text="x", **target)
    assert refusal.description == f"Bad Request: {description}"


async def test_own_messages_can_be_edited_for_ever(
    api: Api, chat: Chat, board: Message, playground: Playground
) -> None:
    playground.clock.advance(30 * 86400)
    await api("editMessageText", chat_id=chat.id, message_id=board.id, text="still here")
    assert board.text == "still here"
