"""The language to use: the chat's choice, else the person's, else Telegram's, else the host's."""

from __future__ import annotations

import json
from typing import cast

import pytest
from telegram import User

from bot.context.services import Languages
from bot.features.settings import Chosen, settings_page
from bot.introduction import _languages
from bot.language import LANGUAGES, own_name
from storage.store import Store

GROUP = -5
ANN = User(1, "Ann", is_bot=False, language_code="en-GB")
NOBODY = User(2, "Cem", is_bot=False)
STRANGER = User(3, "Dee", is_bot=False, language_code="vo")


def test_telegrams_language_is_spoken_until_another_is_chosen() -> None:
    languages = Languages()
    assert languages.of(ANN) == "en-GB"
    languages.choose(ANN.id, "zh")
    assert languages.of(ANN) == languages.of(ANN, ANN.id) == "zh"
    languages.choose(ANN.id, None)
    assert languages.of(ANN) == "en-GB"


def test_a_group_is_spoken_to_in_its_own_language_and_everybody_else_in_theirs() -> None:
    languages = Languages()
    languages.choose(ANN.id, "en")
    assert languages.of(ANN, GROUP) == "en"
    languages.choose(GROUP, "zh")
    assert languages.of(ANN, GROUP) == languages.of(None, GROUP) == "zh"
    assert languages.of(ANN) == "en"


@pytest.mark.parametrize("user", [NOBODY, STRANGER, None])
def test_whose_language_is_not_spoken_hears_the_hosts(user: User | None) -> None:
    assert Languages().of(user) == "en"
    assert Languages("zh").of(user) == "zh"


async def test_a_choice_made_while_the_choices_are_read_is_kept() -> None:
    languages = Languages()
    languages.choose(GROUP, "de")

    class Slow:
        async def read(self, _work: object) -> dict[int, str]:
            languages.choose(ANN.id, "zh")
            languages.choose(GROUP, None)
            return {GROUP: "de"}

    await languages.read(cast(Store, Slow()))
    assert languages.of(ANN) == "zh"
    assert languages.of(None, GROUP) == "en"


def test_telegram_is_told_of_every_language_by_two_letters_and_the_hosts_for_all_others() -> None:
    assert _languages("en") == {"": "en", **{code: code for code in LANGUAGES if code != "en"}}
    assert _languages("zh")["en"] == "en"
    assert _languages("zh")[""] == "zh"
    assert all(len(code) in {0, 2} for code in _languages("en"))


def test_the_likely_languages_are_listed_first_by_their_own_names() -> None:
    chosen = Chosen({"language": "en"}, telegram="zh")
    rows = json.loads(settings_page(chosen, "language").keyboard or "")["inline_keyboard"]
    labels = [button["text"] for row in rows for button in row]
    assert labels[:3] == ["Automatic", f"✓ {own_name('en')}", own_name("zh")]
    assert set(map(own_name, LANGUAGES)) - set(labels) == {"English"}
