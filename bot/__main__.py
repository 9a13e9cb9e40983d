"""`python -m bot`: start the bot.

What is imported stays until the end, so the garbage collector stays off meanwhile: an eighth of the start.
"""

import gc
import signal
import sys

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback until `main` takes over
    gc.disable()
    from bot.run import main

    gc.freeze()
    gc.enable()
    sys.exit(main())
