"""The table of commands, from which menus and handlers come."""

from __future__ import annotations

import re

import pytest

from bot.boards.translations import LANGUAGES, texts
from bot.commands import COMMANDS, MENU, MENU_OF_GROUPS, Command


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_has_a_name_and_descriptions_that_telegram_takes(command: Command) -> None:
    """1 to 32 characters, and 1 to 256 (Bot API, BotCommand)."""
    assert re.fullmatch("[a-z0-9_]{1,32}", command.name)
    for tag in LANGUAGES:
        assert 1 <= len(texts(tag).gettext(command.description)) <= 256


def test_no_name_is_given_twice() -> None:
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)
    assert len({command.handler for command in COMMANDS}) == len(COMMANDS)


def test_the_menus_show_what_most_people_want_and_groups_no_private_things() -> None:
    assert len(MENU) == 8
    assert set(MENU) <= {command.name for command in COMMANDS}
    assert set(MENU) - set(MENU_OF_GROUPS) == {"play", "stats"}
