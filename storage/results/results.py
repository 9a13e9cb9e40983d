"""The SQL of results, stored and rated in the transaction that ends a game, and of their sums.

It also moves the adaptive level, one for each person and family of rules, and counts milestones, so that each is
announced once; and hides the results of those who want that, also on boards that have shown them.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, bindparam, insert, or_, select, update

from engine import Level, Mark
from engine.rules.catalogue import family_of
from storage.games import gauntlets, outbox, versions
from storage.games.game import FIGURES, Game
from storage.games.games import save_many
from storage.games.versions import Stored
from storage.people import people, puzzles
from storage.people.person import Person
from storage.privacy.personal import game_ids
from storage.results import ratings
from storage.results.ratings import RatingChange
from storage.results.result import (
    EVERYWHERE,
    GOALS,
    MANY_GAMES,
    PEOPLE_AGAINST,
    Ending,
    Result,
    Rivalry,
    Streak,
    Tally,
    may_be_rated,
    milestones_after,
    results_of,
)
from storage.schema import GAMES, LEVELS, MILESTONES, RESULTS, SIDE_COLUMNS
from storage.upsert import insert_missing, upsert

START_LEVEL: Final = Level.EASY
IN_A_ROW: Final = 2
"""How many wins in a row at a level lead one level up, and losses one down."""


def level_of(connection: Connection, person: int, rules: str) -> Level:
    """The level for a person's next game by these rules."""
    own = select(LEVELS.c.level).where(LEVELS.c.person == person, LEVELS.c.family == family_of(rules))
    return Level(connection.execute(own).scalar() or START_LEVEL)


def moved_level(level: Level, streak: int, outcome: Ending) -> tuple[Level, int]:
    """The level after a game at it, and the wins in a row there (below 0: losses); a draw ends either."""
    streak = {Ending.WIN: max(streak, 0) + 1, Ending.DRAW: 0, Ending.LOSS: min(streak, 0) - 1}[outcome]
    if abs(streak) < IN_A_ROW:
        return level, streak
    levels = list(Level)
    return levels[min(max(levels.index(level) + streak // IN_A_ROW, 0), len(levels) - 1)], 0


def adapt(connection: Connection, ended: Mapping[int, Game], results: Sequence[Result]) -> Mapping[int, Game]:
    """Change levels by the results of games that have just ended; the games, with the next level in each.

    Only a game at the person's present level counts, without hints, and not one that began before the last change
    of level.
    """
    own = [each for each in results if ended[each.game_id].next_level and not ended[each.game_id].hints]
    keys = sorted({(result.person, result.family) for result in own})
    if not keys:
        return ended
    now = _levels(connection, keys)
    new = [_level(*key, START_LEVEL, 0) for key in keys if key not in now]
    if new:
        insert_missing(connection, LEVELS, new)
        now = _levels(connection, keys)
    adapted = dict(ended)
    for result in own:
        key = result.person, result.family
        level, streak = now[key]
        if result.level == level:
            now[key] = moved_level(level, streak, result.outcome)
        adapted[result.game_id] = adapted[result.game_id]._replace(next_level=now[key][0])
    upsert(connection, LEVELS, [_level(*key, *now[key]) for key in keys])
    return adapted


_LEVELS_OF: Final = (
    select(LEVELS)
    .where(LEVELS.c.person.in_(bindparam("people", expanding=True)))  # by the index
    .order_by(LEVELS.c.person, LEVELS.c.family)
    .with_for_update()
)


def _levels(connection: Connection, keys: Iterable[tuple[int, str]]) -> dict[tuple[int, str], tuple[Level, int]]:
    """The levels of these people by person and family, with the wins in a row; nobody else changes them now."""
    rows = connection.execute(_LEVELS_OF, {"people": sorted({person for person, _ in keys})})
    return {(row.person, row.family): (Level(row.level), row.streak) for row in rows}


def _level(person: int, family: str, level: Level, streak: int) -> dict[str, object]:
    return {"person": person, "family": family, "level": level, "streak": streak}


_MILESTONES_OF: Final = select(MILESTONES).where(MILESTONES.c.person.in_(bindparam("people", expanding=True)))


def note_milestones(
    connection: Connection, ended: Mapping[int, Game], results: Sequence[Result]
) -> Mapping[int, Game]:
    """Count games that have just ended; the games, with the milestones that are reached by them.

    Those of people who hide their results are only told in private chats.
    """
    players = sorted({result.person for result in results})
    # This adds nothing, but nobody else changes these rows from here on, and what is read next is the newest.
    upsert(connection, MILESTONES, [_milestone(person, MANY_GAMES, 0) for person in players], add="progress")
    counts: dict[int, dict[str, int]] = {person: {} for person in players}
    for row in connection.execute(_MILESTONES_OF, {"people": players}):
        counts[row.person][row.name] = row.progress
    rows, reached = {}, []
    for result in results:
        known = counts[result.person]
        changed = milestones_after(known, result, with_hints=ended[result.game_id].hints > 0)
        known |= changed
        for name, count in changed.items():
            rows[result.person, name] = _milestone(result.person, name, count, result.ended_at)
        if names := " ".join(name for name, count in changed.items() if count == GOALS[name]):
            reached.append((result, names))
    upsert(connection, MILESTONES, list(rows.values()))
    in_groups = {result.person for result, _ in reached if (result.chat_id or 0) <= 0}
    hiding = people.hiding(connection, in_groups) if in_groups else ()
    games_told = dict(ended)
    for result, names in reached:
        if (result.chat_id or 0) > 0 or result.person not in hiding:
            games_told[result.game_id] = games_told[result.game_id].with_side(result.mark, reached=names)
    return games_told


def _milestone(person: int, name: str, count: int, now: int = 0) -> dict[str, object]:
    return {"person": person, "name": name, "progress": count, "reached_at": now if count == GOALS[name] else None}


def reach_milestone(connection: Connection, person: int, name: str, at: int) -> None:
    """Note that a person has reached a milestone, unless they have before."""
    insert_missing(connection, MILESTONES, [_milestone(person, name, GOALS[name], at)])


def milestones_of(connection: Connection, person: int) -> Mapping[str, int]:
    """The milestones of a person by name, with when they reached each."""
    rows = connection.execute(_MILESTONES_OF, {"people": [person]})
    return {row.name: row.reached_at for row in rows if row.reached_at is not None}


COLUMNS: Final = tuple(RESULTS.c[name] for name in Result._fields)
INSERT_RESULTS: Final = insert(RESULTS)


def add(connection: Connection, ended: Iterable[Game], now: int) -> Sequence[Game]:
    """Store the results of games that end in this transaction, which has saved the games before, and rate them.

    It takes as many statements for one game as for many: each table is read and written once.
    Those games are returned that show ratings, milestones or a new level, as they are stored now.
    """
    games = {game.id: game for game in sorted(ended, key=lambda game: game.id)}
    results = [both for game in games.values() if (both := results_of(game, now))]
    if not results:
        return ()
    changes: Mapping[tuple[int, int], RatingChange] = {}
    if rateable := [both[0] for both in results if may_be_rated(games[both[0].game_id])]:
        ratings.lock(connection)
        changes = ratings.rate_games(connection, rateable)
    rated = {game_id for game_id, _ in changes}
    counted = [result._replace(rated=result.game_id in rated) for both in results for result in both]
    connection.execute(INSERT_RESULTS, [result._asdict() for result in counted])
    in_groups = [(chat_id, each) for each in counted if (chat_id := each.chat_id or 0) < 0]
    left = [each for each in in_groups if games[each[1].game_id].left is each[1].mark]
    people.come_back(connection, {(chat_id, each.person) for chat_id, each in in_groups})
    for chat_id, each in left:
        people.leave(connection, chat_id=chat_id, person=each.person)
    hiding = people.hiding(connection, {person for _, person in changes}) if changes else ()
    noted: Mapping[int, Game] = {
        game.id: _with_ratings(game, changes, hiding) if game.id in rated else game for game in games.values()
    }
    noted = note_milestones(connection, adapt(connection, noted, counted), counted)
    shown = [(game, games[game.id]) for game in noted.values() if game != games[game.id]]
    save_many(connection, shown)
    return [game for game, _ in shown]


def _with_ratings(game: Game, changes: Mapping[tuple[int, int], RatingChange], hiding: Container[int]) -> Game:
    for mark in Mark:
        person = game.seat(mark) or 0
        change = None if person in hiding else changes.get((game.id, person))
        game = game.with_side(mark, rating=change and change.before, rated=change and change.after)
    return game


def newest(connection: Connection, person: int, limit: int, chat_id: int = EVERYWHERE) -> Sequence[Result]:
    """A person's last `limit` results in a group, or everywhere, newest first."""
    own = select(*COLUMNS).where(*_theirs(person, chat_id))
    last = own.order_by(RESULTS.c.ended_at.desc(), RESULTS.c.game_id.desc()).limit(limit)
    return [Result._make(row) for row in connection.execute(last)]


def sums_of(
    connection: Connection, person: int, chat_id: int = EVERYWHERE
) -> tuple[Sequence[Tally], Streak | None]:
    """A person's wins, draws and losses in a group, or everywhere, and streaks; None without a finished game.

    All their results are read, in their order.
    """
    own = select(RESULTS.c.family, RESULTS.c.level, RESULTS.c.outcome).where(*_theirs(person, chat_id))
    sums: Counter[tuple[str, str | None, str]] = Counter()
    streak = Streak(0, 0)
    for family, level, outcome in connection.execute(own.order_by(RESULTS.c.ended_at, RESULTS.c.game_id)):
        sums[family, level, outcome] += 1
        streak = streak.after(outcome)
    kinds = sorted({(family, level or PEOPLE_AGAINST) for family, level, _ in sums})
    tallies = [
        Tally(family, against, *(sums[family, against or None, outcome] for outcome in Ending))
        for family, against in kinds
    ]
    return tallies, streak if sums else None


def rivalry(connection: Connection, person: int, opponent: int, chat_id: int = EVERYWHERE) -> Rivalry:
    """A person's results against another, in a group or everywhere."""
    both = (*_theirs(person, chat_id), RESULTS.c.opponent == opponent)
    own = select(RESULTS.c.family, RESULTS.c.outcome).where(*both)
    rows = connection.execute(own.order_by(RESULTS.c.ended_at, RESULTS.c.game_id))
    return Rivalry([(family, outcome) for family, outcome in rows])


def _theirs(person: int, chat_id: int) -> Sequence[ColumnElement[bool]]:
    """The conditions of a person's results in a group, or everywhere."""
    own = RESULTS.c.person == person
    return [own] if chat_id == EVERYWHERE else [own, RESULTS.c.chat_id == chat_id]


CLEARED_AT_ONCE: Final = 20
"""How many games are cleared in one transaction; the first, with the newest, also redraws them."""

ABOVE_ALL: Final = 2**62
"""Above all ids of games."""


def hide(connection: Connection, person: Person) -> None:
    """Hide a person's results from others; then call `clear_shown` as long as there is more."""
    people.choose(connection, person, "hidden", is_so=True)
    outbox.put_puzzles(connection, puzzles.shown_in(connection, person.id))
    tried = game_ids(connection, person.id, GAMES.c.beats.is_not(None), CLEARED_AT_ONCE)
    gauntlets.note_gone(connection, tried)
    ratings.lock(connection)  # whatever ends before this is committed shows them, and is found by `clear_shown`


def clear_shown(
    connection: Connection, person: int, now: int, before: int = ABOVE_ALL
) -> tuple[Sequence[Stored], int | None]:
    """Take the results of somebody who hides them out of some of their games: the newest `before` a game.

    The boards that are to be redrawn, which are those of the newest games of all, and before which game the next
    portion begins; None at the end.
    """
    own = [(side["seat"] == person, [side[name] for name in FIGURES]) for side in SIDE_COLUMNS.values()]
    shown = or_(*(is_theirs & figure.is_not(None) for is_theirs, figures in own for figure in figures))
    newest = game_ids(connection, person, shown & (GAMES.c.id < before), CLEARED_AT_ONCE)
    if not newest or not people.is_hidden(connection, person):
        return (), None
    for is_theirs, figures in own:
        gone = {**dict.fromkeys(figures), GAMES.c.version: GAMES.c.version + 1}
        connection.execute(update(GAMES).where(GAMES.c.id.in_(newest), is_theirs).values(gone))
    return versions.redraw(connection, newest, now) if before == ABOVE_ALL else (), newest[-1]
