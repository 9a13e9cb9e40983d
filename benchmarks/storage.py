"""The one transaction that a tap costs, in every way that was considered: `python -m benchmarks.storage`."""

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvloop

from benchmarks import databases
from benchmarks.storage_ways import Store, fill, ways

TASKS = 64


@dataclass
class Measured:
    """The rounds of one way: taps per second, and milliseconds a tap."""

    rates: list[float] = field(default_factory=list)
    medians: list[float] = field(default_factory=list)
    p99s: list[float] = field(default_factory=list)


async def measure(open_store: Callable[[], Store], seconds: float, into: Measured) -> None:
    """Let TASKS tasks tap, each its own game, and note what came of it."""
    store = open_store()
    taken: list[float] = []
    await store.tap(0)

    async def keep_tapping(key: int, until: float) -> None:
        while (began := time.perf_counter()) < until:
            await store.tap(key)
            taken.append(time.perf_counter() - began)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for task in range(TASKS):
            group.create_task(keep_tapping(task * 151, began + seconds))
    into.rates.append(len(taken) / (time.perf_counter() - began))
    into.medians.append(statistics.median(taken) * 1000)
    into.p99s.append(sorted(taken)[len(taken) * 99 // 100] * 1000)
    await store.close()


def run(seconds: float, rounds: int) -> dict[str, dict[str, float]]:
    """Measure every way, the ways in turn, `rounds` times over.

    Returns:
        For each way the medians over the rounds: taps per second (`rate`), the ratio to the first way
        (`ratio`), median and 99th percentile of a tap in milliseconds.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgresql = None
        fill(f"sqlite:///{folder / 'storage.sqlite'}")
        if databases.postgresql_is_there():
            postgresql = stack.enter_context(databases.postgresql_database())
            fill(postgresql)
        all_ways = ways(folder, postgresql)
        measured = {name: Measured() for name in all_ways}
        for _ in range(rounds):
            for name, open_store in all_ways.items():
                uvloop.run(measure(open_store, seconds, measured[name]))
    rates = {name: statistics.median(result.rates) for name, result in measured.items()}
    base = next(iter(rates.values()))
    return {
        name: {
            "rate": rates[name],
            "ratio": rates[name] / base,
            "median_ms": statistics.median(result.medians),
            "p99_ms": statistics.median(result.p99s),
        }
        for name, result in measured.items()
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.storage", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2, help="for each way and round (default: 2)")
    parser.add_argument("--rounds", type=int, default=3, help="each way is measured so often (default: 3)")
    arguments = parser.parse_args()
    print("| way to store a tap, 64 side by side | taps/s | ratio | median ms | p99 ms |")
    print("|---|---:|---:|---:|---:|")
    for name, row in run(arguments.seconds, arguments.rounds).items():
        print(
            f"| {name} | {row['rate']:,.0f} | {row['ratio']:.1f} | {row['median_ms']:.1f} | {row['p99_ms']:.1f} |"
        )


if __name__ == "__main__":
    main()
