"""The menus of choices: what can be chosen, and which is chosen now."""

from __future__ import annotations

import json

import pytest

from bot.boards.buttons import ChooseFirst, ChooseLevel, read
from bot.boards.choices import first_chosen, firsts, level_chosen, level_name, levels
from bot.boards.texts import LANGUAGES, texts
from bot.game.new_game import First
from engine import Level

T = texts("en")


@pytest.mark.parametrize("chosen", Level)
def test_the_menu_of_levels_has_all_and_marks_the_present_one(chosen: Level) -> None:
    view = levels(chosen, T)
    rows = json.loads(view.keyboard or "")["inline_keyboard"]
    assert [read(button["callback_data"]) for (button,) in rows] == [ChooseLevel(level) for level in Level]
    assert [button["text"] for (button,) in rows if button["text"].startswith("✓")] == [f"✓ {chosen}"]
    assert f"<b>{chosen}</b>" in view.text


@pytest.mark.parametrize("chosen", First)
def test_the_menu_of_who_moves_first_likewise(chosen: First) -> None:
    view = firsts(chosen, T)
    rows = json.loads(view.keyboard or "")["inline_keyboard"]
    assert [read(button["callback_data"]) for (button,) in rows] == [ChooseFirst(first) for first in First]
    marked = [read(button["callback_data"]) for (button,) in rows if button["text"].startswith("✓")]
    assert marked == [ChooseFirst(chosen)]


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_level_and_every_first_mover_has_a_name_and_a_confirmation_in_every_language(tag: str) -> None:
    t = texts(tag)
    assert len({level_name(level, t) for level in Level}) == len(Level)
    assert len({level_chosen(level, t) for level in Level}) == len(Level)
    assert len({first_chosen(first, t) for first in First}) == len(First)
    assert len({first_chosen(first, t, in_group=True) for first in First}) == len(First)


def test_in_a_group_nobody_is_you_or_me() -> None:
    view = firsts(First.ME, T, in_group=True)
    labels = [button["text"] for (button,) in json.loads(view.keyboard or "")["inline_keyboard"]]
    assert labels == ["✓ Challenger", "Opponent", "Random"]
    assert "<b>Challenger</b>" in view.text
    assert first_chosen(First.BOT, T, in_group=True) == "Done: whoever starts a game here moves second."
