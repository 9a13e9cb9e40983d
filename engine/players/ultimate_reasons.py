"""The reason for a ply in ultimate: what it does at once."""

from __future__ import annotations

from engine.players.reasons import Reason
from engine.rules.marks import Mark
from engine.rules.ultimate import ALL, HAS_LINE, UltimatePosition

_CENTRE = 4
_CORNERS = (0, 2, 6, 8)


def reason_in_ultimate(position: UltimatePosition, cell: int) -> Reason:
    """The first that applies: what the ply wins, gives away or stops, or where it is."""
    after = position.play(cell)
    if after.outcome is not None:
        return Reason.PREFERENCE if after.outcome.is_draw else Reason.WIN
    board, within = divmod(cell, 9)
    replies = [after.play(reply) for reply in after.legal_moves]
    if any(reply.outcome is not None and not reply.outcome.is_draw for reply in replies):
        return Reason.ALLOWS_WIN
    if after.winner_of(board):
        return Reason.WIN_BOARD
    other = position.o if position.turn is Mark.X else position.x
    if HAS_LINE[(other >> 9 * board & ALL) | 1 << within]:
        return Reason.BLOCK_BOARD
    if after.board is None:
        return Reason.FREE_CHOICE
    if any(reply.winner_of(after.board) for reply in replies):
        return Reason.ALLOWS_BOARD
    if within == _CENTRE:
        return Reason.CENTRE
    return Reason.CORNER if within in _CORNERS else Reason.PREFERENCE
