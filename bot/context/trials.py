"""What is tried again if it fails, so that it holds up nothing else: a job, or what one does for somebody."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from bot.recent import Recent
from storage.errors import StorageError

log = logging.getLogger(__name__)

LONGEST_TRIAL_PAUSE_SECONDS: Final = 3600.0
LONGEST_JOB_PAUSE_SECONDS: Final = 8.0


class Trials:
    """What has failed in one process: each is tried again later, after a pause that doubles with each failure.

    While the database can't be used, or after somebody has changed something meanwhile, the pause stays as it is.
    """

    def __init__(self) -> None:
        self._failed: Recent[tuple[str, int], tuple[int, float]] = Recent(1000)
        """By what and id, how often in a row, and when that was, by the monotonic clock."""

    def resting(self, what: str) -> Sequence[int]:
        """The ids of those that aren't tried now."""
        now, failed = time.monotonic(), [(*each, *known) for each, known in self._failed.items()]
        return [key for which, key, failures, at in failed if which == what and at + _pause(failures) > now]

    def pause(self, what: str, usual: float) -> float:
        """How long a job waits for its next try, or for its next step if it doesn't fail."""
        failed = self._failed.get((what, 0))
        return usual if failed is None else min(_pause(failed[0]), LONGEST_JOB_PAUSE_SECONDS)

    @contextmanager
    def of(self, what: str, key: int = 0) -> Iterator[None]:
        """Try what is done for one of them; an error ends that alone, and is logged once until it succeeds.

        `what` says in the log what is tried, with the id in place of {}.
        """
        failures, _ = self._failed.pop((what, key), (0, 0.0))
        try:
            yield
        except StorageError as error:  # which the storage logs by itself
            log.debug("%s: put off: %s", what.format(key), error)
            self._failed[what, key] = failures, time.monotonic()
        except Exception:
            if not failures:
                log.exception("%s: failed, will be tried again", what.format(key))
            self._failed[what, key] = failures + 1, time.monotonic()
        else:
            if failures:
                log.info("%s: working again", what.format(key))


def _pause(failures: int) -> float:
    return min(2.0 ** max(failures - 1, 0), LONGEST_TRIAL_PAUSE_SECONDS)
