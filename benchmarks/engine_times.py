"""The engine's times in a fresh process; prints them as JSON for `benchmarks.suite`."""

import json
import time

BEGAN = time.perf_counter()
from engine import CLASSIC, STRATEGIES, Position  # noqa: E402 - the import is what is timed

IMPORTED = time.perf_counter()


def positions() -> set[Position]:
    """All unfinished positions."""
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
    print(json.dumps({"import_s": IMPORTED - BEGAN, "table_s": table, "answer_s": answer}))


if __name__ == "__main__":
    main()
