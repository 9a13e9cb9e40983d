"""Runs of the load generator, compared fairly: the variants take turns, and medians count."""

import contextlib
import dataclasses
import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from benchmarks.children import ROOT
from benchmarks.load import Load

Variant = Callable[[], AbstractContextManager[Load]]
"""Prepares a run (a database of its own) and cleans up behind it."""

Figures = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Size:
    """How long the runs of a suite are."""

    seconds: float = 5
    warm_up: float = 2
    rounds: int = 3
    games: int = 64
    many_games: int = 256
    finished: int = 1_000_000
    running: int = 10_000
    storage_seconds: float = 2
    processes: tuple[int, ...] = (1, 2, 4)


QUICK = Size(
    seconds=0.5,
    warm_up=0.2,
    rounds=1,
    games=16,
    many_games=16,
    finished=10_000,
    running=1_000,
    storage_seconds=0.1,
    processes=(1, 2),
)


@dataclasses.dataclass
class Target:
    """What must be reached."""

    sentence: str
    value: float
    limit: float
    at_least: bool = True

    @property
    def reached(self) -> bool:
        """Whether the value is on the right side of the limit."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclasses.dataclass
class Report:
    """The outcome of one benchmark: a table and the targets that it answers for."""

    title: str
    rows: dict[str, Figures]
    targets: list[Target] = dataclasses.field(default_factory=list)


def play(load: Load) -> Figures:
    """Run the load generator in a process of its own.

    Raises:
        RuntimeError: with what it wrote, if it failed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", json.dumps(dataclasses.asdict(load))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-4000:])
    figures: Figures = json.loads(done.stdout)
    return figures


def compare(variants: dict[str, Variant], rounds: int) -> dict[str, Figures]:
    """Run the variants in turn (A B A B …) and give each one's median figures; the runs are kept as `runs`."""
    runs: dict[str, list[Figures]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, variant in variants.items():
            with variant() as load:
                runs[name].append(play(load))
    return {name: _medians(figures) | {"runs": figures} for name, figures in runs.items()}


def _medians(runs: list[Figures]) -> Figures:
    found: Figures = {}
    for name, value in runs[0].items():
        if isinstance(value, int | float):
            found[name] = statistics.median(run[name] for run in runs)
        elif name == "bot_cpu":
            found["bots_cpu"] = statistics.median(sum(run[name]) for run in runs)
        elif name == "group":
            found["group_taps_per_s"] = statistics.median(run[name]["taps_per_s"] for run in runs)
    return found


@contextlib.contextmanager
def prepared(load: Load) -> Any:  # noqa: ANN401 - contextlib wraps it
    """A load that needs nothing prepared."""
    yield load


_SHOWN = {
    "taps_per_s": ("taps/s", "{:,.0f}"),
    "rate": ("taps/s", "{:,.0f}"),
    "ratio": ("ratio", "{:.2f}"),
    "edit_median_ms": ("median ms to edit", "{:.1f}"),
    "edit_p99_ms": ("p99 ms", "{:.1f}"),
    "answer_median_ms": ("median ms to answer", "{:.1f}"),
    "median_ms": ("median ms", "{:.1f}"),
    "p99_ms": ("p99 ms", "{:.1f}"),
    "thoughts_per_s": ("searches/s", "{:.1f}"),
    "group_taps_per_s": ("taps/s in the group", "{:.1f}"),
    "new_games": ("new games", "{:.0%}"),
    "bots_cpu": ("cores, bot", "{:.2f}"),
    "tap_us": ("µs a tap", "{:.0f}"),
    "generator_cpu": ("generator", "{:.2f}"),
    "postgresql_cpu": ("PostgreSQL", "{:.2f}"),
    "resident_mib": ("MiB", "{:.0f}"),
    "ms": ("ms", "{:.0f}"),
    "mib": ("MiB", "{:.1f}"),
    "idle_mib": ("MiB idle", "{:.0f}"),
    "start_s": ("s to first answer", "{:.2f}"),
    "start_cpu_s": ("s of processor", "{:.2f}"),
    "stuck": ("stuck", "{:.0f}"),
    "value": ("value", "{:,.3g}"),
    "unit": ("", "{}"),
}


def table(report: Report, *, judge: bool) -> str:
    """A report in Markdown; `judge` says which targets were reached."""
    present = [name for name in _SHOWN if any(name in row for row in report.rows.values())]
    idle = {"stuck", "new_games", "postgresql_cpu", "group_taps_per_s"}
    columns = [name for name in present if name not in idle or any(row.get(name) for row in report.rows.values())]
    lines = [f"## {report.title}", ""]
    lines.append("| | " + " | ".join(_SHOWN[name][0] for name in columns) + " |")
    lines.append("|---|" + "---:|" * len(columns))
    for label, row in report.rows.items():
        shown = [_SHOWN[name][1].format(row[name]) if name in row else "" for name in columns]
        lines.append(f"| {label} | " + " | ".join(shown) + " |")
    lines.append("")
    for target in report.targets if judge else ():
        sign = "≥" if target.at_least else "≤"
        verdict = "reached" if target.reached else "MISSED"
        lines.append(f"- {target.sentence}: {target.value:.2f}, {sign} {target.limit:g} wanted: {verdict}")
    return "\n".join(lines)
