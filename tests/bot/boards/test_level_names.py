"""The names of levels and first movers."""

from __future__ import annotations

import pytest

from bot.boards.players import first_name, level_name
from bot.boards.translations import LANGUAGES, texts
from bot.game.new_game import First
from engine import Level

T = texts("en")


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_level_and_every_first_mover_has_a_name_in_every_language(tag: str) -> None:
    t = texts(tag)
    assert len({level_name(level, t) for level in Level}) == len(Level)
    assert len({first_name(first, t) for first in First}) == len(First)
    assert len({first_name(first, t, in_group=True) for first in First}) == len(First)


def test_in_a_group_nobody_is_me() -> None:
    assert [first_name(first, T, in_group=True) for first in First] == ["Challenger", "Opponent", "Random"]
