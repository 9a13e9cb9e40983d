"""The benchmarks by name. Each gives a report; its ratios are to the first row."""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from benchmarks import imports as import_costs
from benchmarks import nginx, storage
from benchmarks.bots import bare, oxo
from benchmarks.children import ROOT
from benchmarks.databases import postgresql_is_there
from benchmarks.runs import Figures, Report, Size, Target, compare

DELAY = 0.05
MOMENT = 1.5


def _ratios(rows: dict[str, Figures], figure: str = "taps_per_s") -> None:
    """Add each row's ratio to the first row."""
    base = next(iter(rows.values()))[figure]
    for row in rows.values():
        row["ratio"] = row[figure] / base


def handlers(size: Size) -> Report:
    """The bare handlers among themselves."""
    names = ("as it comes", "on aiohttp", "with aiosqlite")
    rows = compare({f"PTB {name}": bare(name, size) for name in names}, size.rounds)
    _ratios(rows)
    return Report("Bare handlers", rows)


def throughput(size: Size) -> Report:
    """The whole tap of OXO beside handlers that do nothing."""
    rows = compare(
        {
            "PTB as it comes, bare": bare("as it comes", size),
            "PTB on aiohttp and uvloop, 64 side by side, bare": bare("on aiohttp", size),
            "OXO": oxo(size),
        },
        size.rounds,
    )
    _ratios(rows)
    plain, fast, own = (row["taps_per_s"] for row in rows.values())
    return Report(
        "Throughput of the whole tap",
        rows,
        [
            Target("OXO to PTB as it comes", own / plain, 4),
            Target("OXO to PTB on aiohttp and uvloop", own / fast, 1.5),
        ],
    )


def crowd(size: Size) -> Report:
    """Many games and a Telegram 50 ms away, beside what most would write."""
    rows = compare(
        {
            "PTB one at a time, ORM on aiosqlite": bare(
                "with aiosqlite", size, delay=DELAY, games=size.many_games
            ),
            "OXO": oxo(size, delay=DELAY, games=size.many_games),
        },
        size.rounds,
    )
    _ratios(rows)
    title = f"{size.many_games} games with 50 ms added to each call"
    return Report(title, rows, [Target("OXO to the usual bot", rows["OXO"]["ratio"], 80)])


def latency(size: Size) -> Report:
    """How long a person waits, with Telegram 50 ms away and with one group limited to a crawl."""
    alone, beside = f"{size.games} games", f"{size.games} games beside a flood-limited group of 16"
    rows = compare(
        {
            alone: oxo(size, delay=DELAY),
            beside: oxo(size, delay=DELAY, group_games=16),
            "open loop, 300 taps/s": oxo(size, delay=DELAY, rate=300),
            "open loop, 300 taps/s, polls delayed too": oxo(size, delay=DELAY, delay_polls=True, rate=300),
        },
        size.rounds,
    )
    median = rows[alone]["edit_median_ms"]
    return Report(
        "Latency with 50 ms added to each call",
        rows,
        [
            Target("median to the delay", median / (DELAY * 1000), 1.3, at_least=False),
            Target("p99 to the delay", rows[alone]["edit_p99_ms"] / (DELAY * 1000), 4, at_least=False),
            Target(
                "median beside a flood-limited group",
                rows[beside]["edit_median_ms"] / median,
                1.2,
                at_least=False,
            ),
        ],
    )


def moment(size: Size) -> Report:
    """A hundred people, each in a chat of their own, who tap at the same moment; settings as they come."""
    people, seconds = 100, max(size.seconds, 2 * MOMENT)
    rows = compare(
        {
            f"{people} people at once": oxo(
                size, delay=DELAY, games=people, moment=MOMENT, seconds=seconds, paced=True
            )
        },
        size.rounds,
    )
    (own,) = rows.values()
    return Report(
        "Everybody at once, 50 ms added to each call",
        rows,
        [
            Target("ms at the median", own["edit_median_ms"], 200, at_least=False),
            Target("ms for nine in ten", own["edit_p90_ms"], 300, at_least=False),
        ],
    )


def thinking(size: Size) -> Report:
    """Other people's taps, at half of what the bot can do, beside four people whose opponent searches."""
    full = compare({"closed loop": oxo(size)}, 1)["closed loop"]["taps_per_s"]
    rate = round(full / 2)
    alone, beside = f"open loop, {rate} taps/s", f"open loop, {rate} taps/s, beside four searches"
    rows = compare({alone: oxo(size, rate=rate), beside: oxo(size, rate=rate, thinkers=4)}, size.rounds)
    calm, busy = rows[alone], rows[beside]
    return Report(
        "Other people's taps beside four searches, at half load",
        rows,
        [
            Target("median beside searches", busy["edit_median_ms"] / calm["edit_median_ms"], 1.1, at_least=False),
            Target("ms more at p99", busy["edit_p99_ms"] - calm["edit_p99_ms"], 20, at_least=False),
        ],
    )


def webhook(size: Size) -> Report:
    """Webhooks beside polling."""
    rows = compare({"polling": oxo(size), "webhook": oxo(size, webhook=True)}, size.rounds)
    _ratios(rows)
    return Report("Delivery", rows, [Target("webhooks to polling", rows["webhook"]["ratio"], 0.85)])


def postgresql(size: Size) -> Report:
    """PostgreSQL beside SQLite."""
    if not postgresql_is_there():
        return Report("PostgreSQL: left out, as no server answers", {})
    rows = compare({"SQLite": oxo(size), "PostgreSQL": oxo(size, database="postgresql")}, size.rounds)
    _ratios(rows)
    own = rows["PostgreSQL"]
    return Report(
        "PostgreSQL, one process",
        rows,
        [
            Target("PostgreSQL to SQLite", own["ratio"], 0.5),
            Target("p99 to the median", own["edit_p99_ms"] / own["edit_median_ms"], 4, at_least=False),
        ],
    )


def processes(size: Size) -> Report:
    """Processes on one database beside a single one, with as many games as fill that one."""
    if not postgresql_is_there():
        return Report("Several processes: left out, as no PostgreSQL server answers", {})
    names = {1: "one process", 2: "two processes", 4: "four processes"}
    usual: dict[str, Any] = {"database": "postgresql", "webhook": True, "games": size.many_games}
    variants = {names[count]: oxo(size, processes=count, **usual) for count in size.processes}
    if nginx.PROGRAM is not None:
        for count in size.processes[1:]:
            variants[f"{names[count]} behind nginx"] = oxo(size, processes=count, nginx=True, **usual)
    rows = compare(variants, size.rounds)
    _ratios(rows)
    title = f"Processes on PostgreSQL, by webhook, {size.many_games} games"
    return Report(title, rows, [Target("two processes to one", rows[names[2]]["ratio"], 1.3)])


def growth(size: Size) -> Report:
    """An empty database beside a full one."""
    full = f"{size.finished:,} finished and {size.running:,} running games"
    rows = compare({"empty": oxo(size), full: oxo(size, filled=True)}, size.rounds)
    _ratios(rows)
    started = rows[full]["start_s"] / rows["empty"]["start_s"]
    return Report(
        "Growth",
        rows,
        [
            Target("full to empty", rows[full]["ratio"], 0.95),
            Target("start, full to empty", started, 1.2, at_least=False),
        ],
    )


def start(size: Size) -> Report:
    """From the start of the process to the first board, and the memory of an idle bot."""
    rows = compare(
        {
            "PTB as it comes, bare": bare("as it comes", size, start_only=True),
            "OXO": oxo(size, start_only=True),
            "OXO, its first start of all": oxo(size, start_only=True, migrated=False),
        },
        size.rounds,
    )
    plain, own, _first = rows.values()
    return Report(
        "Start and idle memory",
        rows,
        [
            Target("memory to the bare bot's", own["idle_mib"] / plain["idle_mib"], 1.7, at_least=False),
            Target("start to the bare bot's", own["start_s"] / plain["start_s"], 2, at_least=False),
        ],
    )


def imports(size: Size) -> Report:
    """What each import adds to a start."""
    return Report("Imports, in processor time and memory", import_costs.run(max(size.rounds, 2)))


def engine(size: Size) -> Report:
    """The engine by itself, each time in a new process."""
    runs: list[dict[str, float]] = []
    for _ in range(max(size.rounds, 2)):
        command = [sys.executable, "-m", "benchmarks.engine_times"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        runs.append(json.loads(done.stdout))
    median = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    faster = median["minimax_s"] / median["table_s"]
    return Report(
        "Engine, three by three",
        {
            "import engine": {"value": median["import_s"] * 1e3, "unit": "ms"},
            "perfect, first answer (its table)": {"value": median["table_s"] * 1e3, "unit": "ms"},
            "perfect, any later answer": {"value": median["answer_s"] * 1e6, "unit": "µs"},
            "plain minimax on bitmasks, empty board": {"value": median["minimax_s"] * 1e3, "unit": "ms"},
        },
        [
            Target("ms to import", median["import_s"] * 1e3, 15, at_least=False),
            Target("ms for the table", median["table_s"] * 1e3, 5, at_least=False),
            Target("µs for an answer", median["answer_s"] * 1e6, 2, at_least=False),
            Target("table faster than minimax", faster, 45),
        ],
    )


def store(size: Size) -> Report:
    """The ways to store a tap."""
    return Report("One tap's transaction, 64 side by side", storage.run(size.storage_seconds, size.rounds))


BENCHMARKS: dict[str, Callable[[Size], Report]] = {
    "throughput": throughput,
    "latency": latency,
    "crowd": crowd,
    "moment": moment,
    "thinking": thinking,
    "webhook": webhook,
    "postgresql": postgresql,
    "processes": processes,
    "growth": growth,
    "engine": engine,
    "start": start,
    "imports": imports,
    "storage": store,
    "handlers": handlers,
}
