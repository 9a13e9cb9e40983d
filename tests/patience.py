"""How long tests wait on a machine that is slow, or busy with something else."""

import os
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
