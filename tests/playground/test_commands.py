"""Command lists and descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playground import Playground
    from tests.playground.client import Api

NEWGAME = {"command": "newgame", "description": "Play"}


async def test_lists_are_kept_by_scope_and_language(api: Api) -> None:
    groups = {"type": "all_group_chats"}
    await api("setMyCommands", commands=[NEWGAME])
    await api("setMyCommands", commands=[], scope=groups)
    await api("setMyCommands", commands=[{**NEWGAME, "description": "玩"}], language_code="zh")
    assert await api("getMyCommands") == [NEWGAME]
    assert await api("getMyCommands", scope=groups) == []
    assert (await api("getMyCommands", language_code="zh"))[0]["description"] == "玩"
    await api("deleteMyCommands")
    assert await api("getMyCommands") == []


@pytest.mark.parametrize(
    ("parameters", "description"),
    [
        ({"commands": [{"command": "New", "description": "x"}]}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "n" * 33, "description": "x"}]}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "n", "description": ""}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        ({"commands": [{"command": "n", "description": "x" * 257}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        ({"commands": [NEWGAME] * 101}, "too much commands specified"),
        ({"commands": [], "language_code": "english"}, "LANGUAGE_CODE_INVALID"),
        ({"commands": [], "scope": {"type": "moon"}}, "can't parse BotCommandScope: Unsupported type specified"),
        ({"commands": [], "scope": {"type": "chat"}}, "can't parse BotCommandScope: Can't find field \"chat_id\""),
    ],
)
async def test_a_malformed_list_is_refused(api: Api, parameters: dict[str, object], description: str) -> None:
    assert (await api.refused("setMyCommands", **parameters)).description == f"Bad Request: {description}"


async def test_descriptions_are_kept_by_language(api: Api) -> None:
    await api("setMyDescription", description="Noughts and crosses")
    assert await api("getMyDescription") == {"description": "Noughts and crosses"}
    assert await api("getMyDescription", language_code="zh") == {"description": ""}
    assert (await api.refused("setMyShortDescription", short_description="x" * 121)).code == 400


async def test_the_account_tells_its_settings(api: Api, playground: Playground) -> None:
    me = await api("getMe")
    assert me["id"] == int(playground.token.split(":")[0])
    assert (me["can_read_all_group_messages"], me["supports_inline_queries"]) == (False, True)
