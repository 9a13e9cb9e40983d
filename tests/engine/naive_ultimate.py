"""Ultimate, reimplemented as plainly as possible: nine strings, nothing shared with the engine."""

from __future__ import annotations

from typing import NamedTuple

from tests.engine.naive import CLASSIC, free, opponent, put


class Game(NamedTuple):
    """Nine boards, the side to move, and the board to move in (None: any unfinished one)."""

    boards: tuple[str, ...] = (CLASSIC.empty,) * 9
    turn: str = "X"
    board: int | None = None


def whole(game: Game) -> str:
    """The nine boards as one: each one's winner, `#` for a draw, a full stop for an unfinished one."""
    return "".join(CLASSIC.winner(board) or ("." if "." in board else "#") for board in game.boards)


def won_by(game: Game) -> str | None:
    """Whose line of boards is full."""
    return CLASSIC.winner(whole(game).replace("#", "."))


def ended(game: Game) -> bool:
    """Whether somebody has won or all boards are finished."""
    return won_by(game) is not None or "." not in whole(game)


def moves(game: Game) -> list[int]:
    """The cells that may be played."""
    if ended(game):
        return []
    boards = range(9) if game.board is None else [game.board]
    return [
        9 * board + cell
        for board in boards
        if not CLASSIC.is_over(game.boards[board])
        for cell in free(game.boards[board])
    ]


def play(game: Game, move: int) -> Game:
    """The game after a ply."""
    board, cell = divmod(move, 9)
    boards = list(game.boards)
    boards[board] = put(boards[board], cell, game.turn)
    return Game(tuple(boards), opponent(game.turn), None if CLASSIC.is_over(boards[cell]) else cell)


def perft(game: Game, depth: int) -> int:
    """How many games of exactly this many more plies there are."""
    if not depth:
        return 1
    return sum(perft(play(game, move), depth - 1) for move in moves(game))
