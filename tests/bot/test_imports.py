"""What the bot doesn't import at startup, to save time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LATER = (
    "alembic",
    "psycopg",
    "storage.indexes",
    "PIL",
    "multiprocessing",
    "bot.boards.pictures.charts",
    "sqlalchemy.dialects.postgresql",
)
NEVER = ("starlette", "sqlalchemy.orm")


def test_a_start_loads_nothing_that_it_does_not_need() -> None:
    script = "import bot.run, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "sqlalchemy" in loaded
    assert not loaded & {*LATER, *NEVER}
