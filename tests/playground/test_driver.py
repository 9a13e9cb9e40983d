"""What a test can do with people and chats, and how it waits."""

from __future__ import annotations

import asyncio

import pytest

from playground import Playground
from playground.chats import Chat
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, keys


async def test_ask_waits_for_the_bots_next_message(api: Api, ann: Person, chat: Chat) -> None:
    asking = asyncio.create_task(ann.ask("/newgame"))
    await api.updates(wait=5)
    await api("sendMessage", chat_id=chat.id, text="your turn")
    assert (await asking).text == "your turn"


async def test_wait_for_looks_past_what_was_there_before_the_last_words(api: Api, ann: Person, chat: Chat) -> None:
    await api("sendMessage", chat_id=chat.id, text="old")
    own = await ann.say("/newgame")
    with pytest.raises(TimeoutError, match="a message in"):
        await chat.wait_for(within=0.01)
    await api("sendMessage", chat_id=chat.id, text="new")
    await api("sendMessage", chat_id=chat.id, text="newer")
    assert (await chat.wait_for()).text == "new"
    assert (await chat.wait_for(lambda message: "newer" in message.text, after=own)).text == "newer"


async def test_wait_for_sees_edits_too(api: Api, ann: Person, chat: Chat) -> None:
    await ann.say("/newgame")
    sent = await api("sendMessage", chat_id=chat.id, text="thinking")
    waiting = asyncio.create_task(chat.wait_for(lambda message: message.text == "done"))
    await api("editMessageText", chat_id=chat.id, message_id=sent["message_id"], text="done")
    await api("editMessageText", chat_id=chat.id, message_id=sent["message_id"], text="gone on")
    assert (await waiting).id == sent["message_id"]


async def test_until_holds_immediately_or_after_an_edit(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="one", reply_markup=keys(["·"]))
    board = chat.messages[sent["message_id"]]
    await board.until(lambda message: message.text == "one")
    waiting = asyncio.create_task(board.until(lambda message: not message.labels))
    await api("editMessageText", chat_id=chat.id, message_id=board.id, text="two")
    assert (await waiting).text == "two"


async def test_a_failing_predicate_fails_in_the_test(api: Api, ann: Person, chat: Chat) -> None:
    await ann.say("/newgame")
    waiting = asyncio.create_task(chat.wait_for(lambda message: message.button("nowhere") is None))
    await api("getMe")
    await api("sendMessage", chat_id=chat.id, text="x")
    with pytest.raises(LookupError):
        await waiting


async def test_called_waits_for_an_api_call(api: Api, playground: Playground, chat: Chat) -> None:
    waiting = asyncio.create_task(playground.called("sendMessage", lambda call: call.parameters["text"] == "b"))
    await api("sendMessage", chat_id=chat.id, text="a")
    await api("sendMessage", chat_id=chat.id, text="b")
    assert (await waiting).parameters["text"] == "b"


async def test_nobody_speaks_where_they_are_not(bo: Person, chat: Chat, noughts: Group) -> None:
    with pytest.raises(ValueError, match="is not in"):
        await bo.say("hello", in_=chat)
    noughts.remove(bo)
    with pytest.raises(ValueError, match="is not in"):
        await bo.say("hello", in_=noughts)


async def test_there_are_three_people_of_different_languages_and_a_group(playground: Playground) -> None:
    people = playground.people
    assert {key: person.language for key, person in people.items()} == {"ann": "en", "bo": "zh-hans", "cem": None}
    assert list(playground.groups["noughts"].members) == [person.id for person in people.values()]
    assert all(person.id.bit_length() > 32 for person in people.values())
