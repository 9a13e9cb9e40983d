"""The protocol of a board, as SQL: versions are stored by compare-and-set, held, confirmed, and claimed.

docs/delivery.md explains the rules; `bot.delivery.ownership` decides for the process that calls these functions.
Whatever stores versions raises ConcurrentChange if somebody has stored a newer one meanwhile; nothing may then be
committed.
"""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, case, func, select, update

from storage.errors import ConcurrentChange, CorruptGame, NewerGame
from storage.games import games
from storage.games.game import Game, GameKind
from storage.games.games import BOARD_COLUMNS
from storage.games.record import LOOK_NEVER, Attention, Board, Record
from storage.schema import BOARDS, GAMES, OUTBOX

GRACE_SECONDS: Final = 5
"""The send window: for how long the process that has stored a version has the board to itself."""

UNDER_WAY_SECONDS: Final = 28
"""The longest that an edit can be under way: its answer is awaited for 20 s, and Telegram may sleep for 8 s before
it carries it out."""

CLAIM_SECONDS: Final = GRACE_SECONDS + UNDER_WAY_SECONDS + 1
"""How long after a claim the next one may come: an edit that began at the end of the window is over by then."""

NEWEST_IS_THIS: Final = (BOARDS.c.id == bindparam("key"), BOARDS.c.wanted == bindparam("version"))

# Another process may have noted the time since the board was loaded: only a new position takes it away.
NOTED: Final = case((BOARDS.c.timed_from == bindparam("timed"), BOARDS.c.shown_at), else_=None)
STORE: Final = update(BOARDS).where(*NEWEST_IS_THIS).values(shown_at=NOTED)
STORED: Final = ("wanted", "look_at", "claims", "acted_at", "called", "timed_from")
"""What is written besides with each new version of a board."""

SHOWN_AT: Final = func.coalesce(BOARDS.c.shown_at, bindparam("now"))
CONFIRM: Final = update(BOARDS).where(*NEWEST_IS_THIS).values(shown=bindparam("version"), shown_at=SHOWN_AT)
SEE: Final = (
    update(BOARDS)
    .where(BOARDS.c.id == bindparam("key"), BOARDS.c.timed_from <= bindparam("version"))
    .values(shown_at=SHOWN_AT)
)

HOLD: Final = (
    update(BOARDS)
    .where(*NEWEST_IS_THIS)
    .values(look_at=case((BOARDS.c.claims > 0, bindparam("after_claim")), else_=bindparam("after_change")))
)

NEWEST: Final = select(BOARDS.c.id, BOARDS.c.wanted, BOARDS.c.game_id).where(
    BOARDS.c.id.in_(bindparam("ids", expanding=True))
)
TIMED: Final = select(BOARDS.c.id, BOARDS.c.wanted, BOARDS.c.timed_from, BOARDS.c.shown_at).where(
    BOARDS.c.id.in_(bindparam("ids", expanding=True))
)


class BoardCall(NamedTuple):
    """A call for a version of a board."""

    board_id: int
    version: int


def is_overwritten(version: int, *, wanted: int) -> bool:
    """Whether an overdue call for a version may have landed after the edit of a newer one (rule 4)."""
    return version < wanted


class Stored(NamedTuple):
    """A board that was stored as its next version, what it was before, and the game that it shows."""

    record: Record
    board: Board
    before: Board | None
    """None for a new board."""


def next_version(board: Board, now: int, *, is_new: bool = False, **columns: Any) -> Board:  # noqa: ANN401 - as the columns have it
    """The next version of a board, with these columns; not stored yet. `is_new` if its position is."""
    after = board._replace(**{"wanted": board.wanted + 1, "look_at": now + GRACE_SECONDS, "claims": 0, **columns})
    return after.unseen() if is_new else after


def of_changed_game(board: Board, now: int, *, is_new: bool, attention: Attention | None = None) -> Board:
    """The next version of a board because its game changes, with what that means for the people who see it."""
    columns: dict[str, Any] = {}
    if attention is not None:
        columns = {"acted_at": attention.acted_at, "called": attention.called}
    if board.chat_id is not None and board.is_unreachable:
        columns["look_at"] = LOOK_NEVER  # a chat that takes nothing isn't asked again for that
    return next_version(board, now, is_new=is_new, **columns)


def has_new_position(before: Game, game: Game) -> bool:
    """Whether the boards of a changed game show another position, or one whose time begins again."""
    return (game.moves, game.moved_at) != (before.moves, before.moved_at)


def store(connection: Connection, pairs: Iterable[tuple[Board, Board]], *columns: str) -> None:
    """Store newer versions of boards, each given with the board as it was loaded (rule 1); also these columns."""
    rows = [
        {"key": board.id, "version": loaded.wanted, "timed": board.timed_from}
        | {name: getattr(board, name) for name in (*STORED, *columns)}
        for board, loaded in sorted(pairs, key=lambda pair: pair[0].id)
    ]
    if rows and connection.execute(STORE, rows).rowcount != len(rows):
        raise ConcurrentChange("a newer version of a board was stored between its reading and its writing")


def store_next(
    connection: Connection,
    record: Record,
    now: int,
    boards: Iterable[Board] | None = None,
    *,
    is_new: bool = False,
    **columns: Any,  # noqa: ANN401 - as the columns have it
) -> Sequence[Stored]:
    """Store the next version of boards of a record, with these columns; `is_new` if its position is.

    Without `boards`, of all that aren't leaving; those that another one replaces are only returned if they are to
    leave.
    """
    going = {board.replaces for board in record.boards} if boards is None else ()
    these = [board for board in record.boards if not board.leaving] if boards is None else boards
    pairs = [(next_version(board, now, is_new=is_new, **columns), board) for board in these]
    store(connection, pairs, *columns)
    return [Stored(record, *pair) for pair in pairs if pair[0].leaving or pair[0].id not in going]


def become(
    connection: Connection,
    record: Record,
    game: Game,
    now: int,
    **columns: Any,  # noqa: ANN401 - as the columns have it
) -> Sequence[Stored]:
    """Store what a game becomes as its next version, and the next versions of its boards (`store_next`)."""
    after = games.next_version(game, now)
    games.save_many(connection, [(after, record.game)])
    is_new = has_new_position(record.game, after)
    return store_next(connection, record._replace(game=after), now, is_new=is_new, **columns)


def redraw(connection: Connection, ids: Collection[int], now: int) -> Sequence[Stored]:
    """Store next versions of the boards of games in which another statement has changed what they show."""
    pairs = [
        (record, next_version(board, now), board)
        for record in games.load_sound(connection, ids).values()
        for board in record.boards
        if not board.leaving and board.is_anywhere
    ]
    store(connection, [(after, board) for _, after, board in pairs])
    return [Stored(*each) for each in pairs]


def write(connection: Connection, which: ColumnElement[bool], **columns: Any) -> bool:  # noqa: ANN401 - as the columns have it
    """Write columns of boards as they are stored now, whoever has loaded them; whether there was one."""
    return bool(connection.execute(update(BOARDS).where(which).values(columns)).rowcount)


def lag(now: int) -> dict[str, Any]:
    """The columns that make a board lag: a next version, which nobody owns, for the sweep."""
    return {"wanted": BOARDS.c.wanted + 1, "look_at": now, "claims": 0}


def hide(connection: Connection, which: ColumnElement[bool], **columns: Any) -> None:  # noqa: ANN401 - any column of a board
    """Note that boards that several people see no longer show their position, and set columns of them.

    The time for the move begins again once they do, unless they haven't shown it anyway, or whoever is to move
    sees it in their own chat. That is their next version, so that no process stores what it loaded before. The
    games are locked first, as everywhere.
    """
    shown = select(BOARDS.c.game_id).where(which, BOARDS.c.shown_at.is_not(None))
    mover = case((func.length(GAMES.c.moves) % 2 == 0, GAMES.c.x_seat), else_=GAMES.c.o_seat)
    own = (BOARDS.c.game_id == GAMES.c.id, BOARDS.c.viewer == mover, BOARDS.c.shown_at.is_not(None))
    timed = (GAMES.c.id.in_(shown), GAMES.c.kind == GameKind.PAIR, GAMES.c.reminded.is_not(None))
    sees = select(BOARDS.c.id).where(*own).exists()
    connection.execute(update(GAMES).where(*timed, ~sees).values(reminded=None))
    following = BOARDS.c.wanted + 1
    unseen = {"wanted": following, "timed_from": following, "shown_at": None}
    write(connection, which, **(unseen | columns))


class Again(NamedTuple):
    """A request to show a board again, with the content as it is."""

    board_id: int
    wanted: int | None = None
    """If given, only while this still is its newest version."""


def store_again(connection: Connection, asked: Sequence[Again]) -> Sequence[Stored | None]:
    """Store next versions of boards, with the content as it is, so that they may be shown (rule 2).

    A board that is asked for twice gets one, for whoever takes any version. None if there is no such board, if
    somebody was faster, or the game cannot be read.
    """
    accepted: dict[int, set[int | None]] = {}
    for each in asked:
        accepted.setdefault(each.board_id, set()).add(each.wanted)
    found = connection.execute(NEWEST, {"ids": sorted(accepted)}).all()
    shown = {row.id: row.game_id for row in found if {None, row.wanted} & accepted[row.id]}
    now = int(time.time())
    pairs: list[tuple[Board, Board]] = []
    stored: dict[Again, Stored] = {}
    for board_id, record in _shown_by(connection, shown).items():
        if isinstance(record, CorruptGame):
            continue
        board = next((board for board in record.boards if board.id == board_id), None)
        if board is not None and {None, board.wanted} & accepted[board_id]:
            pairs.append((next_version(board, now), board))
            wanted = None if None in accepted[board_id] else board.wanted
            stored[Again(board_id, wanted)] = Stored(record, *pairs[-1])
    store(connection, pairs)
    return [stored.get(each) for each in asked]


def confirm(
    connection: Connection,
    shown: Mapping[int, int],
    overdue: Collection[BoardCall],
    contested: Mapping[int, int] = MappingProxyType({}),
) -> Sequence[BoardCall]:
    """Confirm the versions that boards show, by board, where they still are the newest; mark overwritten boards.

    Whatever Telegram has shown since the last move, contested or overtaken, starts the clock: otherwise somebody
    who keeps changing a game could stop it.

    The mark is a version that nobody owns: if it left `wanted` alone, the owner of that version would confirm it,
    and undo the mark. Overdue calls whose boards another transaction has locked are given back.
    """
    # A row is locked only where there is something to write: other processes' taps would wait for it.
    seen = {**contested, **shown}
    found = connection.execute(TIMED, {"ids": list(seen)}).all() if seen else ()
    newest = [row.id for row in found if shown.get(row.id) == row.wanted]
    begun = [
        row.id for row in found if row.shown_at is None and row.id not in newest and seen[row.id] >= row.timed_from
    ]
    ids = {*newest, *begun, *(call.board_id for call in overdue)}
    if not ids:
        return []
    free = select(BOARDS.c.id, BOARDS.c.wanted).where(BOARDS.c.id.in_(ids)).order_by(BOARDS.c.id)
    wanted = {row.id: row.wanted for row in connection.execute(free.with_for_update(skip_locked=True))}
    now = int(time.time())
    for statement, written in ((CONFIRM, newest), (SEE, begun)):
        rows = [{"key": each, "version": seen[each], "now": now} for each in written if each in wanted]
        if rows:
            connection.execute(statement, rows)
    overwritten = [
        board_id
        for board_id, version in overdue
        if board_id in wanted and is_overwritten(version, wanted=wanted[board_id])
    ]
    if overwritten:
        write(connection, BOARDS.c.id.in_(overwritten), **lag(now))
    return [call for call in overdue if call.board_id not in wanted]


def hold(connection: Connection, waiting: Mapping[int, int], now: int) -> Sequence[int]:
    """Keep the sweep off boards whose newest version waits in this process; returns their ids.

    `waiting` has the version that waits, by board. After a claim the sweep is kept off for longer: no edit may be
    under way when the next one comes, of this process or an earlier one.
    """
    if not waiting:
        return ()
    times = {"after_change": now + GRACE_SECONDS, "after_claim": now + CLAIM_SECONDS}
    rows = [{"key": board_id, "version": version, **times} for board_id, version in sorted(waiting.items())]
    connection.execute(HOLD, rows)
    found = connection.execute(NEWEST, {"ids": list(waiting)})
    return [row.id for row in found if row.wanted == waiting[row.id]]


def lag_again(connection: Connection, chat_id: int, *, under_way: bool = False) -> None:
    """Make a chat's unreachable boards lag again, as versions that nobody owns: the sweep claims them.

    It takes up the message of a cup, too, that was refused there.
    With `under_way`, also those whose edit may be under way now: if it was refused before the chat let the bot in
    again, and that is heard only later, the board must not become unreachable.
    """
    lagging = (BOARDS.c.chat_id == chat_id) & (BOARDS.c.shown < BOARDS.c.wanted)
    lost = lagging if under_way else lagging & (BOARDS.c.look_at == LOOK_NEVER)
    now = int(time.time())
    write(connection, lost, **lag(now))
    refused = (OUTBOX.c.chat_id == chat_id) & (OUTBOX.c.look_at == LOOK_NEVER)
    connection.execute(update(OUTBOX).where(refused).values(look_at=now))


def close_group(connection: Connection, chat_id: int) -> None:
    """Note that the bot may not write in a group: its boards of running games lag until it may again."""
    shown = GAMES.alias()  # one by one: most running games are elsewhere
    running = shown.c.id == BOARDS.c.game_id, shown.c.kind == GameKind.PAIR, shown.c.termination.is_(None)
    here = (
        (BOARDS.c.chat_id == chat_id) & BOARDS.c.leaving.is_(False) & select(shown.c.id).where(*running).exists()
    )
    hide(connection, here, **lag(int(time.time())))


def is_any_due(connection: Connection, now: int) -> bool:
    """Whether there is a board that lags and may be claimed."""
    due = select(BOARDS.c.id).where(BOARDS.c.shown < BOARDS.c.wanted, BOARDS.c.look_at <= now)
    return connection.execute(due.limit(1)).first() is not None


def claim_lagging(
    connection: Connection, *, now: int, limit: int
) -> tuple[Sequence[tuple[Board, Record]], Sequence[tuple[Board, CorruptGame]]]:
    """Claim boards that lag, longest waiting first: each gets a next version, which this process then owns.

    Of several processes that sweep, one gets each board, as claiming also writes when the next claim may come. The
    second result are boards of games that cannot be read; those of a newer release are left to it.
    """
    due = (
        select(BOARDS.c.id)
        .where(BOARDS.c.shown < BOARDS.c.wanted, BOARDS.c.look_at <= now)
        .order_by(BOARDS.c.look_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")  # PostgreSQL may run a subquery once for each board, and claim more than the limit
    )
    claimed = (
        update(BOARDS)
        .where(BOARDS.c.id.in_(select(due.c.id)), BOARDS.c.look_at <= now)
        .values(wanted=BOARDS.c.wanted + 1, look_at=now + CLAIM_SECONDS, claims=BOARDS.c.claims + 1)
        .returning(*BOARD_COLUMNS)
    )
    boards = [Board._make(row) for row in connection.execute(claimed)]
    records = _shown_by(connection, {board.id: board.game_id for board in boards})
    sound: list[tuple[Board, Record]] = []
    broken: list[tuple[Board, CorruptGame]] = []
    for board in boards:
        record = records[board.id]
        if isinstance(record, NewerGame):
            continue
        if isinstance(record, CorruptGame):
            broken.append((board, record))
        else:
            sound.append((board, record))
    return sound, broken


def _shown_by(connection: Connection, shown: Mapping[int, int]) -> Mapping[int, Record | CorruptGame]:
    records = games.load_many(connection, shown.values())
    return {board_id: records[game_id] for board_id, game_id in shown.items() if game_id in records}
