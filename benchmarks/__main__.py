"""Run the benchmarks of the bot and print their tables; or play matches of the engine."""

import argparse
import sys
from pathlib import Path

from psycopg import OperationalError

from benchmarks import matches
from benchmarks.bots import bare, oxo
from benchmarks.children import OURS, Tree
from benchmarks.runs import RATIO, Benchmark, Size, Target, compare, report

DELAY = 0.05
BENCHMARKS = {
    "throughput": Benchmark(
        "The whole tap",
        {"PTB as it comes, with handlers that do nothing": bare(), "OXO": oxo()},
        [Target("OXO to PTB as it comes", RATIO, 5.5)],
    ),
    "latency": Benchmark(
        "Latency with 50 ms added to each call",
        {
            "256 games": oxo(delay=DELAY, games=256),
            "{games} games": oxo(delay=DELAY),
            "one game": oxo(delay=DELAY, games=1),
        },
        [Target("ms in one game", "edit_median_ms", 55)],
    ),
    "moment": Benchmark(
        "Everybody at the same moment, with 50 ms added to each call",
        {"100 people": oxo(paced=True, delay=DELAY, games=100, moment=1.5)},
        [Target("ms at the median", "edit_median_ms", 200)],
    ),
    "webhook": Benchmark(
        "Delivery",
        {"polling": oxo(), "webhook": oxo(webhook=True)},
        [Target("webhook to polling", RATIO, 0.75)],
    ),
    "postgresql": Benchmark(
        "Databases",
        {"SQLite": oxo(), "PostgreSQL": oxo(database="postgresql")},
        [Target("PostgreSQL to SQLite", RATIO, 0.75)],
    ),
    "processes": Benchmark(
        "Processes on one PostgreSQL, by webhook",
        {
            f"{count} of them": oxo(database="postgresql", webhook=True, games=256, processes=count)
            for count in (1, 2)
        },
        [Target("two processes to one", RATIO, 1.4)],
    ),
    "growth": Benchmark(
        "Growth",
        {"empty": oxo(), "{finished:,} finished and {running:,} running games": oxo(filled=True)},
        [Target("full to empty", RATIO, 0.95)],
    ),
    "start": Benchmark(
        "Start and idle memory",
        {"PTB as it comes": bare(start_only=True), "OXO": oxo(start_only=True)},
        [Target("s until the first board", "start_s", 1.5), Target("MiB when idle", "idle_mib", 105)],
    ),
}
"""By name; ratios are to the first row."""


def main() -> int:
    """Run the benchmarks named on the command line; returns 1 if one failed to run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--rounds", type=int, default=3, help="how often each row is measured (default: 3)")
    parser.add_argument("--seconds", type=float, default=5, help="how long each run takes (default: 5)")
    parser.add_argument(
        "--against", type=Path, metavar="PATH", help="measure another checkout too, alternating with this one"
    )
    commands = parser.add_subparsers(dest="command", title="instead")
    matches.configure(commands.add_parser("matches", help="the strongest level against other programs"))
    arguments = parser.parse_args()
    if arguments.command:
        return matches.run(arguments)
    size = Size(rounds=arguments.rounds, seconds=arguments.seconds)
    trees = [OURS] if arguments.against is None else [OURS, Tree.at(arguments.against)]
    failed = 0
    for name in arguments.only or BENCHMARKS:
        benchmark = BENCHMARKS[name]
        try:
            found = compare(benchmark, size, trees)
        except OperationalError as error:
            print(f"## {benchmark.title}: left out, for want of a PostgreSQL server\n\n{error}\n", file=sys.stderr)
            continue
        except RuntimeError as error:
            failed = 1
            print(f"## {benchmark.title}: failed\n\n{error}\n", file=sys.stderr)
            continue
        for tree, rows in zip(trees, found, strict=True):
            where = "" if tree is OURS else f", in {tree.path}"
            print(f"## {benchmark.title}{where}\n\n{report(benchmark, rows)}\n", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
