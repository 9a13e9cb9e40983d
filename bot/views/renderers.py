"""The renderers: from a game, and the board on which somebody looks at it, to a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.views.boards import board_view
from bot.views.text_board import text_board_view

if TYPE_CHECKING:
    from bot.views.view import View
    from storage.board import Board
    from storage.game import Game


def render(game: Game, board: Board, username: str) -> View:
    """A game's message on one of its boards, as that is drawn; `username` is the bot's, for links to it."""
    draw = text_board_view if board.as_text else board_view
    return draw(game, board, username)
