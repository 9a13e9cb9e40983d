"""The process that thinks: a line of JSON on standard input is a question, one on standard output its answer.

It loads the engine alone, gives way to everybody else, and ends when its standard input does: whoever has started
it is gone then, in whatever way.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import Any, Final

NICENESS: Final = 10
"""How much it gives way to other processes (`man 7 sched`)."""


def main() -> None:
    """Answer questions until there are none any more."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is meant for the bot
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(questions,), daemon=True).start()
    while True:
        answer = json.dumps(_answer(questions.get()))
        os.write(1, f"{answer}\n".encode())


def _read(questions: SimpleQueue[bytes]) -> None:
    """Read questions beside whatever is thought about, so that the end of them ends that too."""
    for line in sys.stdin.buffer:
        questions.put(line)
    os._exit(0)


def _answer(line: bytes) -> dict[str, Any]:
    from bot.thinking.jobs import JOBS  # noqa: PLC0415 - only once it gives way to others

    try:
        question = json.loads(line)
        return {"result": JOBS[question["name"]](**question["arguments"])}
    except Exception as error:  # noqa: BLE001 - whoever asks hears of it
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
