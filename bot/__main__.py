"""`python -m bot`: start the bot.

What is imported stays until the end, so the garbage collector stays off meanwhile: an eighth of the start.
"""

import gc
import sys

if __name__ == "__main__":
    gc.disable()
    from bot.run import main

    gc.freeze()
    gc.enable()
    sys.exit(main())
