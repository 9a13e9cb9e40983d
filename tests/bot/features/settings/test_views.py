"""The message of the settings."""

from __future__ import annotations

import json

import pytest

from bot.boards.buttons import Setting, read
from bot.boards.translations import LANGUAGES, texts
from bot.features import settings
from bot.features.settings import MORE, PAGES, QUESTIONS, VALUES, Chosen

T = texts("en")
MINE = Chosen("3x3x3", "medium", "me", "classic", "off", "on", "auto", "on", "on", "off")
GROUPS = Chosen("3x3x3", "medium", "me", "classic", "off", "on", "auto")


def rows_of(keyboard: str | None) -> list[list[tuple[str, Setting]]]:
    """The rows of a keyboard, each button with its label and what it carries."""
    rows = json.loads(keyboard or "")["inline_keyboard"]
    carried = [[(button["text"], read(button["callback_data"])) for button in row] for row in rows]
    return [[(label, button) for label, button in row if isinstance(button, Setting)] for row in carried]


def buttons_of(keyboard: str | None) -> list[tuple[str, Setting]]:
    """All of its buttons."""
    return [button for row in rows_of(keyboard) for button in row]


def test_a_setting_of_many_values_leads_to_a_page_and_a_switch_to_its_other_value() -> None:
    buttons = buttons_of(settings.settings_page(MINE, T).keyboard) + buttons_of(
        settings.settings_page(MINE, T, MORE).keyboard
    )
    carried = {button.name: button.value for _, button in buttons if button.name not in ("", MORE)}
    assert set(carried) == set(VALUES)
    assert {name for name, value in carried.items() if not value} == PAGES
    assert (carried["text"], carried["reminders"], carried["takebacks"]) == ("on", "off", "off")


def test_the_first_page_leads_to_what_few_need() -> None:
    rows = [[button.name for _, button in row] for row in rows_of(settings.settings_page(MINE, T).keyboard)]
    assert rows == [["board"], ["level"], ["first"], ["language"], ["reminders"], ["theme", "more"]]
    rows = [[button.name for _, button in row] for row in rows_of(settings.settings_page(MINE, T, MORE).keyboard)]
    assert rows == [["text"], ["comments"], ["takebacks"], ["hidden"], [""]]


def test_a_group_has_nothing_that_each_chooses_alone() -> None:
    names = [button.name for _, button in buttons_of(settings.settings_page(GROUPS, T).keyboard)]
    assert names == ["board", "level", "first", "language", "theme", "more"]
    assert [button.name for _, button in buttons_of(settings.settings_page(GROUPS, T, MORE).keyboard)] == [
        "text",
        "comments",
        "",
    ]


@pytest.mark.parametrize("name", sorted(QUESTIONS))
@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_page_has_all_values_in_words_with_todays_marked_and_a_way_back(tag: str, name: str) -> None:
    *values, back = buttons_of(settings.settings_page(MINE, texts(tag), name).keyboard)
    assert [button for _, button in values] == [Setting(name, value) for value in VALUES[name]]
    assert [label.startswith("✓") for label, _ in values].count(True) == 1
    assert len({label for label, _ in values}) == len(values)
    assert back[1] == Setting("more" if name == "takebacks" else "")


def test_languages_are_called_by_their_own_names() -> None:
    labels = [label for label, _ in buttons_of(settings.settings_page(MINE, texts("zh"), "language").keyboard)]
    assert labels[0] == "✓ 自动"
    assert {"English", "中文"} <= set(labels)
    assert len(set(labels)) == len(labels)


def test_an_unknown_value_is_answered_with_those_of_its_setting_alone() -> None:
    text = settings.complaint("theme pink", T, in_group=False)
    assert "<code>pink</code>" in text
    assert "shapes" in text
    assert "level" not in text


def test_in_a_group_the_first_mover_is_no_you_or_me() -> None:
    labels = {carried: label for label, carried in buttons_of(settings.settings_page(GROUPS, T).keyboard)}
    assert labels[Setting("first")] == "First: Challenger"
    assert settings.said("first", "bot", T, GROUPS) == "First: Opponent"
    assert settings.said("first", "bot", T, MINE) == "First: OXO"


def test_an_unknown_setting_is_answered_with_all_that_there_are() -> None:
    text = settings.complaint("<colour>", T, in_group=False)
    assert "<colour>" not in text
    assert all(f"/settings {name}" in text for name in VALUES)
    assert "reminders" not in settings.complaint("x", T, in_group=True)
