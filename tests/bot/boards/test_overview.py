"""Ultimate's drawing and keyboard."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.boards.buttons import OnGame
from bot.boards.cells import emoji_grid, lettered
from bot.boards.keyboards import of_game
from bot.boards.renderers import render
from bot.boards.translations import texts
from bot.game.actions import Move, ShowAll, ShowRegion, ShowRules
from bot.game.pages import kept
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from storage.games.game import Game, Termination
from storage.games.record import WHOLE, Board
from tests.bot.games import ANN, BO, board_in, computer_game, game_of_two
from tests.bot.reading import buttons, carried, labels, plain

WON = "2I190"
"""X has the top left board by its first row, whose first cell sends O there: so O may choose."""


def ultimate(moves: str = "", **values: Any) -> Game:  # noqa: ANN401 - a game's field
    """A game of two."""
    return game_of_two(moves, rules="ultimate", version=5, **values)


def position_of(moves: str) -> UltimatePosition:
    """The position after moves."""
    position = ultimate(moves).position
    assert isinstance(position, UltimatePosition)
    return position


def text_of(game: Game, board: Board | None = None) -> str:
    """The text of a board, without isolates."""
    return plain(render(game, board or board_in(), "oxo_bot").text)


def keyboard(game: Game, page: ShowRegion | ShowRules | None = None) -> str | None:
    """The keyboard of a board that shows a page."""
    return render(game, board_in(page=WHOLE if page is None else kept(game, page)), "oxo_bot").keyboard


def test_the_boards_are_drawn_in_emoji_that_are_all_equally_wide() -> None:
    drawn = emoji_grid(position_of(WON), None)
    free = ["🟦🟦🟦 🟦🟦🟦 🟦🟦🟦"] * 3
    first = ["❌◽❌ 🟡🟦🟦 🟡🟦🟦", "◽❌◽ 🟦🟦🟦 🟦🟦🟦", "❌◽❌ 🟦🟦🟦 🟦🟦🟦"]
    assert drawn.replace("\u2003", " ").split("\n") == [*first, "", *free, "", *free]


def test_only_the_board_to_move_in_is_coloured() -> None:
    drawn = emoji_grid(position_of("4"), "sky").replace("\u2003", " ").splitlines()
    assert drawn[:3] == ["⬜⬜⬜ ⬜⬜⬜ ⬜⬜⬜", "⬜⭐⬜ ⬜⬜⬜ ⬜⬜⬜", "⬜⬜⬜ ⬜⬜⬜ ⬜⬜⬜"]
    assert drawn[4:7] == ["⬜⬜⬜ 🟦🟦🟦 ⬜⬜⬜"] * 3


def test_in_letters_columns_and_rows_have_names() -> None:
    assert lettered(position_of("2I")).splitlines()[:6] == [
        "  a b c  d e f  g h i",
        "1 + + X  · · ·  O · ·",
        "2 + + +  · · ·  · · ·",
        "3 + + +  · · ·  · · ·",
        "",
        "4 · · ·  · · ·  · · ·",
    ]


def test_the_text_says_where_the_next_move_is_and_where_the_last_was() -> None:
    assert "🟦 Next: the <b>centre</b> board." in text_of(ultimate("4"))
    assert "❌ Last: top left board, centre" in text_of(ultimate("4"))
    assert "any open board. Choose one below." in text_of(ultimate(WON))
    chosen = text_of(ultimate(WON), board_in(page=kept(ultimate(WON), ShowRegion(5, 8))))
    assert "🟦 Next: the <b>bottom right</b> board, or any other open one." in chosen
    assert chosen.count("🟦") == 1 + 9, "only the cells of the chosen board"
    resigned = text_of(ultimate(WON, termination=Termination.RESIGNATION))
    assert "Next:" not in resigned
    assert "🟦" not in resigned


def test_where_the_board_is_decided_the_keyboard_has_its_cells() -> None:
    shown = keyboard(ultimate("4"))
    assert carried(shown)[:9] == [OnGame(7, Move(1, cell)) for cell in range(36, 45)]
    assert labels(shown)[3:] == [["Undo", "Resign"]]


def test_where_the_choice_is_free_the_keyboard_has_the_boards() -> None:
    shown = keyboard(ultimate(WON))
    assert labels(shown)[:3] == [["❌", "⬆", "↗"], ["⬅", "•", "➡"], ["↙", "⬇", "↘"]]
    assert carried(shown)[:9] == [OnGame(7, ShowRegion(5, board)) for board in range(9)]
    finished = labels(keyboard(ultimate(WON), ShowRegion(5, 0)))
    assert finished[:3] == labels(shown)[:3], "a finished board can't be the page"


def test_a_chosen_board_has_its_cells_and_a_way_back() -> None:
    shown = keyboard(ultimate(WON), ShowRegion(5, 2))
    assert labels(shown) == [["🟡", "·", "·"], ["·"] * 3, ["·"] * 3, ["‹ Boards", "Undo", "Resign"]]
    assert carried(shown)[0] == OnGame(7, Move(5, 18))
    assert carried(shown)[9] == OnGame(7, ShowAll(5))


def test_before_the_first_move_there_is_a_way_back_too() -> None:
    fresh = computer_game("", rules="ultimate")
    chosen = keyboard(fresh, ShowRegion(0, 2))
    assert labels(chosen)[3:] == [["‹ Boards"], *labels(keyboard(fresh))[3:]]
    assert carried(chosen)[9] == OnGame(7, ShowAll(0))


def test_the_line_of_boards_that_lost_is_seen_and_never_red() -> None:
    position, moves, rng = ULTIMATE.start(), "", Random(2)
    while not position.is_over:
        cell = rng.choice(position.legal_moves)
        position, moves = position.play(cell), moves + ULTIMATE.move_text(cell)
    assert position.outcome is not None
    won = {cell // 9 for line in position.outcome.lines for cell in line}
    assert won
    over = ultimate(moves, winner=position.outcome.winner, termination=Termination.LINE)
    for viewer in (None, ANN.id, BO.id):
        has_lost = viewer is not None and over.mark_of(viewer) is not over.winner
        style = "primary" if has_lost else "success"
        styles = [each.get("style") for row in buttons(of_game(over, texts("en"), viewer))[:3] for each in row]
        assert styles == [style if board in won else None for board in range(9)]


@pytest.mark.parametrize("viewer", [ANN.id, BO.id])
def test_in_text_a_plus_marks_where_one_may_play_and_the_ways_to_write_a_cell_are_named(viewer: int) -> None:
    text = text_of(ultimate("4"), board_in(viewer, viewer=viewer, as_text=True))
    assert "+ Next: the <b>centre</b> board." in text
    assert ("Type a cell to play it: d4, or board and cell: 5 1." in text) == (viewer == BO.id)
