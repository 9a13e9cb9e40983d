"""The best cell that a budget can find: by the book, by a proof if one is quick, else by alpha-beta search."""

from __future__ import annotations

from collections.abc import Callable
from math import tanh
from random import Random
from typing import Final, NamedTuple, TypeVar, cast

from engine.rules.base import Position
from engine.rules.mnk import MnkPosition, MnkRules
from engine.search.alphabeta import SURE, AlphaBeta, MisereAlphaBeta
from engine.search.base import ENTRIES, Budget, Limits, Result, Search, Spent, Value, deepened
from engine.search.bits import Board, board
from engine.search.book import known
from engine.search.bounds import Threats
from engine.search.proof import ENDLESS, NEVER
from engine.search.solve import DRAW, Proven, Solver

T = TypeVar("T")

_LARGEST_PROVEN = 64
"""On bigger boards nothing is proven but sequences of threats."""
_SOON_PROVEN = 36
"""On boards of up to so many cells most positions are proven within a second, so proofs get most of the budget."""
_PROOF_SHARE, _PROOF_SHARE_BEYOND = 0.65, 0.45
_SEQUENCE_SHARE = 0.2
_SEARCH_SHARE, _SEARCH_SHARE_BEYOND = 0.5, 0.95
_NODES_DRAWN = 2_000
"""If a draw is proven, the search needs no more to sort the cells that keep it."""
_JUDGED_SHARE = 0.7
_SEQUENCE_POSITIONS = 3_000
_LONGEST_SEQUENCE = 60
_NODES_TO_REMEMBER = 20
"""So many nodes are enough to see whether a cell is already known to keep a draw."""
_PART_OF_A_REFUTATION = 0.5
"""The part of the remaining budget for a proof that a cell loses."""
_NODES_OF_THE_BOOK = 10_000
"""Searches that may spend so many nodes use the book; weaker levels don't. If the book knows who wins, so many are
spent to find out how soon."""


class Choice(NamedTuple):
    """The result of a search."""

    cell: int
    """The cell to play."""
    proven: Proven | None
    """The value of the position, if it is proven. Of a win the plies may be missing."""
    variation: tuple[int, ...]
    """The principal variation as far as it is known, beginning with this cell."""
    nodes: int
    """The nodes spent."""
    depth: int = 0
    """The depth that alpha-beta search completed."""
    score: float = 0
    """The score of alpha-beta search at that depth; see `engine.search.alphabeta`."""


class Searcher:
    """Chooses cells on one board, and remembers what it finds out for later plies."""

    def __init__(
        self, board: Board, *, misere: bool = False, entries: int = ENTRIES, knows_book: bool = True
    ) -> None:
        self.board = board
        self.misere = misere
        self._knows_book = knows_book
        self.solver = Solver(board, misere=misere, entries=entries)
        self.alpha_beta = (MisereAlphaBeta if misere else AlphaBeta)(board, entries)
        self.threats = None if misere else Threats(board)

    def best(self, own: int, other: int, budget: Budget, rng: Random | None = None) -> Choice:
        """The best cell that the budget finds in a position that isn't over: some cell, however small the budget.

        If the budget limits only nodes, a new searcher's choice is reproducible. `rng` chooses among cells that
        look equally good; without it, the first is chosen.
        """
        if self._knows_book and budget.covers(_NODES_OF_THE_BOOK):
            found = known(self.board, own, other, misere=self.misere)
            if found is not None and found.value >= 0:
                cell = found.cells[0] if rng is None else rng.choice(found.cells)
                return Choice(cell, Proven(found.value), (cell,), 0)
        return _Decision(self, own, other, budget, rng).choice()

    def judge(self, own: int, other: int, budget: Budget) -> Choice:
        """The value of a position that isn't over; unlike `best`, it spends nothing on choosing a cell.

        The variation is empty if the value is proven but no cell is known that keeps it.
        """
        found = known(self.board, own, other, misere=self.misere) if self._knows_book else None
        if found is None:
            return _Decision(self, own, other, budget, None).judgement()
        proven = Proven(found.value)
        if proven != DRAW:
            share = budget.share(1, nodes=_NODES_OF_THE_BOOK)
            choice = _Decision(self, own, other, share, None).judgement()
            budget.settle(share)
            if choice.proven is not None:
                return choice
        return Choice(found.cells[0], proven, found.cells[:1], budget.nodes)


class _Decision:
    """The search for one choice or one value."""

    def __init__(self, searcher: Searcher, own: int, other: int, budget: Budget, rng: Random | None) -> None:
        board = searcher.board
        self._searcher = searcher
        self._solver = searcher.solver
        self._board = board
        self._own, self._other = own, other
        self._budget = budget
        self._value: Proven | None = None
        self._depth, self._score = 0, 0.0
        self._empty = board.full ^ own ^ other
        self._mine = board.missing(own, other, board.full)
        self._theirs = board.missing(other, own, board.full)
        among = list(board.order)
        if rng is not None:
            rng.shuffle(among)
        self._cells = searcher.alpha_beta.order(own, other, self._mine, self._theirs, among)

    def choice(self) -> Choice:
        """The cell to play."""
        cell = self._end()
        if cell is None:
            cell = self._proven()
        if cell is None:
            self._rank(_SEARCH_SHARE if self._board.cells <= _LARGEST_PROVEN else _SEARCH_SHARE_BEYOND)
            cell = self._sound()
        return self._choice(cell)

    def judgement(self) -> Choice:
        """The value: proven, or else estimated as deep as the rest of the budget allows."""
        share = self._budget.share(_JUDGED_SHARE)
        self._value = self._solver.value(self._own, self._other, share)
        self._budget.settle(share)
        if self._value is None:
            self._rank(_SEARCH_SHARE)
            return self._choice(self._cells[0])
        try:
            kept = self._end() if self._is_end else self._kept(self._value)
        except Spent:
            kept = None
        if kept is None:
            cells = self._cells or self._board.cells_of(self._empty)
            return Choice(cells[0], self._value, (), self._budget.nodes)
        return Choice(kept, self._value, (kept,), self._budget.nodes)

    def _choice(self, cell: int) -> Choice:
        variation = self._searcher.alpha_beta.principal_variation(self._own, self._other, cell)
        return Choice(cell, self._value, variation, self._budget.nodes, self._depth, self._score)

    @property
    def _is_end(self) -> bool:
        """Whether there is nothing to search: a line is about to be completed, or no cell matters any more."""
        if self._searcher.threats is None:
            return len(self._cells) < 2
        return bool(self._mine[0] or self._theirs[0] or not self._cells)

    def _end(self) -> int | None:
        """The cell to play in that case."""
        if not self._is_end:
            return None
        board = self._board
        if self._searcher.threats is None:
            if self._cells:
                return self._cells[0]
            self._value = Proven(-1, 1)
        elif self._mine[0]:
            self._value = Proven(1, 1)
            return board.cells_of(board.spread(self._mine[0]) & self._empty)[0]
        elif self._theirs[0]:
            cells = board.cells_of(board.spread(self._theirs[0]) & self._empty)
            if len(cells) > 1:
                self._value = Proven(-1, 2)
            return cells[0]
        else:
            self._value = DRAW
        return board.cells_of(self._empty)[0]

    def _proven(self) -> int | None:
        """A cell that is proven to win, or proven to be the longest defence."""
        if self._board.cells <= _LARGEST_PROVEN:
            share = self._budget.share(_PROOF_SHARE if self._board.cells <= _SOON_PROVEN else _PROOF_SHARE_BEYOND)
            self._value = self._solver.value(self._own, self._other, share, with_plies=False)
            self._budget.settle(share)
        if self._value is None:
            return self._sequence()
        try:
            return None if self._value == DRAW else self._kept(self._value)
        except Spent:
            return None

    def _kept(self, proven: Proven) -> int | None:
        """A cell that keeps a proven value."""
        if proven.value > 0:
            return self._winner(proven)
        return self._longest(proven) if proven.value < 0 else self._safe()

    def _winner(self, proven: Proven) -> int | None:
        """The first cell that wins as fast as the proof says, or any that wins if it doesn't say how fast."""
        if proven.plies is None:
            cell = self._solver.winning_cell(self._own, self._other)
            if cell is not None:
                return cell
        plies = ENDLESS if proven.plies is None else proven.plies - 1
        for cell in self._cells:
            after = self._own | self._board.bits[cell]
            if self._solver.can_lose(self._other, after, plies, self._budget) > 0:
                return cell
        return None

    def _longest(self, proven: Proven) -> int | None:
        """The cell after which other needs as long as the proof says, and has fewest cells that win so fast."""
        if proven.plies is None:
            return None
        best, fewest = None, self._board.cells
        for cell in self._cells:
            after = self._own | self._board.bits[cell]
            try:
                if self._solver.can_win(self._other, after, proven.plies - 3, self._budget) <= 0:
                    best = cell if best is None else best
                    wins = self._wins_of_other(after, proven.plies - 2)
                    if wins < fewest:
                        best, fewest = cell, wins
            except Spent:
                break
        return best

    def _wins_of_other(self, own: int, plies: int) -> int:
        """How many cells win for other, to move, within so many plies after that."""
        bits, empty = self._board.bits, self._board.full ^ own ^ self._other
        cells = self._board.cells_of(empty)
        return sum(self._solver.can_lose(own, self._other | bits[cell], plies, self._budget) > 0 for cell in cells)

    def _safe(self) -> int | None:
        """The first cell after which other is proven not to win."""
        return next((cell for cell in self._cells if self._answer(cell, self._budget) == NEVER), None)

    def _answer(self, cell: int, budget: Budget) -> int:
        """Whether other can win after a cell, by a search to the end: plies, NEVER or UNKNOWN."""
        return self._solver.can_win(self._other, self._own | self._board.bits[cell], ENDLESS, budget)

    def _sound(self) -> int:
        """The first cell that is proven not to lose or, if there is none, the first that isn't proven to lose."""
        if self._board.cells > _LARGEST_PROVEN:
            return self._cells[0]
        # If it has been proven that other can't win, at least one such cell is in the table.
        remembered = [self._asked(cell, self._answer, 1, _NODES_TO_REMEMBER) for cell in self._cells]
        safe = {cell for cell, answer in zip(self._cells, remembered, strict=True) if answer == NEVER}
        for cell in self._cells:
            if cell in safe:
                return cell
            refuted = self._asked(cell, self._refuted, _PART_OF_A_REFUTATION)
            if refuted is False or (refuted is None and not safe):
                return cell
        return self._cells[0]

    def _refuted(self, cell: int, budget: Budget) -> bool:
        """Whether other wins after a cell."""
        return self._solver.wins(self._other, self._own | self._board.bits[cell], budget)

    def _asked(
        self, cell: int, ask: Callable[[int, Budget], T], part: float, nodes: int | None = None
    ) -> T | None:
        """The answer to a question about a cell; None if its share of the budget is not enough."""
        share = self._budget.share(part, nodes=nodes)
        try:
            return ask(cell, share)
        except Spent:
            return None
        finally:
            self._budget.settle(share)

    def _sequence(self) -> int | None:
        """The first cell of a sequence of threats that wins, if one is found."""
        threats = self._searcher.threats
        if threats is None:
            return None
        share = self._budget.share(_SEQUENCE_SHARE)
        try:
            found = threats.find(self._own, self._other, _LONGEST_SEQUENCE, _SEQUENCE_POSITIONS, share)
        except Spent:
            found = None
        self._budget.settle(share)
        if found is None:
            return None
        self._value = Proven(1)
        return found.cell

    def _rank(self, part: float) -> None:
        """Sort the cells by alpha-beta search, with a part of the remaining budget."""
        share = self._budget.share(part, nodes=_NODES_DRAWN if self._value == DRAW else None)
        alpha_beta = self._searcher.alpha_beta
        self._score, self._depth = deepened(
            lambda cells, depth: alpha_beta.rank(self._own, self._other, cells, depth, share),
            self._cells,
            self._solver.empty_cells(self._own, self._other),
            SURE,
        )
        self._budget.settle(share)


_SCALE: Final = 1 / 600
"""An estimate is tanh of this times alpha-beta's score, in which an open line that lacks two marks counts 48."""


class MnkSearch(Search):
    """Chooses cells on one board and values its positions."""

    def __init__(self, rules: MnkRules, limits: Limits = Limits(), seed: int = 0) -> None:  # noqa: B008 - immutable
        super().__init__(rules, limits, seed)
        geometry = rules.geometry
        self._searcher = Searcher(board(geometry.m, geometry.n, geometry.k), misere=rules.misere)

    def _best(self, position: Position, budget: Budget, rng: Random) -> int:
        return self._searcher.best(*self._sides(position), budget, rng).cell

    def _value(self, position: Position, budget: Budget, rng: Random) -> Value:  # noqa: ARG002 - ties have one value
        choice = self._searcher.judge(*self._sides(position), budget)
        if choice.proven is None:
            estimate = tanh(_SCALE * max(-SURE, min(SURE, choice.score)))
            return Value(None, estimate=estimate, depth=choice.depth, line=choice.variation)
        line = choice.variation if choice.proven.value == 0 else self._line(position, budget)
        return Value(Result(choice.proven.value), choice.proven.plies, line=line)

    def _line(self, position: Position, budget: Budget) -> tuple[int, ...]:
        """Best play in a won or lost position, as far as the budget proves it."""
        line = []
        while position.outcome is None:
            choice = self._searcher.judge(*self._sides(position), budget)
            if choice.proven is None or not choice.variation:
                break
            line.append(choice.cell)
            position = position.play(choice.cell)
        return tuple(line)

    def _sides(self, position: Position) -> tuple[int, int]:
        """The bits of the side to move and of the other side."""
        own, other = cast("MnkPosition", position).sides  # as `_check` has seen to
        return self._searcher.board.from_mask(own), self._searcher.board.from_mask(other)
