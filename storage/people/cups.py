"""The SQL of cups: one that isn't over and the last one in each group, their players and their games."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
    true,
    tuple_,
    update,
)

from storage.games import games
from storage.games.game import LEFT, Game, GameKind, Limits
from storage.people import people
from storage.people.person import Cup, CupGame, CupPlan, CupPlayer, CupStage, CupState
from storage.schema import CUP_GAMES, CUP_PLANS, CUP_PLAYERS, CUPS, GAMES, SEATS, is_known
from storage.upsert import upsert

MINUTES_SECONDS: Final = 600
"""Nobody plays two games at a time that have so many seconds for a move, or fewer."""
CLOCKS_LOCK: Final = 0x4F584F32
"""The key of the advisory lock, on PostgreSQL."""
DRAWN_SECONDS: Final = 6
"""How long its message stays as it is while the games of a cup go on: five seconds at least, as they are whole."""


def newest(connection: Connection, chat_id: int) -> CupState | None:
    """A group's newest cup."""
    newest_first = select(CUPS).where(CUPS.c.chat_id == chat_id).order_by(CUPS.c.id.desc()).limit(1)
    return _state(connection, connection.execute(newest_first).one_or_none())


def load(connection: Connection, cup_id: int, *, locked: bool = True) -> CupState | None:
    """A cup, locked until the transaction ends: whoever changes it sees what others have made of it."""
    this = select(CUPS).where(CUPS.c.id == cup_id)
    return _state(connection, connection.execute(this.with_for_update() if locked else this).one_or_none())


def announced(connection: Connection, before: int) -> Sequence[int]:
    """The ids of the cups that were announced before then and haven't started."""
    found = select(CUPS.c.id).where(CUPS.c.stage == CupStage.OPEN, CUPS.c.created_at < before)
    return connection.execute(found.order_by(CUPS.c.id)).scalars().all()


def _state(connection: Connection, row: Any) -> CupState | None:  # noqa: ANN401 - a row
    if row is None:
        return None
    players, games_of_it = (
        connection.execute(select(table).where(table.c.cup == row.id).order_by(table.c.number)).all()
        for table in (CUP_PLAYERS, CUP_GAMES)
    )
    return CupState(Cup._make(row), tuple(map(CupPlayer._make, players)), tuple(map(CupGame._make, games_of_it)))


def add(connection: Connection, cup: Cup) -> CupState:
    """Store a new cup, which nobody has joined yet."""
    row = cup._asdict()
    del row["id"]
    (cup_id,) = connection.execute(insert(CUPS).values(row).returning(CUPS.c.id)).one()
    return CupState(cup._replace(id=cup_id))


def save(connection: Connection, state: CupState) -> None:
    """Store a cup as it is now; of the group's cups that are over, only the last one that was played is kept."""
    cup = state.cup
    if cup.stage is CupStage.OVER:
        unplayed = true() if cup.rounds else CUPS.c.rounds == 0
        _drop(connection, and_(CUPS.c.chat_id == cup.chat_id, CUPS.c.id < cup.id, unplayed))
    connection.execute(update(CUPS).where(CUPS.c.id == cup.id).values(cup._asdict()))
    staying = [player.number for player in state.players]
    gone = and_(CUP_PLAYERS.c.cup == cup.id, CUP_PLAYERS.c.number.not_in(staying))
    connection.execute(delete(CUP_PLAYERS).where(gone))
    dropped = and_(CUP_GAMES.c.cup == cup.id, CUP_GAMES.c.number >= len(state.games))
    connection.execute(delete(CUP_GAMES).where(dropped))
    upsert(connection, CUP_PLAYERS, [player._asdict() for player in state.players])
    upsert(connection, CUP_GAMES, [game._asdict() for game in state.games])
    _unlink(connection, cup.id)


def drop(connection: Connection, chat_id: int) -> None:
    """Delete all cups of a group."""
    drop_plan(connection, chat_id)
    _drop(connection, CUPS.c.chat_id == chat_id)


def _drop(connection: Connection, which: ColumnElement[bool]) -> None:
    ids = connection.execute(select(CUPS.c.id).where(which)).scalars().all()
    for table, column in ((CUP_PLAYERS, CUP_PLAYERS.c.cup), (CUP_GAMES, CUP_GAMES.c.cup), (CUPS, CUPS.c.id)):
        connection.execute(delete(table).where(column.in_(ids)))


_PLAYED: Final = CUP_GAMES.outerjoin(GAMES, GAMES.c.id == CUP_GAMES.c.game_id)
_RUNNING: Final = and_(CUP_GAMES.c.game_id.is_not(None), CUP_GAMES.c.result.is_(None))
_IS_OVER: Final = or_(GAMES.c.id.is_(None), GAMES.c.termination.is_not(None))
_UNDRAWN: Final = and_(GAMES.c.changed_at >= CUPS.c.drawn_at, CUPS.c.drawn_at <= bindparam("drawn"))
GAME_ENDED: Final = select(CUP_GAMES.c.cup).select_from(_PLAYED).where(_RUNNING, _IS_OVER)
GAME_MOVED: Final = (
    select(CUPS.c.id)
    .join_from(CUP_GAMES, CUPS, CUPS.c.id == CUP_GAMES.c.cup)
    .join(GAMES, GAMES.c.id == CUP_GAMES.c.game_id)
    .where(_RUNNING, _UNDRAWN)
)
CUP_DUE: Final = select(CUPS.c.id).where(CUPS.c.due_at <= bindparam("now"), is_known(CUPS))


def waiting(connection: Connection, now: int) -> Sequence[int]:
    """The ids of cups that are due, of which a game has ended, or one has gone on since they were last drawn."""
    due = [
        *connection.execute(GAME_MOVED, {"drawn": now - DRAWN_SECONDS}).scalars(),
        *connection.execute(CUP_DUE, {"now": now}).scalars(),
        *connection.execute(GAME_ENDED).scalars(),
    ]
    return sorted(set(due))


def ended(connection: Connection, state: CupState) -> Mapping[int, Game | None]:
    """The games of a cup that have ended, by id; None for one that is no more."""
    running = state.running
    found = {game_id: record.game for game_id, record in games.load_sound(connection, running).items()}
    return {game_id: game for game_id in running if (game := found.get(game_id)) is None or game.is_over}


def of_person(connection: Connection, person: int) -> Sequence[CupState]:
    """The cups that aren't over in which somebody plays."""
    states = [_state(connection, row) for row in connection.execute(_with(person).order_by(CUPS.c.id)).all()]
    return [state for state in states if state is not None]


def plays_on(connection: Connection, person: int) -> bool:
    """Whether there is such a cup."""
    return connection.execute(_with(person).limit(1)).first() is not None


def _with(person: int) -> Select[Any]:
    plays = CUP_PLAYERS.c.person == person, CUP_PLAYERS.c.is_out.is_(False), CUPS.c.stage != CupStage.OVER
    return select(CUPS).join_from(CUP_PLAYERS, CUPS, CUPS.c.id == CUP_PLAYERS.c.cup).where(*plays)


def playing(connection: Connection, person: int) -> Sequence[int]:
    """The ids of the games that somebody plays in cups, oldest first."""
    is_theirs = and_(
        CUP_GAMES.c.cup == CUP_PLAYERS.c.cup, CUP_PLAYERS.c.number.in_((CUP_GAMES.c.x, CUP_GAMES.c.o))
    )
    theirs = select(CUP_GAMES.c.game_id).join_from(CUP_PLAYERS, CUP_GAMES, is_theirs)
    running = theirs.where(CUP_PLAYERS.c.person == person, _RUNNING).order_by(CUP_GAMES.c.game_id)
    return list(connection.execute(running).scalars())


def lock_clocks(connection: Connection) -> None:
    """Let no game with minutes for a move begin in another process until this transaction ends, on PostgreSQL.

    Or two that begin at once for one person would not see each other (`busy`).
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": CLOCKS_LOCK})


def busy(connection: Connection, persons: Collection[int]) -> Mapping[int, int]:
    """Who of these people plays a game between two in which they have minutes for a move at most, and which."""
    if not persons:
        return {}
    timed = or_(GAMES.c.clock <= MINUTES_SECONDS, GAMES.c.time_limits == Limits.STRANGERS)
    going_on = and_(GAMES.c.termination.is_(None), GAMES.c.kind == GameKind.PAIR, timed)
    found = (
        select(seat, GAMES.c.id).where(seat.in_(persons), seat > literal_column("0"), going_on) for seat in SEATS
    )
    return {person: game_id for seats in found for person, game_id in connection.execute(seats)}


def champions(connection: Connection, chat_id: int) -> Sequence[int]:
    """Who has won a group's last cup, without those who have left the group."""
    last = select(CUPS.c.id).where(CUPS.c.chat_id == chat_id, CUPS.c.stage == CupStage.OVER, CUPS.c.rounds > 0)
    last = last.order_by(CUPS.c.id.desc()).limit(1)
    won = (CUP_PLAYERS.c.cup.in_(last), CUP_PLAYERS.c.place == 1, CUP_PLAYERS.c.is_out.is_not(true()))
    stays = CUP_PLAYERS.c.person.not_in(people.absent(chat_id))
    theirs = select(CUP_PLAYERS.c.person).where(*won, stays, CUP_PLAYERS.c.person > LEFT)
    return connection.execute(theirs.order_by(CUP_PLAYERS.c.number)).scalars().all()


def plan(connection: Connection, chat_id: int) -> CupPlan | None:
    """The cup that a group has said to hold later, locked until the transaction ends."""
    planned = select(CUP_PLANS).where(CUP_PLANS.c.chat_id == chat_id).with_for_update()
    row = connection.execute(planned).one_or_none()
    return None if row is None else CupPlan._make(row)


def has_plan(connection: Connection, chat_id: int) -> bool:
    """Whether a group has said to hold a cup later."""
    return connection.execute(select(CUP_PLANS.c.at).where(CUP_PLANS.c.chat_id == chat_id)).first() is not None


def save_plan(connection: Connection, planned: CupPlan) -> None:
    """Store what cup a group holds later, instead of what it had planned."""
    upsert(connection, CUP_PLANS, [planned._asdict()])


def drop_plan(connection: Connection, chat_id: int) -> bool:
    """Forget what cup a group holds later; False if it had planned none."""
    return connection.execute(delete(CUP_PLANS).where(CUP_PLANS.c.chat_id == chat_id)).rowcount == 1


def plans(connection: Connection, before: int) -> Sequence[int]:
    """The groups that hold a cup before then, in which none is played."""
    playing = select(CUPS.c.id).where(CUPS.c.chat_id == CUP_PLANS.c.chat_id, CUPS.c.stage == CupStage.RUNNING)
    due = select(CUP_PLANS.c.chat_id).where(CUP_PLANS.c.at <= before, ~playing.exists())
    return connection.execute(due.order_by(CUP_PLANS.c.at)).scalars().all()


def move_group(connection: Connection, old: int, new: int) -> None:
    """Change the id of a group: the message is sent again there, as that of the old one can't be edited."""
    if connection.execute(select(CUPS.c.id).where(CUPS.c.chat_id == new)).first() is not None:
        drop(connection, old)
    if plan(connection, new) is None:
        connection.execute(update(CUP_PLANS).where(CUP_PLANS.c.chat_id == old).values(chat_id=new))
    drop_plan(connection, old)
    moved = update(CUPS).where(CUPS.c.chat_id == old)
    connection.execute(moved.where(CUPS.c.stage != CupStage.OVER).values(due_at=0))
    connection.execute(moved.values(chat_id=new, message_id=None))


def leave(connection: Connection, person: int) -> bool:
    """Let somebody who is being forgotten leave their cups, in which an alias is left; False if in none."""
    theirs = CUP_PLAYERS.c.person == person
    ids = connection.execute(select(CUP_PLAYERS.c.cup).where(theirs)).scalars().all()
    of_groups = CUPS.c.chat_id.in_(select(CUPS.c.chat_id).where(CUPS.c.id.in_(ids)))
    # First, as it locks the cups: whoever has loaded their players to store them again has done so by then. The
    # newest comes first, as whoever ends one deletes those before.
    connection.execute(select(CUPS.c.id).where(of_groups).order_by(CUPS.c.id.desc()).with_for_update())
    is_shown = or_(CUPS.c.stage != CupStage.OVER, CUPS.c.message_id.is_not(None))
    # An open one names who has won the last.
    named = or_(CUPS.c.id.in_(ids) & is_shown, of_groups & (CUPS.c.stage == CupStage.OPEN))
    connection.execute(update(CUPS).where(named).values(due_at=0))
    unbegun = select(CUPS.c.id).where(CUPS.c.id.in_(ids), CUPS.c.stage == CupStage.OPEN)
    gone = delete(CUP_PLAYERS).where(theirs, CUP_PLAYERS.c.cup.in_(unbegun)).returning(CUP_PLAYERS)
    held = [row.cup for row in connection.execute(gone) if row.number == 0]
    _pass_on(connection, held)
    alias = LEFT - 1 - cast(CUP_PLAYERS.c.number, BigInteger)
    connection.execute(update(CUP_PLAYERS).where(theirs).values(person=alias, is_out=True))
    for cup_id in ids:
        _unlink(connection, cup_id)
    return bool(ids)


def _pass_on(connection: Connection, ids: Collection[int]) -> None:
    """Let whoever is the first now hold cups that their holder has left."""
    first = select(CUP_PLAYERS.c.cup, func.min(CUP_PLAYERS.c.number)).where(CUP_PLAYERS.c.cup.in_(ids))
    of_first = tuple_(CUP_PLAYERS.c.cup, CUP_PLAYERS.c.number).in_(first.group_by(CUP_PLAYERS.c.cup))
    connection.execute(update(CUP_PLAYERS).where(of_first).values(number=0))


def _unlink(connection: Connection, cup_id: int) -> None:
    """Let nothing lead from a cup to the games in it that somebody who was forgotten has played to the end."""
    left = select(CUP_PLAYERS.c.number).where(CUP_PLAYERS.c.cup == cup_id, CUP_PLAYERS.c.person < LEFT)
    theirs = CUP_GAMES.c.x.in_(left) | CUP_GAMES.c.o.in_(left)
    ended = update(CUP_GAMES).where(CUP_GAMES.c.cup == cup_id, CUP_GAMES.c.result.is_not(None), theirs)
    connection.execute(ended.values(game_id=None))
