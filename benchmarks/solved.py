"""Values that the search proves from an empty board, with the nodes and the processor time that each takes.

    python -m benchmarks.solved                 the table
    python -m benchmarks.solved --first-plies   what the first ply decides, too: a minute for 6x5x4
    python -m benchmarks.solved --seven         that 7x7x5 is drawn, too: about a minute and 300 MB
    python -m benchmarks.solved --mistakes 2000 how many choices of the search give a value away
    python -m benchmarks.solved --ultimate 400  the same near the end of games of ultimate

The baseline is alpha-beta search with a transposition table and nothing else, in the same run. It also judges
the choices, in random positions with so few empty cells that it can. In ultimate every continuation is looked at.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from engine import Limits
from engine.geometry import Geometry, fills_one
from engine.mnk.bits import board
from engine.mnk.budget import Budget
from engine.mnk.proof import ENDLESS, NEVER
from engine.mnk.search import Searcher
from engine.mnk.solve import Solver, Verdict
from engine.searching import search
from engine.ultimate import ULTIMATE, UltimatePosition

BOARDS = (
    ("3x3x3", 0.01),
    ("4x4x3", 0.01),
    ("4x4x4", 0.01),
    ("5x5x5", 0.01),
    ("6x6x6", 0.01),
    ("3x3x3-misere", 0.01),
    ("4x3x3-misere", None),
    ("4x4x3-misere", None),
    ("4x4x4-misere", 2.0),
    ("5x4x4", 0.1),
    ("6x5x4", 0.1),
    ("5x5x4", 0.3),
    ("6x6x5", 0.3),
    ("6x6x4", 1.0),
)
"""Rules, and the seconds of processor time that a proof may take."""
BASELINE = "4x4x4"
FIRST_PLIES = ("5x4x4", "5x5x4", "6x5x4")
ENTRIES = 1_000_000
JUDGED = (
    ("3x3x3", 0),
    ("3x3x3-misere", 0),
    ("4x3x3", 0),
    ("4x3x3-misere", 0),
    ("4x4x3-misere", 6),
    ("5x3x3-misere", 5),
    ("5x4x4-misere", 10),
    ("4x4x3", 5),
    ("4x4x4", 5),
    ("4x4x4-misere", 7),
    ("5x3x4", 4),
    ("5x4x4", 8),
    ("5x5x4", 12),
    ("6x5x4", 16),
)
"""Rules, and the least marks from which the baseline judges quickly."""
SECONDS_A_CHOICE = 0.3
CELLS_LEFT = 8
"""In ultimate, the most empty cells on unfinished boards from which every continuation is looked at."""


class Plain:
    """Alpha-beta search with a transposition table alone."""

    def __init__(self, rules: str) -> None:
        sizes, _, misere = rules.partition("-")
        geometry = Geometry(*map(int, sizes.split("x")))
        self.nodes = 0
        self._line = -1 if misere else 1
        self._full = geometry.full
        self._cells = [(1 << cell, geometry.lines_through[cell]) for cell in range(geometry.cells)]
        self._table: dict[tuple[int, int], tuple[int, int]] = {}

    def completes(self, own: int, cell: int) -> bool:
        """Whether a mark there completes a line."""
        bit, masks = self._cells[cell]
        return fills_one(own | bit, masks)

    def after(self, own: int, other: int, cell: int) -> int:
        """The value of a cell for the side that plays it."""
        return self._line if self.completes(own, cell) else -self.value(other, own | 1 << cell, -1, 1)

    def value(self, own: int, other: int, alpha: int, beta: int) -> int:
        """The value for the side to move of a position that nobody has won, within alpha and beta."""
        low, high = self._table.get((own, other), (-1, 1))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        self.nodes += 1
        best = -1 if own | other != self._full else 0
        for bit, masks in self._cells:
            if not (own | other) & bit:
                won = fills_one(own | bit, masks)
                best = max(best, self._line if won else -self.value(other, own | bit, -beta, -max(alpha, best)))
                if best >= beta:
                    break
        self._table[own, other] = (best if best > alpha else low, best if best < beta else high)
        return best


def solver(rules: str) -> Solver:
    """A new solver for rules such as 4x4x3-misere."""
    sizes, _, misere = rules.partition("-")
    return Solver(board(*map(int, sizes.split("x"))), misere=misere == "misere", entries=ENTRIES)


def measured(rules: str) -> tuple[Verdict | None, int, float]:
    """A board's value, and the nodes and the seconds of processor time of its proof."""
    began = time.process_time()
    asked, budget = solver(rules), Budget()
    verdict = asked.value(0, 0, budget)
    return verdict, budget.nodes, time.process_time() - began


def seven() -> None:
    """Print that nobody wins on 7 by 7 with five in a row: the first player cannot, so neither can the second.

    A second player who could win would leave it to the first to do the same with a mark to spare.
    """
    began = time.process_time()
    budget = Budget()
    result = solver("7x7x5").can_win(0, 0, ENDLESS, budget)
    value = "draw" if result == NEVER else "?"
    print(f"{'7x7x5':14} {value:8} {budget.nodes:9,} {1000 * (time.process_time() - began):9.1f}")


def first_plies(rules: str) -> None:
    """Print how many first plies win, draw and lose for the side that makes them."""
    asked, budget = solver(rules), Budget()
    began = time.process_time()
    counts: Counter[str] = Counter()
    for bits in asked.board.bits:
        verdict = asked.value(0, bits, budget)
        counts["unknown" if verdict is None else ("lose", "draw", "win")[1 - verdict.value]] += 1
    found = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    print(f"{rules:14} first plies: {found}; {budget.nodes:,} nodes, {time.process_time() - began:.1f} s")


def position(rng: random.Random, cells: int, least: int, plain: Plain) -> tuple[int, int]:
    """A random position that is not over: bit c for cell c, the side to move first."""
    while True:
        own = other = 0
        moves = rng.sample(range(cells), rng.randint(least, cells - 1))
        for cell in moves:
            if plain.completes(own, cell):
                break
            own, other = other, own | 1 << cell
        else:
            return own, other


def mistakes(count: int) -> None:
    """Print how many choices of new searchers give away the value of random positions."""
    rng = random.Random(count)
    wrong = 0
    for number in range(count):
        rules, least = JUDGED[number % len(JUDGED)]
        asked, plain = solver(rules), Plain(rules)
        on = asked.board
        own, other = position(rng, on.cells, least, plain)
        sides = [on.marks(cell for cell in range(on.cells) if marks >> cell & 1) for marks in (own, other)]
        budget = Budget(seconds=SECONDS_A_CHOICE)
        choice = Searcher(on, misere=asked.misere).best(sides[0], sides[1], budget, random.Random(number))
        best = max(plain.after(own, other, cell) for cell in range(on.cells) if not (own | other) >> cell & 1)
        if plain.after(own, other, choice.cell) != best:
            wrong += 1
            print(f"{rules}: cell {choice.cell} in {own:#x} {other:#x} gives the value away", flush=True)
    print(f"{wrong} mistakes in {count} choices, {SECONDS_A_CHOICE} s each")


def mistakes_in_ultimate(count: int) -> None:
    """Print how many choices give away the value of positions with few cells left, games played at random."""
    wrong = judged = 0
    while judged < count:
        rng = random.Random(judged)
        found = search(ULTIMATE)
        known: dict[UltimatePosition, int] = {}
        for position in ending(rng):
            judged += 1
            found.renew(Limits(seconds=SECONDS_A_CHOICE), judged)
            cell = found.best(position)
            if -everything(position.play(cell), known) != everything(position, known):
                wrong += 1
                print(f"cell {cell} in {position.format()} gives the value away", flush=True)
    print(f"{wrong} mistakes in {judged} choices in ultimate, {SECONDS_A_CHOICE} s each")


def ending(rng: random.Random) -> list[UltimatePosition]:
    """The last positions of a random game, with so few cells left that everything can be looked at."""
    position = ULTIMATE.start()
    passed = []
    while position.outcome is None:
        empty = ~(position.x | position.o)
        unfinished = [board for board in range(9) if not position.finished >> board & 1]
        if sum((empty >> 9 * board & 0o777).bit_count() for board in unfinished) <= CELLS_LEFT:
            passed.append(position)
        position = position.play(rng.choice(position.legal_moves))
    return passed


def everything(position: UltimatePosition, known: dict[UltimatePosition, int]) -> int:
    """The value for the side to move: 1, 0 or -1, by every continuation."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else -1
    if position not in known:
        known[position] = max(-everything(position.play(cell), known) for cell in position.legal_moves)
    return known[position]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first-plies", action="store_true", help="what the first ply decides, too")
    parser.add_argument("--seven", action="store_true", help="7x7x5, too")
    parser.add_argument("--mistakes", type=int, default=0, metavar="N", help="choices to judge")
    parser.add_argument("--ultimate", type=int, default=0, metavar="N", help="choices in ultimate to judge")
    options = parser.parse_args()
    if options.ultimate:
        mistakes_in_ultimate(options.ultimate)
        return
    if options.mistakes:
        mistakes(options.mistakes)
        return
    print(f"{'rules':14} {'value':8} {'nodes':>9} {'ms':>9} {'at most':>8}")
    times = {}
    for rules, limit in BOARDS:
        verdict, nodes, times[rules] = measured(rules)
        allowed = "" if limit is None else f"{1000 * limit:8.0f}"
        print(f"{rules:14} {verdict!s:8} {nodes:9,} {1000 * times[rules]:9.1f} {allowed}", flush=True)
    plain = Plain(BASELINE)
    began = time.process_time()
    plain.value(0, 0, -1, 1)
    spent = time.process_time() - began
    print(
        f"Alpha-beta with a table alone: {BASELINE} takes {plain.nodes:,} nodes, {1000 * spent:,.0f} ms, "
        f"{spent / times[BASELINE]:,.0f} times as long."
    )
    if options.seven:
        seven()
    if options.first_plies:
        for rules in FIRST_PLIES:
            first_plies(rules)


if __name__ == "__main__":
    main()
