"""Positions of ultimate read from text, and which of them no game can lead to."""

from __future__ import annotations

from collections import Counter

from engine.errors import IllegalMove, MalformedPosition, UnreachablePosition
from engine.geometry import THREE_BY_THREE
from engine.marks import Mark
from engine.rules import DRAW, EMPTY, Outcome
from engine.ultimate import ALL, ANY, HAS_LINE, UltimatePosition, winning_lines

_BOARDS = range(9)


def parse(text: str) -> UltimatePosition:
    """Read a position: nine boards of nine cells (X, O, a full stop) with slashes, then the next ply's board.

    While no board is finished, reachability is decided exactly: plies are then the edges of a walk from board to
    board. Afterwards these are refused: counts that do not alternate; a board with lines of both sides, or of one
    side that no ply can have completed together; and whatever no last ply leads to. Whether the earlier plies can
    have sent each other where they stand is not decided then.

    Raises:
        MalformedPosition: The text is no such position.
        UnreachablePosition: No game leads to it, as far as that is decided.
    """
    x, o, board = _read(text)
    if x.bit_count() - o.bit_count() not in (0, 1):
        raise UnreachablePosition(
            f"X moves first and turns alternate, so {x.bit_count()} X and {o.bit_count()} O cannot be."
        )
    for each in _BOARDS:
        _check_board(each, x >> 9 * each & ALL, o >> 9 * each & ALL)
    position = _rebuilt(x, o)._replace(board=board)
    if position != UltimatePosition(0, 0, 0, 0, 0, None, None) and position not in _after_last_plies(x, o):
        raise UnreachablePosition(f"No last ply leads to these marks with the next one {_where(board)}.")
    if not position.finished and not _is_walk(position):
        raise UnreachablePosition("These plies cannot have sent each other where they stand.")
    return position


def _read(text: str) -> tuple[int, int, int | None]:
    """The marks of either side and the board of the next ply, if the text has the shape of a position."""
    fields = text.split()
    if len(fields) != len(("boards", "next")):
        raise MalformedPosition("A position is nine boards with slashes, a space, and the next board or a dash.")
    boards, board = fields
    rows = boards.split("/")
    if [len(row) for row in rows] != [9] * 9:
        raise MalformedPosition("A position has nine boards of nine cells, with slashes between the boards.")
    cells = "".join(rows)
    if strange := set(cells) - {Mark.X, Mark.O, EMPTY}:
        raise MalformedPosition(f"A cell is X, O or {EMPTY!r}, not {min(strange)!r}.")
    if board != ANY and board not in map(str, _BOARDS):
        raise MalformedPosition(f"The next board is 0 to 8, or {ANY!r} where it may be chosen, not {board!r}.")
    x, o = (sum(1 << cell for cell, each in enumerate(cells) if each == mark) for mark in Mark)
    return x, o, None if board == ANY else int(board)


def _check_board(board: int, x: int, o: int) -> None:
    """Refuse a little board that was played on after it was finished."""
    if HAS_LINE[x] and HAS_LINE[o]:
        raise UnreachablePosition(f"Both sides have a line on board {board}, but the first finished it.")
    for mark, own in ((Mark.X, x), (Mark.O, o)):
        shared = ALL
        for mask in THREE_BY_THREE.masks:
            if own & mask == mask:
                shared &= mask
        if not shared:
            raise UnreachablePosition(f"{mark} has lines on board {board} that no single ply can have completed.")


def _rebuilt(x: int, o: int) -> UltimatePosition:
    """The position with these marks, without a board to move in."""
    x_boards, o_boards = (
        sum(1 << board for board in _BOARDS if HAS_LINE[own >> 9 * board & ALL]) for own in (x, o)
    )
    full = sum(1 << board for board in _BOARDS if (x | o) >> 9 * board & ALL == ALL)
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
    """The positions with these marks that their last ply can have led to, whichever it was."""
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


def _is_walk(position: UltimatePosition) -> bool:
    """Whether these plies, on boards that are all unfinished, can follow each other.

    X's ply in cell c of board b is an edge from b where X moves to c where O moves, and O's likewise. A game is a
    walk along every edge once: one exists exactly if what enters and leaves each node fits and all edges connect.
    """
    edges = [
        ((cell // 9, mark), (cell % 9, mark.other))
        for mark, own in ((Mark.X, position.x), (Mark.O, position.o))
        for cell in range(9 * 9)
        if own >> cell & 1
    ]
    if not edges:
        return True
    surplus = Counter(start for start, _ in edges)
    surplus.subtract(end for _, end in edges)
    if position.board is None:
        return False
    surplus[position.board, position.turn] += 1
    starts = [node for node, number in surplus.items() if number]
    if len(starts) != 1 or surplus[starts[0]] != 1 or starts[0][1] is not Mark.X:
        return False
    joined = {edges[0][0]}
    while grown := {node for edge in edges if joined & set(edge) for node in edge} - joined:
        joined |= grown
    return joined >= {node for edge in edges for node in edge}


def _where(board: int | None) -> str:
    return "on a board of choice" if board is None else f"on board {board}"
