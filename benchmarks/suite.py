"""The benchmarks by name. The ratios in a table are to its first row."""

import json
from collections.abc import Callable, Mapping, Sequence

from benchmarks.bots import bare, oxo
from benchmarks.children import Tree
from benchmarks.runs import Benchmark, Figures, Rows, Size, Target

DELAY = 0.05
MOMENT = 1.5
PEOPLE = 100

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
    rate = 20.0 if size.last_row_only else oxo(size, tree)()["taps_per_s"] / 2
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
    def measure() -> Figures:
        times = json.loads(tree.run("benchmarks.engine_times"))
        return {
            "import_ms": times["import_s"] * 1e3,
            "table_ms": times["table_s"] * 1e3,
            "answer_us": times["answer_s"] * 1e6,
        }

    return {"perfect on 3x3": measure}


def _at_most(sentence: str, figure: str, wanted: float, row: int = -1) -> Callable[[Rows], Sequence[Target]]:
    """A target: a figure of a row stays below a limit."""
    return lambda rows: [Target(sentence, list(rows.values())[row][figure], wanted, at_least=False)]


def _of_start(rows: Rows) -> Sequence[Target]:
    return [
        *_at_most("s until the first board", "start_s", 1.5)(rows),
        *_at_most("MiB when idle", "idle_mib", 130)(rows),
    ]


def _of_thinking(rows: Rows) -> Sequence[Target]:
    alone, beside = rows.values()
    more = beside["edit_p99_ms"] - alone["edit_p99_ms"]
    return [
        Target("median beside searches", beside["edit_median_ms"] / alone["edit_median_ms"], 1.1, at_least=False),
        Target("ms more at p99", more, 20, at_least=False),
    ]


BENCHMARKS = {
    "throughput": Benchmark("The whole tap", _throughput, ratio=("OXO to PTB as it comes", 5)),
    "latency": Benchmark(
        "Latency with 50 ms added to each call",
        _latency,
        others=_at_most("ms in one game", "edit_median_ms", 55, row=0),
    ),
    "crowd": Benchmark("A crowd, with 50 ms added to each call", _crowd),
    "moment": Benchmark(
        "Everybody at the same moment, with 50 ms added to each call",
        _moment,
        others=_at_most("ms at the median", "edit_median_ms", 200),
    ),
    "thinking": Benchmark(
        "Other people's taps beside four searches, at half load", _thinking, others=_of_thinking
    ),
    "webhook": Benchmark("Delivery", _webhook, ratio=("webhook to polling", 0.7)),
    "postgresql": Benchmark("Databases", _postgresql, ratio=("PostgreSQL to SQLite", 0.55)),
    "processes": Benchmark(
        "Processes on one PostgreSQL, by webhook", _processes, ratio=("two processes to one", 1.4)
    ),
    "growth": Benchmark("Growth", _growth, ratio=("full to empty", 0.95)),
    "start": Benchmark("Start and idle memory", _start, others=_of_start),
    "engine": Benchmark("Engine", _engine, others=_at_most("µs for an answer", "answer_us", 0.25)),
}

NEED_POSTGRESQL = {"postgresql", "processes"}
