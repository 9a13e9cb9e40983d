"""What the bot says of itself: its commands by scope and language, its name and descriptions by language."""

import re
from typing import Any, Literal, get_args

from playground.errors import Json, bad_request

ProfileKind = Literal["name", "description", "short_description"]
PROFILE_KINDS: tuple[ProfileKind, ...] = get_args(ProfileKind)

_MAXIMUM = {"name": 64, "description": 512, "short_description": 120}
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")
_MAXIMUM_COMMANDS = 100
_MAXIMUM_COMMAND_DESCRIPTION = 256
_SCOPES = frozenset({"default", "all_private_chats", "all_group_chats", "all_chat_administrators"})
"""Those that name no chat."""


class Commands:
    """What setMyCommands stored."""

    def __init__(self) -> None:
        self._lists: dict[tuple[str, str], list[Json]] = {}

    def set(self, commands: list[Any], scope: Json | None, language: str) -> None:
        """Store a list."""
        if len(commands) > _MAXIMUM_COMMANDS:
            raise bad_request("too much commands specified")
        self._lists[_key(scope, language)] = [_checked(command) for command in commands]

    def get(self, scope: Json | None, language: str) -> list[Json]:
        """A stored list, or nothing."""
        return self._lists.get(_key(scope, language), [])

    def as_json(self) -> list[Json]:
        """All lists, for the page."""
        return [
            {
                "scope": None if scope == "default" else {"type": scope},
                "language_code": language,
                "commands": commands,
            }
            for (scope, language), commands in self._lists.items()
        ]


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


def _key(scope: Json | None, language: str) -> tuple[str, str]:
    kind = (scope or {"type": "default"}).get("type")
    if not isinstance(kind, str) or kind not in _SCOPES:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    return kind, _known(language)


class Descriptions:
    """What setMyName, setMyDescription and setMyShortDescription stored."""

    def __init__(self) -> None:
        self._texts: dict[tuple[ProfileKind, str], str] = {}

    def set(self, kind: ProfileKind, text: str, language: str) -> None:
        """Store a text for a language, or with "" for all that have none of their own; an empty one removes it."""
        if len(text) > _MAXIMUM[kind]:
            raise bad_request(f"{kind} is too long")
        if text:
            self._texts[kind, _known(language)] = text
        else:
            self._texts.pop((kind, _known(language)), None)

    def get(self, kind: ProfileKind, language: str) -> str:
        """The text for a language, or nothing."""
        return self._texts.get((kind, _known(language)), "")

    def as_json(self) -> dict[str, dict[str, str]]:
        """All texts by kind and language, for the page."""
        return {
            kind: {language: text for (other, language), text in self._texts.items() if other == kind}
            for kind in PROFILE_KINDS
        }


def _known(language: str) -> str:
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("LANGUAGE_CODE_INVALID")
    return language
