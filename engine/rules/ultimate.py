"""Ultimate: nine little boards, of which three in a row win the game.

A line on a little board wins that board; a full board without a line is nobody's. The cell of a ply decides which
board the next ply has to be in; if that board is finished (won or full), it may be in any other. The game is won
by three boards in a row, and drawn if all boards are finished without that.

Cell c of board b is numbered 9 * b + c, both in reading order. `Layout.drawn` gives the cells row by row.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.rules.base import DRAW, Mark, Outcome, Position, Region, RulesOf
from engine.rules.layout import Layout
from engine.rules.mnk import CLASSIC, HAS_LINE

ALL_NINE: Final = CLASSIC.full
"""All cells of a little board, or all boards, as a bitmask."""


class UltimateRules(RulesOf["UltimatePosition"]):
    """The rules of ultimate. The only instance is `ULTIMATE`."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("ultimate", Layout(3, 3, across=3))

    def start(self) -> UltimatePosition:
        return UltimatePosition(0, 0, 0, 0, 0, None, None)


class _UltimateState(NamedTuple):
    """The fields of a position."""

    x: int
    """The bitmask of the cells that hold an X (bit 9 * b + c for cell c of board b)."""
    o: int
    """The bitmask of the cells that hold an O."""
    x_boards: int
    """The bitmask of the boards that X has won."""
    o_boards: int
    """The bitmask of the boards that O has won."""
    finished: int
    """The bitmask of the boards that are won or full."""
    board: int | None
    """The board that the next ply has to be in; None if it may be any unfinished one."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""


class UltimatePosition(_UltimateState, Position):
    """Marks on nine boards, and the board that the next ply has to be in.

    The constructor checks nothing: moves from outside go through `play`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{Position.__repr__(self)[:-1]}, board={self.board})"

    @property
    def rules(self) -> UltimateRules:
        return ULTIMATE

    @property
    def ply(self) -> int:
        return (self.x | self.o).bit_count()

    @property
    def sides(self) -> tuple[int, int]:
        x, o = self.x, self.o
        return (x, o) if x.bit_count() == o.bit_count() else (o, x)

    @property
    def boards(self) -> tuple[int, ...]:
        """The boards that the next ply may be in, in ascending order; none once the game is over."""
        if self.outcome is not None:
            return ()
        if self.board is not None:
            return (self.board,)
        return tuple([board for board in range(9) if not self.finished >> board & 1])

    @property
    def legal_moves(self) -> tuple[int, ...]:
        taken = self.x | self.o
        return tuple(
            [cell for board in self.boards for cell in range(9 * board, 9 * board + 9) if not taken >> cell & 1]
        )

    def mark_at(self, cell: int) -> Mark | None:
        ULTIMATE.checked(cell)
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def winner_of(self, board: int) -> Mark | None:
        """Who has won a little board; None if nobody has."""
        if self.x_boards >> board & 1:
            return Mark.X
        return Mark.O if self.o_boards >> board & 1 else None

    @property
    def regions(self) -> tuple[Region, ...]:
        is_open = self.boards.__contains__
        return tuple([Region(is_open(b), bool(self.finished >> b & 1), self.winner_of(b)) for b in range(9)])

    def play(self, move: int | str) -> UltimatePosition:
        cell = move if isinstance(move, int) else self.cell_of(move)
        x, o, x_boards, o_boards, finished, sent, outcome = self
        board, target = divmod(cell, 9)
        is_legal = outcome is None and 0 <= board < 9 and not (finished >> board | (x | o) >> cell) & 1
        if not is_legal or (sent is not None and board != sent):
            raise self.refusal(cell)
        bit = 1 << cell
        x_moves = x.bit_count() == o.bit_count()
        if x_moves:
            own = x = x | bit
        else:
            own = o = o | bit
        if HAS_LINE[own >> 9 * board & ALL_NINE]:
            finished |= 1 << board
            if x_moves:
                won = x_boards = x_boards | 1 << board
            else:
                won = o_boards = o_boards | 1 << board
            if HAS_LINE[won]:
                outcome = Outcome(Mark.X if x_moves else Mark.O, winning_lines(won))
        elif (x | o) >> 9 * board & ALL_NINE == ALL_NINE:
            finished |= 1 << board
        if outcome is None and finished == ALL_NINE:
            outcome = DRAW
        sent = None if outcome is not None or finished >> target & 1 else target
        return UltimatePosition(x, o, x_boards, o_boards, finished, sent, outcome)


def winning_lines(boards: int) -> tuple[tuple[int, ...], ...]:
    """The lines of three among these boards, a bitmask, each as the 27 cells of its boards."""
    pairs = zip(CLASSIC.lines, CLASSIC.masks, strict=True)
    return tuple(
        tuple(cell for board in line for cell in range(9 * board, 9 * board + 9))
        for line, mask in pairs
        if boards & mask == mask
    )


ULTIMATE: Final = UltimateRules()
"""The rules of ultimate."""
