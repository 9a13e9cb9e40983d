"""Runs compared fairly: the rows of a table take turns (A B A B …), and the median of each counts."""

import dataclasses
import statistics
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
    last_row_only: bool = False


QUICK = Size(
    seconds=0.5,
    warm_up=0.2,
    rounds=1,
    games=16,
    many_games=16,
    finished=10_000,
    running=1_000,
    last_row_only=True,
)


@dataclasses.dataclass(frozen=True)
class Target:
    """A target."""

    sentence: str
    value: float
    limit: float
    at_least: bool = True

    @property
    def reached(self) -> bool:
        """Whether the value is on the right side of the limit."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """A table, and its targets."""

    title: str
    rows: Callable[[Size, Tree], Mapping[str, Callable[[], Figures]]]
    """By label, functions that measure a row once in a source tree; `--quick` measures only the last row."""
    ratio: tuple[str, float] | None = None
    """The target for the ratio of the last row's taps a second to the first's, in words and as a limit."""
    others: Callable[[Rows], Sequence[Target]] = lambda _rows: ()
    """Further targets."""

    def targets(self, rows: Rows) -> Sequence[Target]:
        """All targets."""
        if self.ratio is None:
            return self.others(rows)
        sentence, limit = self.ratio
        return [Target(sentence, list(rows.values())[-1]["ratio"], limit), *self.others(rows)]


def compare(benchmark: Benchmark, size: Size, trees: Sequence[Tree]) -> dict[str, Rows]:
    """Measure all rows in turn, each in all trees; their medians by the tree's name."""
    measured = {tree.name: benchmark.rows(size, tree) for tree in trees}
    labels = list(measured[trees[0].name])[-1 if size.last_row_only else 0 :]
    runs: dict[tuple[str, str], list[Figures]] = {}
    for _ in range(size.rounds):
        for label in labels:
            for tree, rows in measured.items():
                runs.setdefault((tree, label), []).append(rows[label]())
    found = {tree: {label: _medians(runs[tree, label]) for label in labels} for tree in measured}
    for medians in found.values():
        if benchmark.ratio is not None:
            for row in medians.values():
                row["ratio"] = row["taps_per_s"] / medians[labels[0]]["taps_per_s"]
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
    "postgresql_cpu": ("PostgreSQL", "{:.2f}"),
    "resident_mib": ("MiB", "{:.0f}"),
    "idle_mib": ("MiB idle", "{:.0f}"),
    "start_s": ("s to first answer", "{:.2f}"),
    "import_ms": ("import, ms", "{:.1f}"),
    "table_ms": ("first answer, ms", "{:.1f}"),
    "answer_us": ("any later, µs", "{:.3f}"),
    "stuck": ("stuck", "{:.0f}"),
}
RARE = {"stuck", "postgresql_cpu"}
"""Columns that only tell something where they are not 0."""


def table(benchmark: Benchmark, found: Mapping[str, Rows], *, judge: bool) -> str:
    """A report in Markdown; with `judge`, it says which targets this tree has reached."""
    rows = {
        (label if len(found) == 1 else f"{label}, {tree}"): row
        for label in next(iter(found.values()))
        for tree, of_tree in found.items()
        for row in [of_tree[label]]
    }
    columns = [
        name for name in COLUMNS if any(name in row and (row[name] or name not in RARE) for row in rows.values())
    ]
    lines = [f"## {benchmark.title}", ""]
    lines.append("| | " + " | ".join(COLUMNS[name][0] for name in columns) + " |")
    lines.append("|---|" + "---:|" * len(columns))
    for label, row in rows.items():
        shown = [COLUMNS[name][1].format(row[name]) if name in row else "" for name in columns]
        lines.append(f"| {label} | " + " | ".join(shown) + " |")
    lines.append("")
    for ours, *theirs in zip(*map(benchmark.targets, found.values()), strict=True) if judge else ():
        beside = "".join(f" (there {other.value:.2f})" for other in theirs)
        sign, verdict = "≥" if ours.at_least else "≤", "reached" if ours.reached else "MISSED"
        lines.append(f"- {ours.sentence}: {ours.value:.2f}{beside}, {sign} {ours.limit:g} wanted: {verdict}")
    return "\n".join(lines)
