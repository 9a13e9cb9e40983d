"""The computer's comments: the reason for its move, if it was the last one and comments are on."""

from __future__ import annotations

import pytest

from bot.game.analysis import last_reason
from engine import Reason
from storage.games.game import COMPUTER, Game, Termination
from tests.bot.games import asking, computer_game, drawn, game_of_two


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("04", Reason.CENTRE),
        ("40", Reason.CORNER),
        ("0412", Reason.BLOCK),
        ("0182", Reason.ALLOWS_WIN),
        ("8470", Reason.ALLOWS_WIN),
        ("2041", Reason.ALLOWS_WIN),
        ("1547", Reason.BLOCK),
        ("041", None),
        ("", None),
    ],
)
def test_it_is_the_reason_of_the_computers_last_move(moves: str, why: Reason | None) -> None:
    assert last_reason(computer_game(moves)) is why


def test_the_computer_has_something_to_say_about_its_winning_move() -> None:
    won = computer_game(drawn("XX.", "OOO", "X.."))
    assert won.termination is Termination.LINE
    assert last_reason(won) is Reason.WIN


@pytest.mark.parametrize(
    "game",
    [
        game_of_two("40"),
        computer_game("40", first=True)._replace(**asking("resign:X")),
        computer_game("40")._replace(termination=Termination.RESIGNATION),
        computer_game("40")._replace(termination=Termination.EXPIRED),
        computer_game("40")._replace(x_seat=COMPUTER, x_level="easy"),
        computer_game("40")._replace(takebacks=1),
    ],
    ids=["between people", "a question is open", "resigned", "closed", "it plays itself", "it would say it again"],
)
def test_it_says_nothing_where_nobody_listens(game: Game) -> None:
    assert last_reason(game) is None


@pytest.mark.parametrize(
    ("rules", "moves", "why"),
    [
        ("5x5x4", "0C", Reason.CENTRE),
        ("5x5x4", "0A1B23", Reason.BLOCK),
        ("3x3x3-misere", "04", Reason.CENTRE),
        ("ultimate", "cI", Reason.CORNER),
    ],
)
def test_other_boards_have_reasons_too(rules: str, moves: str, why: Reason) -> None:
    assert last_reason(computer_game("")._replace(rules=rules, moves=moves)) is why
