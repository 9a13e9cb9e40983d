"""Command lists and descriptions."""

from __future__ import annotations

import pytest

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


async def test_a_list_is_deleted_in_its_language_and_scope_alone(api: Api) -> None:
    groups = {"type": "all_group_chats"}
    for scope in (None, groups):
        for language in ("", "zh"):
            await api("setMyCommands", commands=[NEWGAME], scope=scope, language_code=language)
    assert await api("deleteMyCommands", scope=groups, language_code="zh") is True
    left = [
        (language, len(await api("getMyCommands", scope=scope, language_code=language)))
        for scope in (None, groups)
        for language in ("", "zh")
    ]
    assert left == [("", 1), ("zh", 1), ("", 1), ("zh", 0)]
    assert await api("deleteMyCommands", scope=groups, language_code="zh") is True


DESCRIPTIONS = [
    ("Name", "name", 64),
    ("Description", "description", 512),
    ("ShortDescription", "short_description", 120),
]


@pytest.mark.parametrize(("method", "field", "most"), DESCRIPTIONS)
async def test_descriptions_are_kept_by_language(api: Api, method: str, field: str, most: int) -> None:
    before = await api(f"getMy{method}")
    assert before == {field: "OXO" if field == "name" else ""}
    await api(f"setMy{method}", **{field: "Noughts and crosses"})
    assert await api(f"getMy{method}") == {field: "Noughts and crosses"}
    assert await api(f"getMy{method}", language_code="zh") == before
    await api(f"setMy{method}", **{field: "井字棋"}, language_code="zh")
    assert await api(f"getMy{method}", language_code="zh") == {field: "井字棋"}
    assert await api(f"getMy{method}") == {field: "Noughts and crosses"}
    await api(f"setMy{method}", language_code="zh")
    assert await api(f"getMy{method}", language_code="zh") == before
    await api(f"setMy{method}", **{field: "x" * most})
    assert (await api.refused(f"setMy{method}", **{field: "x" * (most + 1)})).code == 400
    refusal = await api.refused(f"setMy{method}", **{field: "x"}, language_code="zh-hans")
    assert refusal.description == "Bad Request: LANGUAGE_CODE_INVALID"


async def test_the_account_tells_its_settings(api: Api, playground: Playground) -> None:
    me = await api("getMe")
    assert me["id"] == int(playground.token.split(":")[0])
    assert (me["can_read_all_group_messages"], me["supports_inline_queries"]) == (False, True)
