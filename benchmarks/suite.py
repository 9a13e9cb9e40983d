"""The benchmarks by name. The ratios in a table are to its first row."""

from benchmarks.bots import bare, engine, oxo
from benchmarks.runs import Benchmark, Target

DELAY = 0.05


def _taps(sentence: str, limit: float) -> Target:
    """How many taps the last row has to carry, to the first."""
    return Target(sentence, "taps_per_s", limit, to_first=True, at_least=True)


BENCHMARKS = {
    "throughput": Benchmark(
        "The whole tap",
        {"PTB as it comes, with handlers that do nothing": bare(), "OXO": oxo()},
        [_taps("OXO to PTB as it comes", 5)],
    ),
    "latency": Benchmark(
        "Latency with 50 ms added to each call",
        {
            "{games} games, open loop of 300 taps/s": oxo(delay=DELAY, rate=300),
            "{games} games": oxo(delay=DELAY),
            "{games} games beside a flood-limited group of 16": oxo(delay=DELAY, group_games=16),
            "one game": oxo(delay=DELAY, games=1),
        },
        [Target("ms in one game", "edit_median_ms", 55)],
    ),
    "crowd": Benchmark(
        "A crowd, with 50 ms added to each call", {"{many_games} games": oxo(delay=DELAY, crowded=True)}
    ),
    "moment": Benchmark(
        "Everybody at the same moment, with 50 ms added to each call",
        {"100 people": oxo(paced=True, delay=DELAY, games=100, moment=1.5)},
        [Target("ms at the median", "edit_median_ms", 200)],
    ),
    "thinking": Benchmark(
        "Other people's taps beside four searches, at half load",
        {"alone": oxo(half_load=True), "beside four searches": oxo(half_load=True, thinkers=4)},
        [Target("median beside searches", "edit_median_ms", 1.1, to_first=True)],
    ),
    "webhook": Benchmark(
        "Delivery", {"polling": oxo(), "webhook": oxo(webhook=True)}, [_taps("webhook to polling", 0.7)]
    ),
    "postgresql": Benchmark(
        "Databases",
        {"SQLite": oxo(), "PostgreSQL": oxo(database="postgresql")},
        [_taps("PostgreSQL to SQLite", 0.55)],
    ),
    "processes": Benchmark(
        "Processes on one PostgreSQL, by webhook",
        {
            f"{count} of them": oxo(database="postgresql", webhook=True, crowded=True, processes=count)
            for count in (1, 2)
        },
        [_taps("two processes to one", 1.4)],
    ),
    "growth": Benchmark(
        "Growth",
        {"empty": oxo(), "{finished:,} finished and {running:,} running games": oxo(filled=True)},
        [_taps("full to empty", 0.95)],
    ),
    "start": Benchmark(
        "Start and idle memory",
        {"PTB as it comes": bare(start_only=True), "OXO": oxo(migrated=True, start_only=True)},
        [Target("s until the first board", "start_s", 1.5), Target("MiB when idle", "idle_mib", 130)],
    ),
    "engine": Benchmark("Engine", {"perfect on 3x3": engine}, [Target("µs for an answer", "answer_us", 50)]),
}

NEED_POSTGRESQL = {"postgresql", "processes"}
