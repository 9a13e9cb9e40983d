"""What keeps something from being done twice: a key, which is taken in the transaction that does it.

Telegram brings an update again whose process was killed, and an app that reconnects may send a message or a tap
again, which is a new update. What the bot has set at Telegram, such as menus, is noted as digests, so that no
start sets it again.
"""

import hashlib
import time
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, select

from storage.columns import DAY
from storage.errors import Refused
from storage.schema import DONE, PROGRESS
from storage.upsert import insert_of, upsert

LIKE_SECONDS: Final = 60
"""For so long nothing like it is done again."""


class Once(NamedTuple):
    """The keys of something that an update asks for."""

    key: int
    """That of the update, or of the message that it brings; taken for a day."""
    like: int | None = None
    """That of whatever else asks for the same, such as a second tap."""
    seconds: int = LIKE_SECONDS
    """For how long the latter is taken."""


class Repeated(Refused):
    """It was done before, by the same update, or by one that is `like` it a moment ago.

    `bot.dispatch` catches it: whoever tapped twice is told, anybody else isn't.
    """

    def __init__(self, *, like: bool) -> None:
        super().__init__(like)
        self.like = like


def take(connection: Connection, once: Once) -> None:
    """Take the keys of what this transaction does; raises `Repeated` if it was done before.

    Whatever may be refused is refused before that, so that it can be asked for again.
    """
    if once.like is not None and not _is_first(connection, once.like, once.seconds):
        raise Repeated(like=True)
    if not _is_first(connection, once.key, DAY):
        raise Repeated(like=False)


def _is_first(connection: Connection, key: int, seconds: int) -> bool:
    now = int(time.time())
    row = {"new": key, "now": now, "from": now - seconds + 1, "to": now + seconds - 1}
    return connection.execute(_taking(insert_of(connection)), row).first() is not None


@cache
def _taking(insert: Any) -> Any:  # noqa: ANN401 - as `insert_of`
    row = insert(DONE).values(key=bindparam("new"), at=bindparam("now"))
    lapsed = ~DONE.c.at.between(bindparam("from"), bindparam("to"))
    renewed = row.on_conflict_do_update(index_elements=[DONE.c.key], set_={"at": row.excluded.at}, where=lapsed)
    return renewed.returning(DONE.c.key)


def is_done(connection: Connection, once: Once) -> bool:
    """Whether what an update asks for was done before, or something like it a moment ago."""
    is_like = (DONE.c.key == once.like) & (DONE.c.at > int(time.time()) - once.seconds)
    return connection.execute(select(DONE.c.key).where((DONE.c.key == once.key) | is_like)).first() is not None


def drop(connection: Connection, before: int, most: int = 1000) -> bool:
    """Drop some of the keys that were taken before a time; True if there may be more."""
    old = select(DONE.c.key).where(DONE.c.at < before).limit(most)
    return connection.execute(delete(DONE).where(DONE.c.key.in_(old), DONE.c.at < before)).rowcount == most


def is_set(connection: Connection, place: str, content: str) -> bool:
    """Whether this is what was last noted as set in a place, such as a menu of commands."""
    noted = connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == f"set {_digest(place)}")).scalar()
    return noted == int(_digest(content), 16)


def note_set(connection: Connection, place: str, content: str) -> None:
    """Note what is set in a place now."""
    upsert(connection, PROGRESS, [{"name": f"set {_digest(place)}", "value": int(_digest(content), 16)}])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
