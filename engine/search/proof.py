"""Proves whether one side, the attacker, can force a win, and within how many plies.

To the search, a draw and a win of the defender are the same, so a position has one of two values. A search for
each side gives a position's value.
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.rules.mnk import symmetries
from engine.search.base import ENTRIES, Budget, PositionTable
from engine.search.bits import BitBoard
from engine.search.bounds import Pairings, Sequence, Threats, weighed, weight


class Images:
    """All images of a position under the symmetries of a board, and the key that they share.

    The images are side by side in one integer, so that a ply is one operation: `image | own[cell]` for the side
    whose marks are called own, `image | other[cell]` for the other side.
    """

    def __init__(self, board: BitBoard) -> None:
        maps = symmetries(board.m, board.n)
        self._width = (2 * board.cells + 7) // 8
        self._size = self._width * len(maps)
        self._starts = tuple(range(0, self._size, self._width))
        self.own = tuple(
            sum(1 << 8 * start + image[cell] for start, image in zip(self._starts, maps, strict=True))
            for cell in range(board.cells)
        )
        self.other = tuple(bits << board.cells for bits in self.own)

    def key(self, image: int) -> bytes:
        """The key of a position: the same for symmetric positions, and different for all others."""
        images = image.to_bytes(self._size, "little")
        width = self._width
        return min([images[start : start + width] for start in self._starts])


NEVER = -1
"""The attacker can't force a win at all."""
UNSEEN = 0
"""The attacker can't force a win within the plies asked for, but perhaps in more."""
ENDLESS = 1 << 10
"""More plies than any game has."""

_NOTHING_KNOWN = (0, 0)
_SEQUENCE_POSITIONS = 20
MOST_PAIRED = 4
"""No pairing was ever found for lines that weigh more than this many halves."""


class Lines(NamedTuple):
    """The lines that count in a position: their starts, by how many marks they lack, from one up."""

    mine: tuple[int, ...]
    """The attacker's; shorter if lines that lack more marks can't be completed in time."""
    theirs: tuple[int, ...]
    """The defender's."""


class Prover:
    """Searches for wins of one side on one board, and keeps what it finds out in its table.

    Every answer is the number of plies to a certain win, or NEVER, or UNSEEN. Subclasses know the rules: what is
    seen without a search (`attack_seen`, `defend_seen`), and which cells are worth trying (`attack_cells`,
    `defend_cells`), most promising first.
    """

    def __init__(self, board: BitBoard, entries: int = ENTRIES) -> None:
        self.board = board
        self._images = Images(board)
        # By position: within how many plies there is no win, and the plies of the known win, or 0.
        self._table: PositionTable[bytes, tuple[int, int]] = PositionTable(entries)
        self._half = 1 << board.k - 1
        self.budget = Budget()
        """What may be spent on the current question."""
        self._threats = Threats(board)
        self._pairings = Pairings(board)

    def attack(self, own: int, other: int, plies: int, budget: Budget) -> int:
        """Whether the attacker, to move, can force a win within so many plies.

        The plies are counted from here; ENDLESS is any number.
        """
        self.budget = budget
        return self._attack(own, other, self._image(own, other), plies)

    def defend(self, own: int, other: int, plies: int, budget: Budget) -> int:
        """The same with the defender to move; `own` are still the attacker's marks."""
        self.budget = budget
        return self._defend(own, other, self._image(own, other), plies)

    def attack_seen(self, own: int, other: int, plies: int) -> int | list[int] | Lines:
        """With the attacker to move: an answer, the only cell that it can play, or the lines that count."""
        raise NotImplementedError

    def attack_cells(self, own: int, other: int, plies: int, lines: Lines) -> int | list[int]:
        """Given these lines: an answer, or the cells that may win."""
        raise NotImplementedError

    def defend_seen(self, own: int, other: int, plies: int) -> int | list[int] | Lines:
        """With the defender to move: an answer, the only cell that it can play, or the lines that count."""
        raise NotImplementedError

    def defend_cells(self, own: int, other: int, plies: int, lines: Lines) -> int | list[int]:
        """Given these lines: an answer, or the cells that may hold."""
        raise NotImplementedError

    def zone(self, own: int, other: int, plies: int) -> tuple[int, int]:  # noqa: ARG002 - a line that wins has one
        """The bits of the cells with which the defender, to move, may escape; after others, the plies to a win."""
        return self.board.full, 0

    def sequence(self, own: int, other: int, plies: int) -> Sequence | None:  # noqa: ARG002 - a line that wins has one
        """A sequence of threats with which the attacker, to move, wins, if one is found quickly."""
        return None

    def _attack(self, own: int, other: int, image: int, plies: int) -> int:
        self.budget.spend()
        seen = self.attack_seen(own, other, plies)
        if isinstance(seen, int):
            return seen
        if isinstance(seen, list):
            return self._try_all(own, other, image, seen, plies)
        key = self._images.key(image)
        result = self._known(key, plies)
        if result is None:
            cells = self.attack_cells(own, other, plies, seen)
            result = cells if isinstance(cells, int) else self._try_all(own, other, image, cells, plies)
            if result == NEVER and len(seen.mine) < self.board.k:
                result = UNSEEN
            self._learn(key, plies, result)
        return result

    def _defend(self, own: int, other: int, image: int, plies: int) -> int:
        self.budget.spend()
        seen = self.defend_seen(own, other, plies)
        if isinstance(seen, int):
            return seen
        if isinstance(seen, list):
            return self._refute(own, other, image, seen, plies)
        key = self._images.key(image)
        result = self._known(key, plies)
        if result is None:
            cells = self.defend_cells(own, other, plies, seen)
            result = cells if isinstance(cells, int) else self._defend_all(own, other, image, cells, plies)
            self._learn(key, plies, result)
        return result

    def _defend_all(self, own: int, other: int, image: int, cells: list[int], plies: int) -> int:
        """The answer for the defender's best cell. If any cell holds, it is usually the first."""
        longest = self._refute(own, other, image, cells[:1], plies)
        if longest <= 0:
            return longest
        zone, after_a_pass = self.zone(own, other, plies)
        rest = [cell for cell in cells[1:] if self.board.bits[cell] & zone]
        result = self._refute(own, other, image, rest, plies) if rest else longest
        return result if result <= 0 else max(longest, result, after_a_pass)

    def _image(self, own: int, other: int) -> int:
        image = 0
        for cell in self.board.cells_of(own):
            image |= self._images.own[cell]
        for cell in self.board.cells_of(other):
            image |= self._images.other[cell]
        return image

    def _try_all(self, own: int, other: int, image: int, cells: Iterable[int], plies: int) -> int:
        """The answer for the attacker's best of these cells."""
        bits, images = self.board.bits, self._images.own
        best = NEVER
        for cell in cells:
            result = self._defend(own | bits[cell], other, image | images[cell], plies - 1)
            if result > 0:
                return result + 1
            if result == UNSEEN:
                best = UNSEEN
        return best

    def _refute(self, own: int, other: int, image: int, cells: Iterable[int], plies: int) -> int:
        """The answer for the first of these cells that saves the defender, else the longest way to the win."""
        bits, images = self.board.bits, self._images.other
        longest = 0
        for cell in cells:
            result = self._attack(own, other | bits[cell], image | images[cell], plies - 1)
            if result <= 0:
                return result
            longest = max(longest, result + 1)
        return longest

    def _known(self, key: bytes, plies: int) -> int | None:
        """The answer for a position, if the table has it."""
        entry = self._table.get(key)
        if entry is None:
            return None
        no, yes = entry
        if 0 < yes <= plies:
            return yes
        if no == ENDLESS:
            return NEVER
        return UNSEEN if no >= plies else None

    def _learn(self, key: bytes, plies: int, result: int) -> None:
        """Put an answer for so many plies into the table."""
        no, yes = self._table.get(key) or _NOTHING_KNOWN
        if result > 0:
            self._table.put(key, (no, result))
        else:
            self._table.put(key, (ENDLESS if result == NEVER else max(no, plies), yes))


def ranked(cells: Iterable[tuple[int, int]]) -> list[int]:
    """Cells by their keys, the least first."""
    return [cell for _, cell in sorted(cells)]


class LineProver(Prover):
    """Where a line wins."""

    def sequence(self, own: int, other: int, plies: int) -> Sequence | None:
        return self._threats.find(own, other, plies, _SEQUENCE_POSITIONS, self.budget)

    def attack_seen(self, own: int, other: int, plies: int) -> int | list[int] | Lines:
        board, half = self.board, self._half
        mine = board.missing(own, other, board.full)
        if mine[0]:
            return 1
        if weight(mine, half) < half:
            return NEVER
        if plies < 3:
            return UNSEEN
        theirs = board.missing(other, own, board.full)
        if theirs[0]:
            gaps = board.spread(theirs[0]) & (board.full ^ own ^ other)
            cell = board.cell_at[gaps.bit_length()]
            return NEVER if gaps & ~board.bits[cell] else [cell]
        # Lines that lack more marks than the attacker has plies left don't count.
        if plies < 2 * board.k - 1:
            mine = mine[: (plies + 1) // 2]
            if weight(mine, half) < half:
                return UNSEEN
        return Lines(mine, theirs)

    def attack_cells(self, own: int, other: int, plies: int, lines: Lines) -> int | list[int]:
        board, half = self.board, self._half
        mine, theirs = lines
        total = weight(mine, half)
        if total <= MOST_PAIRED * half and self._pairings.hold(own, other, mine):
            return NEVER
        if mine[1]:
            sequence = self.sequence(own, other, plies)
            if sequence is not None:
                return sequence.plies
        # After a cell that adds less, the defender can block everything.
        needed = 2 * half - total
        found = weighed(board, board.free(own, other), mine, theirs)
        return ranked((-2 * gain - block, cell) for gain, block, cell in found if gain >= needed)

    def defend_seen(self, own: int, other: int, plies: int) -> int | list[int] | Lines:
        board, half = self.board, self._half
        theirs = board.missing(other, own, board.full)
        if theirs[0]:
            return NEVER
        mine = board.missing(own, other, board.full)
        if mine[0]:
            if plies < 2:
                return UNSEEN
            gaps = board.spread(mine[0]) & (board.full ^ own ^ other)
            cell = board.cell_at[gaps.bit_length()]
            return 2 if gaps & ~board.bits[cell] else [cell]
        if weight(mine, half) < 2 * half:
            return NEVER
        if plies < 4:
            return UNSEEN
        if plies < 2 * board.k:
            mine = mine[: plies // 2]
            if weight(mine, half) < 2 * half:
                return UNSEEN
        return Lines(mine, theirs)

    def defend_cells(self, own: int, other: int, plies: int, lines: Lines) -> int | list[int]:  # noqa: ARG002 - all
        board, half = self.board, self._half
        mine, theirs = lines
        found = weighed(board, board.free(own, other), mine, theirs)
        if weight(mine, half) - max(found)[0] < half:
            return NEVER if len(mine) == board.k else UNSEEN
        return ranked((-3 * loss - 2 * gain, cell) for loss, gain, cell in found)

    def zone(self, own: int, other: int, plies: int) -> tuple[int, int]:
        # If the attacker wins by a sequence of threats when the defender passes, it also wins after any cell that
        # the sequence doesn't use and with which the defender's answers to it don't make a threat.
        board = self.board
        sequence = self.sequence(own, other, plies - 1)
        if sequence is None:
            return board.full, 0
        one, two, *_ = board.missing(other | sequence.answers, own, board.full)
        return sequence.cells | board.spread(one | two), sequence.plies + 1


class MisereProver(Prover):
    """Where a line loses: the attacker wins if the defender has to complete one."""

    def attack_seen(self, own: int, other: int, plies: int) -> int | Lines:
        board, half = self.board, self._half
        theirs = board.missing(other, own, board.full)
        if weight(theirs, half) < half:
            return NEVER
        if plies < 2:
            return UNSEEN
        return Lines(board.missing(own, other, board.full), theirs)

    def attack_cells(self, own: int, other: int, plies: int, lines: Lines) -> list[int]:  # noqa: ARG002 - all of them
        most = weight(lines.theirs, self._half) - self._half
        found = weighed(self.board, self.board.free(own, other, lines.mine[0]), *lines)
        return ranked((risk + block, cell) for risk, block, cell in found if block <= most)

    def defend_seen(self, own: int, other: int, plies: int) -> int | Lines:  # noqa: ARG002 - cells decide
        board, half = self.board, self._half
        theirs = board.missing(other, own, board.full)
        if weight(theirs, half) < half:
            return NEVER
        return Lines(board.missing(own, other, board.full), theirs)

    def defend_cells(self, own: int, other: int, plies: int, lines: Lines) -> int | list[int]:
        cells = self.board.free(own, other, lines.theirs[0])
        if not cells:
            return 1
        if plies < 3:
            return UNSEEN
        return ranked((2 * risk + block, cell) for block, risk, cell in weighed(self.board, cells, *lines))
