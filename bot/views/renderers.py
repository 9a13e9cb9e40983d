"""The renderers: from a game, and the board on which somebody looks at it, to a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.reviews import page_of
from bot.views.boards import board_view
from bot.views.reviews import review_view
from bot.views.text_board import text_board_view

if TYPE_CHECKING:
    from bot.views.view import View
    from storage.board import Board
    from storage.game import Game


def render(game: Game, board: Board, username: str, hint: int | None = None) -> View:
    """A game's message on one of its boards, as that is drawn.

    Args:
        game: The game.
        board: Which board, and so for whom and how.
        username: The bot's, for links to it.
        hint: A cell to mark; a board of text names it in the answer alone.
    """
    if board.page is not None and (page := page_of(board)) is not None and game.is_over:
        return review_view(game, board, page)
    if board.as_text:
        return text_board_view(game, board, username)
    return board_view(game, board, username, hint)
