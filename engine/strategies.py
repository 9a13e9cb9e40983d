"""What chooses cells: functions from a position that isn't over to the cells that it may choose."""

from collections.abc import Callable, Iterator, Mapping
from math import gcd
from typing import Any, Final, NamedTuple

from engine.reasons import Reason, reason_at_once
from engine.rules.base import NoMoveToChoose, Position, UnknownLevel, running
from engine.rules.mnk import CLASSIC, HAS_LINE, MnkPosition
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
        if (everything := solved(position.rules)) is not None:
            ends = {cell: everything.ending(position.play(cell)) for cell in position.legal_moves}
            scores = {cell: -result if left < plies else 0 for cell, (result, left) in ends.items()}
        else:
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
    reasons = {cell: reason_at_once(position, cell) for cell in position.legal_moves}
    for wanted in (Reason.WIN, Reason.WIN_BOARD, Reason.BLOCK_BOARD):
        if found := tuple(cell for cell, reason in reasons.items() if reason is wanted):
            return found
    return tuple(cell for cell, reason in reasons.items() if reason is not Reason.ALLOWS_WIN) or tuple(reasons)


# The classic strategies for 3 by 3. They ask one question after another; those that look ahead choose the first of
# equally good cells.


class Criterion(NamedTuple):
    """What a strategy asks of the cells, and the answer."""

    question: str
    cells: tuple[int, ...]
    """The cells that meet it, if any do."""
    values: Mapping[int, str] | None = None
    """What it has found out about each cell."""


class Strategy(NamedTuple):
    """A way of choosing that can be explained."""

    lesson: str
    """What it is good for, in a sentence."""
    criteria: Callable[[Any], Iterator[Criterion]]
    """What it asks about a position, one after another; it plays what meets the last."""
    takes_first: bool = True
    """Whether it plays the first of these cells; else it plays any."""

    def cells(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose."""
        *_, last = self.criteria(position)
        return last.cells[:1] if self.takes_first else last.cells


def strategy_named(name: str) -> Strategy:
    """The strategy of this name."""
    if name not in STRATEGIES:
        raise UnknownLevel(f"Strategies are {', '.join(STRATEGIES)}, not {name!r}.")
    return STRATEGIES[name]


def explain(name: str, position: Position) -> str:
    """How a strategy chooses in a position, step by step, in plain English."""
    strategy, name_of = strategy_named(name), CLASSIC.name_of
    if running(position).rules is not CLASSIC:
        raise NoMoveToChoose(f"{name} plays {CLASSIC}, not {position.rules}.")
    lines = [f"{position}\n", f"{position.turn} is to move. {name}: {strategy.lesson}\n"]
    for number, (question, cells, values) in enumerate(strategy.criteria(position), 1):
        lines.append(f"{number}. {question} {', '.join(map(name_of, cells)) or 'None'}.")
        lines += [f"   {name_of(cell)} {value}" for cell, value in (values or {}).items()]
    first = ", the first of these" if strategy.takes_first and len(cells) > 1 else ""
    return "\n".join([*lines, f"It plays {' or '.join(map(name_of, strategy.cells(position)))}{first}."])


def free_cells(position: Position) -> Iterator[Criterion]:
    """All cells that may be played."""
    yield Criterion("Which cells are free?", position.legal_moves)


_WINS: Final = "Which complete a line?"
_CENTRE = 4
_EDGES = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7
_OPPOSITE_CORNERS = (1 << 0 | 1 << 8, 1 << 2 | 1 << 6)
_COLUMN_BY_COLUMN = (0, 3, 6, 1, 4, 7, 2, 5, 8)
_PREFERENCE_OF_X = (0, 8, 2, 6, 4, 1, 3, 5, 7)
_PREFERENCE_OF_O = (4, 0, 8, 2, 6, 1, 3, 5, 7)


def first_rule(position: MnkPosition) -> Iterator[Criterion]:
    """The cell of the first rule that applies: a known opening, a win, a block, a fork, else a preference."""
    own, other = position.sides
    free = position.legal_moves
    scanned = [cell for cell in _COLUMN_BY_COLUMN if cell in free]
    preferred = [cell for cell in (_PREFERENCE_OF_O if position.ply % 2 else _PREFERENCE_OF_X) if cell in free]
    rules = {
        "Which answers a known opening?": [cell for cell in (_opening(position.ply, other),) if cell in free],
        _WINS: [cell for cell in scanned if HAS_LINE[own | 1 << cell]],
        "Where would the opponent complete one?": [cell for cell in scanned if HAS_LINE[other | 1 << cell]],
        "Which make a fork?": [cell for cell in scanned if _forks(cell, own, other)],
        "Which are free, favourites first?": preferred,
    }
    for question, cells in rules.items():
        yield Criterion(question, tuple(cells))
        if cells:
            return


def _opening(ply: int, other: int) -> int:
    """The cell for X's second ply against an edge, or for O's against two opposite corners; -1 otherwise."""
    if ply == 2 and other & _EDGES:
        return _CENTRE
    return 1 if ply == 3 and other in _OPPOSITE_CORNERS else -1


def _forks(cell: int, own: int, other: int) -> bool:
    """Whether two or more lines through the empty cell hold one own mark and two empty cells."""
    masks = CLASSIC.lines_through[cell]
    return sum(not other & mask and (own & mask).bit_count() == 1 for mask in masks) > 1


def first_safe(position: MnkPosition) -> Iterator[Criterion]:
    """One ply: a cell that wins at once, else one after which other can't win at once, else the first."""
    own, other = position.sides
    free = position.legal_moves
    wins = tuple(cell for cell in free if HAS_LINE[own | 1 << cell])
    yield Criterion(_WINS, wins)
    if not wins:
        others = [cell for cell in free if HAS_LINE[other | 1 << cell]]
        safe = tuple(cell for cell in free if others in ([], [cell]))
        yield Criterion("After which can't the opponent complete one?", safe)
        if not safe:
            yield Criterion("Which are free?", free)


def best_by_open_lines(position: MnkPosition) -> Iterator[Criterion]:
    """Two plies of minimax over `open_lines`; a won position is a leaf.

    Source: Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), with values for a win.
    """
    question = "Where has it more open lines than the opponent (60 if it wins, -20 if not), after the worst reply?"
    return _two_plies(position, question, open_lines, is_leaf=HAS_LINE.__getitem__)


def best_by_tempo(position: MnkPosition) -> Iterator[Criterion]:
    """Two plies of minimax over `tempo`; a reply is played and scored even after a win."""
    question = (
        "Where do its lines (100, 1,000 or 999,999 by their marks) outweigh the opponent's (100, 10,000 or "
        "99,999) most, after the worst reply?"
    )
    return _two_plies(position, question, tempo, is_leaf=lambda _: False)


def _two_plies(
    position: MnkPosition, question: str, evaluate: Callable[[int, int], int], is_leaf: Callable[[int], bool]
) -> Iterator[Criterion]:
    """The first cell after which the worst reply leaves most, given the marks of own and of other."""
    own, other = position.sides
    worth, values = {}, {}
    for cell in position.legal_moves:
        after = own | 1 << cell
        replies = [] if is_leaf(after) else [reply for reply in position.legal_moves if reply != cell]
        leaves = {reply: evaluate(after, other | 1 << reply) for reply in replies}
        worst = min(leaves, key=leaves.__getitem__, default=None)
        worth[cell] = evaluate(after, other) if worst is None else leaves[worst]
        values[cell] = f"{worth[cell]:+,}" + ("" if worst is None else f" after {CLASSIC.name_of(worst)}")
    yield Criterion(question, tuple(cell for cell in worth if worth[cell] == max(worth.values())), values)


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


def keeping(position: MnkPosition) -> Iterator[Criterion]:
    """All cells that keep the result."""
    everything = table(CLASSIC)
    values = {cell: value._replace(plies=None).in_words for cell, value in everything.values(position).items()}
    yield Criterion("Which keep the result, if both play best to the end?", everything.keeping(position), values)


def best_by_chances(position: MnkPosition) -> Iterator[Criterion]:
    """The best cells, as `perfect` finds them."""
    everything = table(CLASSIC)
    values = {cell: value.in_words for cell, value in everything.values(position).items()}
    chances = everything.chances(position)
    yield Criterion("Which win soonest, or draw, or lose latest?", tuple(chances), values)
    likely = {cell: f"{chance:.0%}" for cell, chance in chances.items()}
    yield Criterion("After which does a random opponent err most?", everything.perfect(position), likely)


STRATEGIES: Final[Mapping[str, Strategy]] = {
    "random": Strategy("Plays any free cell: the least that any other has to beat.", free_cells, False),
    "blocker": Strategy("Wins and blocks, as most people do, which is enough until somebody forks.", first_safe),
    "open-lines": Strategy(
        "Counts open lines: the simplest way to say how good a position is.", best_by_open_lines
    ),
    "tempo": Strategy("Weighs lines two moves ahead: with good weights, enough never to lose.", best_by_tempo),
    "rules": Strategy("Goes down a list, as people do: easy to follow, but one trap isn't on it.", first_rule),
    "alpha-beta": Strategy("Sees every game to its end, so it can't lose, but is in no hurry to win.", keeping),
    "minimax": Strategy("Takes any cell that keeps the result: not losing isn't yet winning.", keeping, False),
    "perfect": Strategy("Wins soonest, loses latest, and leaves the most chances to err.", best_by_chances, False),
}
"""All strategies for 3 by 3 by name."""
