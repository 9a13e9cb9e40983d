"""The keyboards of challenges and games: what can be pressed, where, and in which colour."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bot.game.acts import Act
from bot.game.states import State, state_of
from bot.views import keyboards
from bot.views.buttons import Cell, OnGame, SetFirst, SetLevel, read
from bot.views.texts import texts
from engine import Level, Mark
from storage.game import Termination
from tests.bot.games import ANN, BO, computer_game, done, drawn, game_of_two, open_challenge

if TYPE_CHECKING:
    from storage.game import Game

T = texts("en")


def buttons(game: Game, viewer: int | None = None) -> list[list[dict[str, Any]]]:
    """The buttons of a game, row by row."""
    keyboard: dict[str, list[list[dict[str, Any]]]] = json.loads(keyboards.of_game(game, T, viewer))
    return keyboard["inline_keyboard"]


def labels(game: Game, viewer: int | None = None) -> list[list[str]]:
    """The labels of a game's keyboard."""
    return [[button["text"] for button in row] for row in buttons(game, viewer)]


def styled(game: Game, viewer: int | None = None) -> list[str]:
    """The rows of cells, each cell with the first letter of its colour or a dot."""
    return ["".join(button.get("style", ".")[0] for button in row) for row in buttons(game, viewer)[:3]]


def test_the_cells_are_drawn_as_they_are_and_carry_game_ply_and_cell() -> None:
    game = game_of_two(drawn("X.O", ".X.", "..."))
    assert labels(game)[:3] == [["❌", "·", "⭕"], ["·", "❌", "·"], ["·", "·", "·"]]
    carried = [read(button["callback_data"]) for row in buttons(game)[:3] for button in row]
    assert carried == [Cell(7, 3, cell) for cell in range(9)]


def test_the_last_moves_stand_out() -> None:
    assert styled(game_of_two("401")) == [".p.", "...", "..."], "the last one between people"
    assert styled(computer_game("40")) == ["p..", ".p.", "..."], "and the computer's answer beside one's own"


@pytest.mark.parametrize(
    ("game", "viewer", "style"),
    [
        (game_of_two(drawn("XXX", "OO.", "...")), None, "s"),
        (game_of_two(drawn("XXX", "OO.", "...")), ANN.id, "s"),
        (game_of_two(drawn("XXX", "OO.", "...")), BO.id, "d"),
        (computer_game(drawn("XXX", "OO.", "...")), None, "s"),
        (computer_game(drawn("XX.", "OOO", "X..")), None, "d"),
    ],
    ids=["a group", "who won", "who lost", "beating the computer", "beaten by it"],
)
def test_the_winning_line_has_a_colour(game: Game, viewer: int | None, style: str) -> None:
    row = 0 if game.winner is Mark.X else 1
    assert styled(game, viewer)[row] == style * 3


def test_a_hasty_second_tap_on_resign_plays_on() -> None:
    game = game_of_two("4")
    asked = done(game, Act.RESIGN, BO, ply=1)
    assert labels(game)[3:] == [["Resign"], ["Undo"]]
    assert labels(asked)[3:] == [["No, play on"], ["Undo"], ["Yes, resign"]]


def test_a_fresh_game_against_the_computer_offers_its_choices() -> None:
    game = computer_game(level="perfect")
    (row,) = buttons(game)[3:]
    assert [button["text"] for button in row] == ["Level: perfect", "You move first"]
    carried = [read(button["callback_data"]) for button in row]
    assert carried == [SetLevel(7, "beginner"), SetFirst(7, "bot")], "the levels come round again"
    second = computer_game(first=False)
    assert labels(second)[3][1] == "I move first"
    assert read(buttons(second)[3][1]["callback_data"]) == SetFirst(7, "me")


@pytest.mark.parametrize(("level", "next_"), list(zip(Level, [*list(Level)[1:], Level.BEGINNER], strict=True)))
def test_a_tap_on_the_level_goes_to_the_next(level: Level, next_: Level) -> None:
    assert read(buttons(computer_game(level=level))[3][0]["callback_data"]) == SetLevel(7, next_)


@pytest.mark.parametrize(
    ("game", "below"),
    [
        (computer_game("40"), [["Hint", "Resign"], ["Undo"]]),
        (game_of_two(), [["Resign"]]),
        (game_of_two("4"), [["Resign"], ["Undo"]]),
        (game_of_two("40", offer="takeback:O"), [["Accept", "Decline"]]),
        (game_of_two("40", offer="resign:O"), [["No, play on"], ["Undo"], ["Yes, resign"]]),
        (computer_game(drawn("XXX", "OO.", "...")), [["Play again", "Swap sides"]]),
        (game_of_two(drawn("XXX", "OO.", "...")), [["Rematch"]]),
        (game_of_two(drawn("XXX", "OO.", "..."), offer="rematch:O"), [["Accept", "Decline"]]),
        (game_of_two(drawn("XXX", "OO.", "..."), next_game=8), []),
    ],
    ids=lambda value: state_of(value).value if not isinstance(value, list) else "",
)
def test_what_can_be_done_now_stands_below_the_cells(game: Game, below: list[list[str]]) -> None:
    assert labels(game)[3:] == below


def test_every_button_means_the_board_as_it_is_shown() -> None:
    for game in (game_of_two("40"), game_of_two("40", offer="takeback:O"), computer_game("40")):
        for row in buttons(game)[3:]:
            for button in row:
                carried = read(button["callback_data"])
                assert isinstance(carried, OnGame)
                assert (carried.game_id, carried.ply) == (7, 2)


def test_a_challenge_is_answered_or_withdrawn() -> None:
    def rows(game: Game, link: str | None = None) -> list[list[str]]:
        keyboard = json.loads(keyboards.of_challenge(game, T, link) or "")
        return [[button["text"] for button in row] for row in keyboard["inline_keyboard"]]

    assert rows(open_challenge()) == [["Accept"], ["Play the computer", "Cancel"]]
    assert rows(open_challenge(rival=BO)) == [["Accept", "Decline"], ["Play the computer", "Cancel"]]
    assert rows(open_challenge(), "https://t.me/oxo_bot?start=x") == [["Share the link"], ["Cancel"]]


def test_a_challenge_that_is_over_has_no_buttons() -> None:
    closed = open_challenge()._replace(termination=Termination.CANCELLED)
    assert state_of(closed) is State.CLOSED
    assert keyboards.of_challenge(closed, T, None) is None
    assert keyboards.of_challenge(closed, T, "https://t.me/oxo_bot?start=x") is None
