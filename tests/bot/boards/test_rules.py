"""Rules in words."""

from __future__ import annotations

import pytest

from bot.boards.board import state_line
from bot.boards.players import Viewer, level_name
from bot.boards.rules import line_said, nobody_won, rules_line, rules_name
from bot.boards.translations import LANGUAGES, texts
from engine import Mark
from engine.rules.catalogue import MENU
from storage.games.game import Game, Termination
from tests.bot.games import ANN, computer_game, game_of_two

T = texts("en")


def test_what_everybody_knows_needs_no_line() -> None:
    assert rules_line("3x3x3", T) is None


@pytest.mark.parametrize(
    ("rules", "line", "name"),
    [
        ("5x5x4", "5×5, four in a row", "5×5"),
        ("8x3x3", "8×3, three in a row", "8×3"),
        ("3x3x3-misere", "<b>Misère</b> on 3×3: whoever gets three in a row <b>loses</b>.", "Misère"),
        (
            "5x5x3-misere",
            "<b>Misère</b> on 5×5: whoever gets three in a row <b>loses</b>.",
            "Misère 5×5, 3 in a row",
        ),
        ("ultimate", "<b>Ultimate</b>: three boards in a row win.", "Ultimate"),
    ],
)
def test_what_is_played_is_said_in_a_line_and_shorter_on_a_button(rules: str, line: str, name: str) -> None:
    assert rules_line(rules, T) == line
    assert rules_name(rules, T) == name


@pytest.mark.parametrize("tag", LANGUAGES)
def test_no_two_boards_of_the_menu_are_called_alike(tag: str) -> None:
    assert len({rules_name(rules, texts(tag)) for rules in MENU}) == len(MENU)


def test_the_last_level_is_called_perfect_only_where_that_is_proven() -> None:
    assert level_name("perfect", T) == level_name("perfect", T, "3x3x3-misere") == "perfect"
    assert level_name("perfect", T, "5x5x4") == level_name("perfect", T, "ultimate") == "strongest"
    assert level_name("hard", T, "ultimate") == "hard"


def won(rules: str, winner: Mark, *, alone: bool = False) -> Game:
    """A game that a line has ended."""
    begun = computer_game("") if alone else game_of_two()
    return begun._replace(rules=rules, termination=Termination.LINE, winner=winner)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (won("3x3x3", Mark.X), "🎉 <b>You win!</b> Three in a row, well played."),
        (won("6x6x5", Mark.X), "🎉 <b>You win!</b> Five in a row, well played."),
        (won("8x8x5", Mark.O, alone=True), "💔 <b>I win this time.</b> Five in a row. Good game!"),
        (won("ultimate", Mark.X), "🎉 <b>You win!</b> Three boards in a row, well played."),
        (
            won("3x3x3-misere", Mark.X, alone=True),
            "🎉 <b>You win!</b> Three in a row: in misère, that loses.",
        ),
        (
            won("4x4x3-misere", Mark.O, alone=True),
            "💔 <b>I win this time.</b> Three in a row: in misère, that loses.",
        ),
        (
            won("4x4x3-misere", Mark.O),
            "💔 <b>🟡 \u2068小波\u2069 wins.</b> Three in a row: in misère, that loses.",
        ),
    ],
)
def test_the_end_says_what_a_line_was_and_what_it_means(game: Game, said: str) -> None:
    assert state_line(game, Viewer(ANN.id, T)) == said


def test_a_draw_says_why() -> None:
    assert "board is full" in nobody_won(game_of_two(rules="5x5x4"), T)
    assert "All boards are finished" in nobody_won(game_of_two(rules="ultimate"), T)
    assert line_said("ultimate", T) == "Three boards in a row"
