"""The greeting, the help and the privacy page: complete, and within Telegram's limits."""

from __future__ import annotations

import json

import pytest

from bot.boards.buttons import FindOpponent, Invite, Play, Topic, read
from bot.boards.cells import CENTRE, read_move
from bot.boards.players import level_names
from bot.boards.translations import LANGUAGES, texts
from bot.commands import COMMANDS
from bot.context.services import FOR_EVER
from bot.features import basics as menus
from bot.features import privacy as rights
from engine import CLASSIC

KNOWN = {command.name: command.description for command in COMMANDS}


def test_the_welcome_has_a_button_to_play_and_below_it_those_to_play_somebody() -> None:
    view = menus.welcome(texts("en"))
    (play,), (friend, somebody) = json.loads(view.keyboard or "")["inline_keyboard"]
    assert play["text"] == "Play"
    assert [type(read(each["callback_data"])) for each in (play, friend)] == [Play, Invite]
    assert read(somebody["callback_data"]) == FindOpponent()


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_help_is_three_lines_and_has_a_button_to_each_topic(tag: str) -> None:
    view = menus.help_page(texts(tag), KNOWN)
    assert len(view.text.split("\n")) == 3
    buttons = [button for row in json.loads(view.keyboard or "")["inline_keyboard"] for button in row]
    assert [read(button["callback_data"]) for button in buttons] == [Topic(name) for name in menus.TOPICS]
    assert not any("style" in button for button in buttons)


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("topic", menus.TOPICS)
def test_a_page_of_the_help_says_what_it_is_about(topic: str, tag: str) -> None:
    view = menus.help_page(texts(tag), KNOWN, topic)
    buttons = [button for row in json.loads(view.keyboard or "")["inline_keyboard"] for button in row]
    (marked,) = [button for button in buttons if "style" in button]
    assert read(marked["callback_data"]) == Topic(topic)
    assert view.text.startswith(f"<b>{marked['text']}</b>")
    assert len(view.text) < 4096


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_help_names_every_command_and_every_level(tag: str) -> None:
    text = "".join(menus.help_page(texts(tag), KNOWN, topic).text for topic in menus.TOPICS)
    assert [command.name for command in COMMANDS if f"/{command.name}" not in text] == []
    assert all(f"<code>{name}</code>" in text for name in level_names(texts(tag)))


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_page_of_the_help_has_a_line_for_each_command(tag: str) -> None:
    _, _, *lines = menus.help_page(texts(tag), KNOWN, "commands").text.split("\n")
    assert [line.split()[0] for line in lines] == [f"/{name}" for name in KNOWN]
    assert len({line.partition(" – ")[2] for line in lines}) == len(lines)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_help_tells_of_typed_moves_text_boards_and_settings_and_privacy_of_what_is_chosen(tag: str) -> None:
    t = texts(tag)
    assert "<code>b2</code>" in menus.help_page(t, KNOWN, "play").text
    assert read_move(t.gettext("centre"), CLASSIC.start(), t) == CENTRE
    choices = menus.help_page(t, KNOWN, "choices").text
    assert all(words in choices for words in ("/settings", "/notify", "<code>/settings text on</code>"))
    assert "/settings" in rights.privacy_page(t, FOR_EVER).text


@pytest.mark.parametrize("tag", LANGUAGES)
def test_what_telegram_shows_of_the_bot_keeps_its_limits(tag: str) -> None:
    """64, 120 and 512 characters (Bot API: setMyName, setMyShortDescription, setMyDescription)."""
    t = texts(tag)
    for text, most in ((menus.NAME, 64), (menus.SHORT_DESCRIPTION, 120), (menus.DESCRIPTION, 512)):
        assert 1 <= len(t.gettext(text)) <= most


@pytest.mark.parametrize("tag", LANGUAGES)
def test_privacy_names_the_policy_that_holds(tag: str) -> None:
    assert "telegram.org/privacy-tpa" in rights.privacy_page(texts(tag), FOR_EVER).text
    assert menus.group_greeting(texts(tag))
