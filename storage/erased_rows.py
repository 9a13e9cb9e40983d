"""The SQL of forgetting somebody where others have a part: games and their boards, results, who played whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, func, or_, select, update

from storage import games, replays, results, versions
from storage.errors import CorruptGame
from storage.game import Game, has_left
from storage.leaving import has_opened, is_nobodys, left, names_of, stays
from storage.record import Record
from storage.schema import BOARDS, GAMES, MESSAGES, OUTBOX, PAIRS, PEOPLE, RESULTS
from storage.versions import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import Connection

    from storage.board import Board

PORTION: Final = 40
"""Games, or other rows, that one step takes."""
SCANNED: Final = 4000
"""Games that one step reads when it looks through all of them."""
MOST_SHOWN_ANEW: Final = 20
"""Boards of finished games, the newest, that are shown to others without the name."""

FIXED: Final = (
    update(GAMES)
    .where(GAMES.c.id == bindparam("key"))
    .values(chat_id=bindparam("new_chat_id"), token=bindparam("new_token"))
)
"""What no other change of a game touches."""


@dataclass
class Leaving:
    """Somebody who is being forgotten."""

    person: int
    alias: int
    now: int
    names: set[str] = field(default_factory=set)
    """How they were called, as far as games have told it."""
    shown_anew: int = 0
    """How many boards of finished games are shown anew."""


class Left(NamedTuple):
    """What became of some games."""

    shown: Sequence[Raised]
    closed: Sequence[tuple[int, int]]
    """The person's own boards of games that went on, by chat and message."""
    shown_anew: int


class Looked(NamedTuple):
    """What became of games that were looked through."""

    shown: Sequence[Raised]
    until: int | None
    """The id of the last of them; None if there are no more."""


def known_names(connection: Connection, person: int) -> set[str]:
    """How somebody is known; a username with its @, in small letters."""
    row = connection.execute(select(PEOPLE.c.name, PEOPLE.c.username).where(PEOPLE.c.id == person)).one_or_none()
    if row is None:
        return set()
    return {name for name in (row.name, row.username and f"@{row.username}") if name}


def leave_games(connection: Connection, ids: Iterable[int], who: Leaving) -> Left:
    """Take somebody out of games, which end if they go on; what is nobody's then is deleted.

    Raises:
        ConcurrentChange: if one of them was changed meanwhile; nothing may then be committed.
    """
    who.names.update(known_names(connection, who.person))
    shown: list[Raised] = []
    closed: list[tuple[int, int]] = []
    changes: list[tuple[Game, Game]] = []
    gone: list[int] = []
    for game, boards in _loaded(connection, ids):
        who.names.update(names_of(game, who.person))
        own = [board for board in boards if who.person in (board.chat_id, board.viewer)]
        _close_reviews(connection, [board for board in boards if has_opened(board, who.person)])
        others = [_closed(board, who.person) for board in boards if board not in own and not board.leaving]
        made = left(game, who.person, who.alias, who.names)
        ends = made.is_over and not game.is_over
        if ends:
            closed += [(board.chat_id, board.message_id) for board in own if board.chat_id and board.message_id]
        anew = bool(others) and (ends or who.shown_anew < MOST_SHOWN_ANEW) and _is_sound(made)
        if not anew and not stays(made):
            gone.append(game.id)
            continue
        if anew and not ends:
            who.shown_anew += len(others)
        saved = games.next_version(made, who.now)
        changes.append((saved, game))
        raised = [(versions.raised(board, who.now), board) for board in (others if anew else ())]
        record = Record(saved, tuple(board for board, _ in raised))
        shown += [Raised(record, board, before) for board, before in raised]
        _delete_boards(connection, own)
    _save(connection, changes, shown, who.now)
    replays.forget(connection, [game.id for game, _ in changes])  # their files show the name
    delete_games(connection, gone)
    return Left(shown, closed, who.shown_anew)


def look_through(
    connection: Connection, who: Leaving, is_theirs: Callable[[str | int], bool], after: int
) -> Looked:
    """Take somebody out of the next games in which others have named them, or they have closed others' challenges.

    Args:
        connection: The database.
        who: Whoever is known by digests alone is found out by what tells of them.
        is_theirs: Whether a name is, or an id; a username with its @, in small letters.
        after: The id of the game before.

    Raises:
        ConcurrentChange: as `leave_games` does.
    """
    last = connection.execute(select(func.max(GAMES.c.id))).scalar() or 0
    until, ids = min(after + SCANNED, last), list[int]()
    told = GAMES.c.ended_by.is_not(None) | GAMES.c.rival_name.is_not(None)
    some = select(GAMES.c.id, GAMES.c.ended_by, GAMES.c.rival_name, GAMES.c.rival_id)
    for game in connection.execute(some.where(GAMES.c.id > after, GAMES.c.id <= until, told).order_by(GAMES.c.id)):
        named = {name for name in (game.ended_by, game.rival_name) if name}
        named = {name for name in named if is_theirs(name) or is_theirs(name.lower())}
        if game.rival_id is not None and is_theirs(game.rival_id):
            who.person = game.rival_id
        elif not named:
            continue
        who.names |= named
        ids.append(game.id)
        if len(ids) == PORTION:
            until = game.id
            break
    return Looked(leave_games(connection, ids, who).shown, until if until < last else None)


def leave_results(connection: Connection, rows: Sequence[Any], who: Leaving) -> None:
    """Put the alias in somebody's place in results; what is nobody's then is deleted."""
    nobodys = [row.game_id for row in rows if is_nobodys(who.alias, row.opponent)]
    rest = [row for row in rows if row.game_id not in nobodys]
    if nobodys:
        connection.execute(delete(RESULTS).where(RESULTS.c.game_id.in_(nobodys)))
    of = RESULTS.c.game_id == bindparam("game")
    changes = [
        {"game": row.game_id, "other": row.opponent, "chat": None if row.chat_id == who.person else row.chat_id}
        for row in rest
    ]
    if changes:
        own = update(RESULTS).where(of, RESULTS.c.person == who.person)
        connection.execute(own.values(person=who.alias, chat_id=bindparam("chat")), changes)
        theirs = update(RESULTS).where(of, RESULTS.c.person == bindparam("other"))
        connection.execute(theirs.values(opponent=who.alias, chat_id=bindparam("chat")), changes)


def leave_pairs(connection: Connection, rows: Sequence[Any], who: Leaving) -> None:
    """Put the alias in somebody's place in who has played whom, both ways around."""
    opponents = [row.opponent for row in rows]
    both = or_(
        (PAIRS.c.person == who.person) & PAIRS.c.opponent.in_(opponents),
        PAIRS.c.person.in_(opponents) & (PAIRS.c.opponent == who.person),
    )
    kept = [
        {"person": one, "opponent": other, "games": row.games, "day": row.day}
        for row in rows
        if not has_left(row.opponent)
        for one, other in ((who.alias, row.opponent), (row.opponent, who.alias))
    ]
    connection.execute(delete(PAIRS).where(both))
    if kept:
        connection.execute(PAIRS.insert(), kept)


def _loaded(connection: Connection, ids: Iterable[int]) -> Iterable[tuple[Game, Sequence[Board]]]:
    """Games with their boards; also those that contradict themselves, which are only read here."""
    rows = games.SELECT_MANY.run(connection, ids)
    return [(record.game, record.boards) for record in games.records_of(rows).values()]


def _save(connection: Connection, changes: Sequence[tuple[Game, Game]], shown: Sequence[Raised], now: int) -> None:
    if not changes:
        return
    games.save_many(connection, changes)
    fixed = [
        {"key": game.id, "new_chat_id": game.chat_id, "new_token": game.token}
        for game, loaded in changes
        if (game.chat_id, game.token) != (loaded.chat_id, loaded.token)
    ]
    if fixed:
        connection.execute(FIXED, fixed)
    versions.raise_many(connection, [(each.board, each.before) for each in shown if each.before is not None])
    ended = [game for game, loaded in changes if game.is_over and not loaded.is_over and _is_sound(game)]
    results.add(connection, ended, now)


def _is_sound(game: Game) -> bool:
    try:
        game.check()
    except CorruptGame:
        return False
    return True


def _closed(board: Board, person: int) -> Board:
    """The board without the review that somebody has opened on it."""
    return board._replace(page=None) if has_opened(board, person) else board


def _close_reviews(connection: Connection, boards: Sequence[Board]) -> None:
    if boards:
        ids = [board.id for board in boards]
        connection.execute(update(BOARDS).where(BOARDS.c.id.in_(ids)).values(page=None))


def _delete_boards(connection: Connection, boards: Sequence[Board]) -> None:
    if boards:
        connection.execute(delete(BOARDS).where(BOARDS.c.id.in_([board.id for board in boards])))


def delete_games(connection: Connection, ids: Sequence[int]) -> None:
    """Delete games with all that hangs on them; the caller keeps their ids (`storage.used_ids`)."""
    if not ids:
        return
    for table in (BOARDS, MESSAGES, OUTBOX):
        connection.execute(delete(table).where(table.c.game_id.in_(ids)))
    replays.forget(connection, ids)
    connection.execute(update(GAMES).where(GAMES.c.next_game.in_(ids)).values(next_game=None))
    connection.execute(delete(GAMES).where(GAMES.c.id.in_(ids)))
