"""The size of the proofs, and a summary of their results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS: Final = ("", "5x5", "ultimate")
"""What is played, in turn, in the words that people type."""


@dataclass
class Figures:
    """What a proof did and found."""

    runs: int = 0
    faults: int = 0
    taps: int = 0
    moves_made: int = 0
    moves_lost: int = 0
    moves_invented: int = 0
    boards: int = 0
    boards_wrong: int = 0
    games_stuck: int = 0
    boards_sent_twice: int = 0
    seconds_to_settle: float = 0.0

    def __str__(self) -> str:
        return ", ".join(
            f"{name.replace('_', ' ')} {value:.1f}"
            if isinstance(value, float)
            else f"{name.replace('_', ' ')} {value}"
            for name, value in asdict(self).items()
        )


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Iterator[Figures]:
    """The figures of a test, for the summary."""
    figures = Figures()
    yield figures
    request.node.user_properties.append(("figures", f"{request.node.name}: {figures}"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures of all proofs."""
    lines = [
        str(value)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "teardown" or getattr(report, "when", "") == "call"
        for name, value in getattr(report, "user_properties", ())
        if name == "figures"
    ]
    if lines:
        terminalreporter.section("faults")
        for line in sorted(set(lines)):
            terminalreporter.write_line(line)
