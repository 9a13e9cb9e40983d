"""Run the benchmarks and print their tables."""

import argparse
import dataclasses
import sys
from pathlib import Path

from benchmarks.children import OURS, Tree
from benchmarks.databases import postgresql_is_there
from benchmarks.runs import QUICK, Size, compare, table
from benchmarks.suite import BENCHMARKS, NEED_POSTGRESQL


def main() -> int:
    """Run the benchmarks named on the command line; returns 1 if one failed to run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="one run of each row, half a second long: only shows that they work"
    )
    parser.add_argument("--only", action="append", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--rounds", type=int, help="how often each row is measured (default: 3)")
    parser.add_argument("--seconds", type=float, help="how long each run takes (default: 5)")
    parser.add_argument(
        "--against", type=Path, metavar="PATH", help="measure another checkout too, alternating with this one"
    )
    arguments = parser.parse_args()
    usual = QUICK if arguments.quick else Size()
    size = dataclasses.replace(
        usual, rounds=arguments.rounds or usual.rounds, seconds=arguments.seconds or usual.seconds
    )
    trees = [OURS] if arguments.against is None else [OURS, Tree.at(arguments.against)]
    failed = 0
    for name in arguments.only or BENCHMARKS:
        if name in NEED_POSTGRESQL and not postgresql_is_there():
            print(f"## {name} is left out: no PostgreSQL server answers\n")
            continue
        try:
            found = compare(BENCHMARKS[name], size, trees)
            print(table(BENCHMARKS[name], found, judge=not arguments.quick), end="\n\n", flush=True)
        except RuntimeError as error:
            failed = 1
            print(f"## {name} failed\n\n{error}\n", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
