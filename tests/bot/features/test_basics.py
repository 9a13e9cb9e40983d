"""The help: complete in every language."""

import re

import pytest

from bot.boards.players import level_names
from bot.context.feature import HelpPage
from bot.dispatch import FEATURES
from bot.features import basics
from bot.features.basics import Topic
from tests.bot.reading import buttons, by_label

pytestmark = pytest.mark.usefixtures("tag")


@pytest.mark.parametrize("topic", basics.TOPICS)
def test_a_page_of_the_help_says_what_it_is_about(topic: str) -> None:
    view = basics.help_page(FEATURES, topic)
    (marked,) = [button["text"] for row in buttons(view.keyboard) for button in row if "style" in button]
    assert by_label(view.keyboard)[marked] == Topic(topic)
    assert view.text.startswith(f"<b>{marked}</b>")


def test_the_help_has_a_line_for_each_command_and_names_every_level() -> None:
    pages = {topic: basics.help_page(FEATURES, topic).text for topic in basics.TOPICS}
    _, *groups = pages[HelpPage.COMMANDS].split("\n\n")
    assert len(groups) == 5
    lines = [line for group in groups for line in group.split("\n")[1:]]
    named = [found[1] for line in lines if (found := re.search("/([a-z]+)", line))]
    assert sorted(named) == sorted(FEATURES.commands)
    assert len({line.replace(f"/{name}", "") for line, name in zip(lines, named, strict=True)}) == len(lines)
    assert all(f"<code>{name}</code>" in "".join(pages.values()) for name in level_names())
