"""The SQL of boards: stored, turned to other pages, moved, passed on to the next game; and of their messages.

`storage.games.versions` knows how far Telegram is known to show them. A game's former messages are remembered,
too, so that a reply to one of them is about that game.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    delete,
    insert,
    literal,
    or_,
    select,
    update,
)

from storage.errors import ConcurrentChange, GameNotFound
from storage.games.game import Game, GameKind, Termination
from storage.games.games import added, insert_many, load
from storage.games.record import LOOK_NEVER, WHOLE, Attention, Board, Page, Place, Record
from storage.games.versions import (
    CONFIRM,
    GRACE_SECONDS,
    SHOWN_AT,
    Again,
    Stored,
    become,
    hide,
    lag,
    next_version,
    store,
    store_again,
    store_next,
    write,
)
from storage.people import chats, people
from storage.people.person import Chat
from storage.schema import BOARDS, GAMES, MESSAGES
from storage.upsert import insert_of

INSERT_BOARDS: Final = insert(BOARDS).returning(BOARDS.c.id, sort_by_parameter_order=True)

TAKEN_OVER: Final = tuple(name for name in Board._fields if name in set(Chat._fields) - {"id", "language"})
"""What a board gets from its chat's choices when it is made."""


def turn(connection: Connection, record: Record, board: Board, page: Page) -> Stored:
    """Turn one board of a game to another page; the others stay as they are."""
    return store_next(connection, record, int(time.time()), [board], **page._asdict())[0]


def add(connection: Connection, game: Game, places: Iterable[Place], page: Page = WHOLE) -> Record:
    """Store a new game with a new board in each of these places, which shows a page."""
    (game,) = insert_many(connection, [game])
    new = [_new(game.id, place).showing(page) for place in places]
    return Record(game, tuple(_put_many(connection, new)))


def put(
    connection: Connection,
    game_id: int,
    place: Place,
    *,
    replaces: Board | None = None,
    called: bool = False,
    page: Page = WHOLE,
    aside: bool = False,
) -> Board:
    """Store a new board of a game, which may replace another one.

    Its theme, language and form are those chosen in its chat. With `called`, it calls somebody; with `aside`, it
    is for one person's review alone.
    """
    board = _new(game_id, place)._replace(called=called, aside=aside).showing(page)
    if replaces is not None:
        board = board._replace(replaces=replaces.id, shown_at=replaces.shown_at)
    return _put_many(connection, [board])[0]


def _new(game_id: int, place: Place) -> Board:
    return Board(0, game_id, **place._asdict())


def _put_many(connection: Connection, new: Sequence[Board]) -> Sequence[Board]:
    if not new:
        return ()
    now = int(time.time())
    ids = {board.chat_id for board in new if board.chat_id is not None}
    known = chats.load_many(connection, ids) if ids else {}
    boards = []
    for board in new:
        chosen = known.get(board.chat_id or 0) or Chat(0)
        boards.append(
            board._replace(
                language=chosen.language or board.language,
                **{name: getattr(chosen, name) for name in TAKEN_OVER},
                look_at=now + GRACE_SECONDS,
                acted_at=now,
            )
        )
    return _insert(connection, boards)


def _insert(connection: Connection, boards: Sequence[Board]) -> Sequence[Board]:
    ids = connection.execute(INSERT_BOARDS, added(BOARDS, *boards)).scalars()
    return [board._replace(id=board_id) for board, board_id in zip(boards, ids, strict=True)]


def own_places(connection: Connection, games: Iterable[int]) -> Mapping[int, Place]:
    """Where people play games in their private chats, by person."""
    found = select(BOARDS.c.viewer, BOARDS.c.thread_id, BOARDS.c.language).order_by(BOARDS.c.id)
    own = (BOARDS.c.game_id.in_(list(games)), BOARDS.c.chat_id == BOARDS.c.viewer, BOARDS.c.aside.is_(False))
    return {
        row.viewer: Place(row.viewer, row.thread_id, viewer=row.viewer, language=row.language)
        for row in connection.execute(found.where(*own))
    }


def open_in(connection: Connection, games: Iterable[int], chat_id: int) -> Sequence[int]:
    """The ids of those of these games that have boards in a chat."""
    here = BOARDS.c.game_id.in_(list(games)), BOARDS.c.chat_id == chat_id, BOARDS.c.leaving.is_(False)
    return list(connection.execute(select(BOARDS.c.game_id).where(*here).distinct()).scalars())


def move_down(connection: Connection, record: Record, board: Board, to: Place, page: Page | None = None) -> Stored:
    """Store that a board moves to a new message in its chat; the old message goes once the new one is there.

    If that is asked for again before the new message is there, it moves no further. With a `page`, the new message
    shows that page, and stays `aside` if the old one is.
    """
    waiting = next((other for other in record.boards if other.replaces == board.id), board)
    if waiting.message_id is not None:
        place, aside = board.place.at(to), page is not None and board.aside
        new = put(connection, record.game.id, place, replaces=board, page=page or WHOLE, aside=aside)
        return Stored(record, new, None)
    moved: dict[str, Any] = {"thread_id": to.thread_id, "reply_to": to.reply_to}
    if page is not None:
        moved |= {**page._asdict(), "aside": board.aside}
    return store_next(connection, record, int(time.time()), [waiting], **moved)[0]


def come(connection: Connection, record: Record, attention: Mapping[int, Attention]) -> Sequence[Board]:
    """Store new boards to replace a changed game's boards that need a new message; returns the new ones.

    A board that would call somebody who wants no notices is edited where it is.
    """
    new = []
    for board in record.boards:
        each = attention.get(board.id)
        if each is None or each.to is None:
            continue
        if each.person is not None and not people.wants_notices(
            connection, each.person, in_group=each.to.viewer is None and not each.is_last
        ):
            continue
        new.append(put(connection, record.game.id, each.to, replaces=board, called=each.called))
    return new


def pass_on(connection: Connection, pairs: Sequence[tuple[Record, Game]]) -> Sequence[tuple[Record, Record]]:
    """Store next games, each with boards in the same places; returns both records of each.

    A message of inline mode itself passes on to the next game, because the bot can't send another one there.
    """
    following = insert_many(connection, [game for _, game in pairs])
    going_on = [(record, game) for (record, _), game in zip(pairs, following, strict=True)]
    now = int(time.time())
    passing = [
        (board, next_version(board, now, is_new=True, game_id=game.id, **WHOLE._asdict()))
        for record, game in going_on
        for board in record.boards
        if board.inline_message_id is not None and not board.aside
    ]
    store(connection, [(after, board) for board, after in passing], "game_id", *WHOLE._fields)
    new = _put_many(
        connection,
        [
            _new(game.id, board.place)
            for record, game in going_on
            for board in record.boards
            if board.inline_message_id is None and not board.leaving and board.replaces is None and not board.aside
        ],
    )
    theirs: dict[int, list[Board]] = {}
    for board in (*(after for _, after in passing), *new):
        theirs.setdefault(board.game_id, []).append(board)
    return [
        (
            Record(record.game, tuple(each for each in record.boards if each.aside or not each.inline_message_id)),
            Record(game, tuple(theirs.get(game.id, ()))),
        )
        for record, game in going_on
    ]


SETTLE: Final = (
    update(BOARDS)
    .where(BOARDS.c.id == bindparam("key"))
    .where(or_(BOARDS.c.message_id.is_(None), BOARDS.c.message_id == bindparam("message")))
    .values(
        message_id=bindparam("message"),
        shown=case((BOARDS.c.wanted == bindparam("version"), BOARDS.c.wanted), else_=BOARDS.c.shown),
        shown_at=case((BOARDS.c.timed_from <= bindparam("version"), SHOWN_AT), else_=BOARDS.c.shown_at),
        replaces=None,
    )
)


class Sent(NamedTuple):
    """A message that was sent as a board."""

    board: Board
    message_id: int
    is_new: bool = True
    """Whether it was sent just now, so that no other process can be editing it."""


def settle(connection: Connection, sent: Sequence[Sent]) -> Sequence[bool]:
    """Store which messages were sent as boards; False for each board that has another one by now.

    What a new message shows is confirmed immediately, and the board that it replaces is to be deleted.

    Raises:
        ConcurrentChange: if there are several, and one of the boards has another message; nothing may then be
            committed, and each is to be tried alone.
    """
    now = int(time.time())
    rows = [
        {"key": board.id, "message": message_id, "version": board.wanted if is_new else None, "now": now}
        for board, message_id, is_new in sorted(sent, key=lambda each: each.board.id)
    ]
    if connection.execute(SETTLE, rows).rowcount != len(rows):
        if len(rows) > 1:
            raise ConcurrentChange("a board got another message meanwhile")
        return [False]
    for board, _, _ in sent:
        if board.replaces is not None:
            _retire(connection, board.replaces)
    return [True] * len(sent)


def adopt(connection: Connection, board: Board, message_id: int) -> bool:
    """Let a message whose sending had no answer be the board's; False if the board has a newer one."""
    newer = (BOARDS.c.id == board.id) & or_(BOARDS.c.message_id.is_(None), BOARDS.c.message_id <= message_id)
    if not write(connection, newer, message_id=message_id, replaces=None):
        return False
    _remember(connection, board)
    if board.replaces is not None:
        _retire(connection, board.replaces)
    return True


def retire_twin(
    connection: Connection,
    game_id: int,
    *,
    chat_id: int | None = None,
    message_id: int | None = None,
    inline_message_id: str | None = None,
) -> Board | None:
    """Ask for a twin to be deleted; None if the message is a board by now.

    A twin shows a game and is none of its boards: its sending had no answer, so another one was sent.

    Raises:
        GameNotFound: if that game is gone, so that no board can stand for the message.
    """
    same: ColumnElement[bool] = (BOARDS.c.chat_id == chat_id) & (BOARDS.c.message_id == message_id)
    if inline_message_id is not None:
        same = BOARDS.c.inline_message_id == inline_message_id
    if connection.execute(select(BOARDS.c.id).where(same)).first() is not None:
        return None
    shown = select(GAMES.c.id).where(GAMES.c.id == game_id)
    if connection.execute(shown.with_for_update(read=True, key_share=True)).first() is None:
        raise GameNotFound(game_id)
    twin = Board(0, game_id, chat_id, message_id=message_id, inline_message_id=inline_message_id, leaving=True)
    return _insert(connection, [twin._replace(look_at=int(time.time()) + GRACE_SECONDS)])[0]


def retire(connection: Connection, record: Record, boards: Iterable[Board], now: int) -> Sequence[Stored]:
    """Ask for the removal of the messages of some boards of a game."""
    return store_next(connection, record, now, boards, leaving=True)


def lost(connection: Connection, board: Board) -> Stored | None:
    """Ask for a new message for a board whose message is gone; None if it has another, or is being replaced."""
    same = and_(BOARDS.c.id == board.id, BOARDS.c.message_id == board.message_id, BOARDS.c.leaving.is_(False))
    coming = and_(BOARDS.c.replaces == board.id, BOARDS.c.game_id == board.game_id)
    is_moving = connection.execute(select(BOARDS.c.id).where(coming)).first() is not None
    if board.viewer is None:
        hide(connection, coming if is_moving else same)
    if is_moving:
        connection.execute(delete(BOARDS).where(same))
        return None
    return store_again(connection, [Again(board.id)])[0] if write(connection, same, message_id=None) else None


def lose_topic(connection: Connection, board: Board) -> None:
    """Store that a board's forum topic no longer exists."""
    write(connection, BOARDS.c.id == board.id, thread_id=None)


def drop(connection: Connection, board: Board) -> None:
    """Delete a board; its message stays known as the game's."""
    # If its person was forgotten meanwhile, the board is gone, and the message must not become known again.
    gone = connection.execute(delete(BOARDS).where(BOARDS.c.id == board.id)).rowcount
    if gone:
        _remember(connection, board)


def unreachable(connection: Connection, board: Board) -> None:
    """Count a board as unreachable; one that was to replace another is deleted instead.

    If the other one is gone too, it is kept: a game without any board could not be found again.
    """
    other = BOARDS.c.id == board.replaces
    if board.message_id is None and board.replaces and write(connection, other, **lag(int(time.time()))):
        # One that has had a message since, and lost it, replaces nothing any more.
        connection.execute(delete(BOARDS).where(BOARDS.c.id == board.id, BOARDS.c.replaces == board.replaces))
        return
    same = (BOARDS.c.id == board.id) & (BOARDS.c.wanted == board.wanted)
    if board.viewer is None:
        hide(connection, same, look_at=LOOK_NEVER)
    else:
        write(connection, same, look_at=LOOK_NEVER)


def go_home(connection: Connection, board: Board) -> Sequence[Stored]:
    """Let a running game of two whose inline message is gone go on in the private chats of both; what to show.

    The time for the move begins again there. If it's the first message to one of them that can't be sent, the game
    ends without a result; unless another process has sent it.
    """
    same = and_(BOARDS.c.id == board.id, BOARDS.c.game_id == board.game_id, BOARDS.c.message_id.is_(None))
    hide(connection, same)
    if not connection.execute(delete(BOARDS).where(same)).rowcount:
        return ()
    record, now = load(connection, board.game_id), int(time.time())
    game = record.game
    if game.is_over or game.kind is not GameKind.PAIR:
        return store_next(connection, record, now)
    if board.inline_message_id is None:
        return become(connection, record, game.ended(Termination.CANCELLED), now)
    return [
        Stored(record, put(connection, game.id, place, called=person == game.seat(game.turn)), None)
        for person in (game.x.seat or 0, game.o.seat or 0)
        for place in [Place(person, viewer=person, language=people.language_for(connection, person))]
    ]


def close(connection: Connection, board: Board) -> None:
    """Make no more calls for a board until it changes: its message is gone, or its game cannot be read."""
    connection.execute(CONFIRM, {"key": board.id, "version": board.wanted, "now": int(time.time())})


def remember(connection: Connection, chat_id: int, message_id: int, game_id: int) -> None:
    """Remember a message as one of a game, if the game still exists."""
    ids = (literal(each, BigInteger) for each in (chat_id, message_id))
    row = select(*ids, GAMES.c.id).where(GAMES.c.id == game_id)
    connection.execute(insert_of(connection)(MESSAGES).from_select(MESSAGES.c, row).on_conflict_do_nothing())


def _remember(connection: Connection, board: Board) -> None:
    if board.chat_id is not None and board.message_id is not None:
        remember(connection, board.chat_id, board.message_id, board.game_id)


def _retire(connection: Connection, board_id: int) -> None:
    staying = (BOARDS.c.id == board_id) & BOARDS.c.leaving.is_(False)
    write(connection, staying, leaving=True, **lag(int(time.time())))
