"""The renderers: from a game, and the board on which somebody looks at it, to a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.boards.matchmaking import wait_view
from bot.boards.message import board_view
from bot.boards.reviews import review_view
from bot.boards.text_board import text_board_view, wait_text_view
from bot.game.reviews import review_of
from storage.people.wait import Wait

if TYPE_CHECKING:
    from bot.boards.view import View
    from storage.games.board import Board
    from storage.games.game import Game


def render(game: Game | Wait, board: Board, username: str, hint: int | None = None) -> View:
    """The message of a game, or of somebody's wait for one, on one of its boards, as that is drawn.

    Args:
        game: The game, or the wait.
        board: The board, which says for which reader and in which form.
        username: The bot's, for links to it.
        hint: A cell to mark; a board of text names it in the answer alone.
    """
    if isinstance(game, Wait):
        return wait_text_view(game, board) if board.as_text else wait_view(game, board)
    if game.is_over and (review := review_of(board)) is not None:
        return review_view(game, board, review)
    if board.as_text:
        return text_board_view(game, board, username)
    return board_view(game, board, username, hint)
