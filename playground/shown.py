"""People, chats and messages as the page knows them: as the Bot API tells of them, and a little more."""

from typing import Any

from playground.accounts import Human
from playground.chats import Chat, Message
from playground.errors import Json
from playground.world import World


def everything(world: World) -> Json:
    """The whole state, as "hello" and /page/state tell it."""
    return {
        "type": "hello",
        "bot": world.bot.as_json(),
        "people": [_person(person) for person in world.persons.values()],
        "chats": [_chat(chat) for chat in world.chats.values()],
        "messages": {
            str(chat.id): [_message(message) for message in chat.messages.values()]
            for chat in world.chats.values()
        },
        "commands": _commands(world.commands),
        "descriptions": world.descriptions,
    }


def told(event: str, subject: Any) -> Json:  # noqa: ANN401 - a message, a chat, a call ..., by event
    """What the page hears of an event."""
    about: Json
    match event:
        case "message" | "edited":
            about = {"message": _message(subject)}
        case "deleted":
            about = {"chat_id": subject.chat.id, "message_id": subject.id}
        case "chat":
            about = {"chat": _chat(subject)}
        case "person":
            about = {"person": _person(subject)}
        case "commands":
            about = {"commands": _commands(subject)}
        case "descriptions":
            about = {"descriptions": subject}
        case _:
            about = {event: subject.as_json()}
    return {"type": event, **about}


def _commands(lists: dict[tuple[str, str], list[Json]]) -> list[Json]:
    return [
        {"scope": None if scope == "default" else {"type": scope}, "language_code": language, "commands": commands}
        for (scope, language), commands in lists.items()
    ]


def _person(person: Human) -> Json:
    return {**person.as_json(), "language_code": person.language or "", "blocked_bot": person.blocked_bot}


def _chat(chat: Chat) -> Json:
    body = {**chat.as_json(), "title": chat.title, "is_forum": chat.forum, "members": list(chat.members)}
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


def _message(message: Message) -> Json:
    body = message.as_json()
    return body if message.service is None else {**body, "service": message.service.words}
