"""The SQL that deletes a person's data; in others' games, results and cups an alias of that game or cup is left.

It works in portions: short transactions, each of which finds by an index what is left. So if a process is killed,
the next portion goes on from there, and whatever the person begins meanwhile is found, too. The last portion finds
nothing more; it deletes the person's row, and the row that says they are being forgotten.
"""

import asyncio
import logging
import time
from collections.abc import Collection, Sequence
from enum import IntEnum, StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, insert, or_, select, true, update

from engine import Mark
from storage.columns import DAY, DataKind
from storage.errors import ConcurrentChange, StorageError
from storage.games import games, gauntlets, outbox, versions
from storage.games.game import COMPUTER, FIGURES, LEFT, ORIGIN, QUESTION, Game, Termination
from storage.games.record import WHOLE, Notice, NoticeKind
from storage.games.versions import Stored
from storage.people import blocks, cups, people, puzzles
from storage.people.person import Person
from storage.privacy import forgotten, traces
from storage.privacy.forgotten import ForgottenEntry, Journal
from storage.privacy.personal import FIRST_OF, HELD, game_ids, theirs
from storage.privacy.traces import Traces
from storage.results import ratings, results
from storage.schema import (
    BOARDS,
    ERASURES,
    GAMES,
    MESSAGES,
    METADATA,
    OUTBOX,
    PEOPLE,
    RESULTS,
    SEATS,
    SIDE_COLUMNS,
)
from storage.store import Store

log = logging.getLogger(__name__)

ERASURE_PORTION: Final = 400
"""How many rows a transaction changes, in a small fraction of a second also on a slow disk."""
SHOWN: Final = 20
"""How many finished games, the newest, are redrawn for others, and how many running ones at a time."""
CONFIRM_SECONDS: Final = 600
"""How long a person has to confirm that their data are to be deleted."""


class Stage(StrEnum):
    """Whether a person is only asked yet, or is being forgotten."""

    ASKED = "asked"
    GOING = "going"
    QUIET = "quiet"
    """As GOING, but nobody asked for it, so nobody is told."""


UNDER_WAY: Final = (Stage.GOING, Stage.QUIET)
LEADS: Final = ("next_game", "beats")
"""The columns of a game that lead to another."""


class Phase(IntEnum):
    """What is done only once, even if more is found later."""

    BEGUN = 0
    SHOWN = 1
    CLEARED = 2
    """Everything is deleted except their rows in `people`, `chats` and `erasures`."""


class ErasureStep(NamedTuple):
    """What a portion has done."""

    person: int
    shown: Sequence[Stored] = ()
    """Other people's boards that are to be redrawn."""
    closed: Sequence[tuple[int, int]] = ()
    """The person's own boards of running games, by chat and message; they are deleted from the database."""
    is_gone: bool = False
    farewell: Notice | None = None
    """The notice that tells them so, if they asked for it; the outbox has the id of their chat until it is
    sent."""
    language: str | None = None
    tells: bool = True


def ask(connection: Connection, person: int, now: int) -> ForgottenEntry | None:
    """Note that a person was asked whether to delete their data.

    Somebody who is being forgotten already isn't asked, but told, and listed: their entry is returned.
    """
    if stage_of(connection, person) in UNDER_WAY:
        connection.execute(update(ERASURES).where(ERASURES.c.person == person).values(stage=Stage.GOING))
        return _listed(connection, person, now)
    _store(connection, person, Stage.ASKED, now)
    return None


def was_asked(connection: Connection, person: int, now: int) -> bool:
    """Whether a person was asked within the last `CONFIRM_SECONDS`."""
    asked = select(ERASURES.c.at).where(ERASURES.c.person == person, ERASURES.c.stage == Stage.ASKED)
    at = connection.execute(asked).scalar()
    return at is not None and now - at <= CONFIRM_SECONDS


def withdraw(connection: Connection, person: int) -> None:
    """Forget that a person was asked."""
    connection.execute(delete(ERASURES).where(ERASURES.c.person == person, ERASURES.c.stage == Stage.ASKED))


def stage_of(connection: Connection, person: int) -> Stage | None:
    """The stage of a person; None if they weren't asked, or everything is deleted."""
    stage = connection.execute(select(ERASURES.c.stage).where(ERASURES.c.person == person)).scalar()
    return None if stage is None else Stage(stage)


def begin(connection: Connection, person: Person, entry: ForgottenEntry, now: int) -> None:
    """Begin to forget a person who asked for it, unless that has begun.

    `person` is as they are now, as others may have challenged them by that username; `entry` is theirs in the list
    of forgotten people.
    """
    people.see(connection, person)  # the last message is in their language
    _begin(connection, person.id, Stage.GOING, now)
    forgotten.note(connection, entry)


def begin_quietly(connection: Connection, person: int, now: int) -> None:
    """Begin to forget a person who didn't ask for it and isn't told, unless that has begun."""
    _begin(connection, person, Stage.QUIET, now)


def _begin(connection: Connection, person: int, stage: Stage, now: int) -> None:
    if stage_of(connection, person) not in UNDER_WAY:
        _store(connection, person, stage, now)
        if (known := people.find(connection, person)) is not None:
            people.resolve_challenges(connection, known)


def begin_again(connection: Connection, person: int, at: int) -> None:
    """Begin to forget a person again who was forgotten at that time but is in a restored backup."""
    begin_quietly(connection, person, int(time.time()))
    _listed(connection, person, at)


def is_any_due(connection: Connection, now: int) -> bool:
    """Whether somebody is being forgotten, or hasn't answered the question in time."""
    due = or_(ERASURES.c.stage.in_(UNDER_WAY), _is_unanswered(now))
    return connection.execute(select(ERASURES.c.person).where(due).limit(1)).first() is not None


def forget_question(connection: Connection, now: int) -> None:
    """Forget that people were asked who haven't answered."""
    connection.execute(delete(ERASURES).where(_is_unanswered(now)))


def _is_unanswered(now: int) -> ColumnElement[bool]:
    return (ERASURES.c.stage == Stage.ASKED) & (ERASURES.c.at < now - CONFIRM_SECONDS)


def first(connection: Connection, but: Collection[int] = ()) -> int | None:
    """The person who is being forgotten next; None if there is nobody but these."""
    # Those who asked for it come first: "going" is before "quiet".
    others = select(ERASURES.c.person).where(ERASURES.c.stage.in_(UNDER_WAY), ERASURES.c.person.not_in(but))
    return connection.execute(others.order_by(ERASURES.c.stage, ERASURES.c.at).limit(1)).scalar()


def step(connection: Connection, now: int | None = None, person: int | None = None) -> ErasureStep | None:
    """Do the next portion for a person who is being forgotten, else for the first; None if there is none.

    Raises:
        ConcurrentChange: if another process changed the same games meanwhile; nothing may then be committed.
    """
    whose = first(connection) if person is None else person
    under_way = select(ERASURES).where(ERASURES.c.stage.in_(UNDER_WAY), ERASURES.c.person == whose)
    # Another process is at those whose rows it holds.
    if (row := connection.execute(under_way.with_for_update(skip_locked=True)).first()) is None:
        return None
    who = _Leaving(row.person, int(time.time()) if now is None else now)
    phase = Phase(row.cursor)
    done = next(done for each in ERASURE_STEPS if (done := each(connection, who, phase)) is not None)
    done = done._replace(tells=row.stage == Stage.GOING)
    if not (done.is_gone and done.tells):
        return done
    farewell = Notice(0, NoticeKind.FORGOTTEN, None, None, who.person, None, done.language, 0)
    return done._replace(farewell=outbox.add(connection, farewell))


def resume(connection: Connection, person: int, now: int) -> ForgottenEntry | None:
    """Begin again to forget a person who has begun something since the last portion; None if they haven't."""
    known = connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.id == person)).first()
    if known is None and not game_ids(connection, person, true(), 1):
        return None
    _begin(connection, person, Stage.GOING, now)
    return _listed(connection, person, now)


def _listed(connection: Connection, person: int, now: int) -> ForgottenEntry:
    entry = forgotten.entry_of(connection, person, now)
    forgotten.note(connection, entry)
    return entry


class _Leaving(NamedTuple):
    person: int
    now: int


def _end_running(connection: Connection, who: _Leaving, _: Phase) -> ErasureStep | None:
    running = game_ids(connection, who.person, GAMES.c.termination.is_(None), SHOWN)
    return _show_without(connection, running, who) if running else None


def _redraw_newest(connection: Connection, who: _Leaving, phase: Phase) -> ErasureStep | None:
    if phase >= Phase.SHOWN:
        return None
    _note(connection, who, Phase.SHOWN)
    outbox.put_puzzles(connection, puzzles.leave(connection, who.person))
    others = and_(
        BOARDS.c.game_id == GAMES.c.id,
        BOARDS.c.leaving.is_(False),
        *(column.is_distinct_from(who.person) for column in (BOARDS.c.chat_id, BOARDS.c.viewer)),
    )
    newest = game_ids(connection, who.person, select(BOARDS.c.id).where(others).exists(), SHOWN)
    return _show_without(connection, newest, who)


def _leave_games(connection: Connection, who: _Leaving, _: Phase) -> ErasureStep | None:
    ids = game_ids(connection, who.person, GAMES.c.termination.is_not(None), ERASURE_PORTION)
    if not ids:
        return None
    _take_out(connection, ids, who.person)
    _delete_nobodys(connection, ids)
    return ErasureStep(who.person)


def ended(game: Game, person: int) -> Game:
    """A game after a person has left it: if it was running, their opponent wins, and a challenge is closed."""
    mark = game.mark_of(person)
    if game.is_over:
        return game
    if game.is_challenge and mark is not None:
        return game.ended(Termination.CANCELLED)._replace(ended_by=person)
    if game.is_challenge and game.rival_id == person:
        return game.ended(Termination.DECLINED)
    if mark is not None:
        return game.ended(Termination.RESIGNATION, mark.other)
    return game.ended(Termination.CANCELLED) if game.host == person else game.with_nothing_asked()


def _show_without(connection: Connection, ids: Collection[int], who: _Leaving) -> ErasureStep:
    """End those of these games that are running, take a person out of them, and redraw them for others."""
    if not ids:
        return ErasureStep(who.person)
    language = people.language_for(connection, who.person)
    going = [record for record in games.load_sound(connection, ids).values() if not record.game.is_over]
    own = [board for record in going for board in record.boards if who.person in (board.chat_id, board.viewer)]
    closed = [(board.chat_id, board.message_id) for board in own if board.chat_id and board.message_id]
    over = [(games.next_version(ended(game, who.person), who.now), game) for game, _ in going]
    games.save_many(connection, over)
    results.add(connection, [game for game, _ in over], who.now)
    _take_out(connection, ids, who.person)
    _close_reviews(connection, who.person)
    shown = versions.redraw(connection, ids, who.now)
    _delete_nobodys(connection, set(ids) - {each.record.game.id for each in shown})
    return ErasureStep(who.person, shown, closed, language=language)


def _own(person: int) -> ColumnElement[bool]:
    return (BOARDS.c.chat_id == person) | (BOARDS.c.viewer == person)


def _close_reviews(connection: Connection, person: int) -> None:
    connection.execute(update(BOARDS).where(BOARDS.c.reviewer == person).values(WHOLE._asdict()))


def _take_out(connection: Connection, ids: Collection[int], person: int) -> None:
    """Put an alias in a person's place in games, and delete the boards that only they see.

    Nothing else leads from one of these games to another.
    """
    connection.execute(delete(BOARDS).where(BOARDS.c.game_id.in_(ids), _own(person)))
    gauntlets.note_gone(connection, ids)
    games.forget_pictures(connection, ids)  # shared again, they have new pictures without the name
    is_x, is_o = (seat == person for seat in SEATS)
    alias = _alias(GAMES.c.id, case((is_x, 0), (is_o, 1), else_=2))
    of_people = [name for name, held in HELD["games"].items() if held is DataKind.PERSON]
    seated = is_x | is_o
    empty: dict[str, ColumnElement[bool]] = {
        **{side[name].name: side["seat"] == person for side in SIDE_COLUMNS.values() for name in FIGURES},
        **dict.fromkeys((*QUESTION, *ORIGIN), seated),
        **dict.fromkeys(LEADS, seated | (GAMES.c.host == person)),
        "chat_id": GAMES.c.chat_id == person,
    }
    changes: dict[str, ColumnElement[Any]] = {
        **{name: case((GAMES.c[name] == person, alias), else_=GAMES.c[name]) for name in of_people},
        **{name: case((own, None), else_=GAMES.c[name]) for name, own in empty.items()},
        "version": GAMES.c.version + 1,
    }
    connection.execute(update(GAMES).where(GAMES.c.id.in_(ids)).values(changes))


def _alias(game_id: ColumnElement[int], part: ColumnElement[int]) -> ColumnElement[int]:
    """What stands in a game, and in no other, for X (0), for O (1), or for somebody without a seat (2)."""
    return LEFT - 1 - 3 * game_id - part


def _delete_nobodys(connection: Connection, ids: Collection[int]) -> None:
    """Delete games in which nobody is left; those that are redrawn for others in a group stay."""
    others = or_(*(func.coalesce(seat, COMPUTER) > COMPUTER for seat in (*SEATS, GAMES.c.host)))
    nobodys = select(GAMES.c.id).where(GAMES.c.id.in_(ids), ~others)
    games.delete_many(connection, connection.execute(nobodys).scalars().all())


def _leave_results(connection: Connection, who: _Leaving, _: Phase) -> ErasureStep | None:
    """Delete some results, and put aliases into those of the opponents."""
    own = select(RESULTS.c.game_id).where(RESULTS.c.person == who.person).limit(ERASURE_PORTION)
    if not (ids := connection.execute(own).scalars().all()):
        return None
    of = RESULTS.c.game_id.in_(ids)
    connection.execute(delete(RESULTS).where(of, RESULTS.c.person == who.person))
    changes = {
        "opponent": _alias(RESULTS.c.game_id, case((RESULTS.c.mark == Mark.X, 1), else_=0)),
        "chat_id": case((RESULTS.c.chat_id == who.person, None), else_=RESULTS.c.chat_id),
    }
    connection.execute(update(RESULTS).where(of, RESULTS.c.opponent == who.person).values(changes))
    return ErasureStep(who.person)


def _leave_others(connection: Connection, who: _Leaving, _: Phase) -> ErasureStep | None:
    """Leave what others keep besides games: their pairs, their blocks, and cups."""
    left = (
        ratings.leave_pairs(connection, who.person, who.now // DAY, ERASURE_PORTION)
        or blocks.leave(connection, who.person, ERASURE_PORTION)
        or cups.leave(connection, who.person)
    )
    return ErasureStep(who.person) if left else None


def _delete_some(connection: Connection, who: _Leaving, _: Phase) -> ErasureStep | None:
    """Delete some rows of a table that may have many of theirs."""
    for table in (BOARDS, MESSAGES, OUTBOX):
        key = list(table.primary_key)[-1]  # of `messages`, which has two, the message's id
        some = select(key).where(theirs(table, who.person)).limit(ERASURE_PORTION)
        if connection.execute(delete(table).where(theirs(table, who.person), key.in_(some))).rowcount:
            return ErasureStep(who.person)
    return None


def _delete_rest(connection: Connection, who: _Leaving, phase: Phase) -> ErasureStep:
    """Delete all else, and in a last portion the rows that say who they are and that they are being forgotten."""
    language = people.language_for(connection, who.person)
    is_last = phase >= Phase.CLEARED
    _close_reviews(connection, who.person)
    later = set() if is_last else {"people", "chats", "erasures"}
    for name in sorted(FIRST_OF.keys() - {"games", "results", "pairs"} - later):  # in one order, as everywhere
        table = METADATA.tables[name]
        connection.execute(delete(table).where(theirs(table, who.person)))
    if not is_last:  # the file is rewritten now, so that the last message doesn't wait for it
        _note(connection, who, Phase.CLEARED)
    traces.note(connection, Traces.LOG if is_last else Traces.GAPS)
    return ErasureStep(who.person, is_gone=is_last, language=language if is_last else None)


ERASURE_STEPS: Final = (
    _end_running,
    _redraw_newest,
    _leave_games,
    _leave_results,
    _leave_others,
    _delete_some,
    _delete_rest,
)
"""What is done to forget somebody, in this order; each returns None if it finds nothing to do any more."""


def _store(connection: Connection, person: int, stage: Stage, now: int) -> None:
    withdraw(connection, person)
    connection.execute(insert(ERASURES).values(person=person, stage=stage, at=now, cursor=Phase.BEGUN))


def _note(connection: Connection, who: _Leaving, phase: Phase) -> None:
    connection.execute(update(ERASURES).where(ERASURES.c.person == who.person).values(cursor=phase))


STEP_AGAIN_SECONDS: Final = 0.02
"""How long to wait before trying a step again that another process was doing."""


async def forget_again(store: Store, journal: Journal) -> int:
    """Forget again everybody on the list who is in the database; returns how many."""
    returned = await store.run(forgotten.undone, listed=await asyncio.to_thread(journal.read))
    for person, at in returned.items():
        await store.run(begin_again, person=person, at=at)
    while returned:
        try:
            if await store.run(step) is None:
                break
        except ConcurrentChange:
            await asyncio.sleep(STEP_AGAIN_SECONDS)  # another process does the same
        except StorageError:
            raise
        except Exception:
            log.exception("Not all are forgotten again yet; this goes on in the background")
            break
    await traces.empty(store)
    return len(returned)
