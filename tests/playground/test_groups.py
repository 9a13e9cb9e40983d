"""Groups: privacy, threads, members and standing."""

from __future__ import annotations

import pytest

from playground import Playground
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, Json

MINE, OTHER = "@oxo_playground_bot", "@another_bot"


async def heard(api: Api) -> list[str]:
    """The texts of the messages that reached the bot since the last look."""
    return [update["message"].get("text", "(service)") for update in await api.updates() if "message" in update]


async def messages(api: Api) -> list[Json]:
    """The messages that reached the bot since the last look."""
    return [update["message"] for update in await api.updates() if "message" in update]


async def test_privacy_mode_lets_through_what_is_meant_for_the_bot(api: Api, ann: Person, noughts: Group) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="hello")
    for text in (
        "just talking",
        f"hey {MINE}",
        f"/newgame{OTHER}",
        f"/newgame{MINE.upper()}",
        "😀 /x",
        "/newgame",
    ):
        await ann.say(text, in_=noughts)
    await ann.say("a reply", in_=noughts, reply_to=noughts.messages[sent["message_id"]])
    assert await heard(api) == [f"/newgame{MINE.upper()}", "/newgame", "a reply"]
    noughts.other_bot_says("I am here too")
    for text in ("/newgame", f"/newgame{MINE}"):
        await ann.say(text, in_=noughts)
    await api("sendMessage", chat_id=noughts.id, text="me again")
    await ann.say("/board", in_=noughts)
    assert await heard(api) == [f"/newgame{MINE}", "/board"]
    noughts.promote_bot()
    await ann.say("just talking", in_=noughts)
    assert await heard(api) == ["just talking"]


async def test_a_reply_in_a_supergroup_has_a_thread_that_is_no_topic(
    api: Api, ann: Person, playground: Playground
) -> None:
    group = playground.add_group("Super", [ann], kind="supergroup")
    first = last = await ann.say("/newgame", in_=group)
    for text in ("/again", "/and_again"):
        last = await ann.say(text, in_=group, reply_to=last)
    *_, message = await messages(api)
    assert (message["message_id"], message["message_thread_id"]) == (last.id, first.id)
    assert "is_topic_message" not in message
    sent = await api("sendMessage", chat_id=group.id, text="x", message_thread_id=first.id)
    assert sent["message_thread_id"] == first.id


async def test_nobody_speaks_or_taps_where_they_are_not(bo: Person, ann: Person, noughts: Group) -> None:
    board = ann.write("a message to tap on")
    noughts.remove(bo)
    for attempt in (bo.say("hello", in_=ann.private), bo.say("hello", in_=noughts), bo.tap(board, data="a")):
        with pytest.raises(ValueError, match="is not in"):
            await attempt
    noughts.disband()
    with pytest.raises(ValueError, match="is not in"):
        await ann.say("hello", in_=noughts)
