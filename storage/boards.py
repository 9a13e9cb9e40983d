"""The SQL of boards: where games are shown, and how far Telegram is known to show them.

The rules that these functions keep stand in docs/architecture.md, "The protocol of a board". In short: who shows a
state has stored it as the board's next version before; only a version that nobody contests is confirmed; what was
not confirmed is shown again by the sweep, twice, because an edit that is under way cannot be called back.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import BigInteger, and_, bindparam, case, delete, insert, or_, select, update

from storage import chats
from storage.board import Board, Place
from storage.errors import ConcurrentChange
from storage.games import BOARD_COLUMNS, BOARD_NAMES, insert_game, load_many
from storage.record import Record
from storage.schema import BOARDS, GAMES, MESSAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from storage.board import Heed
    from storage.errors import CorruptGame
    from storage.game import Game

GRACE_SECONDS: Final = 5
"""For how long the process that has stored a version has the board to itself, before any sweep may show it."""

UNDER_WAY_SECONDS: Final = 28
"""The longest that an edit can be under way: the 20 s for which its answer is waited for, and the 8 s for which
Telegram sleeps through a flood wait."""

AGAIN_SECONDS: Final = GRACE_SECONDS + UNDER_WAY_SECONDS + 1
"""After a claim the sweep comes again so much later, when the edit that it led to has landed, or never will: it
began at the end of its grace at the latest."""

ADDED: Final = tuple(name for name in BOARD_NAMES if name != "id")
INSERT: Final = insert(BOARDS).values({name: bindparam(name) for name in ADDED}).returning(BOARDS.c.id)
RAISE: Final = (
    update(BOARDS)
    .where(BOARDS.c.id == bindparam("key"), BOARDS.c.wanted == bindparam("expected"))
    .values(
        wanted=bindparam("new_wanted"),
        look_at=bindparam("new_look_at"),
        claims=0,
        acted_at=bindparam("new_acted_at"),
        called=bindparam("new_called"),
    )
)
CONFIRM: Final = (
    update(BOARDS)
    .where(BOARDS.c.id == bindparam("key"), BOARDS.c.wanted == bindparam("version"))
    .values(shown=bindparam("version"))
)
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
HOLD: Final = (
    update(BOARDS)
    .where(BOARDS.c.id == bindparam("key"), BOARDS.c.wanted == bindparam("version"))
    .values(look_at=case((BOARDS.c.claims > 0, bindparam("after_claim")), else_=bindparam("new_look_at")))
)


REMEMBER: Final = insert(MESSAGES).from_select(
    ["chat_id", "message_id", "game_id"],
    select(bindparam("chat", type_=BigInteger), bindparam("message", type_=BigInteger), GAMES.c.id).where(
        GAMES.c.id == bindparam("game")
    ),
)
NEWEST: Final = select(BOARDS.c.id, BOARDS.c.wanted, BOARDS.c.game_id).where(
    BOARDS.c.id.in_(bindparam("ids", expanding=True))
)


class Shown(NamedTuple):
    """What Telegram was seen to show, or may show: the version of a board that a call has brought there."""

    board_id: int
    version: int
    confirmable: bool
    """Whether the call was answered, and nobody else can have an edit of the board under way."""
    late: bool = False
    """Whether the call ended after the hold on the board, so that others may have shown something newer before."""


def raised(board: Board, now: int, heed: Heed | None = None) -> Board:
    """A board as it is to be stored when there is something newer to show, and what that means for who looks."""
    if heed is None:
        return board._replace(wanted=board.wanted + 1, look_at=now + GRACE_SECONDS, claims=0)
    return board._replace(
        wanted=board.wanted + 1,
        look_at=now + GRACE_SECONDS,
        claims=0,
        acted_at=heed.acted_at,
        called=heed.called,
    )


def raise_many(connection: Connection, boards: Iterable[tuple[Board, Board]]) -> None:
    """Write the newer versions of boards, each beside the board that it was when it was loaded.

    Raises:
        ConcurrentChange: if somebody has raised one of them meanwhile; nothing may then be committed.
    """
    rows = [
        {
            "key": board.id,
            "expected": loaded.wanted,
            "new_wanted": board.wanted,
            "new_look_at": board.look_at,
            "new_acted_at": board.acted_at,
            "new_called": board.called,
        }
        for board, loaded in sorted(boards, key=lambda pair: pair[0].id)
    ]
    if rows and connection.execute(RAISE, rows).rowcount != len(rows):
        raise ConcurrentChange("a board was raised between its reading and its writing")


class Raised(NamedTuple):
    """A board that was stored as its next version, beside what it was before, and the game that it shows."""

    record: Record
    board: Board
    before: Board | None
    """None for a new board."""


def show_anew(connection: Connection, board_id: int, wanted: int | None = None) -> Raised | None:
    """Store the next version of one board, with the content as it is, so that it may be shown.

    With `wanted`, only if that still is its newest version. None if there is no such board, if somebody was
    faster, or the game cannot be read.
    """
    return next(iter(show_many_anew(connection, {board_id: wanted})), None)


def show_many_anew(connection: Connection, versions: Mapping[int, int | None]) -> Sequence[Raised]:
    """Store the next versions of boards, each as `show_anew` does with the version that it still has to have."""
    found = connection.execute(NEWEST, {"ids": list(versions)}).all()
    same = {game_id for board_id, wanted, game_id in found if versions[board_id] in {None, wanted}}
    records = load_many(connection, same).values() if same else ()
    now = int(time.time())
    shown = [
        (record, raised(board, now), board)
        for record in records
        if isinstance(record, Record)
        for board in record.boards
        if board.id in versions and versions[board.id] in {None, board.wanted}
    ]
    raise_many(connection, [(anew, board) for _, anew, board in shown])
    return [Raised(*each) for each in shown]


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


def _unchanged(connection: Connection, versions: Mapping[int, int]) -> Sequence[int]:
    """The boards, by id, whose newest version still is the one that is given here."""
    if not versions:
        return ()
    found = connection.execute(NEWEST, {"ids": list(versions)}).all()
    return [board_id for board_id, wanted, _ in found if versions[board_id] == wanted]


def confirm(connection: Connection, shown: Sequence[Shown]) -> Sequence[Shown]:
    """Write what Telegram shows, where it is the newest version and nobody contests it; the rest is given back.

    A call that ended late may have landed after a newer version of another process. Where something newer is
    wanted, or counts as shown, the board lags again: as a new version, because whoever owns the one that is stored
    would else confirm it, and undo the mark. Of those, what another transaction holds now is given back.
    """
    newest = _unchanged(connection, {entry.board_id: entry.version for entry in shown if entry.confirmable})
    # A row is locked only where there is something to write: the other processes' taps would wait for it.
    ids = {*newest, *(entry.board_id for entry in shown if entry.late)}
    if not ids:
        return []
    columns = (BOARDS.c.id, BOARDS.c.wanted, BOARDS.c.shown)
    free = select(*columns).where(BOARDS.c.id.in_(ids)).order_by(BOARDS.c.id).with_for_update(skip_locked=True)
    stored = {row.id: row for row in connection.execute(free)}
    rows = [
        {"key": entry.board_id, "version": entry.version}
        for entry in shown
        if entry.confirmable and entry.board_id in stored and stored[entry.board_id].wanted == entry.version
    ]
    if rows:
        connection.execute(CONFIRM, rows)
    doubtful = [
        entry.board_id
        for entry in shown
        if entry.late
        and (row := stored.get(entry.board_id)) is not None
        and (row.wanted > entry.version or row.shown >= entry.version)
    ]
    if doubtful:
        lag = update(BOARDS).where(BOARDS.c.id.in_(doubtful))
        connection.execute(lag.values(wanted=BOARDS.c.wanted + 1, claims=0, look_at=int(time.time())))
    return [entry for entry in shown if entry.late and entry.board_id not in stored]


def hold(connection: Connection, waiting: Mapping[int, int], now: int) -> Sequence[int]:
    """Keep the sweep off boards whose newest version waits in a process; those are given back that still are so.

    `waiting` has the version that waits, by the id of the board. After a claim the sweep is kept off for longer:
    the next one must find no edit under way, neither of this process nor of those before it.
    """
    times = {"new_look_at": now + GRACE_SECONDS, "after_claim": now + AGAIN_SECONDS}
    rows = [{"key": board_id, "version": version, **times} for board_id, version in sorted(waiting.items())]
    if not rows:
        return ()
    connection.execute(HOLD, rows)
    return _unchanged(connection, waiting)


def claim_lagging(
    connection: Connection, *, now: int, limit: int
) -> tuple[Sequence[tuple[Board, Record]], Sequence[tuple[Board, CorruptGame]]]:
    """Take up boards that Telegram is not known to show, longest waiting first, each as its next version.

    Writing the time of the next attempt into the row is the claim: of several processes that sweep at once, one
    gets each board. The second result are boards of games that cannot be read.
    """
    due = (
        select(BOARDS.c.id)
        .where(BOARDS.c.shown < BOARDS.c.wanted, BOARDS.c.look_at <= now)
        .order_by(BOARDS.c.look_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    claimed = (
        update(BOARDS)
        .where(BOARDS.c.id.in_(due), BOARDS.c.look_at <= now)
        .values(wanted=BOARDS.c.wanted + 1, look_at=now + AGAIN_SECONDS, claims=BOARDS.c.claims + 1)
        .returning(*BOARD_COLUMNS)
    )
    boards = [Board._make(row) for row in connection.execute(claimed)]
    records = load_many(connection, {board.game_id for board in boards})
    sound: list[tuple[Board, Record]] = []
    broken: list[tuple[Board, CorruptGame]] = []
    for board in boards:
        record = records[board.game_id]
        if isinstance(record, Record):
            sound.append((board, record))
        else:
            broken.append((board, record))
    return sound, broken


def _send_away(connection: Connection, board_id: int) -> None:
    """Ask for a board's message to be taken away: another one has taken its place."""
    gone = update(BOARDS).where(BOARDS.c.id == board_id, BOARDS.c.leaving.is_(False))
    connection.execute(gone.values(leaving=True, wanted=BOARDS.c.wanted + 1, look_at=int(time.time()), claims=0))
