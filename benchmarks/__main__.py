"""Run the benchmarks, print their tables, and keep the figures in `benchmarks/results/`."""

import argparse
import dataclasses
import datetime as dt
import json
import os
import platform
import sys
from pathlib import Path

from benchmarks.runs import QUICK, Report, Size, table
from benchmarks.suite import BENCHMARKS

RESULTS = Path(__file__).with_name("results")


def main() -> int:
    """Run what the command line names; 1 if a benchmark failed to run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a second or two each, which shows that they work and no more"
    )
    parser.add_argument("--only", action="append", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--rounds", type=int, help="how often each variant runs (default: 3)")
    parser.add_argument("--seconds", type=float, help="how long each run is measured (default: 5)")
    arguments = parser.parse_args()
    size = QUICK if arguments.quick else Size()
    chosen = {name: value for name in ("rounds", "seconds") if (value := getattr(arguments, name)) is not None}
    size = dataclasses.replace(size, **chosen)
    reports: dict[str, Report] = {}
    failed = 0
    for name in arguments.only or BENCHMARKS:
        try:
            reports[name] = BENCHMARKS[name](size)
        except RuntimeError as error:
            failed = 1
            print(f"## {name} failed\n\n{error}\n", file=sys.stderr)
        else:
            print(table(reports[name], judge=not arguments.quick), end="\n\n", flush=True)
    print(f"Figures: {_keep(size, reports)}")
    return failed


def _keep(size: Size, reports: dict[str, Report]) -> Path:
    """Write everything that was measured to a file of its own."""
    now = dt.datetime.now(dt.UTC)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{now:%Y%m%d-%H%M%S}.json"
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.platform()}
    kept = {
        "at": now.isoformat(timespec="seconds"),
        "machine": machine,
        "size": dataclasses.asdict(size),
        "benchmarks": {name: dataclasses.asdict(report) for name, report in reports.items()},
    }
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
