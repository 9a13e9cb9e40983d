"""Rules in words."""

from __future__ import annotations

import pytest

from bot.boards.players import level_name
from bot.boards.rules import nobody_won, rules_line, rules_name
from bot.boards.translations import texts
from tests.bot.games import game_of_two

T = texts("en")


@pytest.mark.parametrize(
    ("rules", "name", "line"),
    [
        ("3x3x3", "3×3", None),
        ("5x5x4", "5×5", "5×5, four in a row"),
        ("8x3x3", "8×3", "8×3, three in a row"),
        ("3x3x3-misere", "Misère", "<b>Misère</b> on 3×3: whoever gets three in a row <b>loses</b>."),
        (
            "5x5x3-misere",
            "Misère 5×5, 3 in a row",
            "<b>Misère</b> on 5×5: whoever gets three in a row <b>loses</b>.",
        ),
        ("ultimate", "Ultimate", "<b>Ultimate</b>: three boards in a row win."),
    ],
)
def test_what_is_played_has_a_name_for_a_button_and_a_line_unless_everybody_knows_it(
    rules: str, name: str, line: str | None
) -> None:
    assert (rules_name(rules, T), rules_line(rules, T)) == (name, line)


def test_the_last_level_is_called_perfect_only_where_that_is_proven() -> None:
    called = [level_name("perfect", T, rules) for rules in ("3x3x3", "3x3x3-misere", "5x5x4", "ultimate")]
    assert called == ["perfect", "perfect", "strongest", "strongest"]
    assert level_name("hard", T, "ultimate") == "hard"


def test_a_draw_says_why() -> None:
    assert "board is full" in nobody_won(game_of_two(rules="5x5x4"), T)
    assert "All boards are finished" in nobody_won(game_of_two(rules="ultimate"), T)
