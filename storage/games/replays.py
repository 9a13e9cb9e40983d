"""The SQL of pictures of finished games that were sent before, and that Telegram keeps."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, delete, select

from storage.games.record import PictureKey
from storage.schema import REPLAYS
from storage.upsert import upsert


def find(connection: Connection, key: PictureKey) -> str | None:
    """The `file_id` of a picture, if Telegram keeps it."""
    return connection.execute(select(REPLAYS.c.file_id).where(*_is(key))).scalar()


def keep(connection: Connection, key: PictureKey, file_id: str) -> None:
    """Remember a picture that was sent, instead of an earlier one."""
    upsert(connection, REPLAYS, [{**key._asdict(), "file_id": file_id}])


def lose(connection: Connection, key: PictureKey, file_id: str) -> None:
    """Forget a picture that Telegram no longer keeps, unless another has replaced it."""
    connection.execute(delete(REPLAYS).where(*_is(key), REPLAYS.c.file_id == file_id))


def forget(connection: Connection, game_ids: Collection[int]) -> None:
    """Forget all pictures of these games."""
    connection.execute(delete(REPLAYS).where(REPLAYS.c.game_id.in_(game_ids)))


def _is(key: PictureKey) -> list[ColumnElement[bool]]:
    return [REPLAYS.c[name] == value for name, value in key._asdict().items()]
