"""How long tests wait on a machine that is slow, or busy with something else, and what they needn't wait for."""

import os
from contextlib import AbstractContextManager
from typing import Final
from unittest.mock import patch

from storage import database

SHIPPED_TIMEOUTS: Final = database.TIMEOUTS


def slowness() -> float:
    """How many times longer things may take than on an idle machine."""
    return max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


def lengthen_timeouts() -> None:
    """Make PostgreSQL patient with a bot whose transaction stays open while the machine is busy."""
    lengthened = SHIPPED_TIMEOUTS.replace("timeout=5000", "timeout=100000").replace("=10000 ", "=100000 ")
    patch.object(database, "TIMEOUTS", lengthened).start()


def quick_commits() -> AbstractContextManager[object]:
    """Let commits to SQLite return before they are on the disk: what a test does needn't survive a power cut."""
    quick = ["synchronous=OFF" if each == "synchronous=FULL" else each for each in database.PRAGMAS]
    return patch.object(database, "PRAGMAS", quick)
