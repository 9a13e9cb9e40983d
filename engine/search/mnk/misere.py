"""Proofs and alpha-beta search for misère, where a line loses."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from engine.search.mnk.alphabeta import WIN, AlphaBeta, evaluate
from engine.search.mnk.bounds import weight, weights
from engine.search.mnk.proof import NEVER, UNKNOWN, Lines, Prover
from engine.search.mnk.threats import Sequence


class MisereProver(Prover):
    """Where a line loses: the attacker wins if the defender has to complete one."""

    def attack_seen(self, own: int, other: int, plies: int) -> int | Lines:
        board, half = self.board, self._half
        theirs = board.missing(other, own, board.full)
        if weight(theirs, half) < half:
            return NEVER
        if plies < 2:
            return UNKNOWN
        return Lines(board.missing(own, other, board.full), theirs)

    def attack_cells(self, own: int, other: int, plies: int, lines: Lines) -> list[int]:  # noqa: ARG002 - all of them
        board, half = self.board, self._half
        mine, theirs = lines
        cells = self._safe(own, other, mine[0])
        total = weight(theirs, half)
        through = [board.through[cell] for cell in cells]
        blocks = weights(theirs, half, through)
        risks = weights(mine, half, through)
        found = sorted(
            (block + risk, cell)
            for block, risk, cell in zip(blocks, risks, cells, strict=True)
            if total - block >= half
        )
        return [cell for _, cell in found]

    def defend_seen(self, own: int, other: int, plies: int) -> int | Lines:  # noqa: ARG002 - cells decide
        board, half = self.board, self._half
        theirs = board.missing(other, own, board.full)
        if weight(theirs, half) < half:
            return NEVER
        return Lines(board.missing(own, other, board.full), theirs)

    def defend_cells(self, own: int, other: int, plies: int, lines: Lines) -> int | list[int]:
        board, half = self.board, self._half
        mine, theirs = lines
        cells = self._safe(own, other, theirs[0])
        if not cells:
            return 1
        if plies < 3:
            return UNKNOWN
        through = [board.through[cell] for cell in cells]
        risks = weights(theirs, half, through)
        blocks = weights(mine, half, through)
        found = sorted((2 * risk + block, cell) for risk, block, cell in zip(risks, blocks, cells, strict=True))
        return [cell for _, cell in found]

    def _safe(self, own: int, other: int, completed: int) -> list[int]:
        """The empty cells on none of the lines with these starts."""
        board = self.board
        empty = board.full ^ own ^ other
        return [cell for cell in board.order if board.bits[cell] & empty and not board.through[cell] & completed]


class MisereAlphaBeta(AlphaBeta):
    """Alpha-beta search where a line loses: a side may be forced to complete one."""

    def order(
        self,
        own: int,
        other: int,
        mine: tuple[int, ...],
        theirs: tuple[int, ...],
        among: Iterable[int] | None = None,
    ) -> list[int]:
        """The empty cells on which the side to move completes no line, those on few open lines first."""
        board, half = self._board, self._half
        empty = board.full ^ own ^ other
        completed = mine[0]
        cells = [
            cell
            for cell in among or board.order
            if board.bits[cell] & empty and not board.through[cell] & completed
        ]
        through = [board.through[cell] for cell in cells]
        risks = weights(mine, half, through)
        blocks = weights(theirs, half, through)
        keys = [2 * risk + block for risk, block in zip(risks, blocks, strict=True)]
        return [cell for _, cell in sorted(zip(keys, cells, strict=True), key=itemgetter(0))]

    def _score(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        self._budget.spend()
        board, half = self._board, self._half
        mine = board.missing(own, other, board.full)
        theirs = board.missing(other, own, board.full)
        low = 0 if weight(mine, half) < half else -WIN
        high = 0 if weight(theirs, half) < half else WIN
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        empty = board.full ^ own ^ other
        if not empty:
            return 0
        if mine[0] and not self.order(own, other, mine, theirs):
            return self._ply + 1 - WIN
        if depth > 0:
            score = self._deepen(own, other, depth, (alpha, beta), (mine, theirs))
        else:
            score = evaluate(theirs, mine, self._values)
        return min(high, max(low, score))

    def _sequence(self, own: int, other: int, mine: tuple[int, ...]) -> Sequence | None:  # noqa: ARG002
        """None: to complete a line is no threat."""
        return None
