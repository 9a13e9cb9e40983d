"""The SQL of shared games: which picture of one Telegram keeps already, and where one was sent just now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import delete, or_, select, update

from storage.schema import REPLAYS, SHARES
from storage.upsert import insert_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Connection

HASTE_SECONDS: Final = 30
"""Within so short a time one picture of a game in a chat is enough."""
KEPT_SECONDS: Final = 3600
"""After so long nobody needs to know that one was sent."""


class Key(NamedTuple):
    """What tells a picture of a game from its others."""

    game_id: int
    form: str
    """`animation` or `still`."""
    look: str
    language: str


def find(connection: Connection, key: Key, digest: str) -> str | None:
    """The `file_id` of a picture, if Telegram keeps it; not of one that was drawn of something else.

    Args:
        connection: The database.
        key: Which picture.
        digest: Of all that it shows: names change, and releases draw otherwise.
    """
    found = select(REPLAYS.c.file_id).where(*_is(key), REPLAYS.c.digest == digest)
    return connection.execute(found).scalar()


def keep(connection: Connection, key: Key, digest: str, file_id: str) -> None:
    """Remember a picture that was sent; the newest one counts."""
    statement = insert_of(connection)(REPLAYS).values(**key._asdict(), digest=digest, file_id=file_id)
    newest = {name: statement.excluded[name] for name in ("digest", "file_id")}
    connection.execute(statement.on_conflict_do_update(index_elements=list(Key._fields), set_=newest))


def lose(connection: Connection, key: Key, file_id: str) -> None:
    """Forget a picture that Telegram does not keep any more, unless another has come in its place."""
    connection.execute(delete(REPLAYS).where(*_is(key), REPLAYS.c.file_id == file_id))


def forget(connection: Connection, game_ids: Collection[int]) -> None:
    """Forget all pictures of these games, as when somebody is not to be named any more, and where they went."""
    for table in (REPLAYS, SHARES):
        connection.execute(delete(table).where(table.c.game_id.in_(game_ids)))


def claim(connection: Connection, game_id: int, chat_id: int, form: str, now: int, *, update_id: int) -> bool:
    """Whether a picture may be sent to a chat: nobody has just had it sent, in this process or another.

    Whoever may, is to send it and call `note_sent`, or to call `release`. Until then the update of Telegram that
    made the claim may make it again: it comes a second time where its process was killed.
    """
    connection.execute(delete(SHARES).where(SHARES.c.shared_at < now - KEPT_SECONDS))
    claimed = {"shared_at": now, "update_id": update_id}
    statement = insert_of(connection)(SHARES).values(game_id=game_id, chat_id=chat_id, form=form, **claimed)
    anew = statement.on_conflict_do_update(
        index_elements=["game_id", "chat_id", "form"],
        set_=claimed,
        where=or_(SHARES.c.shared_at <= now - HASTE_SECONDS, SHARES.c.update_id == update_id),
    )
    return connection.execute(anew.returning(SHARES.c.game_id)).first() is not None


def note_sent(connection: Connection, game_id: int, chat_id: int, form: str, update_id: int) -> None:
    """Note that the picture is there which an update asked for, so that it has no second effect."""
    here = (SHARES.c.game_id == game_id, SHARES.c.chat_id == chat_id, SHARES.c.form == form)
    connection.execute(update(SHARES).where(*here, SHARES.c.update_id == update_id).values(update_id=None))


def release(connection: Connection, game_id: int, chat_id: int, form: str) -> None:
    """Let a picture be asked for again at once, because it came to nothing."""
    here = (SHARES.c.game_id == game_id, SHARES.c.chat_id == chat_id, SHARES.c.form == form)
    connection.execute(delete(SHARES).where(*here))


def _is(key: Key) -> list[ColumnElement[bool]]:
    return [REPLAYS.c[name] == value for name, value in key._asdict().items()]
