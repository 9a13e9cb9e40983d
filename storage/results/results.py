"""The SQL of results, stored, numbered and rated in the transaction that ends a game."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from engine import Mark
from storage.games.game import Game, Termination, is_erased
from storage.people import preferences
from storage.results import milestones, ratings
from storage.results.adaptive import adapt
from storage.results.ratings import RatingChange
from storage.results.result import Outcome, Result, results_of
from storage.schema import GAMES, RESULTS

NAMES: Final = Result._fields
COLUMNS: Final = tuple(RESULTS.c[name] for name in NAMES)
INSERT: Final = insert(RESULTS).values({name: bindparam(name) for name in NAMES})

MADE: Final = ("x_rating", "o_rating", "x_rated", "o_rated", "next_level", "x_reached", "o_reached")
"""The fields of a game that its results set."""
SHOW: Final = (
    update(GAMES).where(GAMES.c.id == bindparam("key")).values({name: bindparam(f"new_{name}") for name in MADE})
)


def add(connection: Connection, ended: Iterable[Game], now: int) -> Sequence[Game]:
    """Store the results of games that end in this transaction, which has saved the games before.

    Games that may be rated get the next numbers, and are rated if all earlier ones are. The result are those games
    that show ratings, milestones or a new level, as they are stored now.
    """
    games = {game.id: game for game in sorted(ended, key=lambda game: game.id)}
    found = [results_of(game, now) for game in games.values()]
    rateable = [both[0].game_id for both in found if both and both[0].may_be_rated]
    progress = ratings.lock(connection) if rateable else None
    numbers: Mapping[int, int] = {}
    if progress is not None:
        taken = ratings.take_numbers(connection, progress, len(rateable))
        numbers = dict(zip(rateable, taken, strict=True))
    rows = [[each._replace(number=numbers.get(each.game_id)) for each in both] for both in found if both]
    if not rows:
        return ()
    counted = [result for both in rows for result in both]
    connection.execute(INSERT, [result._asdict() for result in counted])
    made = milestones.note(connection, adapt(connection, games, counted), counted)
    if progress is not None and progress.is_current:
        made = _rated(connection, made, [both[0] for both in rows if both[0].number is not None])
    shown = [game for game in made.values() if game != games[game.id]]
    if shown:
        values = [{f"new_{name}": getattr(game, name) for name in MADE} for game in shown]
        connection.execute(SHOW, [{"key": game.id, **new} for game, new in zip(shown, values, strict=True)])
    return shown


def _rated(connection: Connection, games: Mapping[int, Game], results: Sequence[Result]) -> Mapping[int, Game]:
    """Rate games that have just ended; all games, with the players' ratings before and after."""
    changes = ratings.rate(connection, results)
    hiding = preferences.hiding(connection, {person for _, person in changes}) if changes else ()
    return {**games, **{each: _with_ratings(games[each], changes, hiding) for each, _ in changes}}


def _with_ratings(game: Game, changes: Mapping[tuple[int, int], RatingChange], hiding: Container[int]) -> Game:
    """The game with its players' ratings before and after, except of those who hide their results."""
    told = {
        mark: changes[game.id, person]
        for mark in Mark
        if (person := game.seat(mark) or 0) not in hiding
        and not is_erased(person)
        and (game.id, person) in changes
    }
    x, o = told.get(Mark.X), told.get(Mark.O)
    return game._replace(
        x_rating=x and x.before, o_rating=o and o.before, x_rated=x and x.after, o_rated=o and o.after
    )


def newest(connection: Connection, person: int, limit: int, *, chat_id: int | None = None) -> Sequence[Result]:
    """A person's last `limit` results, newest first; with `chat_id`, those of one chat among them."""
    last = select(*COLUMNS).where(RESULTS.c.person == person).order_by(RESULTS.c.ended_at.desc()).limit(limit)
    found = [result_of(row) for row in connection.execute(last)]
    return found if chat_id is None else [result for result in found if result.chat_id == chat_id]


def after(connection: Connection, number: int, limit: int) -> Sequence[Result]:
    """The next games that may be rated, after the one with this number; one result of each, in their order."""
    later = select(*COLUMNS).where(RESULTS.c.number > number, RESULTS.c.mark == Mark.X)
    return [result_of(row) for row in connection.execute(later.order_by(RESULTS.c.number).limit(limit))]


def result_of(row: Row[tuple[object, ...]]) -> Result:
    """The value of a row of `COLUMNS`."""
    result = Result._make(row)
    return result._replace(
        mark=Mark(result.mark), outcome=Outcome(result.outcome), termination=Termination(result.termination)
    )
