"""The reasons for and against a cell, by what a ply does at once: without a search, under any rules."""

from enum import StrEnum
from random import Random
from typing import Final, Self

from engine.rules.base import Position, running, winning_plies
from engine.rules.layout import Layout
from engine.rules.mnk import CLASSIC, HAS_LINE, MnkPosition, MnkRules
from engine.rules.ultimate import ALL_NINE, UltimatePosition


class Reason(StrEnum):
    """What speaks for or against a cell, with a sentence that says so; some are of misère or ultimate alone."""

    sentence: str

    def __new__(cls, value: str, sentence: str) -> Self:
        reason = str.__new__(cls, value)
        reason._value_, reason.sentence = value, sentence
        return reason

    WIN = "win", "It wins the game."
    FORK = "fork", "It makes two threats at once."
    BLOCK = "block", "The opponent would win there."
    BLOCK_FORK = "block fork", "The opponent would make two threats there."
    THREAT = "threat", "It threatens to win with the next move."
    TRAP = "trap", "The opponent completes a line wherever it plays."
    WIN_BOARD = "win board", "It wins a little board."
    BLOCK_BOARD = "block board", "The opponent would win the little board there."
    CENTRE = "centre", "It takes the centre."
    CORNER = "corner", "It takes a corner."
    LINE = "line", "A line can still go through it."
    SAFE = "safe", "No line of its own can go through it any more."
    PREFERENCE = "preference", "Nothing better is known."
    COMPLETES_LINE = "completes line", "It completes a line, and so loses."
    ALLOWS_WIN = "allows win", "It lets the opponent win with the next move."
    ALLOWS_FORK = "allows fork", "It lets the opponent make two threats at once."
    ALLOWS_BOARD = "allows board", "It sends the opponent to a little board that can be won."
    FREE_CHOICE = "free choice", "It lets the opponent choose the board."
    LOSES = "loses", "It loses by force."
    MISSES_WIN = "misses win", "It gives a forced win away."


TELLING: Final = tuple(Reason)
"""The reasons, the most telling first."""


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
    _, other = position.sides
    if HAS_LINE[(other >> 9 * board & ALL_NINE) | 1 << within]:
        return Reason.BLOCK_BOARD
    if after.board is None:
        return Reason.FREE_CHOICE
    if any(reply.winner_of(after.board) for reply in replies):
        return Reason.ALLOWS_BOARD
    return _place(within, CLASSIC.layout) or Reason.PREFERENCE


_FORK = 2
"""So many threats at once can't be parried."""


def winning_cells(own: int, other: int, rules: MnkRules) -> int:
    """The empty cells that complete a line of own, as a bitmask, given marks as bitmasks."""
    cells = 0
    for mask in rules.masks:
        missing = mask & ~own
        if missing and not missing & (missing - 1) and not missing & other:
            cells |= missing
    return cells


def can_fork(position: MnkPosition) -> bool:
    """Whether the side to move, which can't win at once, can make two threats and leave other none."""
    rules = position.rules
    own, other = position.sides
    threats = winning_cells(other, own, rules)
    if threats & (threats - 1):
        return False
    free = threats or rules.full & ~(own | other)
    while free:
        bit = free & -free
        free ^= bit
        if winning_cells(own | bit, other, rules).bit_count() >= _FORK:
            return True
    return False


def reason_where_a_line_wins(position: MnkPosition, cell: int) -> Reason:
    """The first that applies: what the ply wins, gives away, stops or threatens, or where it is."""
    rules = position.rules
    own, other = position.sides
    bit = 1 << cell
    after = own | bit
    if winning_cells(own, other, rules) & bit:
        return Reason.WIN
    if winning_cells(other, after, rules):
        return Reason.ALLOWS_WIN
    threats = winning_cells(after, other, rules)
    if threats.bit_count() >= _FORK:
        return Reason.FORK
    if winning_cells(other, own, rules) & bit:
        return Reason.BLOCK
    if winning_cells(other | bit, own, rules).bit_count() >= _FORK:
        return Reason.BLOCK_FORK
    if threats:
        return Reason.THREAT
    return _place(cell, rules.layout) or (
        Reason.LINE if any(not mask & other for mask in rules.lines_through[cell]) else Reason.PREFERENCE
    )


def reason_where_a_line_loses(position: MnkPosition, cell: int) -> Reason:
    """The first that applies: whether the ply loses at once or traps other, or where it is."""
    rules = position.rules
    own, other = position.sides
    bit = 1 << cell
    if winning_cells(own, other, rules) & bit:
        return Reason.COMPLETES_LINE
    free = rules.full & ~(own | other | bit)
    if free and winning_cells(other, own | bit, rules) == free:
        return Reason.TRAP
    if all(mask & other for mask in rules.lines_through[cell]):
        return Reason.SAFE
    is_centre = _place(cell, rules.layout) is Reason.CENTRE  # a corner, in many lines, is no gain
    return Reason.CENTRE if is_centre else Reason.PREFERENCE


def reason_by_playing(position: Position, cell: int) -> Reason:
    """The first that applies, found by playing on: what the ply wins, gives away, stops or threatens."""
    after = position.play(cell)
    if after.outcome is not None:
        winner = after.outcome.winner
        return Reason.WIN if winner is position.turn else Reason.COMPLETES_LINE if winner else Reason.PREFERENCE
    if winning_plies(after):
        return Reason.ALLOWS_WIN
    threats = [bool(winning_plies(after.play(reply))) for reply in after.legal_moves]
    if all(threats):
        return Reason.FORK
    if any(cell in winning_plies(position.play(other)) for other in position.legal_moves if other != cell):
        return Reason.BLOCK
    if any(threats):
        return Reason.THREAT
    return _place(cell, position.rules.layout) or Reason.PREFERENCE


def _place(cell: int, layout: Layout) -> Reason | None:
    """Whether a cell is the centre (or, of an even side, one of the middle ones) or a corner."""
    columns, rows = layout.columns, layout.rows
    row, column = divmod(cell, columns)
    if row in ((rows - 1) // 2, rows // 2) and column in ((columns - 1) // 2, columns // 2):
        return Reason.CENTRE
    if row in (0, rows - 1) and column in (0, columns - 1):
        return Reason.CORNER
    return None


def reason_at_once(position: Position, cell: int) -> Reason:
    """What a ply wins, gives away, stops or threatens at once, or else where it is."""
    if isinstance(position, MnkPosition):
        if position.rules.misere:
            return reason_where_a_line_loses(position, cell)
        return reason_where_a_line_wins(position, cell)
    if isinstance(position, UltimatePosition):
        return reason_in_ultimate(position, cell)
    return reason_by_playing(position, cell)


def cell_at_once(position: Position, rng: Random) -> int:
    """A cell by its reason alone, under any rules, for when there is no time for a search."""
    why = {cell: TELLING.index(reason_at_once(position, cell)) for cell in running(position).legal_moves}
    best = min(why.values())
    return rng.choice([cell for cell, place in why.items() if place == best])
