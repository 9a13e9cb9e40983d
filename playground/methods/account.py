"""The bot's own account: who it is, its commands and descriptions."""

from playground.errors import Json
from playground.methods.registry import Array, method
from playground.profile import ProfileKind
from playground.world import World


@method()
def get_me(world: World) -> Json:
    """Who the bot is."""
    return world.bot.about()


@method()
def set_my_commands(world: World, *, commands: Array, scope: Json | None = None, language_code: str = "") -> bool:
    """Store the command list of a scope and language."""
    world.commands.set(commands, scope, language_code)
    world.tell("commands", world.commands)
    return True


@method()
def set_my_name(world: World, *, name: str = "", language_code: str = "") -> bool:
    """Set the bot's name in a language."""
    return _describe(world, "name", name, language_code)


@method()
def get_my_name(world: World, *, language_code: str = "") -> Json:
    """The bot's name in a language."""
    return {"name": world.descriptions.get("name", language_code) or world.bot.first_name}


@method()
def set_my_description(world: World, *, description: str = "", language_code: str = "") -> bool:
    """Set what an empty chat with the bot shows."""
    return _describe(world, "description", description, language_code)


@method()
def get_my_description(world: World, *, language_code: str = "") -> Json:
    """What an empty chat with the bot shows."""
    return {"description": world.descriptions.get("description", language_code)}


@method()
def set_my_short_description(world: World, *, short_description: str = "", language_code: str = "") -> bool:
    """Set what the bot's profile shows."""
    return _describe(world, "short_description", short_description, language_code)


@method()
def get_my_short_description(world: World, *, language_code: str = "") -> Json:
    """What the bot's profile shows."""
    return {"short_description": world.descriptions.get("short_description", language_code)}


def _describe(world: World, kind: ProfileKind, text: str, language: str) -> bool:
    world.descriptions.set(kind, text, language)
    world.tell("descriptions", world.descriptions)
    return True
