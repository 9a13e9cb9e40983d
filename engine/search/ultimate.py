"""Alpha-beta for ultimate: the order of moves, the evaluation of a position, and the search.

For each little board by itself, the chance of either side to win it is estimated by the lines that are still open
to it. A line of three boards is worth the product of their chances, and a position the sum over all lines for own
minus the sum for other.
"""

from collections.abc import Callable, Mapping, Sequence
from math import tanh
from random import Random
from typing import Final, NamedTuple, TypeVar

from engine.rules.base import Mark, winning_plies
from engine.rules.mnk import CLASSIC, HAS_LINE
from engine.rules.ultimate import ALL_NINE, ULTIMATE, UltimatePosition
from engine.search.base import ENTRIES, Budget, GameValue, PositionTable, Search, SearchLimits, Value, deepened

_LINE_CHANCES: Final = (0.04, 0.10, 0.30)
"""The chance that a line without a mark of other is completed, by the number of own marks on it."""
_ORDER: Final = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""The cells, those on the most lines first."""


_Made = TypeVar("_Made")


class _Lazy(dict[int, _Made]):
    """What is made of the marks on a little board, `own << 9 | other`, when it is first looked up."""

    def __init__(self, make: Callable[[int, int], _Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> _Made:
        found = self[key] = self._make(key >> 9, key & ALL_NINE)
        return found


def _chances(own: int, other: int) -> tuple[float, float]:
    if HAS_LINE[own] or HAS_LINE[other]:
        return float(HAS_LINE[own]), float(HAS_LINE[other])
    return _chance(own, other), _chance(other, own)


def _chance(own: int, other: int) -> float:
    """The chance that one of own's open lines is completed, as if they were independent."""
    misses = 1.0
    for mask in CLASSIC.masks:
        if not other & mask:
            misses *= 1 - _LINE_CHANCES[(own & mask).bit_count()]
    return 1 - misses


class Ply(NamedTuple):
    """A ply on a little board."""

    place: int
    """The cell, from 0 to 8, which is also the board that other is sent to."""
    after: int
    """Own's marks on the board after it."""
    own: float
    """Own's chance to win the board after it."""
    other: float
    """Other's chance to win it."""
    is_won: bool
    """Whether it wins the board."""
    is_finished: bool
    """Whether it finishes the board."""


def _plies(own: int, other: int) -> tuple[Ply, ...]:
    plies = []
    for place in _ORDER:
        after = own | 1 << place
        if not (own | other) >> place & 1:
            won = HAS_LINE[after]
            plies.append(Ply(place, after, *CHANCES[after << 9 | other], won, won or after | other == ALL_NINE))
    return tuple(sorted(plies, key=lambda ply: ply.other - ply.own))


CHANCES: Final = _Lazy(_chances)
"""The chances of own and of other to win a little board."""
PLIES: Final = _Lazy(_plies)
"""Own's plies on a little board, those first that improve its chances most."""
WINS: Final = _Lazy(lambda own, other: tuple(ply for ply in PLIES[own << 9 | other] if ply.is_won))
"""Those of them that win the board."""

WEIGHTS: Final[tuple[Callable[[Sequence[float]], float], ...]] = (
    lambda v: v[1] * v[2] + v[3] * v[6] + v[4] * v[8],
    lambda v: v[0] * v[2] + v[4] * v[7],
    lambda v: v[0] * v[1] + v[5] * v[8] + v[4] * v[6],
    lambda v: v[0] * v[6] + v[4] * v[5],
    lambda v: v[0] * v[8] + v[2] * v[6] + v[1] * v[7] + v[3] * v[5],
    lambda v: v[2] * v[8] + v[3] * v[4],
    lambda v: v[0] * v[3] + v[7] * v[8] + v[2] * v[4],
    lambda v: v[6] * v[8] + v[1] * v[4],
    lambda v: v[6] * v[7] + v[2] * v[5] + v[0] * v[4],
)
"""For each board, what winning it is worth to a side with these chances on all nine: of each line through it, the
product of the chances on its other two boards. Written out, because searches spend much of their time here."""


def evaluation(own: Sequence[float], other: Sequence[float]) -> float:
    """The value of a position for own, from -8 to 8, given the chances of both sides on the nine boards."""
    mine, theirs = (sum(v[a] * v[b] * v[c] for a, b, c in CLASSIC.lines) for v in (own, other))
    return mine - theirs


Entry = tuple[int, float, int, int]
"""A depth, the score, whether it is exact or a bound, and the best cell."""
Key = tuple[int, int, int]
"""Both sides' marks, and the board of the next ply."""
State = tuple[int, int, int, int, int, float]
"""The side to move (0 or 1), the board to play on, the boards that it and that the other side has won, the
finished boards, and the evaluation for the side to move."""
Candidate = tuple[int, float, Ply]
"""A cell, the evaluation after it, and the ply on its board."""
Opened = tuple[int, tuple[Ply, ...], float, float, float]
"""A board, plies on it, the evaluation without it, and what winning it is worth to both sides."""

WON: Final = 1_000.0
"""The score of a win, less one for each ply to the end."""
PROVEN: Final = WON - 100
"""Scores beyond this are proven wins."""
EQUAL: Final = 1e-9
"""Scores that differ by no more are equal: symmetric positions add up in different orders."""
ANY_BOARD: Final = 9
"""The board to move on if that may be any."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)
_UNKNOWN: Final = (-1, 0.0, _EXACT, -1)
"""The entry of a position that isn't in the table."""
_FIRST: Final = 1 << 60
"""Puts the best known ply before all others."""
_DEEP: Final = 5
"""From this depth on, all plies but the first are searched less deeply at first (late move reductions)."""
_LESS: Final = 2
"""By how many plies. The number is even, because the evaluation depends on who has just moved."""
_BOARDS: Final = tuple(tuple(board for board in range(9) if boards >> board & 1) for boards in range(ALL_NINE + 1))
"""For each bitmask of boards, the boards in it."""
_CELLS: Final = tuple(sum(ALL_NINE << 9 * board for board in boards) for boards in _BOARDS)
"""For each bitmask of boards, the bitmask of their cells."""


class _AlphaBeta:
    """A search of one position, with its boards as they are while it makes and takes back plies.

    `exactly` says whether the plies to the end of wins and losses have to be right. If not, late moves are
    reduced.
    """

    def __init__(
        self, position: UltimatePosition, table: PositionTable[Key, Entry], budget: Budget, *, exactly: bool
    ) -> None:
        self._budget = budget
        self._depth = 0
        self._exactly = exactly
        self._table = table
        # For each side, beginning with the one to move: its marks as a bitmask and by board, its chances by board.
        self._all = [*position.sides]
        self._marks = [[own >> 9 * board & ALL_NINE for board in range(9)] for own in self._all]
        won = position.x_boards, position.o_boards
        won = won if position.turn is Mark.X else won[::-1]
        pairs = [CHANCES[own << 9 | other] for own, other in zip(*self._marks, strict=True)]
        self._odds = [[own for own, _ in pairs], [other for _, other in pairs]]
        self._root: State = (
            0,
            ANY_BOARD if position.board is None else position.board,
            *won,
            position.finished,
            evaluation(*self._odds),
        )
        self._history = [[0] * 81, [0] * 81]

    def search(self, cells: list[int], depth: int) -> float:
        """The score of the best cell, which is moved to the front of the cells as soon as it is found."""
        self._depth = depth
        best = -WON
        plies = {ply[0]: ply for ply in self._plies(self._root, -1)}
        for cell in tuple(cells):
            if best == -WON:
                score = self._after(plies[cell], self._root, depth, -WON, WON)
            else:
                score = self._later(plies[cell], self._root, depth, best + EQUAL, WON, less=0)
            if score > best + EQUAL:
                best = score
                cells.remove(cell)
                cells.insert(0, cell)
        return best

    def _negamax(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """The score for the side to move: exact if it is between alpha and beta, else a bound.

        Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975), with a table of bounds.
        """
        side, board = state[:2]
        ply = self._depth - depth
        key = (self._all[side], self._all[1 - side], board)
        known_depth, score, bound, known = self._table.get(key) or _UNKNOWN
        # A win beyond this depth, found by an earlier, deeper search, may hide a shorter one.
        if known_depth >= depth and not (self._exactly and PROVEN < abs(score) < WON - depth):
            if abs(score) > PROVEN:
                score += -ply if score > 0 else ply
            if bound == _EXACT or (bound == _AT_LEAST and score >= beta) or (bound == _AT_MOST and score <= alpha):
                return score
        best, best_cell, lowest = -WON, -1, alpha
        less = 0
        for each in self._plies(state, known):
            if best_cell < 0:
                score = self._after(each, state, depth, alpha, beta)
                if depth >= _DEEP and not self._exactly and depth < self.room(state[4]):
                    less = _LESS
            else:
                score = self._later(each, state, depth, alpha, beta, less=less)
            if score > best:
                best, best_cell = score, each[0]
                alpha = max(alpha, score)
                if score >= beta:
                    self._history[side][best_cell] += depth * depth
                    break
        bound = _AT_MOST if best <= lowest else _AT_LEAST if best >= beta else _EXACT
        # A proven score counts plies from the root, that of the table from the position itself.
        stored = best if abs(best) <= PROVEN else best + ply if best > 0 else best - ply
        self._table.put(key, (depth, stored, bound, best_cell))
        return best

    def _plies(self, state: State, known: int) -> list[Candidate]:
        """The legal plies: the best known one first, then those that caused cutoffs, then by the chances."""
        plies = [
            (9 * each + ply[0], rest + ply[2] * mine - ply[3] * theirs, ply)
            for each, found, rest, mine, theirs in self._open(state, PLIES)
            for ply in found
        ]
        history = self._history[state[0]]
        plies.sort(key=lambda each: _FIRST if each[0] == known else history[each[0]], reverse=True)
        return plies

    def _open(self, state: State, plies: Mapping[int, tuple[Ply, ...]]) -> list[Opened]:
        """The boards on which the side to move has any of these plies."""
        side, board, _, _, finished, score = state
        own, other = self._marks[side], self._marks[1 - side]
        odds, others_odds = self._odds[side], self._odds[1 - side]
        opened = []
        for each in (board,) if board != ANY_BOARD else _BOARDS[ALL_NINE & ~finished]:
            if found := plies[own[each] << 9 | other[each]]:
                mine, theirs = WEIGHTS[each](odds), WEIGHTS[each](others_odds)
                rest = score - odds[each] * mine + others_odds[each] * theirs
                opened.append((each, found, rest, mine, theirs))
        return opened

    def room(self, finished: int) -> int:
        """How many cells can still be played: the depth of a search to the end."""
        return (_CELLS[ALL_NINE & ~finished] & ~(self._all[0] | self._all[1])).bit_count()

    def _later(self, each: Candidate, state: State, depth: int, alpha: float, beta: float, *, less: int) -> float:
        """The score of a ply that is expected not to exceed alpha, which a null window tests first.

        Source: Pearl, Scout: A Simple Game-Searching Algorithm with Proven Optimal Properties (1980). With late
        move reductions it is tested less deeply at first.
        """
        if less:
            self._depth -= less
            score = self._after(each, state, depth - less, alpha, alpha + EQUAL)
            self._depth += less
            if score <= alpha:
                return score
        score = self._after(each, state, depth, alpha, alpha + EQUAL)
        return self._after(each, state, depth, alpha, beta) if alpha < score < beta else score

    def _after(self, each: Candidate, state: State, depth: int, alpha: float, beta: float) -> float:
        """The score of a ply for the side that plays it; the boards are left as they were."""
        budget = self._budget
        if budget.nodes >= budget.look_at:
            budget.look()
        budget.nodes += 1
        cell, worth, (place, after, chance, others_chance, is_won, is_finished) = each
        side, _, won, others, finished, _ = state
        board = cell // 9
        if is_finished:
            finished |= 1 << board
            if is_won:
                won |= 1 << board
                if HAS_LINE[won]:
                    return WON - (self._depth - depth) - 1
            if finished == ALL_NINE:
                return 0.0
        marks, odds, others_odds = self._marks[side], self._odds[side], self._odds[1 - side]
        before, kept, others_kept = marks[board], odds[board], others_odds[board]
        marks[board], odds[board], others_odds[board] = after, chance, others_chance
        sent = ANY_BOARD if finished >> place & 1 else place
        state = 1 - side, sent, others, won, finished, -worth
        if depth <= 2:
            score = -self._settled(state, -beta, -alpha, depth - 1)
        else:
            bit = 1 << cell
            self._all[side] |= bit
            score = -self._negamax(state, depth - 1, -beta, -alpha)
            self._all[side] ^= bit
        marks[board], odds[board], others_odds[board] = before, kept, others_kept
        return score

    def _settled(self, state: State, alpha: float, beta: float, depth: int) -> float:
        """The score for the side to move, with one ply left or, if it settles for the evaluation, none.

        Boards that can be won at once are still won after it.
        """
        best = -WON if depth > 0 else state[5]
        if best >= beta:
            return best
        budget, side, won, finished = self._budget, state[0], state[2], state[4]
        own, other = self._marks[side], self._marks[1 - side]
        for each, plies, rest, mine, theirs in self._open(state, PLIES if depth > 0 else WINS):
            for ply in plies:
                if budget.nodes >= budget.look_at:
                    budget.look()
                budget.nodes += 1
                place, after, chance, others_chance, is_won, is_finished = ply
                worth = rest + chance * mine - others_chance * theirs
                if is_won and HAS_LINE[won | 1 << each]:
                    return WON - (self._depth - depth) - 1
                if worth <= best and not is_finished:
                    continue
                if (
                    is_finished
                    or finished >> place & 1
                    or WINS[other[place] << 9 | (after if place == each else own[place])]
                ):
                    budget.nodes -= 1  # It counts itself again.
                    worth = self._after((9 * each + place, worth, ply), state, depth, max(alpha, best), beta)
                if worth > best:
                    best = worth
                    if worth >= beta:
                        return best
        return best


_SCALE: Final = 2.0
"""An estimate is tanh of this times the score."""
_ENTRIES: Final = 3 * ENTRIES
"""The entries of each table."""


class UltimateSearch(Search[UltimatePosition]):
    """Chooses cells in ultimate and values its positions."""

    def __init__(self, limits: SearchLimits = SearchLimits(), seed: int = 0) -> None:
        super().__init__(ULTIMATE, limits, seed)
        # One for choices and one for values, as a search for a choice may overlook the quickest win.
        self._tables: tuple[PositionTable[Key, Entry], ...] = PositionTable(_ENTRIES), PositionTable(_ENTRIES)

    def _found(self, position: UltimatePosition, budget: Budget, rng: Random, *, to_play: bool) -> Value:
        table = self._tables[to_play]
        alpha_beta = _AlphaBeta(position, table, budget, exactly=not to_play)
        cells = list(position.legal_moves)
        rng.shuffle(cells)
        left = alpha_beta.room(position.finished)
        score, reached = deepened(alpha_beta.search, cells, left, PROVEN)
        if not reached:  # the budget was spent before anything was seen
            cells[:1] = [_at_once(position, cells)]
        if abs(score) > PROVEN:
            return Value(GameValue.WIN if score > 0 else GameValue.LOSS, round(WON - abs(score)), cell=cells[0])
        if reached == left:
            return Value(GameValue.DRAW, cell=cells[0])
        return Value(None, estimate=tanh(_SCALE * score), depth=reached, cell=cells[0])


def _at_once(position: UltimatePosition, cells: list[int]) -> int:
    """The first cell that wins the game, else the first after which other can't win it with the next ply."""
    if wins := winning_plies(position):
        return wins[0]
    return next((cell for cell in cells if not winning_plies(position.play(cell))), cells[0])
