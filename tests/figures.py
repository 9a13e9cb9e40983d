"""What long proofs did and found, test by test and summed up, printed at the end of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import pytest

PROPERTY = "figures"
"""The property of a test's report that holds them, which reaches the summary from other processes too."""


@dataclass
class Figures:
    """What a proof did and found. Nothing may be lost, doubled, invented, wrong, stuck or unhealed."""

    runs: int = 0
    faults: int = 0
    taps: int = 0
    moves_made: int = 0
    moves_lost: int = 0
    moves_invented: int = 0
    results: int = 0
    results_lost: int = 0
    results_doubled: int = 0
    boards: int = 0
    boards_wrong: int = 0
    games_stuck: int = 0
    twins: int = 0
    twins_unhealed: int = 0
    most_seconds_to_settle: float = 0.0

    @property
    def amiss(self) -> dict[str, int]:
        """What there is of what there may be none of."""
        names = (
            "moves_lost",
            "moves_invented",
            "results_lost",
            "results_doubled",
            "boards_wrong",
            "games_stuck",
            "twins_unhealed",
        )
        return {name: found for name in names if (found := getattr(self, name))}

    def add(self, other: Figures) -> None:
        """Add the figures of another proof; the longest time is the longer one."""
        for name, value in asdict(other).items():
            own = getattr(self, name)
            setattr(self, name, max(own, value) if isinstance(value, float) else own + value)


def summary(reports: Iterable[pytest.TestReport]) -> list[str]:
    """All figures in the reports: a line for each test, whatever its parameters, and one for all."""
    found: defaultdict[str, Figures] = defaultdict(Figures)
    for report in reports:
        for name, value in report.user_properties:
            if name == PROPERTY:
                figures = Figures(**_named(value))
                for test in (report.nodeid.rpartition("::")[2].partition("[")[0], "All of them"):
                    found[test].add(figures)
    return [
        f"{test}: " + ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in asdict(each).items())
        for test, each in sorted(found.items(), key=lambda row: row[0] == "All of them")
    ]


def _named(value: object) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value
