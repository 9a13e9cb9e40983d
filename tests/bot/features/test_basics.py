"""The greeting, the help and the privacy page: complete, and within Telegram's limits."""

import pytest

from bot.boards.buttons import FindOpponent, Invite, Play, Topic
from bot.boards.players import level_names
from bot.commands import COMMANDS
from bot.context.services import Retention
from bot.features import basics, privacy
from tests.bot.reading import buttons, by_label, carried, labels

pytestmark = pytest.mark.usefixtures("tag")

KNOWN = {command.name: command.description for command in COMMANDS}


def test_the_welcome_has_a_button_to_play_and_below_it_those_to_play_somebody() -> None:
    keyboard = basics.welcome().keyboard
    assert [len(row) for row in labels(keyboard)] == [1, 2]
    assert carried(keyboard) == [Play(), Invite(), FindOpponent()]


def test_the_help_is_three_lines_and_has_a_button_to_each_topic() -> None:
    view = basics.help_page(KNOWN)
    assert len(view.text.split("\n")) == 3
    assert carried(view.keyboard) == [Topic(name) for name in basics.TOPICS]
    assert not any("style" in button for row in buttons(view.keyboard) for button in row)


@pytest.mark.parametrize("topic", basics.TOPICS)
def test_a_page_of_the_help_says_what_it_is_about(topic: str) -> None:
    view = basics.help_page(KNOWN, topic)
    (marked,) = [button["text"] for row in buttons(view.keyboard) for button in row if "style" in button]
    assert by_label(view.keyboard)[marked] == Topic(topic)
    assert view.text.startswith(f"<b>{marked}</b>")


def test_the_help_has_a_line_for_each_command_and_names_every_level() -> None:
    pages = {topic: basics.help_page(KNOWN, topic).text for topic in basics.TOPICS}
    _, _, *lines = pages["commands"].split("\n")
    assert [line.split()[0] for line in lines] == [f"/{name}" for name in KNOWN]
    assert len({line.partition(" – ")[2] for line in lines}) == len(lines)
    assert all(f"<code>{name}</code>" in "".join(pages.values()) for name in level_names())


def test_the_help_tells_of_typed_moves_text_boards_and_settings_and_privacy_of_what_is_chosen() -> None:
    assert "<code>b2</code>" in basics.help_page(KNOWN, "play").text
    choices = basics.help_page(KNOWN, "choices").text
    assert all(words in choices for words in ("/settings", "/notify", "<code>/settings text on</code>"))
    rights = privacy.privacy_page(Retention(None, 30)).text
    assert "/settings" in rights
    assert "telegram.org/privacy-tpa" in rights
