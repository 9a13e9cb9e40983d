"""The SQL of cups: one that isn't over and the last one in each group, their players and their games."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, Connection, and_, cast, delete, insert, or_, select, true, update

from storage.games import games
from storage.games.game import LEFT, Game
from storage.people import absences
from storage.people.person import Cup, CupGame, CupPlayer, CupStage, CupState
from storage.schema import CUP_GAMES, CUP_PLAYERS, CUPS, GAMES, is_known
from storage.upsert import upsert

DRAWN_SECONDS: Final = 5
"""How long its message stays as it is while the games of a cup go on, at the least."""


def newest(connection: Connection, chat_id: int) -> CupState | None:
    """A group's newest cup."""
    newest_first = select(CUPS).where(CUPS.c.chat_id == chat_id).order_by(CUPS.c.id.desc()).limit(1)
    return _state(connection, connection.execute(newest_first).one_or_none())


def find(connection: Connection, cup_id: int) -> CupState | None:
    """A cup, if it is still stored."""
    return _state(connection, connection.execute(select(CUPS).where(CUPS.c.id == cup_id)).one_or_none())


def load(connection: Connection, cup_id: int) -> CupState | None:
    """A cup, locked until the transaction ends: whoever changes it sees what others have made of it."""
    this = select(CUPS).where(CUPS.c.id == cup_id).with_for_update()
    return _state(connection, connection.execute(this).one_or_none())


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
    upsert(connection, CUP_PLAYERS, [player._asdict() for player in state.players])
    upsert(connection, CUP_GAMES, [game._asdict() for game in state.games])
    _unlink(connection, cup.id)


def drop(connection: Connection, chat_id: int) -> None:
    """Delete all cups of a group."""
    _drop(connection, CUPS.c.chat_id == chat_id)


def _drop(connection: Connection, which: ColumnElement[bool]) -> None:
    ids = connection.execute(select(CUPS.c.id).where(which)).scalars().all()
    for table, column in ((CUP_PLAYERS, CUP_PLAYERS.c.cup), (CUP_GAMES, CUP_GAMES.c.cup), (CUPS, CUPS.c.id)):
        connection.execute(delete(table).where(column.in_(ids)))


def waiting(connection: Connection, now: int) -> Sequence[int]:
    """The ids of cups that are due, of which a game has ended, or one has gone on since they were last drawn."""
    playing = CUP_GAMES.outerjoin(GAMES, GAMES.c.id == CUP_GAMES.c.game_id)
    running = and_(CUP_GAMES.c.game_id.is_not(None), CUP_GAMES.c.result.is_(None))
    is_over = or_(GAMES.c.id.is_(None), GAMES.c.termination.is_not(None))
    ended = select(CUP_GAMES.c.cup).select_from(playing).where(running, is_over)
    undrawn = GAMES.c.changed_at >= CUPS.c.drawn_at, CUPS.c.drawn_at <= now - DRAWN_SECONDS
    moved = select(CUPS.c.id).join_from(CUP_GAMES, CUPS, CUPS.c.id == CUP_GAMES.c.cup)
    moved = moved.join(GAMES, GAMES.c.id == CUP_GAMES.c.game_id).where(running, *undrawn)
    due = [
        *connection.execute(select(CUPS.c.id).where(CUPS.c.due_at <= now, is_known(CUPS))).scalars(),
        *connection.execute(ended).scalars(),
        *connection.execute(moved).scalars(),
    ]
    return sorted(set(due))


def ended(connection: Connection, state: CupState) -> Mapping[int, Game | None]:
    """The games of a cup that have ended, by id; None for one that is no more."""
    running = [game.game_id for game in state.games if game.game_id is not None and game.result is None]
    found = {game_id: record.game for game_id, record in games.load_sound(connection, running).items()}
    return {game_id: game for game_id in running if (game := found.get(game_id)) is None or game.is_over}


def of_person(connection: Connection, person: int) -> Sequence[CupState]:
    """The cups that aren't over in which somebody plays."""
    plays = CUP_PLAYERS.c.person == person, CUP_PLAYERS.c.is_out.is_(False), CUPS.c.stage != CupStage.OVER
    theirs = select(CUPS).join_from(CUP_PLAYERS, CUPS, CUPS.c.id == CUP_PLAYERS.c.cup).where(*plays)
    states = [_state(connection, row) for row in connection.execute(theirs.order_by(CUPS.c.id)).all()]
    return [state for state in states if state is not None]


def champion(connection: Connection, chat_id: int) -> int | None:
    """Who has won a group's last cup, unless they have left the group."""
    last = select(CUPS.c.id).where(CUPS.c.chat_id == chat_id, CUPS.c.stage == CupStage.OVER, CUPS.c.rounds > 0)
    last = last.order_by(CUPS.c.id.desc()).limit(1)
    won = (CUP_PLAYERS.c.cup.in_(last), CUP_PLAYERS.c.place == 1, CUP_PLAYERS.c.is_out.is_not(true()))
    stays = CUP_PLAYERS.c.person.not_in(absences.absent(chat_id))
    return connection.execute(select(CUP_PLAYERS.c.person).where(*won, stays)).scalar()


def move_group(connection: Connection, old: int, new: int) -> None:
    """Change the id of a group: the message is sent again there, as that of the old one can't be edited."""
    if connection.execute(select(CUPS.c.id).where(CUPS.c.chat_id == new)).first() is not None:
        drop(connection, old)
    moved = update(CUPS).where(CUPS.c.chat_id == old)
    connection.execute(moved.where(CUPS.c.stage != CupStage.OVER).values(due_at=0))
    connection.execute(moved.values(chat_id=new, message_id=None))


def leave(connection: Connection, person: int, chat_id: int | None = None, *, removed: bool = False) -> bool:
    """Let somebody who is being forgotten leave their cups, in which an alias is left; False if in none.

    Whoever leaves a group leaves only the cup there that isn't over, and keeps their place. Whoever was removed
    from it leaves only one that hasn't begun.
    """
    theirs = CUP_PLAYERS.c.person == person
    if chat_id is not None:
        stage = CUPS.c.stage == CupStage.OPEN if removed else CUPS.c.stage != CupStage.OVER
        cups_here = select(CUPS.c.id).where(CUPS.c.chat_id == chat_id, stage)
        theirs &= CUP_PLAYERS.c.cup.in_(cups_here)
    ids = connection.execute(select(CUP_PLAYERS.c.cup).where(theirs)).scalars().all()
    # First, as it locks the cups: whoever has loaded their players to store them again has done so by then.
    connection.execute(update(CUPS).where(CUPS.c.id.in_(ids)).values(due_at=0))
    unbegun = select(CUPS.c.id).where(CUPS.c.id.in_(ids), CUPS.c.stage == CupStage.OPEN)
    connection.execute(delete(CUP_PLAYERS).where(theirs, CUP_PLAYERS.c.cup.in_(unbegun)))
    alias = LEFT - 1 - cast(CUP_PLAYERS.c.number, BigInteger) if chat_id is None else person
    connection.execute(update(CUP_PLAYERS).where(theirs).values(person=alias, is_out=True))
    if chat_id is None:
        for cup_id in ids:
            _unlink(connection, cup_id)
    return bool(ids)


def _unlink(connection: Connection, cup_id: int) -> None:
    """Let nothing lead from a cup to the games in it that somebody who was forgotten has played to the end."""
    left = select(CUP_PLAYERS.c.number).where(CUP_PLAYERS.c.cup == cup_id, CUP_PLAYERS.c.person < LEFT)
    theirs = CUP_GAMES.c.x.in_(left) | CUP_GAMES.c.o.in_(left)
    ended = update(CUP_GAMES).where(CUP_GAMES.c.cup == cup_id, CUP_GAMES.c.result.is_not(None), theirs)
    connection.execute(ended.values(game_id=None))
