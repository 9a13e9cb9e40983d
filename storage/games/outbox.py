"""The SQL of the outbox: messages besides boards, stored with the decision to send them and deleted once sent.

They are whatever comes later than its update, by itself or because it takes a while to make (`NoticeKind`); some
are kept for a while as sent, so that they come once. If a process is killed, the next one sends them; one that
Telegram took just before that comes twice. Whoever takes up a notice that has become pointless, such as a reminder
after a move, drops it.
"""

import time
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from storage.columns import DAY
from storage.games import games, gauntlets
from storage.games.boards import remember
from storage.games.game import COMPUTER, Game, Termination
from storage.games.games import added
from storage.games.record import LOOK_NEVER, Notice, NoticeKind
from storage.games.versions import GRACE_SECONDS
from storage.people import blocks, people
from storage.people.person import CupStage, GroupPuzzle
from storage.privacy import forgotten
from storage.schema import CUPS, GAMES, GROUP_PUZZLES, OUTBOX, is_known
from storage.upsert import insert_of

MOST_ASKED: Final = 3
"""How many pictures and files a person can wait for."""

MOST_TOLD: Final = 3
"""How many results from positions of one shared game somebody is told of in a day."""

SAME: Final = ("game_id", "subject", "family", "here")
"""Two notices of a kind in a chat are for the same thing if they agree in these columns."""


class Asked(Enum):
    """The state of a notice that somebody asked for."""

    STORED = auto()
    UNDER_WAY = auto()
    SENT = auto()
    TOO_MANY = auto()


def add(connection: Connection, notice: Notice) -> Notice:
    """Store a notice; this process has it to itself for a while."""
    held = notice._replace(look_at=int(time.time()) + GRACE_SECONDS)
    (notice_id,) = connection.execute(insert(OUTBOX).values(*added(OUTBOX, held)).returning(OUTBOX.c.id)).one()
    return held._replace(id=notice_id)


def put_cup(connection: Connection, notice: Notice, *, is_sent: bool) -> Sequence[Notice]:
    """Store that the message of a cup is to be made again, or is to come below, in place of a state that waits.

    Where a new message is still to be sent, no other is: it shows the cup as it is by then, and once it is sent,
    the cup is due (`done`), as that notice says by a ply. Until then the former one, if it `is_sent`, is edited.
    If the group has refused a notice, it is tried again.
    """
    same = (OUTBOX.c.chat_id == notice.chat_id) & (OUTBOX.c.cup == notice.cup)
    news = same & (OUTBOX.c.kind == NoticeKind.ROUND)
    shows = same & OUTBOX.c.kind.in_((NoticeKind.ROUND, NoticeKind.CUP))
    refused = delete(OUTBOX).where(shows, OUTBOX.c.look_at == LOOK_NEVER).returning(OUTBOX.c.kind)
    if NoticeKind.ROUND in connection.execute(refused).scalars().all():
        notice = notice._replace(kind=NoticeKind.ROUND)
    coming = news if is_sent else shows
    waits = connection.execute(update(OUTBOX).where(coming).values(ply=1)).rowcount
    if waits and (notice.kind is NoticeKind.ROUND or not is_sent):
        return ()
    connection.execute(delete(OUTBOX).where(same, OUTBOX.c.kind == NoticeKind.CUP))
    return [add(connection, notice)]


def put_puzzles(connection: Connection, groups: Iterable[GroupPuzzle]) -> Sequence[Notice]:
    """Store that the messages of these groups' puzzles are to be made again, in place of states that wait.

    None is stored while one waits that isn't sent yet, which shows what is so by then; what changes while it is
    under way, as it then says by a ply, is shown by an edit (`done`).
    """
    notices = []
    for group in groups:
        same = (OUTBOX.c.chat_id == group.chat_id) & (OUTBOX.c.kind == NoticeKind.PUZZLE)
        if group.message_id is None and connection.execute(update(OUTBOX).where(same).values(ply=1)).rowcount:
            continue
        connection.execute(delete(OUTBOX).where(same))
        here = group.chat_id, group.thread_id, group.language
        notices.append(
            add(connection, Notice(0, NoticeKind.PUZZLE, None, None, *here, 0, reply_to=group.reply_to))
        )
    return notices


def lose_puzzle(connection: Connection, chat_id: int, message_id: int) -> bool:
    """Store that the message of a group's puzzle is gone; False if another has taken its place."""
    lost = GROUP_PUZZLES.c.chat_id == chat_id, GROUP_PUZZLES.c.message_id == message_id
    return bool(connection.execute(update(GROUP_PUZZLES).where(*lost).values(message_id=None)).rowcount)


def lose_cup(connection: Connection, cup: int, message_id: int) -> bool:
    """Store that the message of a cup is gone, so that the next one takes its place; False if none is to.

    If the cup is over, whoever deleted it has done so on purpose.
    """
    lost = update(CUPS).where(CUPS.c.id == cup, CUPS.c.message_id == message_id)
    lost_one = connection.execute(lost.values(message_id=None).returning(CUPS.c.stage)).first()
    return lost_one is not None and lost_one.stage is not CupStage.OVER


def tell_sharer(connection: Connection, game: Game) -> None:
    """Store that whoever has shared a game is told how another one, begun from a position of it, has ended.

    They are told of a few a day, and of one by the same person; of none that ended by itself, or with moves taken
    back, nor by somebody they have blocked or who hides their results, nor if they want no messages. Rows of what
    was said stay for a day, to be counted.
    """
    if game.beats is None or game.takebacks or game.termination is Termination.EXPIRED:
        return
    gauntlets.note_tries(connection, [game.beats])
    person, shared = game.x.seat or game.o.seat or COMPUTER, games.find(connection, game.beats)
    other = None if shared is None else gauntlets.listener(connection, shared.game, game)
    if other is None:
        return
    has_returned = forgotten.is_forgotten(connection, person, int(time.time()) - DAY)
    if has_returned or blocks.has(connection, other, person):
        return
    if not people.wants_notices(connection, other, in_group=False):
        return
    same = OUTBOX.c.kind == NoticeKind.BEATEN, OUTBOX.c.chat_id == other, GAMES.c.beats == game.beats
    told = select(func.count()).select_from(OUTBOX).join(GAMES, GAMES.c.id == OUTBOX.c.game_id).where(*same)
    if connection.execute(told).scalar_one() < MOST_TOLD:
        language, now = people.language_for(connection, other), int(time.time())
        notice = Notice(0, NoticeKind.BEATEN, game.id, None, other, None, language, now, subject=person)
        connection.execute(insert_of(connection)(OUTBOX).values(*added(OUTBOX, notice)).on_conflict_do_nothing())


def ask(connection: Connection, notice: Notice) -> tuple[Asked, Notice]:
    """Store a notice that a person asks for, unless the same one is there or they wait for too many."""
    now = int(time.time())
    same = [OUTBOX.c.chat_id == notice.chat_id, OUTBOX.c.kind == notice.kind]
    same += [OUTBOX.c[name].is_not_distinct_from(getattr(notice, name)) for name in SAME]
    connection.execute(delete(OUTBOX).where(*same, OUTBOX.c.said, OUTBOX.c.look_at <= now))
    found = connection.execute(select(OUTBOX.c.said).where(*same)).scalar()
    if found is None:
        theirs = select(func.count()).where(OUTBOX.c.person == notice.person, ~OUTBOX.c.said)
        if connection.execute(theirs).scalar_one() >= MOST_ASKED:
            return Asked.TOO_MANY, notice
        held = notice._replace(look_at=now + GRACE_SECONDS)
        stored = insert_of(connection)(OUTBOX).values(*added(OUTBOX, held)).on_conflict_do_nothing()
        if (row := connection.execute(stored.returning(OUTBOX.c.id)).first()) is not None:
            return Asked.STORED, held._replace(id=row.id)
    return (Asked.SENT if found else Asked.UNDER_WAY), notice


def is_wanted(connection: Connection, notice: Notice) -> bool:
    """Whether a notice is still to be sent: nobody else has sent it, and its person was not forgotten."""
    waits = select(OUTBOX.c.id).where(OUTBOX.c.id == notice.id, ~OUTBOX.c.said)
    return connection.execute(waits).first() is not None


def is_any_due(connection: Connection, now: int) -> bool:
    """Whether there is a notice that may be claimed, or forgotten after it was sent."""
    due = select(OUTBOX.c.id).where(OUTBOX.c.look_at <= now, is_known(OUTBOX))
    return connection.execute(due.limit(1)).first() is not None


def claim(connection: Connection, *, now: int, limit: int) -> Sequence[Notice]:
    """Claim notices that no process is about to send, longest waiting first."""
    connection.execute(delete(OUTBOX).where(OUTBOX.c.look_at <= now, OUTBOX.c.said))
    due = (
        select(OUTBOX.c.id)
        .where(OUTBOX.c.look_at <= now, is_known(OUTBOX))
        .order_by(OUTBOX.c.look_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")  # as in `versions.claim_lagging`
    )
    claimed = (
        update(OUTBOX)
        .where(OUTBOX.c.id.in_(select(due.c.id)), OUTBOX.c.look_at <= now)
        .values(look_at=now + GRACE_SECONDS)
        .returning(*OUTBOX.c)
    )
    return [Notice._make(row) for row in connection.execute(claimed)]


def hold(connection: Connection, ids: Sequence[int], until: int) -> None:
    """Keep other processes off notices, by id, until a time: they wait in this process, or for another try."""
    if ids:
        connection.execute(update(OUTBOX).where(OUTBOX.c.id.in_(ids), ~OUTBOX.c.said).values(look_at=until))


def done(connection: Connection, notice: Notice, message_id: int | None = None, keep: int = 0) -> None:
    """Delete a notice that was sent or has become pointless; its message is remembered as one of its game.

    With `keep`, the same can't be asked for again for that many seconds. Nothing is kept in a private chat with
    somebody who was forgotten.
    """
    this = OUTBOX.c.id == notice.id
    if message_id is not None and notice.cup is not None and _is_cups(connection, notice, message_id):
        return
    if message_id is not None and notice.is_of_group_puzzle:
        _is_puzzles(connection, notice, message_id)
    is_gone = notice.chat_id > 0 and forgotten.is_gone(connection, notice.chat_id)
    if keep and not is_gone:
        kept = update(OUTBOX).where(this, ~OUTBOX.c.said).values(said=True, look_at=int(time.time()) + keep)
        was_there = connection.execute(kept).rowcount
    else:
        was_there = connection.execute(delete(OUTBOX).where(this)).rowcount
    if was_there and message_id is not None and notice.game_id is not None and not is_gone:
        remember(connection, notice.chat_id, message_id, notice.game_id)


def _is_cups(connection: Connection, notice: Notice, message_id: int) -> bool:
    """Store a new message as that of a cup; True if it has replaced one, which its notice then lets go.

    What has changed while it was sent is shown by an edit.
    """
    this, cup = OUTBOX.c.id == notice.id, CUPS.c.id == notice.cup
    former = connection.execute(select(CUPS.c.message_id).where(cup).with_for_update()).scalar()
    has_changed = connection.execute(select(OUTBOX.c.ply).where(this)).scalar() is not None
    sent = {"message_id": message_id, **({"due_at": 0} if has_changed else {})}
    connection.execute(update(CUPS).where(cup).values(sent))
    going = {"kind": NoticeKind.FORMER_CUP, "reply_to": former, "look_at": int(time.time())}
    return former is not None and bool(connection.execute(update(OUTBOX).where(this).values(going)).rowcount)


def _is_puzzles(connection: Connection, notice: Notice, message_id: int) -> None:
    """Store a new message as that of a group's puzzle, which another notice shows if it has changed meanwhile."""
    this = (GROUP_PUZZLES.c.chat_id == notice.chat_id) & GROUP_PUZZLES.c.message_id.is_(None)
    connection.execute(update(GROUP_PUZZLES).where(this).values(message_id=message_id))
    if connection.execute(select(OUTBOX.c.ply).where(OUTBOX.c.id == notice.id)).scalar() is not None:
        add(connection, notice)
