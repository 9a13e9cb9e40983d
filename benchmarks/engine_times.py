"""The engine's times in a process that has just begun; prints them as JSON for `benchmarks.suite`."""

import json
import time

BEGAN = time.perf_counter()
from engine import CLASSIC, STRATEGIES, Position  # noqa: E402 - the import is what is timed

IMPORTED = time.perf_counter()

WON = frozenset(
    x
    for x in range(512)
    if any(x & line == line for line in (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124))
)


def minimax(own: int, other: int) -> int:
    """Plain minimax over bitmasks, without any table: the value for the side to move."""
    if other in WON:
        return -1
    if own | other == 511:
        return 0
    best = -1
    for cell in range(9):
        bit = 1 << cell
        if not (own | other) & bit:
            value = -minimax(other, own | bit)
            best = max(best, value)
    return best


def positions() -> set[Position]:
    """All positions that are not over."""
    found: set[Position] = set()
    open_ends = [CLASSIC.start()]
    while open_ends:
        position = open_ends.pop()
        if position.outcome is None and position not in found:
            found.add(position)
            open_ends += [position.play(cell) for cell in position.legal_moves]
    return found


def main() -> None:
    """Measure and print."""
    perfect = STRATEGIES["perfect"].candidates
    start = CLASSIC.start()
    began = time.perf_counter()
    perfect(start)
    table = time.perf_counter() - began
    everything = list(positions())
    began = time.perf_counter()
    for position in everything:
        perfect(position)
    answer = (time.perf_counter() - began) / len(everything)
    began = time.perf_counter()
    minimax(0, 0)
    plain = time.perf_counter() - began
    times = {"import_s": IMPORTED - BEGAN, "table_s": table, "answer_s": answer, "minimax_s": plain}
    print(json.dumps(times))


if __name__ == "__main__":
    main()
