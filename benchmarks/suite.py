"""The benchmarks by name. The ratios in a table are to its first row."""

import json
from collections.abc import Callable, Mapping

from benchmarks.bots import bare, oxo
from benchmarks.children import Tree
from benchmarks.runs import Benchmark, Figures, Rows, Size, Target

DELAY = 0.05
MOMENT = 1.5
PEOPLE = 100
ENGINE = """
import json, time
began = time.perf_counter()
from engine import CLASSIC, STRATEGIES
imported = time.perf_counter()
perfect = STRATEGIES["perfect"].candidates
perfect(CLASSIC.start())
first = time.perf_counter()
ply = found = {CLASSIC.start()}
while ply:
    ply = {after for each in ply for cell in each.legal_moves if not (after := each.play(cell)).is_over}
    found = found | ply
begun = time.perf_counter()
for each in found:
    perfect(each)
rest = time.perf_counter() - begun
print(json.dumps([(imported - began) * 1e3, (first - imported) * 1e3, rest / len(found) * 1e6]))
"""
"""Times the engine in a fresh process: its import, its first answer, and answers in all unfinished positions."""

Measured = Mapping[str, Callable[[], Figures]]


def _throughput(size: Size, tree: Tree) -> Measured:
    return {"PTB as it comes, with handlers that do nothing": bare(size), "OXO": oxo(size, tree)}


def _latency(size: Size, tree: Tree) -> Measured:
    return {
        "one game": oxo(size, tree, delay=DELAY, games=1),
        f"{size.games} games, open loop of 300 taps/s": oxo(size, tree, delay=DELAY, rate=300),
        f"{size.games} games": oxo(size, tree, delay=DELAY),
        f"{size.games} games beside a flood-limited group of 16": oxo(size, tree, delay=DELAY, group_games=16),
    }


def _crowd(size: Size, tree: Tree) -> Measured:
    return {f"{size.many_games} games": oxo(size, tree, delay=DELAY, games=size.many_games)}


def _moment(size: Size, tree: Tree) -> Measured:
    seconds = max(size.seconds, 2 * MOMENT)
    at_once = oxo(size, tree, paced=True, delay=DELAY, games=PEOPLE, moment=MOMENT, seconds=seconds)
    return {f"{PEOPLE} people": at_once}


def _thinking(size: Size, tree: Tree) -> Measured:
    """At half of the bot's capacity, which is measured first."""
    rate = oxo(size, tree)()["taps_per_s"] / 2
    return {"alone": oxo(size, tree, rate=rate), "beside four searches": oxo(size, tree, rate=rate, thinkers=4)}


def _webhook(size: Size, tree: Tree) -> Measured:
    return {"polling": oxo(size, tree), "webhook": oxo(size, tree, webhook=True)}


def _postgresql(size: Size, tree: Tree) -> Measured:
    return {"SQLite": oxo(size, tree), "PostgreSQL": oxo(size, tree, database="postgresql")}


def _processes(size: Size, tree: Tree) -> Measured:
    return {
        f"{count} of them": oxo(
            size, tree, database="postgresql", webhook=True, games=size.many_games, processes=count
        )
        for count in (1, 2)
    }


def _growth(size: Size, tree: Tree) -> Measured:
    full = f"{size.finished:,} finished and {size.running:,} running games"
    return {"empty": oxo(size, tree), full: oxo(size, tree, filled=True)}


def _start(size: Size, tree: Tree) -> Measured:
    return {"PTB as it comes": bare(size, start_only=True), "OXO": oxo(size, tree, migrated=True, start_only=True)}


def _engine(_size: Size, tree: Tree) -> Measured:
    names = ("import_ms", "table_ms", "answer_us")
    return {"perfect on 3x3": lambda: dict(zip(names, json.loads(tree.run("-c", ENGINE)), strict=True))}


def _figure(name: str, row: int = -1) -> Callable[[Rows], float]:
    return lambda rows: list(rows.values())[row][name]


BENCHMARKS = {
    "throughput": Benchmark("The whole tap", _throughput, ratio=("OXO to PTB as it comes", 5)),
    "latency": Benchmark(
        "Latency with 50 ms added to each call",
        _latency,
        others=[Target("ms in one game", _figure("edit_median_ms", row=0), 55)],
    ),
    "crowd": Benchmark("A crowd, with 50 ms added to each call", _crowd),
    "moment": Benchmark(
        "Everybody at the same moment, with 50 ms added to each call",
        _moment,
        others=[Target("ms at the median", _figure("edit_median_ms"), 200)],
    ),
    "thinking": Benchmark(
        "Other people's taps beside four searches, at half load",
        _thinking,
        others=[
            Target(
                "median beside searches",
                lambda rows: _figure("edit_median_ms")(rows) / _figure("edit_median_ms", row=0)(rows),
                1.1,
            ),
            Target(
                "ms more at p99",
                lambda rows: _figure("edit_p99_ms")(rows) - _figure("edit_p99_ms", row=0)(rows),
                20,
            ),
        ],
    ),
    "webhook": Benchmark("Delivery", _webhook, ratio=("webhook to polling", 0.7)),
    "postgresql": Benchmark("Databases", _postgresql, ratio=("PostgreSQL to SQLite", 0.55)),
    "processes": Benchmark(
        "Processes on one PostgreSQL, by webhook", _processes, ratio=("two processes to one", 1.4)
    ),
    "growth": Benchmark("Growth", _growth, ratio=("full to empty", 0.95)),
    "start": Benchmark(
        "Start and idle memory",
        _start,
        others=[
            Target("s until the first board", _figure("start_s"), 1.5),
            Target("MiB when idle", _figure("idle_mib"), 130),
        ],
    ),
    "engine": Benchmark("Engine", _engine, others=[Target("µs for an answer", _figure("answer_us"), 0.25)]),
}

NEED_POSTGRESQL = {"postgresql", "processes"}
