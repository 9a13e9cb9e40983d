"""What a test can wait for."""

from __future__ import annotations

import asyncio

import pytest

from playground.chats import Chat
from playground.people import Person
from tests.playground.client import Api, keys


async def test_ask_and_wait_for_take_the_bots_next_message_after_the_last_words(
    api: Api, ann: Person, chat: Chat
) -> None:
    await api("sendMessage", chat_id=chat.id, text="old")
    asking = asyncio.create_task(ann.ask("/newgame"))
    (update,) = await api.updates(wait=5)
    own = chat.messages[update["message"]["message_id"]]
    with pytest.raises(TimeoutError, match="a message in"):
        await chat.wait_for(within=0.01)
    for text in ("new", "newer"):
        await api("sendMessage", chat_id=chat.id, text=text)
    assert [(await asking).text, (await chat.wait_for()).text] == ["new", "new"]
    assert (await chat.wait_for(lambda message: "newer" in message.text, after=own)).text == "newer"


async def test_what_is_awaited_may_come_by_an_edit_and_pass_in_a_moment(api: Api, ann: Person, chat: Chat) -> None:
    await ann.say("/newgame")
    sent = await api("sendMessage", chat_id=chat.id, text="thinking", reply_markup=keys(["a"]))
    board = chat.messages[sent["message_id"]]
    await board.until(lambda message: message.text == "thinking")
    for_text = asyncio.create_task(chat.wait_for(lambda message: message.text == "done"))
    for_keys = asyncio.create_task(board.until(lambda message: not message.labels))
    for text in ("done", "gone on"):
        await api("editMessageText", chat_id=chat.id, message_id=board.id, text=text)
    assert [(await for_text).id, (await for_keys).id] == [board.id, board.id]


async def test_changed_waits_for_the_edit_that_follows_a_tap(api: Api, ann: Person, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="zero", reply_markup=keys(["a"]))
    board = chat.messages[sent["message_id"]]
    for text in ("one", "two"):
        ann.press(board, "a")
        await api("editMessageText", chat_id=ann.id, message_id=board.id, text=text, reply_markup=keys(["a"]))
        assert (await board.changed()).text == text
    with pytest.raises(TimeoutError):
        await board.changed(within=0.01)


async def test_a_failing_predicate_fails_in_the_test(api: Api, ann: Person, chat: Chat) -> None:
    await ann.say("/newgame")
    waiting = asyncio.create_task(chat.wait_for(lambda message: message.button("nowhere") is None))
    await api("getMe")
    await api("sendMessage", chat_id=chat.id, text="x")
    with pytest.raises(LookupError):
        await waiting
