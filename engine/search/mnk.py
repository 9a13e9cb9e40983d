"""The best cell that a budget can find: by the book, by a proof if one is quick, else by alpha-beta search."""

from collections.abc import Callable
from contextlib import suppress
from math import tanh
from random import Random
from typing import Final, TypeVar

from engine.rules.mnk import MnkPosition, MnkRules
from engine.search.alphabeta import SURE, AlphaBeta, MisereAlphaBeta
from engine.search.base import EVEN, UNPROVEN, Budget, GameValue, Search, SearchLimits, Spent, Value, deepened
from engine.search.bits import FEW, SOON_PROVEN, board_of
from engine.search.book import recall
from engine.search.bounds import Threats
from engine.search.proof import ENDLESS, NEVER
from engine.search.solve import Solver

T = TypeVar("T")

_PROOF_SHARE, _PROOF_SHARE_BEYOND = 0.65, 0.45
"""The part of the budget for a proof, on boards where most are found soon, and on others."""
_SEQUENCE_SHARE: Final = 0.2
_SEARCH_SHARE: Final = 0.5
_JUDGED_SHARE: Final = 0.7
_NODES_DRAWN: Final = 2_000
"""If a draw is proven, the search needs no more to sort the cells that keep it."""
_SEQUENCE_POSITIONS: Final = 3_000
_LONGEST_SEQUENCE: Final = 60
_NODES_TO_REMEMBER: Final = 20
"""So many nodes are enough to see whether a cell is already known to keep a draw."""
_PART_OF_A_REFUTATION: Final = 0.5
"""The part of the remaining budget for a proof that a cell loses."""
_NODES_OF_THE_BOOK: Final = 10_000
"""Searches that may spend so many nodes use the book and symmetries; weaker levels don't. If the book knows who
wins, so many are spent to find out how soon."""
_SCALE: Final = 1 / 600
"""An estimate is tanh of this times alpha-beta's score, in which an open line that lacks two marks counts 48."""


class MnkSearch(Search[MnkPosition]):
    """Chooses cells on one board and values its positions."""

    def __init__(self, rules: MnkRules, limits: SearchLimits = SearchLimits(), seed: int = 0) -> None:
        super().__init__(rules, limits, seed)
        self.board = board_of(rules)
        few = FEW if Budget(limits).covers(_NODES_OF_THE_BOOK) else 0
        self.solver = Solver(self.board, misere=rules.misere, few=few)
        self.alpha_beta = (MisereAlphaBeta if rules.misere else AlphaBeta)(self.board, few)
        self.threats = None if rules.misere else Threats(self.board)

    def _found(self, position: MnkPosition, budget: Budget, rng: Random, *, to_play: bool) -> Value:
        own, other = map(self.board.from_mask, position.sides)
        if not to_play:
            return self._judged(own, other, budget)
        if budget.covers(_NODES_OF_THE_BOOK):
            page = recall(self.board, own, other, misere=self.rules.misere)
            if page is not None and page.result is not GameValue.LOSS:
                return Value(page.result, cell=rng.choice(page.cells))
        return _Decision(self, own, other, budget, rng).choice()

    def _judged(self, own: int, other: int, budget: Budget) -> Value:
        """The value with a cell that keeps it, if one is known; nothing is spent on choosing one."""
        page = recall(self.board, own, other, misere=self.rules.misere)
        if page is None:
            return _Decision(self, own, other, budget).judgement()
        value = UNPROVEN
        if page.result is not GameValue.DRAW:
            with budget.share(nodes=_NODES_OF_THE_BOOK) as share:
                value = _Decision(self, own, other, share).judgement()
        return value if value.result is not None else Value(page.result, cell=page.cells[0])


class _Decision:
    """The search for one choice or one value; with `rng`, equally good cells are tried in any order."""

    def __init__(self, search: MnkSearch, own: int, other: int, budget: Budget, rng: Random | None = None) -> None:
        board = search.board
        self._search, self._solver, self._board = search, search.solver, board
        self._own, self._other, self._budget = own, other, budget
        self._mine = board.missing(own, other, board.full)
        self._theirs = board.missing(other, own, board.full)
        among = list(board.order)
        if rng is not None:
            rng.shuffle(among)
        self._cells = search.alpha_beta.order(own, other, (self._mine, self._theirs), among)

    def choice(self) -> Value:
        """The cell to play, and the value as far as it is known that this cell keeps it."""
        found = self._end() or self._proof()
        if found.cell is not None:
            return found
        estimate = self._ranked(_NODES_DRAWN if found.result is GameValue.DRAW else None)
        cell, holds = self._sound()
        is_kept = found.result is GameValue.LOSS or (found.result is GameValue.DRAW and holds)
        return (Value(found.result) if is_kept else estimate)._replace(cell=cell)

    def judgement(self) -> Value:
        """The value: proven, or else estimated as deep as the rest of the budget allows."""
        value = UNPROVEN
        with self._budget.share(_JUDGED_SHARE) as share:
            value = self._solver.value(self._own, self._other, share)
        if value.result is None:
            return self._ranked()._replace(cell=self._cells[0])
        with suppress(Spent):
            end = self._end()
            return value._replace(cell=self._kept(value) if end is None else end.cell)
        return value

    def _end(self) -> Value | None:
        """The choice where nothing is searched: a line is about to be completed, or no cell matters any more."""
        board, empty = self._board, self._board.full ^ self._own ^ self._other
        any_cell = board.cells_of(empty)[0]
        if self._search.threats is None:
            if self._cells:
                return UNPROVEN._replace(cell=self._cells[0]) if len(self._cells) == 1 else None
            return Value(GameValue.LOSS, 1, cell=any_cell)
        if self._mine[0]:
            return Value(GameValue.WIN, 1, cell=board.cells_of(board.spread(self._mine[0]) & empty)[0])
        if self._theirs[0]:
            cell, *others = board.cells_of(board.spread(self._theirs[0]) & empty)
            return (Value(GameValue.LOSS, 2) if others else UNPROVEN)._replace(cell=cell)
        return None if self._cells else EVEN._replace(cell=any_cell)

    def _proof(self) -> Value:
        """The proven value, with a cell that wins or is the longest defence, if there is one."""
        value = UNPROVEN
        part = _PROOF_SHARE if self._board.cells <= SOON_PROVEN else _PROOF_SHARE_BEYOND
        with self._budget.share(part) as share:
            value = self._solver.value(self._own, self._other, share, with_plies=False)
        if value.result is None:
            return self._sequence()
        with suppress(Spent):
            return value if value.result is GameValue.DRAW else value._replace(cell=self._kept(value))
        return value

    def _kept(self, value: Value) -> int | None:
        """A cell that keeps the proven value."""
        if value.result is GameValue.DRAW:
            return next((cell for cell in self._cells if self._answer(cell, self._budget) == NEVER), None)
        return (self._winner if value.result is GameValue.WIN else self._longest)(value.plies)

    def _winner(self, plies: int | None) -> int | None:
        """The first cell that wins as fast as the proof says, or any that wins if it doesn't say how fast."""
        if plies is None and (cell := self._solver.winning_cell(self._own, self._other)) is not None:
            return cell
        left = ENDLESS if plies is None else plies - 1
        for cell in self._cells:
            after = self._own | self._board.bits[cell]
            if self._solver.within(GameValue.LOSS, self._other, after, left, self._budget) > 0:
                return cell
        return None

    def _longest(self, plies: int | None) -> int | None:
        """The cell after which other needs as long as the proof says, and has fewest cells that win so fast."""
        if plies is None:
            return None
        best, fewest = None, self._board.cells
        with suppress(Spent):
            for cell in self._cells:
                after = self._own | self._board.bits[cell]
                if self._solver.within(GameValue.WIN, self._other, after, plies - 3, self._budget) <= 0:
                    best = cell if best is None else best
                    wins = self._wins_of_other(after, plies - 2)
                    if wins < fewest:
                        best, fewest = cell, wins
        return best

    def _wins_of_other(self, own: int, plies: int) -> int:
        """How many cells win for other, to move, within so many plies after that."""
        board = self._board
        after = [self._other | board.bits[cell] for cell in board.cells_of(board.full ^ own ^ self._other)]
        return sum(self._solver.within(GameValue.LOSS, own, each, plies, self._budget) > 0 for each in after)

    def _sound(self) -> tuple[int, bool]:
        """The first cell that isn't proven to lose, if possible one that is proven not to; and whether it is."""
        # If it has been proven that other can't win, at least one such cell is in the table.
        remembered = [self._asked(cell, self._answer, 1, _NODES_TO_REMEMBER) for cell in self._cells]
        safe = {cell for cell, answer in zip(self._cells, remembered, strict=True) if answer == NEVER}
        for cell in self._cells:
            refuted = cell not in safe and self._asked(cell, self._refuted, _PART_OF_A_REFUTATION)
            if refuted is False or (refuted is None and not safe):
                return cell, refuted is False
        return self._cells[0], False

    def _answer(self, cell: int, budget: Budget) -> int:
        """Whether other can win after a cell, by a search to the end: plies, NEVER or UNSEEN."""
        after = self._own | self._board.bits[cell]
        return self._solver.within(GameValue.WIN, self._other, after, ENDLESS, budget)

    def _refuted(self, cell: int, budget: Budget) -> bool:
        """Whether other wins after a cell."""
        return self._solver.ever(GameValue.WIN, self._other, self._own | self._board.bits[cell], budget)

    def _asked(
        self, cell: int, ask: Callable[[int, Budget], T], part: float, nodes: int | None = None
    ) -> T | None:
        """The answer to a question about a cell; None if its share of the budget is not enough."""
        answer = None
        with self._budget.share(part, nodes=nodes) as share:
            answer = ask(cell, share)
        return answer  # noqa: RET504 - the block may end before there is one

    def _sequence(self) -> Value:
        """The first cell of a sequence of threats that wins, if one is found."""
        found, threats = None, self._search.threats
        if threats is not None:
            with self._budget.share(_SEQUENCE_SHARE) as share:
                found = threats.find(self._own, self._other, _LONGEST_SEQUENCE, _SEQUENCE_POSITIONS, share)
        return UNPROVEN if found is None else Value(GameValue.WIN, cell=found.cell)

    def _ranked(self, nodes: int | None = None) -> Value:
        """Sort the cells by alpha-beta search, and estimate the value by its score."""
        with self._budget.share(_SEARCH_SHARE, nodes=nodes) as share:
            score, depth = deepened(
                lambda cells, depth: self._search.alpha_beta.rank(self._own, self._other, cells, depth, share),
                self._cells,
                self._solver.empty_cells(self._own, self._other),
                SURE,
            )
        return Value(None, estimate=tanh(_SCALE * max(-SURE, min(SURE, score))), depth=depth)
