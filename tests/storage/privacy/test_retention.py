"""Retention: games, groups that the bot has left, and people."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from sqlalchemy import Connection, func, select, update

from engine import Mark
from storage.games import games
from storage.games.game import Termination
from storage.people import chats, people
from storage.people.person import Person
from storage.privacy import retention
from storage.results import rebuild, results, statistics
from storage.results.result import DAY
from storage.schema import CHATS, ERASURES, PEOPLE, PLAYERS, RESULTS, TALLIES
from storage.store import Store
from tests.storage.examples import ANN, BOB, GROUP, HALL, HOME, put, read

NOW = int(time.time())
LONG_AGO = NOW - 40 * DAY
BEFORE = NOW - 30 * DAY
TWO: dict[str, Any] = {"chat_id": GROUP, "o_seat": BOB, "names": {ANN: "Ann", BOB: "Bob"}, "o_level": None}


async def left(store: Store) -> None:
    """Record that the bot left the group long ago."""
    await store.run(partial(chats.choose, chat_id=GROUP, choices={}))
    await store.run(partial(chats.leave, chat_id=GROUP, now=LONG_AGO))


async def gone_through(store: Store) -> None:
    """Forget the group, if it's due."""
    while await store.run(partial(retention.drop_group, chat_id=GROUP, before=BEFORE, now=NOW)):
        pass


async def test_a_forgotten_group_leaves_results_too_even_if_its_games_are_gone(store: Store) -> None:
    """Games may be kept for less time than groups; a rebuild doesn't recreate the group's leaderboard."""

    def stored(connection: Connection) -> None:
        record = put(connection, HALL, **TWO, moves="03142", termination=Termination.LINE, winner=Mark.X)
        results.add(connection, [record.game], LONG_AGO)
        statistics.count(connection)
        games.delete_many(connection, [record.game.id])

    await store.run(stored)
    await left(store)
    await gone_through(store)
    await rebuild.rebuild(store, lambda _line: None)
    for column in (RESULTS.c.chat_id, TALLIES.c.chat_id, PLAYERS.c.chat_id, CHATS.c.id):
        here = select(func.count()).where(column == GROUP)
        assert await store.run(lambda connection, query=here: connection.execute(query).scalar()) == 0  # type: ignore[misc]
    (tally,) = await store.run(partial(statistics.of_person, person=BOB))
    assert tally.losses == 1, "its people keep their results"


async def test_a_group_in_which_a_game_was_begun_since_has_the_bot_again(store: Store) -> None:
    """A bot that was down for a day never gets the update that says it was added."""
    await left(store)
    record = await store.run(lambda connection: put(connection, **TWO, created_at=LONG_AGO + 2 * DAY))
    await gone_through(store)
    assert not (await read(store, record.game.id)).game.is_over
    assert not await store.run(partial(retention.left_groups, before=NOW))


async def test_somebody_who_plays_is_not_forgotten_though_none_of_their_games_counts(store: Store) -> None:
    """They took a move back in each."""

    def stored(connection: Connection) -> None:
        for person in (ANN, BOB):
            people.see(connection, Person(person, "Somebody"))
            record = put(connection, HOME, x_seat=person, moves="0314", takebacks=1)
            over = record.game._replace(moves="03142", termination=Termination.LINE, winner=Mark.X)
            ended_at = NOW if person == ANN else LONG_AGO
            games.save_many(connection, [(games.next_version(over, ended_at), record.game)])
        connection.execute(update(PEOPLE).values(seen_at=LONG_AGO))

    await store.run(stored)
    await store.run(partial(retention.drop_people, after=retention.START, before=BEFORE, now=NOW))
    going = await store.run(lambda connection: connection.execute(select(ERASURES.c.person)).scalars().all())
    assert going == [BOB]
