"""The SQL of what was taken up already: an app that reconnects may send a message or a tap as a new update."""

from sqlalchemy import Connection, delete, select, update

from storage.schema import TAKEN
from storage.upsert import insert_missing


def take(connection: Connection, digest: int, update_id: int, now: int, seconds: int) -> bool:
    """Whether this update is the first that asks for something within so many seconds, or that one once more."""
    asked = {"digest": digest, "update_id": update_id, "at": now}
    insert_missing(connection, TAKEN, [asked])
    same = TAKEN.c.digest == digest
    first = connection.execute(select(TAKEN.c.update_id, TAKEN.c.at).where(same).with_for_update()).one()
    if first.update_id == update_id:
        return True
    if abs(now - first.at) < seconds:
        return False
    connection.execute(update(TAKEN).where(same).values(asked))
    return True


def give_up(connection: Connection, digest: int, update_id: int) -> None:
    """Forget what an update took up, as nothing came of it."""
    connection.execute(delete(TAKEN).where(TAKEN.c.digest == digest, TAKEN.c.update_id == update_id))


def drop(connection: Connection, before: int, most: int = 1000) -> bool:
    """Forget some of what was taken up before a time; True if there may be more."""
    old = select(TAKEN.c.digest).where(TAKEN.c.at < before).limit(most)
    gone = delete(TAKEN).where(TAKEN.c.digest.in_(old), TAKEN.c.at < before)
    return connection.execute(gone).rowcount == most
