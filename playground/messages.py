"""What the bot hears of messages and of people's standing in a chat, as the Bot API tells it."""

from playground.accounts import Status, User
from playground.chats import Chat, Message
from playground.errors import Json

__all__ = ["Message", "deliver", "member_json", "message_json", "tell_of_member"]


def deliver(message: Message, *, edited: bool = False) -> None:
    """Let a message reach the bot, if Telegram would."""
    chat = message.chat
    if message.sender.id == chat.world.bot.id or not chat.bot_is_in:
        return
    if chat.kind == "private" or _concerns_bot(message):
        chat.world.push("edited_message" if edited else "message", message_json(message), ("chat", chat.id))


def _concerns_bot(message: Message) -> bool:
    """Privacy mode: commands for us, replies to us, messages via us and service messages pass."""
    chat, bot = message.chat, message.chat.world.bot
    if not bot.privacy or chat.bot_status == "administrator" or message.service is not None or message.via_bot:
        return True
    if message.reply_to is not None and message.reply_to.sender.id == bot.id:
        return True
    for entity in message.entities:
        if entity["type"] == "bot_command":
            start, length = 2 * entity["offset"], 2 * entity["length"]
            units = message.text.encode("utf-16-le", "surrogatepass")[start : start + length]
            _, _, addressee = units.decode("utf-16-le", "replace").partition("@")
            bare = not addressee and entity["offset"] == 0 and not chat.other_bot_last
            if bare or addressee.lower() == bot.username.lower():
                return True
    return False


def tell_of_member(chat: Chat, who: User, by: User, old: Status, new: Status) -> None:
    """Tell the bot of its own standing in a chat (my_chat_member), or an administrator of others'."""
    is_bots = who.id == chat.world.bot.id
    if not is_bots and chat.bot_status != "administrator":
        return
    user = who.as_json()
    payload = {
        "chat": chat.as_json(),
        "from": by.as_json(),
        "date": int(chat.world.clock.now()),
        "old_chat_member": member_json(user, old),
        "new_chat_member": member_json(user, new),
    }
    chat.world.push("my_chat_member" if is_bots else "chat_member", payload, ("chat", chat.id))


def message_json(message: Message, *, nested: bool = True) -> Json:
    """The Bot API's Message; a `nested` one shows what it replies to."""
    body: Json = {
        "message_id": message.id,
        "from": message.sender.as_json(),
        "chat": message.chat.as_json(),
        "date": message.date,
    }
    if message.sender_chat:
        body["sender_chat"] = message.sender_chat
    if message.edit_date:
        body["edit_date"] = message.edit_date
    if message.chat.direct_messages:
        body["direct_messages_topic"] = {"topic_id": message.sender.id, "user": message.sender.as_json()}
    if message.thread is not None:
        body["message_thread_id"] = message.thread
        if message.in_topic:
            body["is_topic_message"] = True
    if nested:
        body |= _reply_json(message)
    if message.via_bot:
        body["via_bot"] = message.chat.world.bot.as_json()
    if message.service is not None:
        body.update(message.service.fields)
        return body
    return body | _content_json(message)


def _content_json(message: Message) -> Json:
    body: Json = {}
    text, entities = "text", "entities"
    if message.file is not None:
        body = message.file.as_json()
        text, entities = "caption", "caption_entities"
    if message.content.text:
        body[text] = message.content.text
    if message.content.entities:
        body[entities] = message.content.entities
    if message.keyboard:
        body["reply_markup"] = {"inline_keyboard": message.keyboard}
    return body


def _reply_json(message: Message) -> Json:
    replied = message.reply_to
    if replied is None and message.in_topic and message.thread is not None:
        # What replies to nothing in a topic replies to the service message that opened it.
        replied = message.chat.messages.get(message.thread)
    if replied is None or replied is message or replied.deleted:
        return {}
    return {"reply_to_message": message_json(replied, nested=False)}


_ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
)
_MEMBER_RIGHTS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
    "can_react_to_messages",
    "can_edit_tag",
)


def member_json(user: Json, status: Status) -> Json:
    """The Bot API's ChatMember."""
    member: Json = {"status": status, "user": user}
    if status == "creator":
        member["is_anonymous"] = False
    elif status == "administrator":
        member |= {"can_be_edited": False, "is_anonymous": False, **dict.fromkeys(_ADMIN_RIGHTS, True)}
    elif status == "restricted":
        member |= {"is_member": True, "until_date": 0, **dict.fromkeys(_MEMBER_RIGHTS, False)}
    elif status == "kicked":
        member["until_date"] = 0
    return member
