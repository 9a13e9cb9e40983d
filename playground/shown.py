"""People, chats, messages and calls as the page knows them."""

from __future__ import annotations

import base64

from playground.accounts import User
from playground.chats import Chat, Message
from playground.errors import Json
from playground.files import StoredFile
from playground.telegram import Call
from playground.world import World

_SHOWN = 2**20
"""Bytes up to which a file goes to the page; bigger ones are only named there."""


def everything(world: World) -> Json:
    """The whole state, as "hello" and /page/state tell it."""
    bot = world.bot
    return {
        "type": "hello",
        "bot": {"id": bot.id, "first_name": bot.first_name, "username": bot.username},
        "people": [person_json(person) for person in world.persons.values()],
        "chats": [chat_json(chat) for chat in world.chats.values()],
        "messages": {
            str(chat.id): [message_json(message) for message in chat.messages.values()]
            for chat in world.chats.values()
        },
        "commands": world.commands.as_json(),
        "descriptions": world.descriptions.as_json(),
    }


def person_json(person: User) -> Json:
    """A person."""
    body: Json = {"id": person.id, "first_name": person.first_name, "language_code": person.language or ""}
    if person.last_name:
        body["last_name"] = person.last_name
    if person.username:
        body["username"] = person.username
    if person.blocked_bot:
        body["blocked_bot"] = True
    return body


def chat_json(chat: Chat) -> Json:
    """A chat; of groups also everybody's standing that is not a plain member's, and the topics of forums."""
    body: Json = {
        "id": chat.id,
        "type": chat.kind,
        "title": chat.title,
        "members": list(chat.members),
        "is_forum": chat.forum,
    }
    if chat.person is not None:
        body["person"] = chat.person.id
    if chat.kind != "private":
        body["bot"] = chat.bot_status
        body["statuses"] = {str(user): status for user, status in chat.statuses.items() if user in chat.members}
    if chat.forum:
        body["topics"] = [
            {"id": topic.thread, "name": topic.name, "closed": topic.closed}
            for topic in chat.topics.values()
            if not topic.deleted
        ]
    if chat.deleted or chat.migrated_to is not None:
        body["over"] = True
    return body


def message_json(message: Message) -> Json:
    """A message."""
    sender = message.sender
    body: Json = {
        "message_id": message.id,
        "chat_id": message.chat.id,
        "date": message.date,
        "from": {"id": sender.id, "first_name": sender.first_name, "is_bot": sender.is_bot},
        "text": message.text,
        "entities": message.entities,
    }
    if message.edit_date:
        body["edit_date"] = message.edit_date
    if message.via_bot:
        body["via_bot"] = message.chat.world.bot.username
    if message.reply_to is not None:
        body["reply_to_message_id"] = message.reply_to.id
    if message.thread is not None:
        body["message_thread_id"] = message.thread
    if message.keyboard:
        body["reply_markup"] = {"inline_keyboard": message.keyboard}
    if message.file is not None:
        body[message.file.kind] = _file_json(message.file)
    if message.service is not None:
        body["service"] = message.service.words
    return body


def _file_json(file: StoredFile) -> str | Json:
    """A `data:` address that the page can show; of a document also its name and size."""
    mime_type = "application/octet-stream" if file.kind == "document" else file.mime_type
    address = f"data:{mime_type};base64,{base64.b64encode(file.data).decode()}"
    if file.kind != "document":
        return address
    size = len(file.data)
    return {"name": file.name, "size": size, "address": address if size <= _SHOWN else None}


def call_json(call: Call) -> Json:
    """A call of the bot's, under way or answered."""
    return {
        "number": call.number,
        "method": call.method,
        "parameters": call.parameters,
        "time": call.time,
        "chat_id": call.chat,
        "ok": call.ok,
        "result": call.result,
        "refusal": None if call.error is None else call.error.as_json(),
        "fault": None if call.fault is None else call.fault.kind,
        "milliseconds": None if call.took is None else round(1000 * call.took, 1),
    }
