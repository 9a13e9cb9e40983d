"""The menu of /takebacks."""

from __future__ import annotations

import json

import pytest

from bot.boards.buttons import AllowTakebacks, read
from bot.boards.texts import LANGUAGES, texts
from bot.features.settings.takebacks_view import chosen, menu

T = texts("en")


@pytest.mark.parametrize("allowed", [True, False])
def test_both_answers_are_buttons_and_todays_is_marked(*, allowed: bool) -> None:
    view = menu(T, allowed=allowed)
    (yes,), (no,) = json.loads(view.keyboard or "")["inline_keyboard"]
    assert [read(each["callback_data"]) for each in (yes, no)] == [
        AllowTakebacks(allowed=True),
        AllowTakebacks(allowed=False),
    ]
    assert (
        ["✓" in each["text"] for each in (yes, no)]
        == ["style" in each for each in (yes, no)]
        == [allowed, not allowed]
    )
    assert f"<b>{'yes' if allowed else 'no'}</b>" in view.text


def test_what_was_not_understood_is_said() -> None:
    text = menu(T, allowed=True, unknown="<maybe").text
    assert text.startswith("I don't know the word <code>&lt;maybe</code>. You can say <code>/takebacks on</code>")
    assert "I do not know" not in menu(T, allowed=True).text


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_choice_is_confirmed_in_a_toast(tag: str) -> None:
    said = {chosen(texts(tag), allowed=allowed) for allowed in (True, False)}
    assert len(said) == 2
    assert all(len(words) <= 200 for words in said)
