"""Farming for a rating does not pay: a short run of the simulation, which the same seed repeats."""

from __future__ import annotations

import pytest

from benchmarks.farming import RINGS, STRATEGIES, simulate


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_farmer_ends_no_higher_than_the_best_of_those_who_are_as_strong(strategy: str) -> None:
    found = simulate(strategy, people=200, days=25, seed=1)
    assert found.farmer <= found.honest, found


@pytest.mark.parametrize("strategy", RINGS)
def test_a_ring_of_many_accounts_lifts_a_farmer_no_higher(strategy: str) -> None:
    found = simulate(strategy, people=1000, days=10, seed=1, ring=100)
    assert found.farmer <= found.honest, found


def test_the_same_seed_gives_the_same_figures() -> None:
    assert simulate("a ring", people=60, days=6, seed=3) == simulate("a ring", people=60, days=6, seed=3)
    assert simulate("a ring", people=60, days=6, seed=3) != simulate("a ring", people=60, days=6, seed=4)
