"""Games and boards in the form that the search takes them."""

from engine.search.bits import BitBoard, board
from tests.engine.naive import Game, turn

SMALL = (
    (Game(3, 3, 3), 0),
    (Game(3, 3, 3, misere=True), 0),
    (Game(4, 3, 3), 5),
    (Game(4, 3, 3, misere=True), 5),
    (Game(4, 4, 3), 8),
    (Game(4, 4, 3, misere=True), 8),
    (Game(4, 4, 4), 8),
    (Game(4, 4, 4, misere=True), 8),
    (Game(5, 3, 4), 7),
    (Game(5, 3, 5), 7),
    (Game(5, 3, 3, misere=True), 7),
)
"""Games, and the least marks from which trying all games is quick."""


def board_of(game: Game) -> BitBoard:
    return board(game.m, game.n, game.k)


def sides(game: Game, text: str) -> tuple[int, int]:
    """The marks on a board, those of the side to move first; spaces and line breaks are ignored."""
    cells = "".join(text.split())
    own, other = sorted("XO", key=lambda mark: mark != turn(cells))
    bits = board_of(game)
    return tuple(bits.marks(cell for cell, mark in enumerate(cells) if mark == each) for each in (own, other))  # type: ignore[return-value] # two
