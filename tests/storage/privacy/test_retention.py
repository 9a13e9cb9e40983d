"""Retention: games, groups that the bot has left, and people."""

import time
from typing import Any

from sqlalchemy import Connection, func, select, update

from storage.columns import DAY
from storage.games import games
from storage.games.game import Side
from storage.people import chats, cups, people
from storage.people.person import Cup, CupPlayer, CupStage, Person
from storage.privacy import retention
from storage.results import results
from storage.schema import CHATS, ERASURES, GAMES, PEOPLE, RESULTS
from tests.storage.examples import ANN, BOB, GROUP, HALL, HOME, TWO, WON, put

NOW = int(time.time())
LONG_AGO = NOW - 40 * DAY
BEFORE = NOW - 30 * DAY
THERE: dict[str, Any] = {**TWO, "chat_id": GROUP}


def left(connection: Connection) -> None:
    chats.load_or_add(connection, GROUP)
    for now in (LONG_AGO, NOW):  # each refusal there says it again
        chats.leave(connection, GROUP, now)


def gone_through(connection: Connection) -> None:
    while retention.drop_group(connection, GROUP, BEFORE, NOW):
        pass


def test_a_forgotten_group_leaves_results_too_even_if_its_games_are_gone(connection: Connection) -> None:
    """Games may be kept for less time than groups."""
    record = put(connection, HALL, **THERE, **WON)
    results.add(connection, [record.game], LONG_AGO)
    games.delete_many(connection, [record.game.id])
    left(connection)
    gone_through(connection)
    for column in (RESULTS.c.chat_id, CHATS.c.id):
        assert connection.scalar(select(func.count()).where(column == GROUP)) == 0
    (tally,), _ = results.sums_of(connection, BOB)
    assert tally.losses == 1, "its people keep their results"


def test_a_game_goes_that_nobody_has_changed_for_so_long_however_long_ago_it_began(connection: Connection) -> None:
    begun = {**THERE, **WON, "created_at": LONG_AGO}
    _old, new = [put(connection, **begun, changed_at=at).game.id for at in (LONG_AGO, NOW)]
    assert retention.drop_games(connection, after=0, before=BEFORE) is None
    assert connection.execute(select(GAMES.c.id)).scalars().all() == [new]


def test_a_group_in_which_a_game_was_begun_since_has_the_bot_again(connection: Connection) -> None:
    """A bot that was down for a day never gets the update that says it was added."""
    left(connection)
    record = put(connection, **THERE, created_at=LONG_AGO + 2 * DAY)
    gone_through(connection)
    assert not games.load(connection, record.game.id).game.is_over
    assert not retention.left_groups(connection, BEFORE)


def test_somebody_who_plays_is_not_forgotten_though_none_of_their_games_counts(connection: Connection) -> None:
    """They took a move back in each."""
    for person in (ANN, BOB):
        people.see(connection, Person(person, "Somebody"))
        record = put(connection, HOME, x=Side(person), moves="0314", takebacks=1)
        over = record.game._replace(**WON)
        games.save_many(connection, [(games.next_version(over, NOW if person == ANN else LONG_AGO), record.game)])
    connection.execute(update(PEOPLE).values(seen_at=LONG_AGO))
    retention.drop_people(connection, after=retention.START, before=BEFORE, now=NOW)
    assert connection.execute(select(ERASURES.c.person)).scalars().all() == [BOB]


def test_somebody_who_waits_for_their_game_in_a_cup_is_not_forgotten(connection: Connection) -> None:
    for person in (ANN, BOB):
        people.see(connection, Person(person, "Somebody"))
    state = cups.add(connection, Cup(0, GROUP, None, None, "3x3x3", 120, CupStage.RUNNING))
    players = (CupPlayer(state.cup.id, 0, ANN), CupPlayer(state.cup.id, 1, BOB, is_out=True))
    cups.save(connection, state._replace(players=players))
    connection.execute(update(PEOPLE).values(seen_at=LONG_AGO))
    retention.drop_people(connection, after=retention.START, before=BEFORE, now=NOW)
    assert connection.execute(select(ERASURES.c.person)).scalars().all() == [BOB]
