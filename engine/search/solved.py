"""The value of every position on nine cells, under any rules, and perfect play by it; positions may come again."""

from collections import defaultdict, deque
from functools import cache
from typing import Final

from engine.rules.base import Marks, Position, Rules
from engine.rules.mnk import CLASSIC, symmetries
from engine.search.base import GameValue, Value, value_of_outcome


class Solved:
    """The table of all positions under some rules, one of each symmetry class.

    It works back from the positions that are over: a position is won if some ply leads to one that is lost for the
    other side, and lost if every ply leads to one that is won for it. Those that this never decides are drawn.
    Values are those of a game without a limit of plies; a win that would come after the limit is a draw.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known: Final[dict[bytes, tuple[GameValue, int]]] = {}
        """The result for the side to move and the plies to the end; draws are left out."""
        self._chances: dict[tuple[bytes, int], float] = {}
        before: defaultdict[bytes, list[bytes]] = defaultdict(list)
        undecided: dict[bytes, int] = {}
        decided: deque[bytes] = deque()
        running = [rules.start()]
        for position in running:
            key = _key(position)
            undecided[key] = len(position.legal_moves)
            for cell in position.legal_moves:
                after = position.play(cell)
                reply = _key(after)
                if reply not in before:
                    ended = value_of_outcome(after)
                    if ended is None:
                        running.append(after)
                    elif ended.result:
                        self._known[reply] = ended.result, 0
                        decided.append(reply)
                before[reply].append(key)
        while decided:
            reply = decided.popleft()
            result, plies = self._known[reply]
            for key in before[reply]:
                undecided[key] -= 1
                if key not in self._known and (result is GameValue.LOSS or not undecided[key]):
                    self._known[key] = GameValue(-result), plies + 1
                    decided.append(key)

    def ending(self, position: Position) -> tuple[GameValue, int]:
        """The result for the side to move, and the plies to the end if both sides play best; 0 for a draw."""
        if position.rules is not self._rules:
            raise TypeError(f"The table holds positions of {self._rules}, not of {position.rules}.")
        result, plies = self._known.get(_key(position), (GameValue.DRAW, 0))
        return (GameValue.DRAW, 0) if position.ply + plies > self._rules.last_ply else (result, plies)

    def value(self, position: Position) -> Value:
        result, plies = self.ending(position)
        return Value(result, plies if result else None)

    def keeping(self, position: Position) -> tuple[int, ...]:
        """The cells that keep the result, in ascending order; it may take more or fewer plies."""
        result, _ = self.ending(position)
        return tuple(cell for cell in position.legal_moves if self.ending(position.play(cell))[0] == -result)

    def values(self, position: Position) -> dict[int, Value]:
        """What each cell leads to, for the side to move."""
        return {cell: self.value(position.play(cell)).before(cell) for cell in position.legal_moves}

    def chances(self, position: Position) -> dict[int, float]:
        """Of the fastest wins, what keeps a draw, or the longest defence: how likely a random player then errs."""
        values = self.values(position)
        best = max(value.score for value in values.values())
        return {cell: self._chance(position.play(cell)) for cell, value in values.items() if value.score == best}

    def perfect(self, position: Position) -> tuple[int, ...]:
        """The best cells: those of `chances` after which an opponent who moves at random errs most.

        (In lost positions of 3 by 3, these are also the cells after which it wins least often.) Equally good cells
        all stay candidates.
        """
        chances = self.chances(position)
        highest = max(chances.values())
        return tuple(cell for cell, chance in chances.items() if chance == highest)

    def _chance(self, position: Position) -> float:
        """How likely the side to move, if it moves at random, gives a win away now, or a draw sooner or later.

        Where marks go, only as many plies count as there are cells.
        """
        result, _ = self.ending(position)
        if position.is_over or result is GameValue.LOSS or position.ply >= self._rules.cells:
            return 0.0
        key = _key(position), position.ply
        if key not in self._chances:
            chances = []
            for cell in position.legal_moves:
                after = position.play(cell)
                if self.ending(after)[0] != -result:
                    chances.append(1.0)
                elif result is GameValue.DRAW and not after.is_over:
                    chances.append(self._chance(after.play(self.perfect(after)[0])))
            # Rounded, as equal chances may be added up in different orders.
            self._chances[key] = round(sum(chances) / len(position.legal_moves), 9)
        return self._chances[key]


@cache
def table(rules: Rules) -> Solved:
    """The table of these rules, which have nine cells at most; made once."""
    return Solved(rules)


def solved(rules: Rules) -> Solved | None:
    """The table of these rules; None if the board is too big for one."""
    return table(rules) if rules.cells <= CLASSIC.cells else None


_APART = bytes([CLASSIC.cells])


@cache
def _images(marks: Marks) -> list[bytes]:
    """The cells of all images of a side's marks, in their order where that counts."""
    if not isinstance(marks, int):
        return [bytes([image[cell] for cell in marks]) for image in symmetries(3, 3)]
    cells = [cell for cell in range(CLASSIC.cells) if marks >> cell & 1]
    return [bytes(sorted(image[cell] for cell in cells)) for image in symmetries(3, 3)]


def _key(position: Position) -> bytes:
    """The marks of both sides, whichever they are: the same for symmetric positions."""
    own, other = map(_images, position.sides)
    return min([mine + _APART + theirs for mine, theirs in zip(own, other, strict=True)])
