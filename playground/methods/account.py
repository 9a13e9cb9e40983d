"""The bot's own account: who it is, its commands and descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.errors import Json, bad_request
from playground.methods.registry import Array, method

if TYPE_CHECKING:
    from playground.telegram import Telegram


@method()
def get_me(telegram: Telegram) -> Json:
    """Who the bot is."""
    return telegram.world.bot.about()


@method()
def set_my_commands(
    telegram: Telegram, *, commands: Array, scope: Json | None = None, language_code: str = ""
) -> bool:
    """Store the command list of a scope and language."""
    telegram.world.commands.set(commands, scope, language_code)
    telegram.world.tell("commands", telegram.world.commands)
    return True


@method()
def delete_my_commands(telegram: Telegram, *, scope: Json | None = None, language_code: str = "") -> bool:
    """Forget the command list of a scope and language."""
    telegram.world.commands.delete(scope, language_code)
    telegram.world.tell("commands", telegram.world.commands)
    return True


@method()
def get_my_commands(telegram: Telegram, *, scope: Json | None = None, language_code: str = "") -> list[Json]:
    """The command list of a scope and language."""
    return telegram.world.commands.get(scope, language_code)


def _describe(telegram: Telegram, what: str, value: str, maximum: int, language_code: str) -> bool:
    if len(value) > maximum:
        raise bad_request(f"{what} is too long")
    telegram.descriptions[what, language_code] = value
    return True


@method()
def set_my_name(telegram: Telegram, *, name: str = "", language_code: str = "") -> bool:
    """Set the bot's name in a language."""
    return _describe(telegram, "name", name, 64, language_code)


@method()
def get_my_name(telegram: Telegram, *, language_code: str = "") -> Json:
    """The bot's name in a language."""
    own = telegram.world.bot.first_name
    return {"name": telegram.descriptions.get(("name", language_code)) or own}


@method()
def set_my_description(telegram: Telegram, *, description: str = "", language_code: str = "") -> bool:
    """Set what an empty chat with the bot shows."""
    return _describe(telegram, "description", description, 512, language_code)


@method()
def get_my_description(telegram: Telegram, *, language_code: str = "") -> Json:
    """What an empty chat with the bot shows."""
    return {"description": telegram.descriptions.get(("description", language_code), "")}


@method()
def set_my_short_description(telegram: Telegram, *, short_description: str = "", language_code: str = "") -> bool:
    """Set what the bot's profile shows."""
    return _describe(telegram, "short_description", short_description, 120, language_code)


@method()
def get_my_short_description(telegram: Telegram, *, language_code: str = "") -> Json:
    """What the bot's profile shows."""
    return {"short_description": telegram.descriptions.get(("short_description", language_code), "")}
