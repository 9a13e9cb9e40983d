"""The table of what proofs found."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from tests.figures import PROPERTY, Figures, summary


def report_of(test: str, figures: Figures) -> pytest.TestReport:
    """A report as it comes from the process that ran the test."""
    report = pytest.TestReport(
        nodeid=f"tests/faults/test_x.py::{test}",
        location=("", None, ""),
        keywords={},
        outcome="passed",
        longrepr=None,
        when="teardown",
        user_properties=[(PROPERTY, asdict(figures))],
    )
    return pytest.TestReport._from_json(report._to_json())  # noqa: SLF001 - as pytest-xdist sends it


def test_each_test_has_a_row_and_the_last_one_adds_all_up() -> None:
    first = Figures(runs=3, moves_made=1000, twins=1, most_seconds_to_settle=2.0)
    second = Figures(runs=4, moves_made=500, moves_lost=1, most_seconds_to_settle=1.5)
    third = Figures(runs=1, boards_wrong=2)
    lines = summary(
        [report_of("test_kills[a]", first), report_of("test_kills[b]", second), report_of("test_more", third)]
    )
    rows = {line.split()[-1]: " ".join(line.split()[:15]) for line in lines[-3:]}
    assert rows["test_kills"] == "7 0 0 1,500 1 0 0 0 0 0 0 0 1 0 2.0"
    assert rows["test_more"] == "1 0 0 0 0 0 0 0 0 0 2 0 0 0 0.0"
    assert rows["them"] == "8 0 0 1,500 1 0 0 0 0 0 2 0 1 0 2.0"
    assert summary([]) == []
