"""The SQL of boards: stored for a game or a wait, turned to other pages, moved, and passed on to the next game.

`storage.games.board_messages` knows which messages they are, and `storage.games.versions` how far Telegram is
known to show them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, insert, update

from storage.games import lookups
from storage.games.board import WHOLE, Attention, Board, Page, Place
from storage.games.game import Game
from storage.games.games import added, insert_many
from storage.games.record import Record
from storage.games.versions import GRACE_SECONDS, Stored, next_version, store_many, store_with
from storage.people import chats, preferences
from storage.people.wait import Waiting
from storage.schema import BOARDS

INSERT: Final = insert(BOARDS).returning(BOARDS.c.id, sort_by_parameter_order=True)

PASS: Final = (
    update(BOARDS).where(BOARDS.c.id == bindparam("key")).values(game_id=bindparam("following"), **WHOLE._asdict())
)


def turn(connection: Connection, record: Record | Waiting, board: Board, page: Page) -> Stored:
    """Turn one board of a game to another page; the others stay as they are.

    Raises:
        ConcurrentChange: if somebody has stored a newer version.
    """
    return store_with(connection, record, [board], int(time.time()), **page._asdict())[0]


def add(connection: Connection, game: Game, places: Iterable[Place]) -> Record:
    """Store a new game with a new board in each of these places."""
    (game,) = _insert(connection, [game])
    return Record(game, tuple(_put_many(connection, [_new(game.id, place) for place in places])))


def _insert(connection: Connection, new: Iterable[Game]) -> Sequence[Game]:
    """Store new games, whose comments use other wordings than those before."""
    worded = [game._replace(wordings=lookups.next_wordings(connection, game)) for game in new]
    return insert_many(connection, worded)


def put(
    connection: Connection,
    game_id: int | None,
    place: Place,
    *,
    wait_id: int | None = None,
    replaces: Board | None = None,
    called: bool = False,
    page: Page = WHOLE,
    aside: bool = False,
) -> Board:
    """Store a new board of a game or a wait, which may replace another one.

    Its theme, language and form are those chosen in its chat. With `called`, it calls somebody; with `aside`, it
    is for one person's review alone.
    """
    board = _new(game_id, place)._replace(wait_id=wait_id, called=called, aside=aside).showing(page)
    if replaces is not None:
        board = board._replace(replaces=replaces.id, shown_at=replaces.shown_at)
    return _put_many(connection, [board])[0]


def _new(game_id: int | None, place: Place) -> Board:
    return Board(0, game_id, **place._asdict())


def _put_many(connection: Connection, new: Sequence[Board]) -> Sequence[Board]:
    """Store new boards, each as `put` does."""
    if not new:
        return ()
    now = int(time.time())
    ids = {board.chat_id for board in new if board.chat_id is not None}
    known = chats.load_many(connection, ids) if ids else {}
    boards = []
    for board in new:
        chosen = known.get(board.chat_id or 0) or chats.Chat(0)
        boards.append(
            board._replace(
                language=chosen.language or board.language,
                theme=chosen.theme,
                as_text=chosen.as_text,
                silent=chosen.silent,
                look_at=now + GRACE_SECONDS,
                acted_at=now,
            )
        )
    stored = connection.execute(INSERT, [added(board) for board in boards]).scalars()
    return [board._replace(id=board_id) for board, board_id in zip(boards, stored, strict=True)]


def move_down(
    connection: Connection, record: Record, board: Board, thread_id: int | None, page: Page | None = None
) -> Stored:
    """Store that a board moves to a new message, in a topic; the old message goes once the new one is there.

    If that is asked for again before the new message is there, it moves no further. With a `page`, the new message
    shows that page, and stays `aside` if the old one is.
    """
    waiting = next((other for other in record.boards if other.replaces == board.id), board)
    if waiting.message_id is not None:
        place, aside = board.place._replace(thread_id=thread_id), page is not None and board.aside
        new = put(connection, record.game.id, place, replaces=board, page=page or WHOLE, aside=aside)
        return Stored(record, new, None)
    shown = {} if page is None else {**page._asdict(), "aside": board.aside}
    return store_with(connection, record, [waiting], int(time.time()), thread_id=thread_id, **shown)[0]


def come(connection: Connection, record: Record, attention: Mapping[int, Attention]) -> Sequence[Board]:
    """Store new boards to replace a changed game's boards that need a new message; returns the new ones.

    A board that would call somebody who wants no notices is edited where it is.
    """
    new = []
    for board in record.boards:
        each = attention.get(board.id)
        if each is None or each.to is None:
            continue
        if each.person is not None and not preferences.wants_notices(
            connection, each.person, in_group=each.to.viewer is None
        ):
            continue
        new.append(put(connection, record.game.id, each.to, replaces=board, called=each.called))
    return new


def pass_on(connection: Connection, pairs: Sequence[tuple[Record, Game]]) -> Sequence[tuple[Record, Record]]:
    """Store next games, each with boards in the same places; returns both records of each.

    A message of inline mode itself passes on to the next game, because the bot can't send another one there.
    """
    following = _insert(connection, [game for _, game in pairs])
    now = int(time.time())
    passing = [
        (board, next_version(board, now)._replace(game_id=game.id, shown_at=None).showing(WHOLE))
        for (record, _), game in zip(pairs, following, strict=True)
        for board in record.boards
        if board.inline_message_id is not None
    ]
    if passing:
        store_many(connection, [(after, board) for board, after in passing])
        connection.execute(PASS, [{"key": after.id, "following": after.game_id} for _, after in passing])
    new = _put_many(
        connection,
        [
            _new(game.id, board.place)
            for (record, _), game in zip(pairs, following, strict=True)
            for board in record.boards
            if board.inline_message_id is None and not board.leaving and board.replaces is None and not board.aside
        ],
    )
    theirs: dict[int | None, list[Board]] = {}
    for board in (*(after for _, after in passing), *new):
        theirs.setdefault(board.game_id, []).append(board)
    return [
        (
            Record(record.game, tuple(board for board in record.boards if board.inline_message_id is None)),
            Record(game, tuple(theirs.get(game.id, ()))),
        )
        for (record, _), game in zip(pairs, following, strict=True)
    ]
