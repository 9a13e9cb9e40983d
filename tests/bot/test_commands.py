"""The table of commands, from which menus and handlers come."""

import re

from bot.commands import COMMANDS, MENU_OF_GROUPS, MENU_OF_PRIVATE_CHATS

NAMES = [command.name for command in COMMANDS]


def test_names_are_those_that_telegram_takes_and_none_is_given_twice() -> None:
    """1 to 32 characters (Bot API, BotCommand)."""
    assert all(re.fullmatch("[a-z0-9_]{1,32}", name) for name in NAMES)
    assert len(set(NAMES)) == len({command.handler for command in COMMANDS}) == len(COMMANDS)


def test_the_menus_show_commands_and_groups_no_private_things() -> None:
    assert set(MENU_OF_PRIVATE_CHATS) <= set(NAMES)
    assert set(MENU_OF_PRIVATE_CHATS) - set(MENU_OF_GROUPS) == {"play", "stats"}
