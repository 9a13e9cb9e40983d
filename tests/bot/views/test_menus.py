"""The greeting, the help and what is told about privacy: whole, and within Telegram's limits."""

from __future__ import annotations

import json

import pytest

from bot.handlers.table import COMMANDS
from bot.views import menus
from bot.views.buttons import Invite, read
from bot.views.texts import LANGUAGES, texts
from engine import Level


def test_the_welcome_has_a_button_to_challenge_a_friend() -> None:
    view = menus.welcome(texts("en"))
    ((challenge,),) = json.loads(view.keyboard or "")["inline_keyboard"]
    assert read(challenge["callback_data"]) == Invite()


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_help_names_every_command_and_every_level(tag: str) -> None:
    text = menus.help_text(texts(tag))
    unsaid = {"start", "help"}
    assert [
        command.name for command in COMMANDS if f"/{command.name}" not in text and command.name not in unsaid
    ] == []
    assert all(f"<code>{level}</code>" in text for level in Level)
    assert len(text) < 4096


@pytest.mark.parametrize("tag", LANGUAGES)
def test_privacy_names_the_policy_that_holds(tag: str) -> None:
    assert "telegram.org/privacy-tpa" in menus.privacy(texts(tag))
    assert menus.greeting(texts(tag))
