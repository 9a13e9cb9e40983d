"""What each import costs a start: seconds of processor time and MiB, in the order in which the bot needs them.

The first rows share what later ones would bring too (email, ssl), so a row tells what is added, not what leaving
it out would save. What the bot does without, or loads only when needed, is measured on top of all the others.
"""

import json
import statistics
import subprocess
import sys
from typing import Any

from benchmarks.children import ROOT

IN_ORDER = {
    "Python and asyncio": "asyncio",
    "uvloop": "uvloop",
    "python-telegram-bot, httpx included": "telegram.ext",
    "SQLAlchemy, Core": "sqlalchemy",
    "SQLAlchemy's SQLite": "sqlalchemy.dialects.sqlite",
    "prometheus-client": "prometheus_client",
    "httptools": "httptools",
    "engine, storage and bot": "bot.run",
}

ON_TOP = {
    "SQLAlchemy's ORM": "sqlalchemy.orm",
    "SQLAlchemy's PostgreSQL": "sqlalchemy.dialects.postgresql",
    "psycopg": "psycopg",
    "Alembic": "alembic.command",
    "pydantic-settings": "pydantic_settings",
    "aiohttp, the server": "aiohttp.web",
}


# A process that has loaded next to nothing itself; like bot/__main__.py, it looks for no garbage meanwhile.
CHILD = """
import gc, json, sys, time
gc.disable()

def held():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))

steps = []
began, before = 0, 0
for step in sys.argv[1:]:
    known = len(sys.modules)
    try:
        for module in step.split():
            __import__(module)
    except ImportError:
        known = len(sys.modules)
    ended, after = time.process_time(), held()
    steps.append({"ms": (ended - began) * 1000, "mib": after - before, "new": len(sys.modules) - known})
    began, before = ended, after
print(json.dumps(steps))
"""


def run(rounds: int) -> dict[str, dict[str, Any]]:
    """The rows: `ms` of processor time and `mib`, medians over new processes."""
    rows: dict[str, dict[str, Any]] = {}
    runs = [_cost(list(IN_ORDER.values())) for _ in range(rounds)]
    for number, label in enumerate(IN_ORDER):
        rows[label] = _median([run[number] for run in runs])
    total = [{name: sum(step[name] for step in run) for name in ("ms", "mib")} for run in runs]
    rows["all of them"] = _median(total)
    for label, modules in ON_TOP.items():
        added = [_cost(["bot.run", modules])[1] for _ in range(rounds)]
        if all(step["new"] for step in added):
            rows[f"left out or later: {label}"] = _median(added)
    return rows


def _median(steps: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(step[name] for step in steps) for name in ("ms", "mib")}


def _cost(steps: list[str]) -> list[dict[str, float]]:
    command = [sys.executable, "-c", CHILD, *steps]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: list[dict[str, float]] = json.loads(done.stdout)
    return found
