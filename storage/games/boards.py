"""The SQL of boards: where games are shown, wished for in places and passed on from game to game.

`storage.games.board_messages` knows which messages they are, and `storage.games.versions` how far
Telegram is known to show them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import bindparam, insert, update

from storage.games import lookups
from storage.games.board import WHOLE, Board, Page, Place
from storage.games.games import added, insert_many
from storage.games.record import Record
from storage.games.versions import GRACE_SECONDS, Stored, next_version, store_many, store_with
from storage.people import chats, preferences
from storage.schema import BOARDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from storage.games.board import Attention
    from storage.games.game import Game
    from storage.people.wait import Waiting

INSERT: Final = insert(BOARDS).returning(BOARDS.c.id, sort_by_parameter_order=True)

PASS: Final = (
    update(BOARDS).where(BOARDS.c.id == bindparam("key")).values(game_id=bindparam("following"), **WHOLE._asdict())
)


def turn(connection: Connection, record: Record | Waiting, board: Board, page: Page) -> Stored:
    """Let one board of a game show another page; the others stay as they are.

    Raises:
        ConcurrentChange: if somebody has stored a newer version.
    """
    return store_with(connection, record, [board], int(time.time()), **page._asdict())[0]


def add(connection: Connection, game: Game, places: Iterable[Place]) -> Record:
    """Store a new game with a new board in each of these places."""
    (game,) = _insert(connection, [game])
    return Record(game, tuple(_put_many(connection, [_New(game.id, place) for place in places])))


def _insert(connection: Connection, new: Iterable[Game]) -> Sequence[Game]:
    """Store new games, in which comments come in other words than in those before."""
    worded = [game._replace(wordings=lookups.next_wordings(connection, game)) for game in new]
    return insert_many(connection, worded)


class _New(NamedTuple):
    """The wish for a new board of a game."""

    game_id: int | None
    place: Place
    replaces: int | None = None
    called: bool = False
    wait_id: int | None = None
    shown_at: int | None = None
    page: Page = WHOLE
    aside: bool = False


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
    """Store the wish for a new board of a game or a wait, which may take the place of another one.

    It is dressed as its chat has chosen. With `called`, it comes to call somebody; with `aside`, it is for one
    person's review alone.
    """
    before, since = (None, None) if replaces is None else (replaces.id, replaces.shown_at)
    (board,) = _put_many(connection, [_New(game_id, place, before, called, wait_id, since, page, aside)])
    return board


def _put_many(connection: Connection, wishes: Sequence[_New]) -> Sequence[Board]:
    """Store the wishes for new boards, each as `put` does."""
    if not wishes:
        return ()
    now = int(time.time())
    places = {wish.place.chat_id for wish in wishes if wish.place.chat_id is not None}
    known = chats.load_many(connection, places) if places else {}
    new = []
    for game_id, place, replaces, called, wait_id, shown_at, page, aside in wishes:
        chosen = known.get(place.chat_id or 0) or chats.Chat(0)
        board = Board(
            id=0,
            game_id=game_id,
            wait_id=wait_id,
            chat_id=place.chat_id,
            thread_id=place.thread_id,
            inline_message_id=place.inline_message_id,
            viewer=place.viewer,
            language=chosen.language or place.language,
            theme=chosen.theme,
            as_text=chosen.as_text,
            silent=chosen.silent,
            replaces=replaces,
            shown_at=shown_at,
            look_at=now + GRACE_SECONDS,
            acted_at=now,
            called=called,
            aside=aside,
        )
        new.append(board.showing(page))
    ids = connection.execute(INSERT, [added(board) for board in new]).scalars()
    return [board._replace(id=board_id) for board, board_id in zip(new, ids, strict=True)]


def move_down(
    connection: Connection, record: Record, board: Board, thread_id: int | None, page: Page | None = None
) -> Stored:
    """Ask for a board as a new message, in a topic; it leaves its old one once the new one is there.

    A move that is asked for again before the new message is there moves no further. With a `page`, the new message
    shows that one, and stays `aside` if the old one is.
    """
    waiting = next((other for other in record.boards if other.replaces == board.id), board)
    if waiting.message_id is not None:
        place, aside = board.place._replace(thread_id=thread_id), page is not None and board.aside
        new = put(connection, record.game.id, place, replaces=board, page=page or WHOLE, aside=aside)
        return Stored(record, new, None)
    shown = {} if page is None else {**page._asdict(), "aside": board.aside}
    return store_with(connection, record, [waiting], int(time.time()), thread_id=thread_id, **shown)[0]


def come(connection: Connection, record: Record, attention: Mapping[int, Attention]) -> Sequence[Board]:
    """Store the wish for new messages of a changed game's boards that come; those are given back.

    People who want no notices aren't called: their board is edited where it is.
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
    """Store the games that follow others, with boards where those have their own; give back both of each.

    A message of inline mode passes on to the next game, because the bot cannot send another one there.
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
            _New(game.id, board.place)
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
