"""Chats and their members, and forum topics."""

from playground.errors import Json, bad_request
from playground.messages import member_json
from playground.methods.registry import ChatId, method
from playground.methods.targets import readable_chat
from playground.world import World


@method()
def get_chat_member(world: World, *, chat_id: ChatId, user_id: int) -> Json:
    """Somebody's standing in a chat."""
    chat = readable_chat(world, chat_id)
    if user_id == world.bot.id:
        return member_json(world.bot.as_json(), chat.bot_status)
    person = world.persons.get(user_id)
    if person is None or user_id in chat.hidden:
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
