"""What chooses cells: functions from a position that isn't over to the cells that it may choose."""

from collections.abc import Callable, Mapping
from math import gcd
from typing import Final, cast

from engine.reasons import Reason, reason_in_ultimate
from engine.rules.base import Position
from engine.rules.mnk import CLASSIC, HAS_LINE, MnkPosition
from engine.rules.ultimate import UltimatePosition
from engine.search.base import value_of_outcome
from engine.search.solved import solved, table

Chooser = Callable[[Position], tuple[int, ...]]
"""A way of choosing: the cells, each as often as it is likely, ascending if all are equally likely."""


# Under any rules


def any_cell(position: Position) -> tuple[int, ...]:
    """All cells that may be played."""
    return position.legal_moves


def perfect(position: Position) -> tuple[int, ...]:
    """The best cells on nine cells."""
    return table(position.rules).perfect(position)


def ahead(plies: int) -> Chooser:
    """Any of the cells that look best so many plies ahead, where an unfinished game counts as drawn.

    With one ply it sees a win at once, and a line to avoid in misère; with two it sees what other could win next.
    """

    def candidates(position: Position) -> tuple[int, ...]:
        known: dict[Position, int] = {}
        scores = {cell: -_seen(position.play(cell), plies - 1, known) for cell in position.legal_moves}
        best = max(scores.values())
        return tuple([cell for cell, score in scores.items() if score == best])

    return candidates


def _seen(position: Position, plies: int, known: dict[Position, int]) -> int:
    """1, 0 or -1 for the side to move, so many plies ahead; `known` needs no plies, as the position tells them."""
    if ended := value_of_outcome(position):
        return ended.result or 0
    if not plies:
        return 0
    if (everything := solved(position.rules)) is not None:
        result, left = everything.ending(position)
        return result if left <= plies else 0
    score = known.get(position)
    if score is None:
        score = -1
        for cell in position.legal_moves:
            score = max(score, -_seen(position.play(cell), plies - 1, known))
            if score == 1:
                break
        known[position] = score
    return score


def slipping(careful: Chooser, careless: Chooser, slips: int) -> Chooser:
    """Plays as one player, and in so many moves of ten as another."""

    def candidates(position: Position) -> tuple[int, ...]:
        usual, others = careful(position), careless(position)
        slipping, not_slipping = len(usual) * slips, len(others) * (10 - slips)
        shared = gcd(slipping, not_slipping)
        return others * (slipping // shared) + usual * (not_slipping // shared)

    return candidates


def board_by_board(position: Position) -> tuple[int, ...]:
    """In ultimate: wins the game or a board at once, else blocks one, else doesn't let other win the game."""
    reasons = {cell: reason_in_ultimate(cast("UltimatePosition", position), cell) for cell in position.legal_moves}
    for wanted in (Reason.WIN, Reason.WIN_BOARD, Reason.BLOCK_BOARD):
        if found := tuple(cell for cell, reason in reasons.items() if reason is wanted):
            return found
    return tuple(cell for cell, reason in reasons.items() if reason is not Reason.ALLOWS_WIN) or tuple(reasons)


# The classic strategies for 3 by 3. Those that look ahead choose the first of equally good cells.

_CENTRE = 4
_EDGES = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7
_OPPOSITE_CORNERS = (1 << 0 | 1 << 8, 1 << 2 | 1 << 6)
_COLUMN_BY_COLUMN = (0, 3, 6, 1, 4, 7, 2, 5, 8)
_PREFERENCE_OF_X = (0, 8, 2, 6, 4, 1, 3, 5, 7)
_PREFERENCE_OF_O = (4, 0, 8, 2, 6, 1, 3, 5, 7)


def first_rule(position: MnkPosition) -> tuple[int, ...]:
    """The cell of the first rule that applies: a known opening, a win, a block, a fork, else a preference."""
    own, other = position.sides
    free = position.legal_moves
    opening = _opening(position.ply, other)
    if opening in free:
        return (opening,)
    scanned = [cell for cell in _COLUMN_BY_COLUMN if cell in free]
    wins = [cell for cell in scanned if HAS_LINE[own | 1 << cell]]
    blocks = [cell for cell in scanned if HAS_LINE[other | 1 << cell]]
    forks = [cell for cell in scanned if _forks(cell, own, other)]
    preferred = [cell for cell in (_PREFERENCE_OF_O if position.ply % 2 else _PREFERENCE_OF_X) if cell in free]
    return ((wins or blocks or forks or preferred)[0],)


def _opening(ply: int, other: int) -> int:
    """The cell for X's second ply against an edge, or for O's against two opposite corners; -1 otherwise."""
    if ply == 2 and other & _EDGES:
        return _CENTRE
    return 1 if ply == 3 and other in _OPPOSITE_CORNERS else -1


def _forks(cell: int, own: int, other: int) -> bool:
    """Whether two or more lines through the empty cell hold one own mark and two empty cells."""
    masks = CLASSIC.lines_through[cell]
    return sum(not other & mask and (own & mask).bit_count() == 1 for mask in masks) > 1


def first_safe(position: MnkPosition) -> tuple[int, ...]:
    """One ply: a cell that wins at once, else one after which other can't win at once, else the first."""
    own, other = position.sides
    free = position.legal_moves
    wins = tuple(cell for cell in free if HAS_LINE[own | 1 << cell])
    others = [cell for cell in free if HAS_LINE[other | 1 << cell]]
    safe = tuple(cell for cell in free if others in ([], [cell]))
    return (wins or safe or free)[:1]


def best_by_open_lines(position: MnkPosition) -> tuple[int, ...]:
    """Two plies of minimax over `open_lines`; a won position is a leaf.

    Source: Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), with values for a win.
    """
    return _two_plies(position, open_lines, is_leaf=HAS_LINE.__getitem__)


def best_by_tempo(position: MnkPosition) -> tuple[int, ...]:
    """Two plies of minimax over `tempo`; a reply is played and scored even after a win."""
    return _two_plies(position, tempo, is_leaf=lambda _: False)


def _two_plies(
    position: MnkPosition, evaluate: Callable[[int, int], int], is_leaf: Callable[[int], bool]
) -> tuple[int, ...]:
    """The first cell after which the worst reply leaves most, given the marks of own and of other."""
    own, other = position.sides

    def value(cell: int) -> int:
        after = own | 1 << cell
        replies = [] if is_leaf(after) else [reply for reply in position.legal_moves if reply != cell]
        return min([evaluate(after, other | 1 << reply) for reply in replies], default=evaluate(after, other))

    return (max(position.legal_moves, key=value),)


def open_lines(own: int, other: int) -> int:
    """60 for a win, -20 for a loss, else the lines without a mark of other minus those without a mark of own."""
    if HAS_LINE[own]:
        return 60
    if HAS_LINE[other]:
        return -20
    return sum((not other & mask) - (not own & mask) for mask in CLASSIC.masks)


_OWN, _OTHERS = (0, 100, 1_000, 999_999), (0, -100, -10_000, -99_999)
"""The weights of a line by the number of its marks, with other to move."""


def tempo(own: int, other: int) -> int:
    """The sum of the weights of all lines that have marks of one side only."""
    value = 0
    for mask in CLASSIC.masks:
        if not other & mask:
            value += _OWN[(own & mask).bit_count()]
        elif not own & mask:
            value += _OTHERS[(other & mask).bit_count()]
    return value


STRATEGIES: Final[Mapping[str, Callable[[MnkPosition], tuple[int, ...]]]] = {
    "random": any_cell,
    "blocker": first_safe,
    "open-lines": best_by_open_lines,
    "tempo": best_by_tempo,
    "rules": first_rule,
    "alpha-beta": lambda position: table(CLASSIC).keeping(position)[:1],
    "minimax": lambda position: table(CLASSIC).keeping(position),
    "perfect": perfect,
}
"""All strategies for 3 by 3 by name."""
