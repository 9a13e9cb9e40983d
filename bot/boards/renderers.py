"""Turns a game and one of its boards into a message."""

from bot.boards.board import board_view
from bot.boards.players import scene_of
from bot.boards.reviews import review_view
from bot.boards.view import View
from bot.game.pages import review_of
from bot.language import speaking
from storage.games.game import Game
from storage.games.record import Board


def render(game: Game, board: Board, username: str, hint: int | None = None) -> View:
    """The message of a game on one of its boards, in the form of that board.

    A hint is a cell to mark; on a text board only the answer names it.
    """
    with speaking(board.language):
        if game.is_over and (review := review_of(board)) is not None:
            return review_view(scene_of(game, board, username), board, review)
        return board_view(scene_of(game, board, username), hint)
