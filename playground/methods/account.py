"""The bot's own account: who it is, its commands by scope and language, its name and descriptions by language."""

import re
from typing import Any

from playground.errors import Json, bad_request
from playground.methods.registry import Array, method
from playground.world import World

_LONGEST = {"name": 64, "description": 512, "short_description": 120}
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")
_MAXIMUM_COMMANDS = 100
_MAXIMUM_COMMAND_DESCRIPTION = 256
_SCOPES = frozenset({"default", "all_private_chats", "all_group_chats", "all_chat_administrators"})
"""Those that name no chat."""


@method()
def get_me(world: World) -> Json:
    """Who the bot is."""
    return world.bot.about()


@method()
def set_my_commands(world: World, *, commands: Array, scope: Json | None = None, language_code: str = "") -> bool:
    """Store the command list of a scope and language."""
    if len(commands) > _MAXIMUM_COMMANDS:
        raise bad_request("too much commands specified")
    kind = (scope or {"type": "default"}).get("type")
    if not isinstance(kind, str) or kind not in _SCOPES:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    world.commands[kind, _known(language_code)] = [_checked(command) for command in commands]
    world.tell("commands", world.commands)
    return True


def _checked(command: Any) -> Json:  # noqa: ANN401 - whatever the bot sent stands here
    if not isinstance(command, dict):
        raise bad_request("can't parse BotCommand: expected an Object")
    name, description = command.get("command"), command.get("description")
    if not isinstance(name, str) or not isinstance(description, str):
        raise bad_request('can\'t parse BotCommand: Field "command" must be of type String')
    name = name.removeprefix("/")
    if not _COMMAND.fullmatch(name):
        raise bad_request("BOT_COMMAND_INVALID")
    if not 1 <= len(description.strip()) <= _MAXIMUM_COMMAND_DESCRIPTION:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return {"command": name, "description": description}


@method()
def set_my_name(world: World, *, name: str = "", language_code: str = "") -> bool:
    """Set the bot's name in a language."""
    return _describe(world, "name", name, language_code)


@method()
def get_my_name(world: World, *, language_code: str = "") -> Json:
    """The bot's name in a language."""
    return {"name": world.descriptions["name"].get(_known(language_code)) or world.bot.first_name}


@method()
def set_my_description(world: World, *, description: str = "", language_code: str = "") -> bool:
    """Set what an empty chat with the bot shows."""
    return _describe(world, "description", description, language_code)


@method()
def get_my_description(world: World, *, language_code: str = "") -> Json:
    """What an empty chat with the bot shows."""
    return {"description": world.descriptions["description"].get(_known(language_code), "")}


@method()
def set_my_short_description(world: World, *, short_description: str = "", language_code: str = "") -> bool:
    """Set what the bot's profile shows."""
    return _describe(world, "short_description", short_description, language_code)


@method()
def get_my_short_description(world: World, *, language_code: str = "") -> Json:
    """What the bot's profile shows."""
    return {"short_description": world.descriptions["short_description"].get(_known(language_code), "")}


def _describe(world: World, kind: str, text: str, language: str) -> bool:
    """Store a text for a language, or with "" for all that have none of their own, or an empty one."""
    if len(text) > _LONGEST[kind]:
        raise bad_request(f"{kind} is too long")
    world.descriptions[kind][_known(language)] = text
    world.tell("descriptions", world.descriptions)
    return True


def _known(language: str) -> str:
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("invalid language code specified")
    return language
