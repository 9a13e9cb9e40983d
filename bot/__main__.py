"""`python -m bot`, or `oxo`: start the bot.

What is imported stays until the end, so the garbage collector stays off meanwhile: an eighth of the start.
"""

import gc
import signal
import sys


def main() -> None:
    """Start the bot; ends the process when the bot ends."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback until it is handled
    gc.disable()
    from bot import run  # noqa: PLC0415 - the imports are what is to be quick

    gc.freeze()
    gc.enable()
    sys.exit(run.main())


if __name__ == "__main__":
    main()
