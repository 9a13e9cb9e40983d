"""Groups: privacy, standing, topics, anonymous senders and the upgrade."""

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


async def test_messages_stay_in_the_topics_of_a_forum_or_a_private_chat(
    api: Api, ann: Person, playground: Playground
) -> None:
    forum = playground.add_group("Forum", [ann], forum=True)
    for chat, topic in ((forum, forum.add_topic("Games")), (ann.private, ann.add_topic("Games"))):
        await ann.say("/newgame", in_=chat, topic=topic)
        await ann.say("/newgame", in_=chat)
        *_, in_topic, elsewhere = await messages(api)
        assert (in_topic["message_thread_id"], in_topic["is_topic_message"]) == (topic.thread, True)
        assert in_topic["reply_to_message"]["forum_topic_created"]["name"] == "Games"
        assert "message_thread_id" not in elsewhere
        reply = {"message_id": in_topic["message_id"]}
        for where in ({"message_thread_id": topic.thread}, {"reply_parameters": reply}):
            sent = await api("sendMessage", chat_id=chat.id, text="x", **where)
            assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic.thread, True)
    forum.close_topic(topic := next(iter(forum.topics.values())))
    forum.promote_bot()
    await api("sendMessage", chat_id=forum.id, text="x", message_thread_id=topic.thread)


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


async def test_anonymous_administrators_channels_and_their_direct_messages(
    api: Api, ann: Person, noughts: Group, playground: Playground
) -> None:
    await ann.say("/newgame", in_=noughts, anonymous=True)
    await ann.say("/newgame", in_=noughts, channel="News")
    await ann.say("hello", in_=playground.add_direct_messages("News", [ann]))
    anonymous, channel, direct = await messages(api)
    assert (anonymous["from"]["id"], anonymous["sender_chat"]["id"]) == (1087968824, noughts.id)
    assert (channel["from"]["id"], channel["sender_chat"]["type"]) == (136817688, "channel")
    assert direct["chat"]["is_direct_messages"] is True
    assert direct["direct_messages_topic"]["topic_id"] == ann.id


async def test_chats_and_their_members_are_told(
    api: Api, ann: Person, bo: Person, noughts: Group, playground: Playground
) -> None:
    noughts.promote(bo)
    noughts.hide(bo)
    standings = [
        (await api("getChatMember", chat_id=noughts.id, user_id=user))["status"]
        for user in (ann.id, playground.bot.id, playground.people["cem"].id)
    ]
    assert standings == ["creator", "member", "member"]
    admins = await api("getChatAdministrators", chat_id=noughts.id)
    assert {admin["user"]["id"] for admin in admins} == {ann.id, bo.id}
    assert (await api("getChat", chat_id=noughts.id))["title"] == "The Noughts"
    ann.usernames = ("ann_too",)
    assert (await api("getChat", chat_id=ann.id))["active_usernames"] == ["ann_plays", "ann_too"]


async def test_nobody_speaks_or_taps_where_they_are_not(bo: Person, ann: Person, noughts: Group) -> None:
    board = ann.write("a message to tap on")
    noughts.remove(bo)
    for attempt in (bo.say("hello", in_=ann.private), bo.say("hello", in_=noughts), bo.tap(board, data="a")):
        with pytest.raises(ValueError, match="is not in"):
            await attempt
    noughts.disband()
    with pytest.raises(ValueError, match="is not in"):
        await ann.say("hello", in_=noughts)
