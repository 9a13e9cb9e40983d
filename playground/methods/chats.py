"""The chat and the message that a call is about, with Telegram's refusals, and the members of a chat."""

import math
import re

from playground.chats import Chat, Message
from playground.errors import Json, bad_request, forbidden, too_many_requests
from playground.methods.registry import ChatId, method
from playground.world import World

_INLINE_ID = re.compile(r"[A-Za-z0-9_-]{20,}")


def known_chat(world: World, chat_id: int) -> Chat:
    """The chat, if the bot's account knows it."""
    chat = world.chats.get(chat_id)
    if chat is None or not chat.with_bot:
        raise bad_request("chat not found")
    return chat


def readable_chat(world: World, chat_id: int) -> Chat:
    """A chat that the bot is part of."""
    chat = known_chat(world, chat_id)
    if chat.kind == "private":
        return chat
    kind = "group chat" if chat.kind == "group" else "supergroup chat"
    if chat.deleted:
        raise forbidden("the group chat was deleted")
    if chat.bot_status == "kicked":
        raise forbidden(f"bot was kicked from the {kind}")
    if chat.bot_status == "left":
        raise forbidden(f"bot is not a member of the {kind}")
    return chat


def reachable_chat(world: World, chat_id: int) -> Chat:
    """A chat whose messages the bot may change: readable, and the person neither gone nor blocking."""
    chat = readable_chat(world, chat_id)
    person = chat.person
    if person is not None:
        if person.deactivated:
            raise forbidden("user is deactivated")
        if not person.started:
            raise forbidden("bot can't initiate conversation with a user")
        if person.blocked_bot:
            raise forbidden("bot was blocked by the user")
    return chat


def writable_chat(world: World, chat_id: int, thread: int | None) -> Chat:
    """A chat that the bot may write to, with the thread it names."""
    check_not_upgraded(known_chat(world, chat_id))
    chat = reachable_chat(world, chat_id)
    if chat.direct_messages:
        raise bad_request("Channel direct messages topic must be specified")
    if chat.bot_status == "restricted":
        raise bad_request("not enough rights to send text messages to the chat")
    if thread is not None:
        check_thread(chat, thread)
    check_slow_mode(world, chat)
    return chat


def check_slow_mode(world: World, chat: Chat) -> None:
    """Refuse another message too soon after the last; administrators are exempt, and edits aren't counted."""
    if not chat.slow_mode or chat.bot_status == "administrator":
        return
    own = (message for message in reversed(chat.messages.values()) if message.sender.id == world.bot.id)
    last = next((message.date for message in own if not message.via_bot and message.service is None), None)
    if last is not None and (left := last + chat.slow_mode - world.clock.now()) > 0:
        raise too_many_requests(math.ceil(left))


def check_not_upgraded(chat: Chat) -> None:
    """Refuse what a supergroup was before, with its new id in `migrate_to_chat_id`."""
    if chat.migrated_to is not None:
        raise bad_request(
            "group chat was upgraded to a supergroup chat", {"migrate_to_chat_id": chat.migrated_to.id}
        )


def check_thread(chat: Chat, thread: int) -> None:
    """Refuse a thread that does not exist, or where the bot may not write."""
    topic = chat.topics.get(thread)
    if topic is None:
        # In a plain supergroup a thread is a chain of replies.
        if chat.kind == "supergroup" and not chat.forum and thread in chat.messages:
            return
        raise bad_request("message thread not found")
    if topic.deleted:
        raise bad_request("TOPIC_DELETED")
    if topic.closed and chat.bot_status != "administrator":
        raise bad_request("TOPIC_CLOSED")


def own_message(
    world: World, chat_id: int | None, message_id: int | None, inline_message_id: str | None
) -> Message:
    """The message that an edit is about, if it is the bot's to edit."""
    if inline_message_id:
        if not _INLINE_ID.fullmatch(inline_message_id):
            raise bad_request("invalid inline message identifier specified")
        message = world.inline_messages.get(inline_message_id)
        if message is None or message.deleted:
            raise bad_request("MESSAGE_ID_INVALID")
        return message
    if chat_id is None:
        raise bad_request("chat_id is empty")
    chat = reachable_chat(world, chat_id)
    if not message_id:
        raise bad_request("message identifier is not specified")
    message = chat.messages.get(message_id)
    if message is None:
        raise bad_request("message to edit not found")
    ours = message.sender.id == world.bot.id and message.service is None
    # A dead group's messages stay, but nothing can be changed in it any more.
    if not ours or chat.migrated_to is not None:
        raise bad_request("message can't be edited")
    if chat.bot_status == "restricted":
        raise bad_request("CHAT_WRITE_FORBIDDEN")
    return message


def replied_message(chat: Chat, parameters: Json | None, thread: int | None) -> Message | None:
    """The message that `reply_parameters` name; without a thread, its topic is answered in."""
    if not parameters:
        return None
    identifier = parameters.get("message_id")
    if type(identifier) is not int:
        raise bad_request("can't parse ReplyParameters: Can't find field \"message_id\"")
    elsewhere = parameters.get("chat_id") not in (None, chat.id, str(chat.id))
    message = None if elsewhere else chat.messages.get(identifier)
    if message is None:
        if parameters.get("allow_sending_without_reply"):
            return None
        raise bad_request("message to be replied not found")
    if thread is None and message.in_topic and message.thread is not None:
        check_thread(chat, message.thread)
    return message


@method()
def get_chat_member(world: World, *, chat_id: ChatId, user_id: int) -> Json:
    """Somebody's standing in a chat."""
    chat = readable_chat(world, chat_id)
    user = world.user(user_id)
    if user is None or user_id in chat.hidden:
        raise bad_request("PARTICIPANT_ID_INVALID")
    return user.as_member(chat.status(user_id))


@method(return_bots=bool)
def get_chat_administrators(world: World, *, chat_id: ChatId) -> list[Json]:
    """The administrators of a group; other bots never are, so `return_bots` adds nobody."""
    chat = readable_chat(world, chat_id)
    if chat.kind == "private":
        raise bad_request("there are no administrators in the private chat")
    members = [user.as_member(chat.status(user.id)) for user in (*chat.members.values(), world.bot)]
    return [member for member in members if member["status"] in {"creator", "administrator"}]
