"""The SQL of chats, and of what is chosen in them for new games."""

import time
from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import Connection, and_, bindparam, delete, or_, select, update

from storage.games import versions
from storage.games.record import LOOK_NEVER, NoticeKind
from storage.people import cups, people, puzzles
from storage.people.person import Chat
from storage.schema import BOARDS, CHATS, GAMES, MESSAGES, OUTBOX, RESULTS
from storage.upsert import insert_missing, upsert

CHOICES: Final = tuple(name for name in Chat._fields if name not in ("id", "left_at", "season_at"))

LOAD_MANY: Final = select(CHATS).where(CHATS.c.id.in_(bindparam("ids", expanding=True)))


def load(connection: Connection, chat_id: int) -> Chat:
    """A chat's choices; all defaults if the chat is unknown."""
    return load_many(connection, [chat_id]).get(chat_id) or Chat(chat_id)


def load_many(connection: Connection, ids: Iterable[int]) -> Mapping[int, Chat]:
    """The choices of chats, by id; unknown chats are missing."""
    rows = connection.execute(LOAD_MANY, {"ids": list(ids)})
    return {row[0]: Chat._make(row) for row in rows}


def choose(connection: Connection, chat_id: int, choices: Mapping[str, str | bool | int | None]) -> Chat:
    """Save choices of a chat, by field of `Chat`; the other fields stay."""
    upsert(connection, CHATS, [{"id": chat_id, **choices}])
    return load(connection, chat_id)


def load_or_add(connection: Connection, chat_id: int) -> Chat:
    """A chat's choices; an unknown chat is stored with the defaults, as something is about to refer to it."""
    insert_missing(connection, CHATS, [{"id": chat_id}])
    return load(connection, chat_id)


def lock(connection: Connection, chat_id: int) -> None:
    """Lock the row of a known chat until this transaction ends."""
    connection.execute(select(CHATS.c.id).where(CHATS.c.id == chat_id).with_for_update())


def move_group(connection: Connection, *, old: int, new: int) -> None:
    """Move a chat, its games and its boards to another id, because a group became a supergroup.

    The messages of the old chat can't be edited under the new id, so the boards of running games are sent again
    there; those of games that are over aren't, unless the end was still to be shown. Telegram reports a migration
    twice; the second time nothing is left.
    """
    if old == new:
        return
    if (choices := load_many(connection, [old]).get(old)) is not None:
        chosen = {name: getattr(choices, name) for name in (*CHOICES, "season_at")}
        choose(connection, new, {name: choice for name, choice in chosen.items() if choice})
    connection.execute(update(GAMES).where(GAMES.c.chat_id == old).values(chat_id=new))
    former = OUTBOX.c.chat_id == old, OUTBOX.c.kind == NoticeKind.FORMER_CUP
    connection.execute(delete(OUTBOX).where(*former))  # the new chat has other messages by these ids
    for table in (RESULTS, OUTBOX):
        connection.execute(update(table).where(table.c.chat_id == old).values(chat_id=new))
    puzzles.move_group(connection, old, new)
    cups.move_group(connection, old, new)
    people.move_absences(connection, old, new)
    connection.execute(delete(MESSAGES).where(MESSAGES.c.chat_id == old))
    moving = select(BOARDS.c.replaces).where(BOARDS.c.chat_id == old, BOARDS.c.replaces.is_not(None))
    superseded = or_(BOARDS.c.leaving, BOARDS.c.id.in_(moving))
    connection.execute(delete(BOARDS).where(BOARDS.c.chat_id == old, superseded))
    running = select(GAMES.c.id).where(GAMES.c.id == BOARDS.c.game_id, GAMES.c.termination.is_(None)).exists()
    unfinished = or_(running, and_(BOARDS.c.shown < BOARDS.c.wanted, BOARDS.c.look_at < LOOK_NEVER))
    in_old = BOARDS.c.chat_id == old
    moved = {"chat_id": new, "message_id": None, "replaces": None}
    versions.hide(connection, and_(in_old, unfinished), **moved, **versions.lag(int(time.time())))
    connection.execute(update(BOARDS).where(in_old).values(moved | {"shown": BOARDS.c.wanted}))
    connection.execute(delete(CHATS).where(CHATS.c.id == old))


def leave(connection: Connection, chat_id: int, now: int) -> None:
    """Note that the bot has left a group, which is deleted after a while (`storage.privacy.retention`)."""
    connection.execute(update(CHATS).where(CHATS.c.id == chat_id, CHATS.c.left_at.is_(None)).values(left_at=now))


def come_back(connection: Connection, chat_id: int) -> None:
    """Note that the bot is in a group again."""
    connection.execute(
        update(CHATS).where(CHATS.c.id == chat_id, CHATS.c.left_at.is_not(None)).values(left_at=None)
    )


def languages(connection: Connection) -> Mapping[int, str]:
    """The languages that have been chosen, by chat; a private chat has the id of its person."""
    chosen = select(CHATS.c.id, CHATS.c.language).where(CHATS.c.language.is_not(None))
    return {row.id: row.language for row in connection.execute(chosen)}
