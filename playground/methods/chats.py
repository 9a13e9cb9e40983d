"""Chats and their members, and forum topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.errors import Json, bad_request
from playground.groups import Group
from playground.members import member_json
from playground.methods.registry import ChatId, method
from playground.methods.targets import readable_chat

if TYPE_CHECKING:
    from playground.chats import Topic
    from playground.world import World

_MAXIMUM_TOPIC = 128


@method()
def get_chat(world: World, *, chat_id: ChatId) -> Json:
    """About a chat."""
    chat = readable_chat(world, chat_id)
    body = {
        **chat.as_json(),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": {
            "unlimited_gifts": False,
            "limited_gifts": False,
            "unique_gifts": False,
            "premium_subscription": False,
            "gifts_from_channels": False,
        },
    }
    if chat.kind != "private":
        body["permissions"] = {"can_send_messages": True}
    return body


@method()
def get_chat_member(world: World, *, chat_id: ChatId, user_id: int) -> Json:
    """Somebody's standing in a chat."""
    chat = readable_chat(world, chat_id)
    if user_id == world.bot.id:
        return member_json(world.bot.as_json(), chat.bot_status)
    person = world.persons.get(user_id)
    if person is None:
        raise bad_request("PARTICIPANT_ID_INVALID")
    return member_json(person.as_json(), chat.status(user_id))


@method()
def get_chat_administrators(world: World, *, chat_id: ChatId, return_bots: bool = False) -> list[Json]:
    """The administrators of a group; other bots never are, so `return_bots` adds nobody."""
    del return_bots
    chat = readable_chat(world, chat_id)
    if chat.kind == "private":
        raise bad_request("there are no administrators in the private chat")
    found = [
        member_json(person.as_json(), chat.status(person.id))
        for person in chat.members.values()
        if chat.is_admin(person.id)
    ]
    if chat.bot_status == "administrator":
        found.append(member_json(world.bot.as_json(), "administrator"))
    return found


@method()
def get_chat_member_count(world: World, *, chat_id: ChatId) -> int:
    """How many are in a chat, the bot included."""
    return len(readable_chat(world, chat_id).members) + 1


@method()
def leave_chat(world: World, *, chat_id: ChatId) -> bool:
    """Leave a group."""
    _group(world, chat_id).bot_left()
    return True


def _group(world: World, chat_id: ChatId) -> Group:
    chat = readable_chat(world, chat_id)
    if not isinstance(chat, Group):
        raise bad_request("chat is not a group")
    return chat


def _forum(world: World, chat_id: ChatId) -> Group:
    chat = _group(world, chat_id)
    if not chat.forum:
        raise bad_request("the chat is not a forum")
    if chat.bot_status != "administrator":
        raise bad_request("not enough rights to manage topics")
    return chat


def _topic(chat: Group, thread: int) -> Topic:
    topic = chat.topics.get(thread)
    if topic is None or topic.deleted:
        raise bad_request("message thread not found")
    return topic


@method(icon_color=int, icon_custom_emoji_id=str)
def create_forum_topic(world: World, *, chat_id: ChatId, name: str) -> Json:
    """Open a topic."""
    chat = _forum(world, chat_id)
    if not 1 <= len(name) <= _MAXIMUM_TOPIC:
        raise bad_request("TOPIC_NAME_INVALID")
    topic = chat.add_topic(name, world.bot)
    return {"message_thread_id": topic.thread, "name": name, "icon_color": 7322096}


@method()
def close_forum_topic(world: World, *, chat_id: ChatId, message_thread_id: int) -> bool:
    """Close a topic."""
    chat = _forum(world, chat_id)
    chat.close_topic(_topic(chat, message_thread_id))
    return True


@method()
def reopen_forum_topic(world: World, *, chat_id: ChatId, message_thread_id: int) -> bool:
    """Open a closed topic."""
    chat = _forum(world, chat_id)
    chat.reopen_topic(_topic(chat, message_thread_id))
    return True


@method()
def delete_forum_topic(world: World, *, chat_id: ChatId, message_thread_id: int) -> bool:
    """Delete a topic with its messages."""
    chat = _forum(world, chat_id)
    chat.delete_topic(_topic(chat, message_thread_id))
    return True
