"""The SQL of boards: where games are shown, and by which messages.

How far Telegram is known to show them is the subject of `storage.versions`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from sqlalchemy import BigInteger, and_, bindparam, case, delete, insert, or_, select, update

from storage import chats
from storage.board import Board, Place
from storage.games import BOARD_NAMES, insert_game
from storage.record import Record
from storage.schema import BOARDS, GAMES, MESSAGES
from storage.versions import CONFIRM, GRACE_SECONDS, Raised, raise_many, raised, show_anew

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from storage.board import Heed
    from storage.game import Game

ADDED: Final = tuple(name for name in BOARD_NAMES if name != "id")

INSERT: Final = insert(BOARDS).values({name: bindparam(name) for name in ADDED}).returning(BOARDS.c.id)

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
    game = insert_game(connection, game)
    return Record(game, tuple(put(connection, game.id, place) for place in places))


def put(
    connection: Connection, game_id: int, place: Place, *, replaces: int | None = None, called: bool = False
) -> Board:
    """Store the wish for a new board of a game, which may take the place of another one.

    It is dressed as its chat has chosen. With `called`, it comes to call somebody.
    """
    now = int(time.time())
    chosen = chats.Chat(0) if place.chat_id is None else chats.load(connection, place.chat_id)
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
    (board_id,) = connection.execute(INSERT, {name: getattr(board, name) for name in ADDED}).one()
    return board._replace(id=board_id)


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


def pass_on(connection: Connection, record: Record, following: Game) -> tuple[Record, Record]:
    """Store the game that follows another, with boards where that one has its own; give back both.

    A message of inline mode passes on to the next game, because the bot cannot send another one there.
    """
    following = insert_game(connection, following)
    staying, passed = [], []
    now = int(time.time())
    for board in record.boards:
        if board.inline_message_id is None:
            staying.append(board)
            if not board.leaving and board.replaces is None and not board.is_aside:
                passed.append(put(connection, following.id, board.place))
        else:
            anew = raised(board, now)._replace(game_id=following.id, page=None)
            raise_many(connection, [(anew, board)])
            passing = update(BOARDS).where(BOARDS.c.id == board.id)
            connection.execute(passing.values(game_id=following.id, page=None))
            passed.append(anew)
    return Record(record.game, tuple(staying)), Record(following, tuple(passed))


def settle(connection: Connection, board: Board, message_id: int, *, is_new: bool = True) -> bool:
    """Remember the message that was sent as a board; False if it has another one by now.

    Nobody else can have an edit of a message under way that was sent just now (`is_new`), so what it shows is
    confirmed at once. The board that it replaces has to go.
    """
    row = {"key": board.id, "message": message_id, "version": board.wanted if is_new else None}
    if connection.execute(SETTLE, row).rowcount != 1:
        return False
    if board.replaces is not None:
        _send_away(connection, board.replaces)
    return True


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
    if board.chat_id is not None and board.message_id is not None:
        remember(connection, board.chat_id, board.message_id, board.game_id)
    connection.execute(delete(BOARDS).where(BOARDS.c.id == board.id))


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
