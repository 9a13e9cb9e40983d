"""Tables of the value of every position on nine cells, and of perfect play."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from functools import cache
from struct import Struct
from typing import Final

from engine.rules.base import Position, Rules
from engine.rules.geometry import THREE_BY_THREE, fills_one, packed_images, symmetries
from engine.rules.mnk import CLASSIC, MnkPosition, MnkRules
from engine.rules.vanishing import KEPT, LAST_PLY, VANISHING, VanishingPosition
from engine.search.values import Result, Value, value_of_outcome

# The merit of a position is what moving into it is worth. If it is drawn, that is the number of random games that
# are won from there; won positions are far above that and lost ones far below, by the plies to the end first.
_WIN: Final = 1 << 20
_PLY: Final = 16
_DRAWN: Final = _WIN >> 1

_unpack: Final = Struct("<8I").unpack
"""Splits the images of a position, or of a set of cells, into their eight lanes of 32 bits."""


class Exact:
    """The table of all positions on 3 by 3, ordinary or misère. It is computed when it is made, in some 10 ms.

    Perfect play keeps the value of the game. In a won position it takes the fastest wins. In a drawn one it takes
    the cells that win most often if the opponent moves at random from there on while it plays on by this rule.
    In a lost one it takes the longest defence, and of those the cells after which the most replies let the win
    slip. (To take those after which a random player wins least often picks the same cells in every position.)
    Equally good cells all stay candidates.
    """

    def __init__(self, rules: MnkRules) -> None:
        analysis = _Builder(rules)
        analysis.visit(0, rules.cells)
        self.perfect: Final[Mapping[int, tuple[int, ...]]] = analysis.table
        """The candidates of perfect play in every position that isn't over, by `x << 9 | o`."""
        self._known = analysis.known

    def value(self, position: Position) -> Value:
        """The proven value, with the plies to the end and the cells that follow in perfect play."""
        if ended := value_of_outcome(position):
            return ended
        if not isinstance(position, MnkPosition):
            raise TypeError(f"The table holds positions of 3 by 3, not of {position.rules}.")
        key = position.x << 9 | position.o
        merit, _ = self._known[key]
        result = Result((merit < -_DRAWN) - (merit > _DRAWN))
        line, turn = [], position.ply
        while cells := self.perfect.get(key):
            line.append(cells[0])
            key |= 1 << cells[0] + 9 * (turn % 2 == 0)
            turn += 1
        return Value(result, (_WIN - abs(merit)) // _PLY if result else None, line=tuple(line))

    def keeping(self, position: Position) -> tuple[int, ...]:
        """The cells that keep the result, in ascending order; it may take more or fewer plies."""
        result = self.value(position).result
        after = {cell: self.value(position.play(cell)).before(cell) for cell in position.legal_moves}
        return tuple(cell for cell, value in after.items() if value.result is result)


@cache
def exact_mnk(rules: MnkRules) -> Exact:
    """The table of ordinary or misère rules on 3 by 3, computed once."""
    return Exact(rules)


@cache
def exact(rules: Rules) -> Exact | Retrograde | None:
    """The table of these rules, computed once; None if the board is too big for one, or nobody made one."""
    if isinstance(rules, MnkRules):
        return exact_mnk(rules) if rules.cells <= CLASSIC.cells else None
    return Retrograde() if rules is VANISHING else None


class _Builder:
    """Computes the table: it analyses one position of each symmetry class, and fills in all its images.

    A table of all positions is faster to read than one of symmetry classes.
    """

    def __init__(self, rules: MnkRules) -> None:
        geometry = rules.geometry
        self.table: dict[int, tuple[int, ...]] = {}
        self.known: dict[int, tuple[int, int]] = {}
        """For each position, its merit and the number of random games that the side to move wins from there."""
        self._misere = rules.misere
        packed = packed_images(geometry, 32)
        # For plies of O and of X, for each cell: its bit, its bit in a key, the images of both, and its lines.
        self._plies = [
            [
                (1 << cell, 1 << cell + shift, images << shift, images, geometry.lines_through[cell])
                for cell, images in enumerate(packed)
            ]
            for shift in (0, 9)
        ]
        cells_of: list[tuple[int, ...]] = [()]
        for cell in range(geometry.cells):
            cells_of += [(*cells, cell) for cells in cells_of]
        self._cells_of = cells_of.__getitem__
        # By the number of empty cells, how many games there are in which only the side to move plays at random.
        self._games = [1, 1]
        for empty in range(1, geometry.cells):
            self._games.append(empty * self._games[-2])

    def visit(self, keys: int, empty: int) -> tuple[int, int]:
        """Fill in a position, given by the packed images of its key, and all that can follow."""
        key = keys & 0x3FFFF
        x, o = key >> 9, key & 0x1FF
        own = x if empty & 1 else o
        known = self.known
        # The side that completes a line wins. In misère the other side does, and wins all random games from there.
        ended = (-_WIN, self._games[empty - 1]) if self._misere else (_WIN, 0)
        best, best_cells, wins, winning = -2 * _WIN, 0, 0, 0
        for bit, in_key, key_images, cell_images, masks in self._plies[empty & 1]:
            if (x | o) & bit:
                continue
            child = known.get(key | in_key)
            if child is None:
                if fills_one(own | bit, masks):
                    child = known[key | in_key] = ended
                else:
                    child = self.visit(keys | key_images, empty - 1) if empty > 1 else (0, 0)
            merit, child_wins = child
            if merit > best:
                best, best_cells = merit, cell_images
            elif merit == best:
                best_cells |= cell_images
            winning += merit > _DRAWN
            wins += child_wins
        if best > _DRAWN:
            mistakes = empty - winning
            result = _PLY - best + mistakes, self._games[empty]
        elif best < -_DRAWN:
            result = best % _PLY - best - _PLY, 0
        else:
            result = wins, best
        images = _unpack(keys.to_bytes(32, "little"))
        known.update(dict.fromkeys(images, result))
        cells = map(self._cells_of, _unpack(best_cells.to_bytes(32, "little")))
        self.table.update(zip(images, cells, strict=True))
        return result


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
    """The table of all 9,190 states of vanishing, where positions can repeat, made in some 60 ms.

    It works back from the positions that are over: a position is won if some ply leads to a position that is lost
    for the other side, and lost if every ply leads to one that is won for it. Those that this never decides are
    drawn. Values are those of a game without a limit of plies; a win that would come after the limit is a draw.
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
