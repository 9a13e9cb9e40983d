"""The commands of all features, from which menus and handlers come."""

import re

from bot.context.feature import Menus
from bot.dispatch import FEATURES


def test_names_are_those_that_telegram_takes_and_none_is_given_twice() -> None:
    """1 to 32 characters (Bot API, BotCommand)."""
    given = [command for feature in FEATURES.all for command in feature.commands]
    assert all(re.fullmatch("[a-z0-9_]{1,32}", command.name) for command in given)
    assert len({command.name for command in given}) == len({command.handler for command in given}) == len(given)


def test_the_menu_of_groups_shows_no_private_things() -> None:
    private, groups = ({command.name for command in FEATURES.menu(menu)} for menu in (Menus.PRIVATE, Menus.GROUPS))
    assert private - groups == {"play", "stats"}
