"""The playground's time, which a test can set forward."""

from __future__ import annotations

import time


class Clock:
    """Wall-clock time plus whatever was skipped.

    Lifetimes, deadlines and flood windows use this clock. Waiting (long polls, webhook retries, delays of faults)
    takes real time.
    """

    def __init__(self) -> None:
        self._skipped = 0.0

    def now(self) -> float:
        """Seconds since 1970, in the playground's time."""
        return time.time() + self._skipped

    def advance(self, seconds: float) -> None:
        """Skip some seconds."""
        self._skipped += seconds
