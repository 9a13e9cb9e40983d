"""`python -m bot`: start the bot.

What is imported stays until the end, so no garbage is looked for in it: an eighth of the start (docs/start.md).
"""

import gc
import sys

if __name__ == "__main__":
    gc.disable()
    from bot.run import main

    gc.freeze()
    gc.enable()
    sys.exit(main())
