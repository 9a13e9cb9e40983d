"""Runs compared fairly: the rows of a table take turns (A B A B …), and the median of each counts."""

import dataclasses
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from benchmarks.children import Tree

Figures: TypeAlias = dict[str, float]
"""What was measured, by name; `COLUMNS` has those that tables show."""
Rows: TypeAlias = dict[str, Figures]


@dataclasses.dataclass(frozen=True)
class Size:
    """How long the runs are, and how many people play."""

    seconds: float = 5
    warm_up: float = 2
    rounds: int = 3
    games: int = 64
    many_games: int = 256
    finished: int = 200_000
    running: int = 5_000


QUICK = Size(seconds=0.5, warm_up=0.2, rounds=1, games=16, many_games=16, finished=10_000, running=1_000)


Measure: TypeAlias = Callable[[Size, Tree], Figures]
"""Measures a row once in a checkout."""


@dataclasses.dataclass(frozen=True)
class Target:
    """What a figure of the last row should be at most."""

    sentence: str
    figure: str
    limit: float
    to_first: bool = False
    """Its ratio to the first row's figure."""
    at_least: bool = False

    def value(self, rows: Rows) -> float:
        figures = [row[self.figure] for row in rows.values()]
        return figures[-1] / figures[0] if self.to_first else figures[-1]

    def verdict(self, ours: Rows, theirs: Sequence[Rows]) -> str:
        """A line that says whether it is reached, and what other checkouts have."""
        value = self.value(ours)
        beside = "".join(f" (there {self.value(rows):.2f})" for rows in theirs)
        reached = value >= self.limit if self.at_least else value <= self.limit
        sign, word = "≥" if self.at_least else "≤", "reached" if reached else "MISSED"
        return f"- {self.sentence}: {value:.2f}{beside}, {sign} {self.limit:g} wanted: {word}"


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """A table, and its targets."""

    title: str
    rows: Mapping[str, Measure]
    """By label, which may name fields of the size."""
    targets: Sequence[Target] = ()


def compare(benchmark: Benchmark, size: Size, trees: Sequence[Tree]) -> dict[str, Rows]:
    """Measure all rows in turn, each in all trees; their medians by the tree's name."""
    runs: dict[str, dict[str, list[Figures]]] = {tree.name: defaultdict(list) for tree in trees}
    for _ in range(size.rounds):
        for label, measure in benchmark.rows.items():
            for tree in trees:
                runs[tree.name][label.format(**vars(size))].append(measure(size, tree))
    found = {tree: {label: _medians(each) for label, each in rows.items()} for tree, rows in runs.items()}
    if any(target.at_least for target in benchmark.targets):
        for medians in found.values():
            for row in medians.values():
                row["ratio"] = row["taps_per_s"] / next(iter(medians.values()))["taps_per_s"]
    return found


def _medians(runs: Sequence[Figures]) -> Figures:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


COLUMNS = {
    "taps_per_s": ("taps/s", "{:,.0f}"),
    "ratio": ("ratio", "{:.2f}"),
    "edit_median_ms": ("median ms to edit", "{:.1f}"),
    "edit_p99_ms": ("p99 ms", "{:.1f}"),
    "answer_median_ms": ("median ms to answer", "{:.1f}"),
    "tap_us": ("µs a tap", "{:.0f}"),
    "bot_cpu": ("cores, bot", "{:.2f}"),
    "generator_cpu": ("generator", "{:.2f}"),
    "resident_mib": ("MiB", "{:.0f}"),
    "idle_mib": ("MiB idle", "{:.0f}"),
    "start_s": ("s to first answer", "{:.2f}"),
    "import_ms": ("import, ms", "{:.1f}"),
    "first_ms": ("first answer, ms", "{:.1f}"),
    "answer_us": ("any later, µs", "{:.1f}"),
    "stuck": ("stuck", "{:.0f}"),
}


def table(benchmark: Benchmark, found: Mapping[str, Rows], *, judge: bool) -> str:
    """A report in Markdown; with `judge`, it says which targets this tree has reached."""
    rows = {
        (label if len(found) == 1 else f"{label}, {tree}"): of_tree[label]
        for label in next(iter(found.values()))
        for tree, of_tree in found.items()
    }
    columns = [name for name in COLUMNS if any(name in row for row in rows.values())]
    lines = [f"## {benchmark.title}", ""]
    lines.append("| | " + " | ".join(COLUMNS[name][0] for name in columns) + " |")
    lines.append("|---|" + "---:|" * len(columns))
    for label, row in rows.items():
        shown = [COLUMNS[name][1].format(row[name]) if name in row else "" for name in columns]
        lines.append(f"| {label} | " + " | ".join(shown) + " |")
    lines.append("")
    if judge:
        ours, *theirs = found.values()
        lines += [target.verdict(ours, theirs) for target in benchmark.targets]
    return "\n".join(lines)
