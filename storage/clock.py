"""What to do when the clock was set back: whatever seems to lie in the future was written before that.

Times ahead would otherwise pass unseen for as long as the clock was ahead.
"""

from typing import Final

from sqlalchemy import Connection, update

from storage.games.record import LOOK_NEVER
from storage.schema import BOARDS, GAMES, OUTBOX

DIFFER_SECONDS: Final = 60
"""The clocks of several machines differ by no more than this; no board is put off for longer either."""
NOTICE_SECONDS: Final = 1000
"""No notice is put off for longer."""


def set_back(connection: Connection, now: int) -> None:
    """Make due now what is further ahead than it could be.

    Of running games, these are the ones that seem to have changed in the future; their time runs from now.
    """
    ahead = now + DIFFER_SECONDS
    running = (GAMES.c.termination.is_(None), GAMES.c.due_at > now, GAMES.c.moved_at > ahead)
    connection.execute(update(GAMES).where(*running).values(due_at=now, moved_at=now))
    lagging = (BOARDS.c.shown < BOARDS.c.wanted, BOARDS.c.look_at.between(ahead, LOOK_NEVER - 1))
    connection.execute(update(BOARDS).where(*lagging).values(look_at=now))
    connection.execute(update(OUTBOX).where(OUTBOX.c.look_at > now + NOTICE_SECONDS).values(look_at=now))
