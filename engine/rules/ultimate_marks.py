"""The marks of ultimate as text and as bitmasks, and checks whether a game can lead to them."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.errors import MalformedPosition, UnreachablePosition
from engine.rules.base import EMPTY
from engine.rules.geometry import THREE_BY_THREE
from engine.rules.marks import Mark

ALL: Final = THREE_BY_THREE.full
"""All cells of a little board, or all boards, as a bitmask."""

ANY: Final = "-"
"""Written instead of the next board if the next ply may be on any."""

HAS_LINE: Final = tuple(any(marks & mask == mask for mask in THREE_BY_THREE.masks) for marks in range(ALL + 1))
"""For each bitmask of nine cells, or of nine boards, whether it contains a line."""

_BOARDS: Final = range(9)


def read_marks(text: str) -> tuple[int, int, int | None]:
    """The marks of both sides and the board of the next ply.

    Raises:
        MalformedPosition: The text is not such a position.
    """
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


def check_marks(x: int, o: int) -> None:
    """Refuse counts that don't alternate, and little boards on which play went on after they were finished.

    Raises:
        UnreachablePosition: No game leads to these marks.
    """
    if x.bit_count() - o.bit_count() not in (0, 1):
        raise UnreachablePosition(
            f"X moves first and turns alternate, so {x.bit_count()} X and {o.bit_count()} O cannot be."
        )
    for board in _BOARDS:
        _check_board(board, x >> 9 * board & ALL, o >> 9 * board & ALL)


def _check_board(board: int, x: int, o: int) -> None:
    """Refuse a little board on which play went on after it was finished."""
    if HAS_LINE[x] and HAS_LINE[o]:
        raise UnreachablePosition(f"Both sides have a line on board {board}, but the first finished it.")
    for mark, own in ((Mark.X, x), (Mark.O, o)):
        shared = ALL
        for mask in THREE_BY_THREE.masks:
            if own & mask == mask:
                shared &= mask
        if not shared:
            raise UnreachablePosition(f"{mark} has lines on board {board} that no single ply can have completed.")


def is_walk(x: int, o: int, next_board: int | None) -> bool:
    """Whether these plies can have been played in some order; no board is finished.

    A ply of X in cell c of board b is an edge from the node (b, X to move) to the node (c, O to move), and
    likewise for O. A game is a walk that uses every edge once. It exists exactly if the edges are connected and as
    many enter each node as leave it, but for the first and the last.
    """
    edges = [
        ((cell // 9, mark), (cell % 9, mark.other))
        for mark, own in ((Mark.X, x), (Mark.O, o))
        for cell in range(9 * 9)
        if own >> cell & 1
    ]
    if not edges:
        return True
    surplus = Counter(start for start, _ in edges)
    surplus.subtract(end for _, end in edges)
    if next_board is None:
        return False
    surplus[next_board, Mark.X if x.bit_count() == o.bit_count() else Mark.O] += 1
    starts = [node for node, number in surplus.items() if number]
    if len(starts) != 1 or surplus[starts[0]] != 1 or starts[0][1] is not Mark.X:
        return False
    joined = {edges[0][0]}
    while grown := {node for edge in edges if joined & set(edge) for node in edge} - joined:
        joined |= grown
    return joined >= {node for edge in edges for node in edge}
