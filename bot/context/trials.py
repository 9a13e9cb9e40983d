"""What is tried for each of several by itself, so that one that fails holds up none of the others."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from bot.recent import Recent
from storage.errors import StorageError

log = logging.getLogger(__name__)

LONGEST_TRIAL_PAUSE_SECONDS: Final = 3600.0


class Trials:
    """What has failed in one process: each is tried again later, after a longer pause each time."""

    def __init__(self, name: str) -> None:
        """Nothing yet; the `name` says in the log what is tried, with its id in place of {}."""
        self._name = name
        self._failed: Recent[int, tuple[int, float]] = Recent(1000)
        """By id, how often in a row, and when it is tried again, by the monotonic clock."""

    def resting(self) -> Sequence[int]:
        """The ids of those that aren't tried now."""
        now = time.monotonic()
        return [key for key, (_, again_at) in self._failed.items() if again_at > now]

    @contextmanager
    def of(self, key: int) -> Iterator[None]:
        """Try what is done for one of them; an error ends that alone, and is logged once until it succeeds."""
        try:
            yield
        except StorageError as error:  # it waits for the database, or somebody has changed it meanwhile
            log.debug("%s: put off: %s", self._name.format(key), error)
        except Exception:
            failures, _ = self._failed.get(key, (0, 0.0))
            if not failures:
                log.exception("%s: failed, will be tried again", self._name.format(key))
            self._failed[key] = failures + 1, time.monotonic() + min(2.0**failures, LONGEST_TRIAL_PAUSE_SECONDS)
        else:
            self._failed.pop(key, None)
