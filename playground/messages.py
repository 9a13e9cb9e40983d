"""Messages, and people's standing in a chat, as the Bot API tells of them."""

from __future__ import annotations

from playground.chats import Message, Status
from playground.errors import Json

__all__ = ["Message", "member_json", "message_json"]


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
    body: Json = {"reply_to_message": message_json(replied, nested=False)}
    if message.quote:
        body["quote"] = {"text": message.quote, "position": replied.text.find(message.quote)}
    return body


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
