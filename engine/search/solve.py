"""Proves the value of a position: who can force a win, and in how many plies."""

from collections.abc import Callable

from engine.search.base import ENTRIES, EVEN, UNPROVEN, Budget, GameValue, PositionTable, Spent, Value
from engine.search.bits import FEW, SOON_PROVEN, BitBoard
from engine.search.bounds import weight
from engine.search.proof import ENDLESS, MOST_PAIRED, NEVER, UNSEEN, LineProver, MisereProver, Prover

_ALL = 1 << 40
_PROVEN, _DISPROVEN = (0, _ALL), (_ALL, 0)
_ATTACKS, _DEFENDS = (20, 6), (1, 2)
"""The disproof number after a cell that hasn't been searched yet, and by how much it is higher for each after the
first, in the prover's order. The attacker's is higher, as all of the defender's replies have to lose."""


class ProofNumbers:
    """Finds wins of one side, of any length, by looking where the other side has the least choice.

    The attacker wants a win, the defender that there is none. The proof number of a position is how many others
    have yet to be decided for the side to move if it is to get what it wants; the disproof number, how many have
    to be decided against it if it isn't. The search goes on where these are smallest, so it follows threats to any
    depth before it tries quiet plies. What it finds out stays known.

    Source: Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications (2002); thresholds that grow by
    a quarter after Pawlewicz and Lew, Improving Depth-First PN-Search: 1+e Trick (2006).
    """

    def __init__(self, prover: Prover, entries: int = ENTRIES, few: int = FEW) -> None:
        self._prover = prover
        self._few = few
        # By both sides' marks: the numbers, and the cells to try if the position isn't decided.
        self._table: PositionTable[tuple[int, int], tuple[int, int, bytes]] = PositionTable(entries)

    def wins(self, own: int, other: int, budget: Budget, *, attacks: bool) -> bool:
        """Whether the attacker can force a win."""
        self._prover.budget = budget
        proof, disproof = self._search(*self._alike(own, other), _ALL, _ALL, attacks=attacks)
        return (proof if attacks else disproof) == 0

    def winning_cell(self, own: int, other: int) -> int | None:
        """A cell that wins for the attacker, which is to move and proven to win, if the table has one."""
        board = self._prover.board
        self._prover.budget = Budget()
        sequence = self._prover.sequence(own, other, ENDLESS)
        if sequence is not None:
            return sequence.cell
        for cell in board.cells_of(board.full ^ own ^ other):
            entry = self._table.get(self._alike(own | board.bits[cell], other))
            if entry is not None and entry[1] == 0:
                return cell
        return None

    def _alike(self, own: int, other: int) -> tuple[int, int]:
        """With few marks, what stands for all positions that are symmetric to this one."""
        board = self._prover.board
        return board.alike(own, other) if ((own | other) & board.rows).bit_count() <= self._few else (own, other)

    def _search(
        self, own: int, other: int, most_proof: int, most_disproof: int, *, attacks: bool
    ) -> tuple[int, int]:
        """Search until one of the numbers reaches its threshold, and return both."""
        table, bits = self._table, self._prover.board.bits
        entry = table.get((own, other))
        if entry is None:
            entry = self._expanded(own, other, attacks=attacks)
            table.put((own, other), entry)
        proof, disproof, cells = entry
        if not proof or not disproof:
            return proof, disproof
        if attacks:
            after = [(own | bits[cell], other) for cell in cells]
        else:
            after = [(own, other | bits[cell]) for cell in cells]
        if ((own | other) & self._prover.board.rows).bit_count() < self._few:
            after = list(dict.fromkeys(self._alike(*sides) for sides in after))
        first, step = _ATTACKS if attacks else _DEFENDS
        known = [table.get(sides) or (1, first + step * rank) for rank, sides in enumerate(after)]
        # To prove a position, disprove one child; to disprove it, prove every child.
        proofs, disproofs = [entry[0] for entry in known], [entry[1] for entry in known]
        while True:
            proof, disproof = min(disproofs), min(sum(proofs), _ALL)
            if proof >= most_proof or disproof >= most_disproof or not proof or not disproof:
                break
            chosen = disproofs.index(proof)
            disproofs[chosen] = 2 * _ALL
            second = min(disproofs)
            enough = min(most_proof, second + second // 4 + 1)
            rest = most_disproof - disproof + proofs[chosen]
            proofs[chosen], disproofs[chosen] = self._search(*after[chosen], rest, enough, attacks=not attacks)
        table.put((own, other), (proof, disproof, cells))
        return proof, disproof

    def _expanded(self, own: int, other: int, *, attacks: bool) -> tuple[int, int, bytes]:
        """The entry of a position that is searched for the first time."""
        prover = self._prover
        prover.budget.spend()
        if attacks:
            found = prover.attack_seen(own, other, ENDLESS)
            if isinstance(found, tuple):
                found = prover.attack_cells(own, other, ENDLESS, found)
        else:
            found = prover.defend_seen(own, other, ENDLESS)
            if isinstance(found, tuple):
                found = prover.defend_cells(own, other, ENDLESS, found)
                if isinstance(found, list):
                    zone, _ = prover.zone(own, other, ENDLESS)
                    found = [cell for cell in found if prover.board.bits[cell] & zone]
        if not isinstance(found, list):
            return (*(_PROVEN if (found != NEVER) == attacks else _DISPROVEN), b"")
        return (1, 1, bytes(found)) if found else (*_DISPROVEN, b"")


_SHORT = 9
"""Wins within so many plies are looked for first, one ply deeper at a time;"""
_SHORTEST = 5
"""within so many if the plies don't matter. After that, it is asked whether there is any win at all."""
_FIRST_NODES = 1_000
"""The nodes that each way of asking that gets at first, at least; they double until one of them answers."""
_HEAVY, _LIGHT = (2, 1), (1, 4)
"""How many times these nodes proof-number search and the search to the end get. If a side's open lines weigh much,
proof numbers are quicker; if it has few, the bounds on them make the search to the end quicker."""


_DRAWN = {(8, 8, 5)}
"""Boards whose start is drawn, which takes hours to prove: Hsu and others, On Solving the 7,7,5-Game and the
8,8,5-Game (2020)."""


class Solver:
    """Proves values on one board, and remembers what it has proven."""

    def __init__(self, board: BitBoard, *, misere: bool = False, entries: int = ENTRIES, few: int = FEW) -> None:
        self.board = board
        self.misere = misere
        prover = MisereProver if misere else LineProver
        self._provers = prover(board, entries), prover(board, entries)
        self._numbers = [ProofNumbers(each, entries, few) for each in self._provers]

    def value(self, own: int, other: int, budget: Budget, *, with_plies: bool = True) -> Value:
        """The value of a position that isn't over; unknown if the budget is not enough to prove it.

        A value that needs no search is free. To count the plies to the end of a proven win or loss takes up to
        half as many nodes again. Without them, a search for a choice needs less.
        """
        if (seen := self._seen(own, other)) is not None:
            return seen
        question = _Question(self, own, other)
        with budget.share() as share:
            for plies in range(1, min(_SHORT if with_plies else _SHORTEST, question.longest) + 1):
                question.ask_within(plies, share)
            question.ask_for_any(share, max(_FIRST_NODES, share.nodes))
            if with_plies:
                with share.share(nodes=share.nodes // 2) as rest:
                    for plies in range(_SHORT + 1, question.longest + 1):
                        question.ask_within(plies, rest)
        return question.value

    def within(self, result: GameValue, own: int, other: int, plies: int, budget: Budget) -> int:
        """Within how many plies the side to move is sure of a win, or of a loss: a number, NEVER or UNSEEN."""
        mark = self._mark(own, other)
        if result is GameValue.WIN:
            return self._provers[mark].attack(own, other, plies, budget)
        return self._provers[1 - mark].defend(other, own, plies, budget)

    def ever(self, result: GameValue, own: int, other: int, budget: Budget) -> bool:
        """Whether it is, in any number of plies. It is quick to find that it is."""
        mark = self._mark(own, other)
        if result is GameValue.WIN:
            return self._numbers[mark].wins(own, other, budget, attacks=True)
        return self._numbers[1 - mark].wins(other, own, budget, attacks=False)

    def winning_cell(self, own: int, other: int) -> int | None:
        """A cell that is known to win for the side to move, in any number of plies."""
        return self._numbers[self._mark(own, other)].winning_cell(own, other)

    def empty_cells(self, own: int, other: int) -> int:
        """How many cells are empty."""
        return ((self.board.full ^ own ^ other) & self.board.rows).bit_count()

    def result_in(self, plies: int) -> GameValue:
        """How a game that is decided in so many plies can end: won in an odd number, in misère in an even one."""
        return GameValue.WIN if plies % 2 != self.misere else GameValue.LOSS

    def _seen(self, own: int, other: int) -> Value | None:
        """The value if one ply decides the game, or if no line is open any more."""
        board = self.board
        mine, theirs = board.missing(own, other, board.full), board.missing(other, own, board.full)
        if not any(mine) and not any(theirs):
            return EVEN
        if not own | other and not self.misere and (board.m, board.n, board.k) in _DRAWN:
            return EVEN
        if not self.misere:
            return Value(GameValue.WIN, 1) if mine[0] else None
        empty = board.cells_of(board.full ^ own ^ other)
        return Value(GameValue.LOSS, 1) if all(board.through[cell] & mine[0] for cell in empty) else None

    def _mark(self, own: int, other: int) -> int:
        """0 if the side to move is the one that began."""
        rows = self.board.rows
        return int((own & rows).bit_count() != (other & rows).bit_count())


class _Question:
    """What is known so far about the value of one position."""

    def __init__(self, solver: Solver, own: int, other: int) -> None:
        self._solver = solver
        self._sides = own, other
        self._answers = {GameValue.WIN: UNSEEN, GameValue.LOSS: UNSEEN}
        self.longest = solver.empty_cells(own, other)
        self.value = UNPROVEN

    def ask_within(self, plies: int, budget: Budget) -> None:
        """Ask for a win or a loss in exactly so many plies, if there is none in fewer."""
        if self.value.result is GameValue.DRAW or self.value.plies is not None:
            return
        result = self._solver.result_in(plies)
        if self._answers[result] != NEVER and self._solver.within(result, *self._sides, plies, budget) > 0:
            self.value = Value(result, plies)
        if self.value.result is None and plies == self.longest:
            self.value = EVEN

    def ask_for_any(self, budget: Budget, nodes: int) -> None:
        """Ask whether there is a win or a loss at all, with so many nodes for each way of asking, then with more.

        Proof numbers are quick to find a win, the search to the end is quick to show that there is none. On large
        boards only that of a loss gets anywhere.
        """
        numbers, to_the_end = self._parts(*self._sides)
        parts = {
            GameValue.WIN: (numbers, to_the_end if self._solver.board.cells <= SOON_PROVEN else 0),
            GameValue.LOSS: self._parts(*reversed(self._sides)),
        }
        while self.value.result is None:
            for result, answer in self._answers.items():
                if answer != NEVER and self.value.result is None:
                    self._answers[result] = self._asked(result, parts[result], budget, nodes)
            if set(self._answers.values()) == {NEVER}:
                self.value = EVEN
            nodes *= 2

    def _parts(self, own: int, other: int) -> tuple[int, int]:
        """How to share nodes between the two ways of asking whether own wins."""
        board, half = self._solver.board, 1 << self._solver.board.k - 1
        is_heavy = weight(board.missing(own, other, board.full), half) > MOST_PAIRED * half
        return _HEAVY if is_heavy and not self._solver.misere else _LIGHT

    def _asked(self, result: GameValue, parts: tuple[int, int], budget: Budget, nodes: int) -> int:
        """The plies to this result, NEVER or UNSEEN. If it is found, it is the value."""
        asks: tuple[Callable[[Budget], int], ...] = (
            lambda share: 1 if self._solver.ever(result, *self._sides, share) else NEVER,
            lambda share: self._solver.within(result, *self._sides, ENDLESS, share),
        )
        for ask, part in zip(asks, parts, strict=True):
            answer = UNSEEN
            with budget.share(nodes=nodes * part) as share:
                answer = ask(share)
            if answer > 0:
                self.value = Value(result)
            if answer:
                return answer
            if budget.is_spent:
                raise Spent
        return UNSEEN
