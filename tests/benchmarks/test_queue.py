"""The simulated queue: a short day, which the same seed repeats."""

from __future__ import annotations

from benchmarks.queue import percentile, row, simulate
from bot.game.pairing import WINDOW, Window


def test_everybody_who_comes_is_paired_or_has_left_or_was_dropped() -> None:
    found = simulate(200, WINDOW, 1)
    assert found.came == found.paired + found.left + found.dropped
    assert len(found.waits) == found.paired == 2 * len(found.distances)
    assert row(200, WINDOW, found).count("|") == 11


def test_the_window_brings_people_nearer_together_and_the_same_seed_the_same_figures() -> None:
    window = simulate(2000, WINDOW, 2)
    anybody = simulate(2000, Window(1e9, 0, 0), 2)
    assert percentile(window.distances, 0.95) < percentile(anybody.distances, 0.95)
    assert percentile(window.waits, 0.5) < 60
    assert simulate(150, WINDOW, 3) == simulate(150, WINDOW, 3)
