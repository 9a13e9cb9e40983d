"""The message of the settings."""

import pytest

from bot.boards.buttons import Setting
from bot.features import settings
from bot.features.settings import RARE, SETTINGS, SWITCH, Chosen
from bot.language import LANGUAGES, own_name, speaking
from tests.bot.reading import buttons, by_label, carried

GROUPS = Chosen({name: option.read(None) for name, option in SETTINGS.items() if not option.personal})
MINE = Chosen({name: option.read(None) for name, option in SETTINGS.items() if not option.of_groups})
BOTH = Chosen({**GROUPS.values, **MINE.values})
QUESTIONS = sorted(name for name, option in SETTINGS.items() if option.question)


def rows(chosen: Chosen, page: str = "") -> list[list[str]]:
    keyboard = settings.settings_page(chosen, page).keyboard
    names = [button.name if isinstance(button, Setting) else "blocked" for button in carried(keyboard)]
    return [[names.pop(0) for _ in row] for row in buttons(keyboard)]


def test_the_first_page_leads_to_what_few_need_and_a_group_has_nothing_that_each_chooses_alone() -> None:
    assert rows(MINE) == [["board"], ["level"], ["first"], ["language"], ["reminders"], ["theme", "more"]]
    assert rows(MINE, RARE) == [["text"], ["comments"], ["takebacks"], ["hidden"], ["blocked"], [""]]
    assert rows(GROUPS) == [["board"], ["level"], ["first"], ["language"], ["theme", "more"]]
    assert rows(GROUPS, RARE) == [["text"], ["comments"], ["timezone"], [""]]


def test_a_setting_of_many_values_leads_to_a_page_and_a_switch_to_its_other_value() -> None:
    both = [each for page in ("", RARE) for each in carried(settings.settings_page(BOTH, page).keyboard)]
    values = {each.name: each.value for each in both if isinstance(each, Setting) and each.name not in ("", RARE)}
    assert values.keys() == SETTINGS.keys()
    assert all((SETTINGS[name].values == SWITCH) is bool(value) for name, value in values.items())
    assert (values["text"], values["reminders"], values["takebacks"]) == ("on", "", "off")


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.usefixtures("tag")
def test_a_page_has_all_values_in_words_with_todays_marked_and_a_way_back(name: str) -> None:
    choices = by_label(settings.settings_page(BOTH, name).keyboard)
    *values, back = choices.values()
    assert values == [Setting(name, value) for value in SETTINGS[name].values], "no two labels are alike"
    assert [label.startswith("✓") for label in choices].count(True) == 1
    assert back == Setting(RARE if SETTINGS[name].is_more else "")


def test_languages_are_called_by_their_own_names_and_the_likely_ones_come_first() -> None:
    with speaking("zh"):
        chosen = Chosen({"language": "en"}, telegram="zh")
        labels = list(by_label(settings.settings_page(chosen, "language").keyboard))
    assert labels[:3] == ["自动", "✓ English", "简体中文"]
    assert {own_name(language) for language in LANGUAGES} - set(labels) == {"English"}


def test_in_a_group_the_first_mover_is_no_you_or_me() -> None:
    assert by_label(settings.settings_page(GROUPS).keyboard)["First: Challenger"] == Setting("first")
    assert settings.setting_label("first", "bot", GROUPS) == "First: Opponent"
    assert settings.setting_label("first", "bot", MINE) == "First: OXO"


def test_what_is_unknown_is_answered_with_what_there_is() -> None:
    value = settings.complaint("theme pink", in_group=False)
    assert "<code>pink</code>" in value
    assert "shapes" in value
    assert "level" not in value
    name = settings.complaint("<colour>", in_group=False)
    assert "<colour>" not in name
    assert {known for known in SETTINGS if f"/settings {known}" not in name} == {"timezone"}
    assert "reminders" not in settings.complaint("x", in_group=True)
    elsewhere = settings.complaint("timezone Europe/Berlin", in_group=False)
    assert "<code>timezone Europe/Berlin</code>" in elsewhere, "only groups have it"
    assert elsewhere.splitlines()[1:] == name.splitlines()[1:]
