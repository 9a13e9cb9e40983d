"""Hints in words."""

from __future__ import annotations

import pytest

from bot.boards.translations import LANGUAGES, texts
from bot.features.hints import words_for_hint
from bot.game.analysis import Hint
from engine import CLASSIC, Reason


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_reason_has_its_words_and_they_fit_into_a_toast(tag: str) -> None:
    said = {words_for_hint(Hint(4, why), CLASSIC, texts(tag)) for why in Reason}
    assert len(said) == 14, "twelve reasons, one sentence for hard positions, and one for everything else"
    assert all(len(words) <= 200 for words in said)


def test_a_hint_names_its_cell() -> None:
    assert words_for_hint(Hint(5, Reason.WIN), CLASSIC, texts("en")) == "💡 Play middle right: it wins."
