"""Proof-number search: finds wins of any length by looking where the defender has the least choice.

The proof number of a position is the number of positions that have yet to be proven won to prove a win; its
disproof number is the number that have to be proven not won to disprove one. The search goes on where these are
smallest, so it follows threats to any depth before it tries quiet plies.

Source: Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications (2002); thresholds that grow by a
quarter after Pawlewicz and Lew, Improving Depth-First PN-Search: 1+e Trick (2006).
"""

from __future__ import annotations

from engine.search.driver import Budget
from engine.search.mnk.proof import ENDLESS, NEVER, Prover
from engine.search.table import ENTRIES, Table

_ALL = 1 << 40
_PROVEN, _DISPROVEN = (0, _ALL), (_ALL, 0)
_FIRST_PROOF, _FIRST_DISPROOF = 20, 1
"""The numbers of a position that hasn't been searched yet. With the defender to move, all of whose replies have to
lose, the proof number is higher. Both grow with each cell after the first in the prover's order."""
_LESS_HOPEFUL, _LESS_SAFE = 6, 2


class ProofNumbers:
    """Searches for wins of one side on one board, and keeps what it finds out in its table.

    Args:
        prover: Sees what is decided without a search, and orders cells.
        entries: The entries of its table; see `engine.search.table`.
    """

    def __init__(self, prover: Prover, entries: int = ENTRIES) -> None:
        self._prover = prover
        # By both sides' marks: the numbers, and the cells to try if the position isn't decided.
        self._table: Table[tuple[int, int], tuple[int, int, bytes]] = Table(entries)

    def wins(self, own: int, other: int, budget: Budget, *, attacks: bool) -> bool:
        """Whether the attacker can force a win.

        Args:
            own: The bits of the attacker's marks.
            other: The bits of the defender's marks.
            budget: What may be spent.
            attacks: Whether the attacker is to move.

        Raises:
            Spent: The budget is not enough.
        """
        self._prover.budget = budget
        return self._search(own, other, _ALL, _ALL, attacks=attacks)[0] == 0

    def winning_cell(self, own: int, other: int) -> int | None:
        """A cell that wins for the attacker, which is to move and proven to win, if the table has one."""
        board = self._prover.board
        self._prover.budget = Budget()
        sequence = self._prover.sequence(own, other, ENDLESS)
        if sequence is not None:
            return sequence.cell
        for cell in board.cells_of(board.full ^ own ^ other):
            entry = self._table.get((own | board.bits[cell], other))
            if entry is not None and entry[0] == 0:
                return cell
        return None

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
        # For each cell, the number of which the side to move needs the least, and the one that adds up over all.
        one, each = [], []
        for rank, cell in enumerate(cells):
            known = table.get((own | bits[cell], other) if attacks else (own, other | bits[cell]))
            if attacks:
                one.append(_FIRST_PROOF + _LESS_HOPEFUL * rank if known is None else known[0])
                each.append(1 if known is None else known[1])
            else:
                one.append(1 + _LESS_SAFE * rank if known is None else known[1])
                each.append(_FIRST_DISPROOF if known is None else known[0])
        while True:
            best, total = min(one), min(sum(each), _ALL)
            proof, disproof = (best, total) if attacks else (total, best)
            if proof >= most_proof or disproof >= most_disproof or not proof or not disproof:
                break
            chosen = one.index(best)
            one[chosen] = 2 * _ALL
            second = min(one)
            enough = second + second // 4 + 1
            mark = bits[cells[chosen]]
            if attacks:
                rest = most_disproof - total + each[chosen]
                one[chosen], each[chosen] = self._search(
                    own | mark, other, min(most_proof, enough), rest, attacks=False
                )
            else:
                rest = most_proof - total + each[chosen]
                each[chosen], one[chosen] = self._search(
                    own, other | mark, rest, min(most_disproof, enough), attacks=True
                )
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
        if isinstance(found, int):
            return (*(_PROVEN if found != NEVER else _DISPROVEN), b"")
        if not found:
            return (*(_DISPROVEN if attacks else _PROVEN), b"")
        return 1, 1, bytes(found)
