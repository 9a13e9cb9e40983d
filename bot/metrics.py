"""Metrics for Prometheus."""

import time
from collections.abc import Mapping
from functools import cache, partial
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""The upper bounds of the histograms, in seconds."""

disable_created_metrics()  # type: ignore[no-untyped-call] # when a number was first counted is of no use


class Metrics:
    """The numbers of one process; the code that does the work updates them, or says how they are read."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=own), partial(Gauge, registry=own)
        seconds = partial(Histogram, buckets=BOUNDS, registry=own)
        self._updates = cache(counter("oxo_updates", "Updates from Telegram", ("kind", "outcome")).labels)
        self._errors = counter("oxo_telegram_errors", "Failed calls to Telegram", ("kind",))
        self.dropped = counter("oxo_dropped", "Messages and answers dropped, too many waited")
        self.tap_to_edit = seconds("oxo_tap_to_edit_seconds", "From a tap's arrival to its edit")
        self._database = seconds("oxo_database_seconds", "Durations of database transactions")
        self._jobs = counter("oxo_database_jobs", "Jobs that transactions were made of")
        self.database_queue = gauge("oxo_database_queue", "Jobs that wait for the database")
        self.thinking = seconds("oxo_thinking_seconds", "From a job for another process to its answer")
        self.thinking_queue = gauge("oxo_thinking_queue", "Jobs for other processes that wait or are being done")
        self.publisher_queue = gauge("oxo_publisher_queue", "Boards and messages that wait to be sent")
        self.publisher_chats = gauge("oxo_publisher_chats", "Chats that something waits for")
        self.publisher_lag = gauge("oxo_publisher_lag_seconds", "For how long the oldest waiting board has waited")
        self._games = gauge("oxo_games", "Games by state", ("state",))
        ProcessCollector(registry=own)

    def updated(self, kind: str, outcome: str) -> None:
        self._updates(kind, outcome).inc()

    def failed(self, failure: str) -> None:
        """Count a failed call to Telegram by its meaning (`bot.delivery.telegram_errors.Failure`)."""
        self._errors.labels(failure).inc()

    def transacted(self, seconds: float, jobs: int) -> None:
        """Count a database transaction; called in the writer's thread."""
        self._database.observe(seconds)
        self._jobs.inc(jobs)

    def count_games(self, by_state: Mapping[str, int]) -> None:
        """Note how many games there are, instead of what was noted before."""
        self._games.clear()
        for state, number in by_state.items():
            self._games.labels(state).set(number)

    def text(self) -> bytes:
        return generate_latest(self._registry)


def seconds_since(started: float | None) -> float:
    """Seconds since a `time.perf_counter`, 0 for None."""
    return 0.0 if started is None else time.perf_counter() - started
