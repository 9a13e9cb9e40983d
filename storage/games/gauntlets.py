"""The SQL of gauntlets: won games that were shared for others to win in fewer moves, and how those have done.

A message that shares one is a board of its game, with the page `Gauntlet` says. Tries lag it as versions that
nobody owns, so that the sweep edits it once for all tries of a moment.
"""

import time
from collections.abc import Collection
from typing import Final

from sqlalchemy import ColumnElement, Connection, case, func, select

from engine import Mark
from storage.games import games, versions
from storage.games.game import COMPUTER, Game, Termination
from storage.games.record import LOOK_NEVER, SHARED_PAGE, Gauntlet, TryScore
from storage.people import people
from storage.schema import BOARDS, GAMES

GATHERED_SECONDS: Final = 10
"""So long after a try its message is edited, for all tries until then."""
MOST_TRIES: Final = 1000
"""How many tries, the newest, are looked at."""


def find(connection: Connection, game_id: int, tried: Game | None = None) -> Gauntlet | None:
    """A shared game, as whoever plays `tried` from a position of it may know it; None if it is no more."""
    if (record := games.find(connection, game_id)) is None:
        return None
    game, best = record.game, _best(connection, record.game)
    hiding, known = people.hiding(connection, best), people.known(connection, best)
    scores = [TryScore(known[each].name, plies) for each, plies in best.items() if each in known.keys() - hiding]
    return Gauntlet(game, tuple(scores), tried is not None and listener(connection, game, tried) is not None)


def _best(connection: Connection, game: Game) -> dict[int, int | None]:
    """The people who have played the winner's side, and how many moves their quickest win had; best first."""
    mark, best = game.winner, dict[int, int | None]()
    if mark is None:
        return best
    seat = GAMES.c.x_seat if mark is Mark.X else GAMES.c.o_seat
    ended = GAMES.c.termination.is_not(None) & (GAMES.c.termination != Termination.EXPIRED)
    tries = select(seat, GAMES.c.winner, func.length(GAMES.c.moves)).where(
        GAMES.c.beats == game.id, ended, GAMES.c.takebacks == 0, seat > COMPUTER
    )
    rows = connection.execute(tries.order_by(GAMES.c.id.desc()).limit(MOST_TRIES)).all()
    for person, winner, plies in [(game.seat(mark) or COMPUTER, mark, game.ply), *reversed(rows)]:
        won = [each for each in (best.get(person), plies if winner is mark else None) if each is not None]
        best[person] = min(won, default=None)
    return dict(sorted(best.items(), key=lambda item: (item[1] is None, item[1] or 0)))


def listener(connection: Connection, shared: Game, tried: Game) -> int | None:
    """The player of a shared game who may hear how another one goes, as far as others know; None if nobody may."""
    person = tried.x.seat or tried.o.seat or COMPUTER
    mark = tried.mark_of(person)
    other = COMPUTER if mark is None else shared.seat(mark) or COMPUTER
    may_hear = other > COMPUTER and other != person and not people.is_hidden(connection, person)
    return other if may_hear else None


def note_tries(connection: Connection, shared: Collection[int]) -> None:
    """Let the messages that share games be made again soon, as others have tried or are to be named no more."""
    if shared:
        _make_again(connection, BOARDS.c.game_id.in_(shared) & BOARDS.c.shows.startswith(SHARED_PAGE))


def note_gone(connection: Connection, ids: Collection[int]) -> None:
    """The same for those of which these games are tries, before nothing leads to them any more.

    So are the boards of running tries of these, which name whoever has shared them.
    """
    beaten = select(GAMES.c.beats).where(GAMES.c.id.in_(ids), GAMES.c.beats.is_not(None)).distinct()
    note_tries(connection, connection.execute(beaten).scalars().all())
    running = select(GAMES.c.id).where(GAMES.c.beats.in_(ids), GAMES.c.termination.is_(None))
    tries = connection.execute(running.order_by(GAMES.c.id).with_for_update()).scalars().all()
    if tries:
        _make_again(connection, BOARDS.c.game_id.in_(tries))


def _make_again(connection: Connection, which: ColumnElement[bool]) -> None:
    lagging = BOARDS.c.shown < BOARDS.c.wanted
    soon = case((lagging, BOARDS.c.look_at), else_=int(time.time()) + GATHERED_SECONDS)
    reachable = which & (~lagging | (BOARDS.c.look_at < LOOK_NEVER))
    versions.write(connection, reachable, wanted=BOARDS.c.wanted + 1, claims=0, look_at=soon)
