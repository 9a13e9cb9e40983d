"""The commands in a few words."""

from __future__ import annotations

import pytest

from bot.views.commands import DESCRIPTIONS, listing
from bot.views.texts import LANGUAGES, texts


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_list_has_a_line_for_each_command(tag: str) -> None:
    lines = listing(texts(tag)).split("\n")
    assert [line.split()[0] for line in lines] == [f"/{name}" for name in DESCRIPTIONS]
    assert len(set(lines)) == len(lines)
