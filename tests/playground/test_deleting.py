"""What the bot can delete, and for how long."""

from __future__ import annotations

import pytest

from playground import Playground
from playground.chats import Chat
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api

TOO_LATE = "Bad Request: message can't be deleted for everyone"
HOUR = 3600


async def test_a_deleted_message_is_gone(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="x")
    assert await api("deleteMessage", chat_id=chat.id, message_id=sent["message_id"]) is True
    assert chat.messages == {}
    refusal = await api.refused("deleteMessage", chat_id=chat.id, message_id=sent["message_id"])
    assert refusal.description == "Bad Request: message to delete not found"


@pytest.mark.parametrize("kind", ["private", "group", "supergroup", "administrator"])
async def test_a_message_of_48_hours_cannot_be_deleted_wherever_it_is(
    api: Api, playground: Playground, ann: Person, kind: str
) -> None:
    where: Chat = ann.private
    if kind != "private":
        group = playground.add_group("The Crosses", [ann], kind="group" if kind == "group" else "supergroup")
        if kind == "administrator":
            group.promote_bot()
        where = group
    early = await api("sendMessage", chat_id=where.id, text="x")
    late = await api("sendMessage", chat_id=where.id, text="x")
    playground.clock.advance(48 * HOUR - 60)
    assert await api("deleteMessage", chat_id=where.id, message_id=early["message_id"]) is True
    playground.clock.advance(60)
    refusal = await api.refused("deleteMessage", chat_id=where.id, message_id=late["message_id"])
    assert (refusal.status, refusal.description) == (400, TOO_LATE)
    await api("editMessageText", chat_id=where.id, message_id=late["message_id"], text="but edited")


async def test_what_people_wrote_is_theirs_in_a_group_and_not_in_private(
    api: Api, ann: Person, noughts: Group
) -> None:
    alone = await ann.say("hello")
    assert await api("deleteMessage", chat_id=ann.id, message_id=alone.id) is True
    among = await ann.say("hello", in_=noughts)
    refusal = await api.refused("deleteMessage", chat_id=noughts.id, message_id=among.id)
    assert refusal.description == TOO_LATE
    noughts.promote_bot()
    assert await api("deleteMessage", chat_id=noughts.id, message_id=among.id) is True


async def test_a_muted_bot_still_deletes_what_it_wrote(api: Api, noughts: Group) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="x")
    noughts.mute_bot()
    assert await api("deleteMessage", chat_id=noughts.id, message_id=sent["message_id"]) is True


async def test_where_the_bot_is_no_longer_a_member_it_deletes_nothing(api: Api, noughts: Group) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="x")
    noughts.kick_bot()
    refusal = await api.refused("deleteMessage", chat_id=noughts.id, message_id=sent["message_id"])
    assert (refusal.status, refusal.description) == (403, "Forbidden: bot was kicked from the group chat")


async def test_a_group_that_was_upgraded_names_the_new_one(api: Api, noughts: Group) -> None:
    sent = await api("sendMessage", chat_id=noughts.id, text="x")
    new = noughts.migrate()
    refusal = await api.refused("deleteMessage", chat_id=noughts.id, message_id=sent["message_id"])
    assert refusal.parameters == {"migrate_to_chat_id": new.id}
    (beginning,) = [message for message in new.messages.values() if message.service]
    refusal = await api.refused("deleteMessage", chat_id=new.id, message_id=beginning.id)
    assert refusal.description == TOO_LATE
