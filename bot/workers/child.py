"""The start of a worker process. It is loaded before everything else there, so it imports little."""

import multiprocessing
import os
import signal
import sys
import threading
from typing import Final

NICENESS: Final = 10
"""How readily it gives way to other processes (`man 7 sched`)."""


def give_way() -> None:
    """Give way to others, leave Ctrl-C to the bot, and end when the bot does."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    """End immediately, even in the middle of a job: a killed bot cannot send a message."""
    if (bot := multiprocessing.parent_process()) is not None:
        bot.join()
        os._exit(0)
