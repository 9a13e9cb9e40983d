"""Groups: privacy, rights, topics, anonymous senders and the upgrade."""

from __future__ import annotations

import asyncio

import pytest

from playground import Playground
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, keys


@pytest.fixture
def forum(playground: Playground, ann: Person, bo: Person) -> Group:
    return playground.add_group("Forum", [ann, bo], key="forum", forum=True)


async def heard(api: Api) -> list[str]:
    """The texts of the messages that reached the bot since the last look."""
    return [update["message"].get("text", "(service)") for update in await api.updates() if "message" in update]


async def test_privacy_mode_lets_through_what_is_meant_for_the_bot(
    api: Api, ann: Person, noughts: Group, playground: Playground
) -> None:
    name = playground.bot.username
    sent = await api("sendMessage", chat_id=noughts.id, text="hello")
    await ann.say("just talking", in_=noughts)
    await ann.say(f"hey @{name}", in_=noughts)
    await ann.say("/newgame@another_bot", in_=noughts)
    await ann.say(f"/newgame@{name.upper()}", in_=noughts)
    await ann.say("/newgame", in_=noughts)
    await ann.say("a reply", in_=noughts, reply_to=noughts.messages[sent["message_id"]])
    assert await heard(api) == [f"/newgame@{name.upper()}", "/newgame", "a reply"]


async def test_a_bare_command_is_another_bots_when_that_one_spoke_last(
    api: Api, ann: Person, noughts: Group, playground: Playground
) -> None:
    noughts.other_bot_says("I am here too")
    await ann.say("/newgame", in_=noughts)
    assert await heard(api) == []
    await ann.say(f"/newgame@{playground.bot.username}", in_=noughts)
    await api("sendMessage", chat_id=noughts.id, text="me again")
    await ann.say("/board", in_=noughts)
    assert await heard(api) == [f"/newgame@{playground.bot.username}", "/board"]


async def test_an_administrator_bot_hears_everything(api: Api, ann: Person, noughts: Group) -> None:
    noughts.promote_bot()
    await ann.say("just talking", in_=noughts)
    assert await heard(api) == ["just talking"]


async def test_joining_and_leaving_are_told_as_service_messages(
    api: Api, playground: Playground, noughts: Group
) -> None:
    dee = playground.add_person("Dee")
    noughts.add(dee)
    noughts.remove(dee)
    joined, left = [update["message"] for update in await api.updates()]
    assert joined["new_chat_members"][0]["id"] == dee.id
    assert left["left_chat_member"]["id"] == dee.id


async def test_a_kicked_bot_is_told_and_can_do_nothing(api: Api, noughts: Group, bo: Person) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="hello")
    await api.updates()
    noughts.kick_bot(by=bo)
    *_, update = await api.updates()
    assert update["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    assert update["my_chat_member"]["from"]["id"] == bo.id
    for method, more in (("sendMessage", {}), ("editMessageText", {"message_id": sent["message_id"]})):
        refusal = await api.refused(method, chat_id=noughts.id, text="x", **more)
        assert refusal.description == "Forbidden: bot was kicked from the group chat"
    await bo.say("/newgame", in_=noughts)
    assert await api.updates() == []


async def test_a_muted_bot_may_not_write(api: Api, noughts: Group) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="hello")
    noughts.mute_bot()
    refusal = await api.refused("sendMessage", chat_id=noughts.id, text="x")
    assert refusal.description == "Bad Request: not enough rights to send text messages to the chat"
    refusal = await api.refused("editMessageText", chat_id=noughts.id, message_id=sent["message_id"], text="x")
    assert refusal.description == "Bad Request: CHAT_WRITE_FORBIDDEN"
    noughts.unmute_bot()
    await api("sendMessage", chat_id=noughts.id, text="x")


async def test_a_disbanded_group_is_gone(api: Api, noughts: Group) -> None:
    noughts.disband()
    refusal = await api.refused("sendMessage", chat_id=noughts.id, text="x")
    assert refusal.description == "Forbidden: the group chat was deleted"


async def test_a_blocked_bot_is_told_and_can_do_nothing(api: Api, ann: Person) -> None:
    sent = await api("sendMessage", chat_id=ann.id, text="hello")
    ann.block()
    (update,) = await api.updates()
    assert update["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    for method, more in (("sendMessage", {}), ("editMessageText", {"message_id": sent["message_id"]})):
        refusal = await api.refused(method, chat_id=ann.id, text="x", **more)
        assert (refusal.status, refusal.description) == (403, "Forbidden: bot was blocked by the user")
    ann.start()
    await api("sendMessage", chat_id=ann.id, text="x")


async def test_a_deleted_account_cannot_be_written_to(api: Api, ann: Person) -> None:
    ann.deactivate()
    refusal = await api.refused("sendMessage", chat_id=ann.id, text="x")
    assert refusal.description == "Forbidden: user is deactivated"


async def test_an_upgraded_group_tells_its_new_id(api: Api, ann: Person, noughts: Group) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="your turn", reply_markup=keys(["a"]))
    new = noughts.migrate()
    old_update, new_update = await api.updates()
    assert old_update["message"]["migrate_to_chat_id"] == new.id
    assert (new_update["message"]["chat"], new_update["message"]["migrate_from_chat_id"]) == (
        new.as_json(),
        noughts.id,
    )
    assert (new.kind, new.as_json()["type"]) == ("supergroup", "supergroup")
    refusal = await api.refused("sendMessage", chat_id=noughts.id, text="x")
    assert refusal.description == "Bad Request: group chat was upgraded to a supergroup chat"
    assert refusal.parameters == {"migrate_to_chat_id": new.id}
    refusal = await api.refused("editMessageText", chat_id=noughts.id, message_id=sent["message_id"], text="x")
    assert (refusal.description, refusal.parameters) == ("Bad Request: message can't be edited", {})
    await ann.say("/board", in_=new)
    assert await heard(api) == ["/board"]
    assert (await api("sendMessage", chat_id=new.id, text="x"))["message_id"] < sent["message_id"]


async def test_a_forums_messages_stay_in_their_topics(api: Api, ann: Person, forum: Group) -> None:
    topic = forum.add_topic("Games")
    await ann.say("/newgame", in_=forum, topic=topic)
    await ann.say("/newgame", in_=forum)
    _, in_topic, in_general = [update["message"] for update in await api.updates()]
    assert (in_topic["message_thread_id"], in_topic["is_topic_message"]) == (topic.thread, True)
    assert in_topic["reply_to_message"]["forum_topic_created"]["name"] == "Games"
    assert "message_thread_id" not in in_general
    sent = await api("sendMessage", chat_id=forum.id, text="x", message_thread_id=topic.thread)
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic.thread, True)
    reply = {"message_id": in_topic["message_id"]}
    sent = await api("sendMessage", chat_id=forum.id, text="x", reply_parameters=reply)
    assert sent["message_thread_id"] == topic.thread


async def test_a_thread_must_exist_and_be_open(api: Api, forum: Group, noughts: Group, ann: Person) -> None:
    closed, deleted = forum.add_topic("Closed"), forum.add_topic("Deleted")
    forum.close_topic(closed)
    forum.delete_topic(deleted)
    cases = [
        (forum.id, 1, "message thread not found"),
        (forum.id, 999, "message thread not found"),
        (noughts.id, 5, "message thread not found"),
        (ann.id, 5, "message thread not found"),
        (forum.id, closed.thread, "TOPIC_CLOSED"),
        (forum.id, deleted.thread, "TOPIC_DELETED"),
    ]
    for chat, thread, description in cases:
        refusal = await api.refused("sendMessage", chat_id=chat, text="x", message_thread_id=thread)
        assert refusal.description == f"Bad Request: {description}"


async def test_a_reply_into_a_closed_topic_is_refused_unless_the_bot_is_an_administrator(
    api: Api, forum: Group, ann: Person
) -> None:
    topic = forum.add_topic("Games")
    own = await ann.say("/newgame", in_=forum, topic=topic)
    forum.close_topic(topic)
    reply = {"message_id": own.id}
    refusal = await api.refused("sendMessage", chat_id=forum.id, text="x", reply_parameters=reply)
    assert refusal.description == "Bad Request: TOPIC_CLOSED"
    forum.promote_bot()
    await api("sendMessage", chat_id=forum.id, text="x", reply_parameters=reply)


async def test_a_reply_in_a_supergroup_has_a_thread_that_is_no_topic(
    api: Api, ann: Person, playground: Playground
) -> None:
    group = playground.add_group("Super", [ann], kind="supergroup")
    first = await ann.say("/newgame", in_=group)
    second = await ann.say("/again", in_=group, reply_to=first)
    third = await ann.say("/and_again", in_=group, reply_to=second)
    *_, message = [update["message"] for update in await api.updates()]
    assert message["message_id"] == third.id
    assert message["message_thread_id"] == first.id
    assert "is_topic_message" not in message


async def test_anonymous_administrators_and_channels_hide_the_person(
    api: Api, ann: Person, noughts: Group
) -> None:
    await ann.say("/newgame", in_=noughts, anonymous=True)
    await ann.say("/newgame", in_=noughts, channel="News")
    anonymous, channel = [update["message"] for update in await api.updates()]
    assert (anonymous["from"]["id"], anonymous["sender_chat"]["id"]) == (1087968824, noughts.id)
    assert (channel["from"]["id"], channel["sender_chat"]["type"]) == (136817688, "channel")


async def test_chat_members_are_told_with_their_standing(
    api: Api, ann: Person, bo: Person, noughts: Group, playground: Playground
) -> None:
    noughts.promote(bo)
    assert (await api("getChatMember", chat_id=noughts.id, user_id=ann.id))["status"] == "creator"
    assert (await api("getChatMember", chat_id=noughts.id, user_id=playground.bot.id))["status"] == "member"
    admins = await api("getChatAdministrators", chat_id=noughts.id)
    assert {admin["user"]["id"] for admin in admins} == {ann.id, bo.id}
    assert (await api("getChat", chat_id=noughts.id))["title"] == "The Noughts"


async def test_topics_of_a_private_chat_are_like_a_forums(api: Api, ann: Person, playground: Playground) -> None:
    ann.started = True
    topic = ann.add_topic("Games")
    await ann.say("hello", topic=topic)
    *_, message = [update["message"] for update in await api.updates()]
    assert (message["message_thread_id"], message["is_topic_message"]) == (topic.thread, True)
    sent = await api("sendMessage", chat_id=ann.id, text="there", message_thread_id=topic.thread)
    assert sent["message_thread_id"] == topic.thread
    refused = await api.refused("sendMessage", chat_id=ann.id, text="there", message_thread_id=1)
    assert refused.description == "Bad Request: message thread not found"
    assert playground.world.chats[ann.id].forum


async def test_a_channels_direct_messages_reach_the_bot_which_cannot_simply_answer(
    api: Api, ann: Person, playground: Playground
) -> None:
    news = playground.add_direct_messages("News", [ann])
    await ann.say("hello", in_=news)
    *_, update = await api.updates()
    assert update["message"]["chat"]["is_direct_messages"] is True
    assert update["message"]["direct_messages_topic"]["topic_id"] == ann.id
    refused = await api.refused("sendMessage", chat_id=news.id, text="hi")
    assert refused.description == "Bad Request: Channel direct messages topic must be specified"


async def test_an_anonymous_owner_is_known_among_the_administrators_alone(
    api: Api, ann: Person, noughts: Group
) -> None:
    noughts.hide(ann)
    refused = await api.refused("getChatMember", chat_id=noughts.id, user_id=ann.id)
    assert refused.description == "Bad Request: PARTICIPANT_ID_INVALID"
    listed = await api("getChatAdministrators", chat_id=noughts.id)
    assert [member["user"]["id"] for member in listed] == [ann.id]


async def test_further_usernames_are_told_by_get_chat_alone(api: Api, ann: Person) -> None:
    ann.started, ann.usernames = True, ("ann_too",)
    await ann.say("hello")
    *_, update = await api.updates()
    assert update["message"]["from"]["username"] == "ann_plays"
    assert (await api("getChat", chat_id=ann.id))["active_usernames"] == ["ann_plays", "ann_too"]


async def test_a_message_sent_again_is_the_same_under_a_new_id(
    api: Api, ann: Person, noughts: Group, playground: Playground
) -> None:
    playground.faults.add(kind="resend", times=1, delay=0)
    await ann.say("/help", in_=noughts)
    await asyncio.sleep(0.05)
    one, other = await api.updates()
    assert one["message"] == other["message"]
    assert other["update_id"] == one["update_id"] + 1
