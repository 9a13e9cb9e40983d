"""The benchmarks by name. The ratios in a table are to its first row."""

from benchmarks.bots import bare, engine, oxo
from benchmarks.runs import Benchmark, Target, figure

DELAY = 0.05

BENCHMARKS = {
    "throughput": Benchmark(
        "The whole tap",
        {"PTB as it comes, with handlers that do nothing": bare(), "OXO": oxo()},
        ratio=("OXO to PTB as it comes", 5),
    ),
    "latency": Benchmark(
        "Latency with 50 ms added to each call",
        {
            "one game": oxo(delay=DELAY, games=1),
            "{games} games, open loop of 300 taps/s": oxo(delay=DELAY, rate=300),
            "{games} games": oxo(delay=DELAY),
            "{games} games beside a flood-limited group of 16": oxo(delay=DELAY, group_games=16),
        },
        others=[Target("ms in one game", figure("edit_median_ms", row=0), 55)],
    ),
    "crowd": Benchmark(
        "A crowd, with 50 ms added to each call", {"{many_games} games": oxo(delay=DELAY, crowded=True)}
    ),
    "moment": Benchmark(
        "Everybody at the same moment, with 50 ms added to each call",
        {"100 people": oxo(paced=True, delay=DELAY, games=100, moment=1.5)},
        others=[Target("ms at the median", figure("edit_median_ms"), 200)],
    ),
    "thinking": Benchmark(
        "Other people's taps beside four searches, at half load",
        {"alone": oxo(half_load=True), "beside four searches": oxo(half_load=True, thinkers=4)},
        others=[
            Target(
                "median beside searches",
                lambda rows: figure("edit_median_ms")(rows) / figure("edit_median_ms", row=0)(rows),
                1.1,
            ),
            Target(
                "ms more at p99",
                lambda rows: figure("edit_p99_ms")(rows) - figure("edit_p99_ms", row=0)(rows),
                20,
            ),
        ],
    ),
    "webhook": Benchmark(
        "Delivery", {"polling": oxo(), "webhook": oxo(webhook=True)}, ratio=("webhook to polling", 0.7)
    ),
    "postgresql": Benchmark(
        "Databases",
        {"SQLite": oxo(), "PostgreSQL": oxo(database="postgresql")},
        ratio=("PostgreSQL to SQLite", 0.55),
    ),
    "processes": Benchmark(
        "Processes on one PostgreSQL, by webhook",
        {
            f"{count} of them": oxo(database="postgresql", webhook=True, crowded=True, processes=count)
            for count in (1, 2)
        },
        ratio=("two processes to one", 1.4),
    ),
    "growth": Benchmark(
        "Growth",
        {"empty": oxo(), "{finished:,} finished and {running:,} running games": oxo(filled=True)},
        ratio=("full to empty", 0.95),
    ),
    "start": Benchmark(
        "Start and idle memory",
        {"PTB as it comes": bare(start_only=True), "OXO": oxo(migrated=True, start_only=True)},
        others=[
            Target("s until the first board", figure("start_s"), 1.5),
            Target("MiB when idle", figure("idle_mib"), 130),
        ],
    ),
    "engine": Benchmark(
        "Engine", {"perfect on 3x3": engine}, others=[Target("µs for an answer", figure("answer_us"), 0.25)]
    ),
}

NEED_POSTGRESQL = {"postgresql", "processes"}
