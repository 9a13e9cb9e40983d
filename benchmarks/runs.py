"""Runs compared fairly: the rows of a table take turns (A B A B …), and the median of each counts."""

import dataclasses
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from benchmarks.children import Tree

Figures: TypeAlias = dict[str, float]
"""What was measured, by name; `COLUMNS` has those that tables show."""
Rows: TypeAlias = dict[str, Figures]
RATIO = "ratio"
"""The figure that is a row's taps, to those of the first row."""


@dataclasses.dataclass(frozen=True)
class Size:
    """How long the runs are, and how many people play."""

    seconds: float = 5
    warm_up: float = 2
    rounds: int = 3
    games: int = 64
    finished: int = 200_000
    running: int = 5_000


Measure: TypeAlias = Callable[[Size, Tree], Figures]
"""Measures a row once in a checkout."""


class Target(NamedTuple):
    """What a figure of the last row should be: at least this if it is a ratio, else at most."""

    sentence: str
    figure: str
    limit: float

    def verdict(self, rows: Rows) -> str:
        """A line that says whether it is reached."""
        value = list(rows.values())[-1][self.figure]
        reached, sign = (value >= self.limit, "≥") if self.figure == RATIO else (value <= self.limit, "≤")
        return (
            f"- {self.sentence}: {value:.2f}, {sign} {self.limit:g} wanted: {'reached' if reached else 'MISSED'}"
        )


class Benchmark(NamedTuple):
    """A table, and its targets."""

    title: str
    rows: Mapping[str, Measure]
    """By label, which may name fields of the size."""
    targets: Sequence[Target]


def compare(benchmark: Benchmark, size: Size, trees: Sequence[Tree]) -> list[Rows]:
    """Measure all rows in turn, each in all trees; their medians for each tree."""
    runs: list[dict[str, list[Figures]]] = [defaultdict(list) for _ in trees]
    for _ in range(size.rounds):
        for label, measure in benchmark.rows.items():
            for tree, of_tree in zip(trees, runs, strict=True):
                of_tree[label.format(**vars(size))].append(measure(size, tree))
    found = [{label: _medians(each) for label, each in of_tree.items()} for of_tree in runs]
    if any(target.figure == RATIO for target in benchmark.targets):
        for rows in found:
            first, *_ = rows.values()
            for row in rows.values():
                row[RATIO] = row["taps_per_s"] / first["taps_per_s"]
    return found


def _medians(runs: Sequence[Figures]) -> Figures:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


COLUMNS = {
    "taps_per_s": ("taps/s", "{:,.0f}"),
    RATIO: ("ratio", "{:.2f}"),
    "edit_median_ms": ("median ms to edit", "{:.1f}"),
    "edit_p99_ms": ("p99 ms", "{:.1f}"),
    "answer_median_ms": ("median ms to answer", "{:.1f}"),
    "tap_us": ("µs a tap", "{:.0f}"),
    "bot_cpu": ("cores, bot", "{:.2f}"),
    "generator_cpu": ("generator", "{:.2f}"),
    "resident_mib": ("MiB", "{:.0f}"),
    "idle_mib": ("MiB idle", "{:.0f}"),
    "start_s": ("s to first answer", "{:.2f}"),
    "stuck": ("stuck", "{:.0f}"),
}


def report(benchmark: Benchmark, rows: Rows) -> str:
    """The table in Markdown, and which targets are reached."""
    columns = [name for name in COLUMNS if any(name in row for row in rows.values())]
    lines = ["| | " + " | ".join(COLUMNS[name][0] for name in columns) + " |", "|---|" + "---:|" * len(columns)]
    for label, row in rows.items():
        lines.append(f"| {label} | " + " | ".join(COLUMNS[name][1].format(row[name]) for name in columns) + " |")
    return "\n".join([*lines, "", *(target.verdict(rows) for target in benchmark.targets)])
