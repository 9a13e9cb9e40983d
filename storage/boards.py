"""The SQL of boards: where games are shown, and by which messages.

How far Telegram is known to show them is the subject of `storage.versions`.
"""

from __future__ import annotations

import time
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import BigInteger, and_, bindparam, case, delete, insert, or_, select, update

from storage import chats
from storage.board import Board, Place
from storage.errors import ConcurrentChange
from storage.games import BOARD_NAMES, insert_many
from storage.record import Record
from storage.schema import BOARDS, GAMES, MESSAGES
from storage.versions import CONFIRM, GRACE_SECONDS, Raised, raise_many, raised, show_anew

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from storage.board import Heed
    from storage.game import Game

ADDED: Final = tuple(name for name in BOARD_NAMES if name != "id")
_added = attrgetter(*ADDED)

INSERT: Final = insert(BOARDS).returning(BOARDS.c.id, sort_by_parameter_order=True)

SETTLE: Final = (
    update(BOARDS)
    .where(BOARDS.c.id == bindparam("key"))
    .where(or_(BOARDS.c.message_id.is_(None), BOARDS.c.message_id == bindparam("message")))
    .values(
        message_id=bindparam("message"),
        shown=case((BOARDS.c.wanted == bindparam("version"), BOARDS.c.wanted), else_=BOARDS.c.shown),
        replaces=None,
    )
)

PASS: Final = (
    update(BOARDS).where(BOARDS.c.id == bindparam("key")).values(game_id=bindparam("following"), page=None)
)

REMEMBER: Final = insert(MESSAGES).from_select(
    ["chat_id", "message_id", "game_id"],
    select(bindparam("chat", type_=BigInteger), bindparam("message", type_=BigInteger), GAMES.c.id).where(
        GAMES.c.id == bindparam("game")
    ),
)


def turn(connection: Connection, record: Record, board: Board, page: str | None) -> Raised:
    """Let one board of a game show another page; the others stay as they are.

    Raises:
        ConcurrentChange: if somebody has raised it meanwhile.
    """
    turned = raised(board, int(time.time()))._replace(page=page)
    raise_many(connection, [(turned, board)])
    connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(page=page))
    return Raised(record, turned, board)


def add(connection: Connection, game: Game, places: Iterable[Place]) -> Record:
    """Store a new game with a new board in each of these places."""
    (game,) = insert_many(connection, [game])
    return Record(game, tuple(_put_many(connection, [_New(game.id, place) for place in places])))


class _New(NamedTuple):
    """The wish for a new board of a game."""

    game_id: int
    place: Place
    replaces: int | None = None
    called: bool = False


def put(
    connection: Connection, game_id: int, place: Place, *, replaces: int | None = None, called: bool = False
) -> Board:
    """Store the wish for a new board of a game, which may take the place of another one.

    It is dressed as its chat has chosen. With `called`, it comes to call somebody.
    """
    (board,) = _put_many(connection, [_New(game_id, place, replaces, called)])
    return board


def _put_many(connection: Connection, wishes: Sequence[_New]) -> Sequence[Board]:
    """Store the wishes for new boards, each as `put` does."""
    if not wishes:
        return ()
    now = int(time.time())
    places = {wish.place.chat_id for wish in wishes if wish.place.chat_id is not None}
    known = chats.load_many(connection, places) if places else {}
    new = []
    for game_id, place, replaces, called in wishes:
        chosen = known.get(place.chat_id or 0) or chats.Chat(0)
        board = Board(
            id=0,
            game_id=game_id,
            chat_id=place.chat_id,
            thread_id=place.thread_id,
            message_id=None,
            inline_message_id=place.inline_message_id,
            viewer=place.viewer,
            language=chosen.language or place.language,
            look=chosen.look,
            as_text=chosen.as_text,
            silent=chosen.silent,
            page=None,
            replaces=replaces,
            leaving=False,
            wanted=1,
            shown=0,
            look_at=now + GRACE_SECONDS,
            claims=0,
            acted_at=now,
            called=called,
        )
        new.append(board)
    rows = [dict(zip(ADDED, _added(board), strict=True)) for board in new]
    ids = connection.execute(INSERT, rows).scalars()
    return [board._replace(id=board_id) for board, board_id in zip(new, ids, strict=True)]


def move_down(connection: Connection, record: Record, board: Board, thread_id: int | None) -> Raised:
    """Ask for a board as a new message, in a topic; it leaves its old one once the new one is there.

    A move that is asked for again before the new message is there moves no further.
    """
    waiting = next((other for other in record.boards if other.replaces == board.id), board)
    if waiting.message_id is not None:
        place = board.place._replace(thread_id=thread_id)
        return Raised(record, put(connection, record.game.id, place, replaces=board.id), None)
    anew = raised(waiting, int(time.time()))._replace(thread_id=thread_id)
    raise_many(connection, [(anew, waiting)])
    connection.execute(update(BOARDS).where(BOARDS.c.id == anew.id).values(thread_id=thread_id))
    return Raised(record, anew, waiting)


def come(connection: Connection, record: Record, heeds: Mapping[int, Heed]) -> Sequence[Board]:
    """Store the wish for new messages of a changed game's boards that come; those are given back.

    Whoever wants no notices is not called: their board is edited where it stands.
    """
    new = []
    for board_id, heed in heeds.items():
        if heed.to is None:
            continue
        if heed.whom is not None and not chats.wants_notices(
            connection, heed.whom, in_group=heed.to.viewer is None
        ):
            continue
        new.append(put(connection, record.game.id, heed.to, replaces=board_id, called=heed.called))
    return new


def pass_on(connection: Connection, pairs: Sequence[tuple[Record, Game]]) -> Sequence[tuple[Record, Record]]:
    """Store the games that follow others, with boards where those have their own; give back both of each.

    A message of inline mode passes on to the next game, because the bot cannot send another one there.
    """
    following = insert_many(connection, [game for _, game in pairs])
    now = int(time.time())
    passing = [
        (board, raised(board, now)._replace(game_id=game.id, page=None))
        for (record, _), game in zip(pairs, following, strict=True)
        for board in record.boards
        if board.inline_message_id is not None
    ]
    if passing:
        raise_many(connection, [(anew, board) for board, anew in passing])
        connection.execute(PASS, [{"key": anew.id, "following": anew.game_id} for _, anew in passing])
    new = _put_many(
        connection,
        [
            _New(game.id, board.place)
            for (record, _), game in zip(pairs, following, strict=True)
            for board in record.boards
            if board.inline_message_id is None
            and not board.leaving
            and board.replaces is None
            and not board.is_aside
        ],
    )
    theirs: dict[int, list[Board]] = {}
    for board in (*(anew for _, anew in passing), *new):
        theirs.setdefault(board.game_id, []).append(board)
    return [
        (
            Record(record.game, tuple(board for board in record.boards if board.inline_message_id is None)),
            Record(game, tuple(theirs.get(game.id, ()))),
        )
        for (record, _), game in zip(pairs, following, strict=True)
    ]


class Sent(NamedTuple):
    """A message that was sent as a board."""

    board: Board
    message_id: int
    is_new: bool = True
    """Whether it was sent just now, so that nobody else can have an edit of it under way."""


def settle(connection: Connection, sent: Sequence[Sent]) -> Sequence[bool]:
    """Remember which messages were sent as boards; False for each board that has another one by now.

    What a new message shows is confirmed at once. The board that it replaces has to go.

    Raises:
        ConcurrentChange: if there are several, and not all of them are still the boards'; nothing may then be
            committed, and each is to be tried alone.
    """
    rows = [
        {"key": board.id, "message": message_id, "version": board.wanted if is_new else None}
        for board, message_id, is_new in sorted(sent, key=lambda each: each.board.id)
    ]
    if connection.execute(SETTLE, rows).rowcount != len(rows):
        if len(rows) > 1:
            raise ConcurrentChange("a board has got another message meanwhile")
        return [False]
    for board, _, _ in sent:
        if board.replaces is not None:
            _send_away(connection, board.replaces)
    return [True] * len(sent)


def adopt(connection: Connection, board: Board, message_id: int) -> bool:
    """Let a newer message be the board, one of whose sending nobody had heard; False if it has a newer one."""
    newer = (BOARDS.c.id == board.id) & or_(BOARDS.c.message_id.is_(None), BOARDS.c.message_id <= message_id)
    adopted = connection.execute(update(BOARDS).where(newer).values(message_id=message_id, replaces=None))
    if adopted.rowcount != 1:
        return False
    if board.message_id is not None and board.chat_id is not None:
        remember(connection, board.chat_id, board.message_id, board.game_id)
    if board.replaces is not None:
        _send_away(connection, board.replaces)
    return True


def lose_message(connection: Connection, board: Board) -> Raised | None:
    """Ask for a board anew whose message is gone; None if it has another one by now, or one is on its way."""
    same = and_(BOARDS.c.id == board.id, BOARDS.c.message_id == board.message_id, BOARDS.c.leaving.is_(False))
    moving = select(BOARDS.c.id).where(BOARDS.c.replaces == board.id, BOARDS.c.game_id == board.game_id)
    if connection.execute(moving).first() is not None:
        connection.execute(delete(BOARDS).where(same))
        return None
    lost = connection.execute(update(BOARDS).where(same).values(message_id=None))
    if lost.rowcount != 1:
        return None
    return show_anew(connection, board.id)


def leave_topic(connection: Connection, board: Board) -> None:
    """Remember that a board's forum topic is not there any more."""
    connection.execute(update(BOARDS).where(BOARDS.c.id == board.id).values(thread_id=None))


def remove(connection: Connection, board: Board) -> None:
    """Forget a board; its message stays known as the game's."""
    # Who was forgotten meanwhile has no board any more, and no message of theirs becomes known again.
    gone = connection.execute(delete(BOARDS).where(BOARDS.c.id == board.id)).rowcount
    if gone and board.chat_id is not None and board.message_id is not None:
        remember(connection, board.chat_id, board.message_id, board.game_id)


def give_up(connection: Connection, board: Board) -> None:
    """Show a board no more until it changes again; one that was to replace another is forgotten instead.

    Where the other one is gone too, it is kept: a game without any board could not be found again.
    """
    if board.message_id is None and board.replaces is not None:
        stays = update(BOARDS).where(BOARDS.c.id == board.replaces)
        stays = stays.values(wanted=BOARDS.c.wanted + 1, look_at=int(time.time()), claims=0)
        if connection.execute(stays).rowcount == 1:
            connection.execute(delete(BOARDS).where(BOARDS.c.id == board.id, BOARDS.c.message_id.is_(None)))
            return
    connection.execute(CONFIRM, {"key": board.id, "version": board.wanted})


def remember(connection: Connection, chat_id: int, message_id: int, game_id: int) -> None:
    """Know a message as one of a game, if there still is that game."""
    known = select(MESSAGES.c.game_id).where(MESSAGES.c.chat_id == chat_id, MESSAGES.c.message_id == message_id)
    if connection.execute(known).first() is None:
        connection.execute(REMEMBER, {"chat": chat_id, "message": message_id, "game": game_id})


def _send_away(connection: Connection, board_id: int) -> None:
    """Ask for a board's message to be taken away: another one has taken its place."""
    gone = update(BOARDS).where(BOARDS.c.id == board_id, BOARDS.c.leaving.is_(False))
    connection.execute(gone.values(leaving=True, wanted=BOARDS.c.wanted + 1, look_at=int(time.time()), claims=0))
