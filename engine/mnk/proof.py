"""Proofs: whether one side, the attacker, can force its win, and within how many plies.

A search of two values, for all positions by the attacker's marks and the defender's: the draw and the
defender's win are one. Asked for the two sides one after the other, it gives a position's value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.mnk.bounds import Scales, weight
from engine.mnk.budget import Budget
from engine.mnk.pairing import Pairings
from engine.mnk.table import ENTRIES, Images, Table
from engine.mnk.threats import Threats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.mnk.bits import Board

    _Lines = tuple[tuple[int, ...], tuple[int, ...]]

NEVER = -1
"""The attacker cannot force a win at all."""
UNKNOWN = 0
"""The attacker cannot force a win within the plies asked for; later it may."""
ENDLESS = 1 << 10
"""More plies than any game has."""

_NOTHING_KNOWN = (0, 0)
_SEQUENCE_POSITIONS = 20


class Prover:
    """Searches for the wins of one side on one board; what it finds out stays in its table.

    Every answer is the plies to a win that is certain, or NEVER, or UNKNOWN.
    """

    odd_wins = True
    """Whether an attacker who is to move wins in odd numbers of plies."""

    def __init__(self, board: Board, entries: int = ENTRIES) -> None:
        self._board = board
        self._images = Images(board)
        self._table = Table(entries)
        self._half = 1 << board.k - 1
        self._scales = Scales(board)
        self._budget = Budget()
        self._threats = Threats(board)
        self._pairings = Pairings(board)

    def attack(self, own: int, other: int, plies: int, budget: Budget) -> int:
        """Whether the attacker, to move, can force a win within so many plies.

        Args:
            own: The bits of the attacker's marks.
            other: The bits of the defender's marks.
            plies: Counted from here; ENDLESS for any number.
            budget: Pays for it.

        Raises:
            Spent: The budget does not suffice.
        """
        self._budget = budget
        return self._attack(own, other, self._image(own, other), plies)

    def defend(self, own: int, other: int, plies: int, budget: Budget) -> int:
        """The same with the defender to move; `own` still are the attacker's marks."""
        self._budget = budget
        return self._defend(own, other, self._image(own, other), plies)

    def _attack(self, own: int, other: int, image: int, plies: int) -> int:
        raise NotImplementedError

    def _defend(self, own: int, other: int, image: int, plies: int) -> int:
        raise NotImplementedError

    def _image(self, own: int, other: int) -> int:
        image = 0
        for cell in self._board.cells_of(own):
            image |= self._images.own[cell]
        for cell in self._board.cells_of(other):
            image |= self._images.other[cell]
        return image

    def _try_all(self, own: int, other: int, image: int, cells: Iterable[int], plies: int) -> int:
        """The attacker's best answer among these cells."""
        bits, images = self._board.bits, self._images.own
        best = NEVER
        for cell in cells:
            result = self._defend(own | bits[cell], other, image | images[cell], plies - 1)
            if result > 0:
                return result + 1
            if result == UNKNOWN:
                best = UNKNOWN
        return best

    def _refute(self, own: int, other: int, image: int, cells: Iterable[int], plies: int) -> int:
        """What the first of these cells that saves the defender gives, else the longest way to the win."""
        bits, images = self._board.bits, self._images.other
        longest = 0
        for cell in cells:
            result = self._attack(own, other | bits[cell], image | images[cell], plies - 1)
            if result <= 0:
                return result
            longest = max(longest, result + 1)
        return longest

    def _known(self, key: bytes, plies: int) -> int | None:
        """What the table says about a position."""
        entry = self._table.get(key)
        if entry is None:
            return None
        no, yes = entry
        if 0 < yes <= plies:
            return yes
        if no == ENDLESS:
            return NEVER
        return UNKNOWN if no >= plies else None

    def _learn(self, key: bytes, plies: int, result: int) -> int:
        """Put a result for so many plies into the table, and hand it on."""
        no, yes = self._table.get(key) or _NOTHING_KNOWN
        if result > 0:
            self._table.put(key, (no, result))
        else:
            self._table.put(key, (ENDLESS if result == NEVER else max(no, plies), yes))
        return result


class LineProver(Prover):
    """Where a line wins."""

    def _attack(self, own: int, other: int, image: int, plies: int) -> int:
        self._budget.spend()
        board, half = self._board, self._half
        mine = board.missing(own, other, board.full)
        if mine[0]:
            return 1
        if weight(mine, half) < half:
            return NEVER
        if plies < 3:  # noqa: PLR2004 - a ply, its answer, and the ply that completes a line
            return UNKNOWN
        theirs = board.missing(other, own, board.full)
        if theirs[0]:
            gaps = board.spread(theirs[0]) & (board.full ^ own ^ other)
            cell = board.cell_at[gaps.bit_length()]
            if gaps & ~board.bits[cell]:
                return NEVER
            return self._try_all(own, other, image, (cell,), plies)
        # Lines that miss more marks than the attacker has plies left do not count.
        if plies < 2 * board.k - 1:
            mine = mine[: (plies + 1) // 2]
            if weight(mine, half) < half:
                return UNKNOWN
        key = self._images.key(image)
        result = self._known(key, plies)
        if result is None:
            result = self._learn(key, plies, self._attack_all(own, other, image, plies, (mine, theirs)))
        return result

    def _attack_all(self, own: int, other: int, image: int, plies: int, lines: _Lines) -> int:
        """The attacker's best answer among all cells; `lines` are those that count, its own and the defender's."""
        board, half = self._board, self._half
        mine, theirs = lines
        if self._pairings.hold(own, other, mine):
            return NEVER if len(mine) == board.k else UNKNOWN
        if mine[1]:
            sequence = self._threats.find(own, other, plies, _SEQUENCE_POSITIONS, self._budget)
            if sequence is not None:
                return sequence.plies
        empty = board.full ^ own ^ other
        cells = [cell for cell in board.order if board.bits[cell] & empty]
        gains = self._scales.weigh(mine, cells)
        # After a cell that adds less, the defender to move can hold everything.
        needed = 2 * half - weight(mine, half)
        hopeful = [(gain, cell) for gain, cell in zip(gains, cells, strict=True) if gain >= needed]
        blocks = self._scales.weigh(theirs, [cell for _, cell in hopeful])
        found = sorted((-2 * gain - block, cell) for (gain, cell), block in zip(hopeful, blocks, strict=True))
        result = self._try_all(own, other, image, [cell for _, cell in found], plies)
        return UNKNOWN if result == NEVER and len(mine) < board.k else result

    def _defend(self, own: int, other: int, image: int, plies: int) -> int:
        self._budget.spend()
        board, half = self._board, self._half
        theirs = board.missing(other, own, board.full)
        if theirs[0]:
            return NEVER
        mine = board.missing(own, other, board.full)
        if mine[0]:
            if plies < 2:  # noqa: PLR2004 - an answer and the ply that completes a line
                return UNKNOWN
            gaps = board.spread(mine[0]) & (board.full ^ own ^ other)
            cell = board.cell_at[gaps.bit_length()]
            if gaps & ~board.bits[cell]:
                return 2
            return self._refute(own, other, image, (cell,), plies)
        if weight(mine, half) < 2 * half:
            return NEVER
        if plies < 4:  # noqa: PLR2004 - two plies of each side
            return UNKNOWN
        if plies < 2 * board.k:
            mine = mine[: plies // 2]
            if weight(mine, half) < 2 * half:
                return UNKNOWN
        key = self._images.key(image)
        result = self._known(key, plies)
        if result is None:
            result = self._learn(key, plies, self._defend_all(own, other, image, plies, (mine, theirs)))
        return result

    def _defend_all(self, own: int, other: int, image: int, plies: int, lines: _Lines) -> int:
        """What the defender's best cell gives."""
        board, half = self._board, self._half
        mine, theirs = lines
        empty = board.full ^ own ^ other
        cells = [cell for cell in board.order if board.bits[cell] & empty]
        losses = self._scales.weigh(mine, cells)
        if weight(mine, half) - max(losses) < half:
            return NEVER if len(mine) == board.k else UNKNOWN
        gains = self._scales.weigh(theirs, cells)
        found = sorted((-3 * loss - 2 * gain, cell) for loss, gain, cell in zip(losses, gains, cells, strict=True))
        first, *rest = [cell for _, cell in found]
        longest = self._refute(own, other, image, (first,), plies)
        if longest <= 0:
            return longest
        zone, after_a_pass = self._zone(own, other, plies)
        rest = [cell for cell in rest if board.bits[cell] & zone]
        result = self._refute(own, other, image, rest, plies) if rest else longest
        return result if result <= 0 else max(longest, result, after_a_pass)

    def _zone(self, own: int, other: int, plies: int) -> tuple[int, int]:
        """The bits of the cells with which the defender, to move, may escape, and the plies where it does not.

        If the attacker wins by a sequence of threats after a pass, it does so after any cell that the sequence
        does not need and on which the defender's answers to it make no threat of their own.
        """
        board = self._board
        sequence = self._threats.find(own, other, plies - 1, _SEQUENCE_POSITIONS, self._budget)
        if sequence is None:
            return board.full, 0
        one, two, *_ = board.missing(other | sequence.answers, own, board.full)
        return sequence.cells | board.spread(one | two), sequence.plies + 1
