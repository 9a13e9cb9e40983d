"""What the bot doesn't load at startup, to save time and memory."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LATER = (
    *("alembic", "psycopg", "storage.indexes", "PIL", "multiprocessing", "bot.boards.pictures.charts"),
    *("sqlalchemy.dialects.postgresql", ".mo"),
)
NEVER = ("starlette", "sqlalchemy.orm")
START = """
import sys
sys.addaudithook(lambda event, given: event == "open" and str(given[0]).endswith(".mo") and print(".mo"))
import bot.run
print(*sys.modules)
"""


def test_a_start_loads_nothing_that_it_does_not_need() -> None:
    """A language's texts (.mo) are read when it is first spoken."""
    done = subprocess.run([sys.executable, "-c", START], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "sqlalchemy" in loaded
    assert not loaded & {*LATER, *NEVER}
