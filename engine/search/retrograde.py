"""The value of every position of vanishing, where positions can repeat, by retrograde analysis.

It works back from the positions that are over: a position is won if some ply leads to a position that is lost for
the other side, and lost if every ply leads to one that is won for it. Positions that this never decides are drawn.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Final

from engine.rules.base import Position
from engine.rules.geometry import THREE_BY_THREE
from engine.rules.symmetry import symmetries
from engine.rules.vanishing import KEPT, LAST_PLY, VANISHING, VanishingPosition
from engine.search.values import Result, Value, value_of_outcome

# A state is the cells of the side to move, a byte 9, and the cells of the other side, each oldest first, whichever
# the marks are. The least image of a state represents its symmetry class.
_APART: Final = bytes([THREE_BY_THREE.cells])
_IMAGES: Final = tuple(bytes([*image, *range(len(image), 256)]) for image in symmetries(3, 3))
_COMPLETES: Final = {
    bytes([first, second]): cell
    for line in THREE_BY_THREE.lines
    for first in line
    for second in line
    for cell in line
    if len({first, second, cell}) == KEPT
}
"""For the two marks that stay, the cell that completes a line."""


class Retrograde:
    """The table of all 9,190 states. It is computed when it is made, in some 60 ms.

    Values are those of a game without a limit of plies; a win that would come after the limit is a draw.
    """

    def __init__(self) -> None:
        self._known: Final[dict[bytes, tuple[Result, int]]] = {}
        """The result for the side to move and the plies to the end; drawn states are left out."""
        before: defaultdict[bytes, list[bytes]] = defaultdict(list)
        open_plies: dict[bytes, int] = {}
        decided: deque[bytes] = deque()
        states = [_APART]
        for state in states:
            own, other = state.split(_APART)
            staying = own[1 - KEPT :]
            completing = _COMPLETES.get(staying)
            free = [cell for cell in range(THREE_BY_THREE.cells) if cell not in state]
            open_plies[state] = len(free)
            for cell in free:
                after = _least(other + _APART + staying + bytes([cell]))
                if after not in before:
                    if cell == completing:
                        self._known[after] = Result.LOSS, 0
                        decided.append(after)
                    else:
                        states.append(after)
                before[after].append(state)
        while decided:
            after = decided.popleft()
            result, plies = self._known[after]
            for state in before[after]:
                open_plies[state] -= 1
                if state not in self._known and (result is Result.LOSS or not open_plies[state]):
                    self._known[state] = Result(-result), plies + 1
                    decided.append(state)

    def value(self, position: Position) -> Value:
        """The proven value, with the plies to the end and the cells that follow if both sides play best."""
        if ended := value_of_outcome(position):
            return ended
        if not isinstance(position, VanishingPosition):
            raise TypeError(f"The table holds positions of {VANISHING}, not of {position.rules}.")
        result, plies = self.ending(position)
        if result is Result.DRAW:
            return Value(result)
        line: list[int] = []
        while (left := plies - len(line)) > 0:
            wanted = Result(result if len(line) % 2 else -result), left - 1
            cell = next(cell for cell in position.legal_moves if self.ending(position.play(cell)) == wanted)
            line.append(cell)
            position = position.play(cell)
        return Value(result, plies, line=tuple(line))

    def ending(self, position: VanishingPosition) -> tuple[Result, int]:
        """The result for the side to move and the plies to the end if both sides play best; 0 plies for a draw."""
        own, other = (position.o, position.x) if position.ply % 2 else (position.x, position.o)
        result, plies = self._known.get(_least(bytes(own) + _APART + bytes(other)), (Result.DRAW, 0))
        return (Result.DRAW, 0) if position.ply + plies > LAST_PLY else (result, plies)


def _least(state: bytes) -> bytes:
    return min([state.translate(image) for image in _IMAGES])
