"""Metrics for Prometheus: plain numbers while the bot works, turned into its format when they are read."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry, Metric, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""The upper bounds of the histograms, in seconds."""


class Seconds:
    """A histogram of durations; one thread observes, any may read."""

    def __init__(self) -> None:
        """Nothing observed yet."""
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Cumulated counts by upper bound, as Prometheus wants them."""
        below, buckets = 0, []
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            below += count
            buckets.append((bound, float(below)))
        return buckets


class Queue(NamedTuple):
    """What waits to be sent: how many entries, in how many chats, and for how long the oldest board has."""

    entries: int = 0
    chats: int = 0
    oldest: float = 0.0


class Metrics:
    """The numbers of one process; the code that does the work updates them."""

    def __init__(self) -> None:
        """All numbers are 0."""
        self.updates: Counter[tuple[str, str]] = Counter()
        """Updates by kind and outcome."""
        self.errors: Counter[str] = Counter()
        """Failed calls to Telegram by their meaning (`bot.delivery.telegram_errors.Failure`)."""
        self.dropped = 0
        """Messages and answers that were not sent because too much waited."""
        self.tap_to_edit = Seconds()
        self.database = Seconds()
        self.database_jobs = 0
        self.thinking = Seconds()
        self.thinking_queue: Callable[[], int] = int
        self.games: Mapping[str, int] = {}
        """Games by state, as last counted."""
        self.queue: Callable[[], Queue] = Queue
        self.database_queue: Callable[[], int] = int
        self._registry = CollectorRegistry()
        self._registry.register(_Families(self))
        ProcessCollector(registry=self._registry)

    def transacted(self, seconds: float, jobs: int) -> None:
        """Count a database transaction; called in the writer's thread."""
        self.database.observe(seconds)
        self.database_jobs += jobs

    def text(self) -> bytes:
        """Everything in Prometheus's text format."""
        return generate_latest(self._registry)


class _Families(Collector):
    """Collects the numbers for Prometheus."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def describe(self) -> Iterable[Metric]:
        """Nothing: the metric families needn't be known before they are read."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """All metric families with their present values."""
        metrics = self._metrics
        updates = CounterMetricFamily("oxo_updates", "Updates from Telegram", labels=("kind", "outcome"))
        for labels, number in metrics.updates.copy().items():
            updates.add_metric(labels, number)
        yield updates
        errors = CounterMetricFamily("oxo_telegram_errors", "Failed calls to Telegram", labels=("kind",))
        for kind, number in metrics.errors.copy().items():
            errors.add_metric((kind,), number)
        yield errors
        yield CounterMetricFamily("oxo_dropped", "Messages and answers dropped, too many waited", metrics.dropped)
        yield _histogram("oxo_tap_to_edit_seconds", "From a tap's arrival to its edit", metrics.tap_to_edit)
        yield _histogram("oxo_database_seconds", "Durations of database transactions", metrics.database)
        yield CounterMetricFamily(
            "oxo_database_jobs", "Jobs that transactions were made of", metrics.database_jobs
        )
        yield GaugeMetricFamily("oxo_database_queue", "Jobs that wait for the database", metrics.database_queue())
        yield _histogram("oxo_thinking_seconds", "From a job for another process to its answer", metrics.thinking)
        yield GaugeMetricFamily(
            "oxo_thinking_queue", "Jobs for other processes that wait or are being done", metrics.thinking_queue()
        )
        queue = metrics.queue()
        yield GaugeMetricFamily("oxo_publisher_queue", "Boards and messages that wait to be sent", queue.entries)
        yield GaugeMetricFamily("oxo_publisher_chats", "Chats that something waits for", queue.chats)
        lag = "For how long the oldest waiting board has waited"
        yield GaugeMetricFamily("oxo_publisher_lag_seconds", lag, queue.oldest)
        games = GaugeMetricFamily("oxo_games", "Games by state", labels=("state",))
        for state, number in metrics.games.items():
            games.add_metric((state,), number)
        yield games


def _histogram(name: str, words: str, seconds: Seconds) -> HistogramMetricFamily:
    return HistogramMetricFamily(name, words, buckets=seconds.buckets(), sum_value=seconds.total)


def since(started: float | None) -> float:
    """Seconds since a `time.perf_counter`, 0 for None."""
    return 0.0 if started is None else time.perf_counter() - started
