"""Ultimate: nine little boards, of which three in a row win the game.

A line on a little board wins that board; a full board without a line is nobody's. The cell of a ply decides which
board the next ply has to be in; if that board is finished (won or full), it may be in any other. The game is won
by three boards in a row, and drawn if all boards are finished without that.

Cell c of board b is numbered 9 * b + c, both in reading order. `Layout.drawn` gives the cells row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.errors import IllegalMove, UnreachablePosition
from engine.rules.base import DRAW, EMPTY, Outcome, Rules, no_cell
from engine.rules.geometry import THREE_BY_THREE
from engine.rules.layout import Layout, Region
from engine.rules.marks import Mark
from engine.rules.ultimate_marks import ALL, ANY, HAS_LINE, check_marks, is_walk, read_marks


class UltimateRules(Rules):
    """The rules of ultimate. The only instance is `ULTIMATE`."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("ultimate", Layout(3, 3, across=3))

    def start(self) -> UltimatePosition:
        """Nine empty boards; the first ply may be anywhere."""
        return UltimatePosition(0, 0, 0, 0, 0, None, None)

    def parse(self, text: str) -> UltimatePosition:
        """Read a position: nine boards of nine cells (X, O, full stop) with slashes between, then the next board.

        While no board is finished, reachability is decided exactly: the plies are the edges of a walk from board
        to board. Once one is, a position is refused if the counts of marks don't alternate, if a board has lines
        of both sides or lines of one side that no single ply can have completed, or if no last ply leads to it;
        whether the earlier plies can have followed each other is not checked.

        Raises:
            MalformedPosition: The text is not such a position.
            UnreachablePosition: No game leads to it, as far as that is checked.
        """
        x, o, board = read_marks(text)
        check_marks(x, o)
        position = _rebuilt(x, o)._replace(board=board)
        if position != self.start() and position not in _after_last_plies(x, o):
            where = "on a board of choice" if board is None else f"on board {board}"
            raise UnreachablePosition(f"No last ply leads to these marks with the next one {where}.")
        if not position.finished and not is_walk(x, o, board):
            raise UnreachablePosition("These plies cannot have sent each other where they stand.")
        return position

    def __reduce__(self) -> tuple[Callable[[], UltimateRules], tuple[()]]:
        return _ultimate, ()


class UltimatePosition(NamedTuple):
    """Marks on nine boards, and the board that the next ply has to be in.

    The constructor checks nothing: text from outside goes through `UltimateRules.parse`.
    """

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

    @property
    def rules(self) -> UltimateRules:
        """The rules of the game."""
        return ULTIMATE

    @property
    def turn(self) -> Mark:
        """The side to move; once the game is over, the side whose turn it would be."""
        return Mark.X if self.x.bit_count() == self.o.bit_count() else Mark.O

    @property
    def ply(self) -> int:
        """The number of plies played."""
        return (self.x | self.o).bit_count()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

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
        """The cells that may be played, in ascending order; none once the game is over."""
        taken = self.x | self.o
        return tuple(
            [cell for board in self.boards for cell in range(9 * board, 9 * board + 9) if not taken >> cell & 1]
        )

    def mark_at(self, cell: int) -> Mark | None:
        """The mark on a cell; None for an empty one.

        Raises:
            IndexError: There is no such cell.
        """
        if not 0 <= cell < ULTIMATE.cells:
            raise IndexError(no_cell(cell, ULTIMATE))
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
        """The nine boards."""
        open_ones = self.boards
        return tuple(
            [
                Region(board in open_ones, bool(self.finished >> board & 1), self.winner_of(board))
                for board in range(9)
            ]
        )

    @property
    def fading(self) -> tuple[int, ...]:
        """None: every mark stays."""
        return ()

    def play(self, cell: int) -> UltimatePosition:
        """The position after the side to move has marked a cell.

        Raises:
            IllegalMove: The game is over, or the cell is taken, on a board that the ply can't be in, or does not
                exist.
        """
        if refusal := self._refusal(cell):
            raise IllegalMove(refusal)
        x, o, x_boards, o_boards, finished, _, outcome = self
        board, target = divmod(cell, 9)
        bit = 1 << cell
        x_moves = x.bit_count() == o.bit_count()
        if x_moves:
            own = x = x | bit
        else:
            own = o = o | bit
        if HAS_LINE[own >> 9 * board & ALL]:
            finished |= 1 << board
            if x_moves:
                won = x_boards = x_boards | 1 << board
            else:
                won = o_boards = o_boards | 1 << board
            if HAS_LINE[won]:
                outcome = Outcome(Mark.X if x_moves else Mark.O, winning_lines(won))
        elif (x | o) >> 9 * board & ALL == ALL:
            finished |= 1 << board
        if outcome is None and finished == ALL:
            outcome = DRAW
        sent = None if outcome is not None or finished >> target & 1 else target
        return UltimatePosition(x, o, x_boards, o_boards, finished, sent, outcome)

    def _refusal(self, cell: int) -> str | None:
        """Why a cell cannot be played."""
        if self.outcome is not None:
            return f"The game is over, so cell {cell} cannot be played."
        if not 0 <= cell < ULTIMATE.cells:
            return no_cell(cell, ULTIMATE)
        board = cell // 9
        if self.board is not None and board != self.board:
            return f"Cell {cell} is on board {board}, but the last ply sends this one to board {self.board}."
        if self.finished >> board & 1:
            return f"Cell {cell} is on board {board}, which is finished."
        if (self.x | self.o) >> cell & 1:
            return f"Cell {cell} is taken."
        return None

    def format(self) -> str:
        """The text that `parse` reads: nine boards separated by slashes, then the board of the next ply or a dash.

        Boards, and the cells of each, are in reading order.
        """
        marks = [self.mark_at(cell) or EMPTY for cell in range(ULTIMATE.cells)]
        boards = "/".join("".join(marks[start : start + 9]) for start in range(0, ULTIMATE.cells, 9))
        return f"{boards} {ANY if self.board is None else self.board}"

    def __repr__(self) -> str:
        return f"{ULTIMATE!r}.parse({self.format()!r})"

    def __str__(self) -> str:
        marks = [self.mark_at(cell) or EMPTY for cell in ULTIMATE.layout.drawn]
        rows = [
            "  ".join(" ".join(marks[9 * row + third : 9 * row + third + 3]) for third in (0, 3, 6))
            for row in range(9)
        ]
        return "\n\n".join("\n".join(rows[third : third + 3]) for third in (0, 3, 6))


def winning_lines(boards: int) -> tuple[tuple[int, ...], ...]:
    """The lines of three among these boards, a bitmask, each as the 27 cells of its boards."""
    pairs = zip(THREE_BY_THREE.lines, THREE_BY_THREE.masks, strict=True)
    return tuple(
        tuple(cell for board in line for cell in range(9 * board, 9 * board + 9))
        for line, mask in pairs
        if boards & mask == mask
    )


def _rebuilt(x: int, o: int) -> UltimatePosition:
    """The position with these marks, in which the next ply may be on any board."""
    x_boards, o_boards = (
        sum(1 << board for board in range(9) if HAS_LINE[own >> 9 * board & ALL]) for own in (x, o)
    )
    full = sum(1 << board for board in range(9) if (x | o) >> 9 * board & ALL == ALL)
    finished = x_boards | o_boards | full
    outcome = None
    if HAS_LINE[x_boards]:
        outcome = Outcome(Mark.X, winning_lines(x_boards))
    elif HAS_LINE[o_boards]:
        outcome = Outcome(Mark.O, winning_lines(o_boards))
    elif finished == ALL:
        outcome = DRAW
    return UltimatePosition(x, o, x_boards, o_boards, finished, None, outcome)


def _after_last_plies(x: int, o: int) -> set[UltimatePosition]:
    """All positions with these marks that some last ply leads to."""
    found = set()
    x_moved = x.bit_count() > o.bit_count()
    for cell in range(9 * 9):
        if (x if x_moved else o) >> cell & 1:
            before = _rebuilt(x ^ 1 << cell, o) if x_moved else _rebuilt(x, o ^ 1 << cell)
            try:
                found.add(before.play(cell))
            except IllegalMove:
                continue
    return found


def _ultimate() -> UltimateRules:
    return ULTIMATE


ULTIMATE: Final = UltimateRules()
"""The rules of ultimate."""
