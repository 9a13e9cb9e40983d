"""Ratings are computed in the transaction that ends a game, and recomputing them gives the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import URL, Connection, Engine, event, func, insert, select, update

from engine import Mark
from storage.database import connect
from storage.games import games
from storage.games.game import COMPUTER, Game, Termination
from storage.games.record import Record
from storage.people.person import Person
from storage.privacy import erasure, retention
from storage.results import hiding, leaderboards, ratings, rebuild, results, statistics
from storage.results.result import DAY, PAGE, RATED_A_DAY
from storage.schema import METADATA, PROGRESS, RATINGS, RESULTS
from storage.store import Store
from tests.storage.examples import BOB, DRAWN, GROUP, HALL, WON, X_WINS, add, finish, put

ANN, CEM = 5, 9
NOW = int(time.time())
TODAY = NOW // DAY
MADE = ("ratings", "rating_days", "pairs", "weeks")


def seated(one: int, other: int, **values: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a game
    """The fields of a game of two in a group, shortly before its end."""
    names = {one: f"P{one}", other: f"P{other}"}
    same = {"x_seat": one, "o_seat": other, "o_level": None, "chat_id": GROUP, "names": names}
    return {**same, "moves": X_WINS[:-1], **values}


async def play(store: Store, one: int = ANN, other: int = BOB, **end: Any) -> Game:  # noqa: ANN401 - as above
    """End a game of two, by default with a line for the first; returns the game as its boards will show it."""
    record = await add(store, HALL, **seated(one, other))
    return await finish(store, record.game.id, **end)


def shown(game: Game) -> list[tuple[str | None, str | None]]:
    """The ratings that a game shows, X's player first."""
    return [(game.rating(mark), game.rated(mark)) for mark in Mark]


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Everything computed from rated games."""
    tables = [METADATA.tables[name] for name in MADE]
    return await store.run(
        lambda c: {table.name: sorted(tuple(row) for row in c.execute(select(table))) for table in tables}
    )


async def made_again(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """The same after a rebuild."""
    await rebuild.rebuild(store, lambda _line: None)
    return await everything(store)


async def caught_up(store: Store) -> None:
    """Rate all waiting games."""
    while await rebuild.rate(store):
        pass


async def listed(store: Store, chat_id: int = GROUP) -> list[tuple[int, int]]:
    """People by rating, in a group or everywhere (0)."""
    await store.run(statistics.count)
    found = await store.run(leaderboards.by_rating, family="", offset=0, chat_id=chat_id)
    return [(entry.person, entry.figure) for entry in found]


async def test_a_game_is_rated_as_it_ends_and_its_boards_and_lists_agree(store: Store) -> None:
    game = await play(store)
    assert shown(game) == [("1500", "1662?"), ("1500", "1338?")]
    assert shown((await store.run(games.load, game.id)).game) == shown(game), "and so it stays"
    assert await listed(store) == [(ANN, 1662), (BOB, 1338)]
    found = await store.run(ratings.standings_of, [ANN])
    assert {family: standing.figure for (_, family), standing in found.items()} == {
        "": "1662?",
        "classic": "1662?",
    }
    again = await play(store, BOB, ANN, moves=DRAWN, termination=Termination.FULL_BOARD, winner=None)
    assert [before for before, _ in shown(again)] == ["1338", "1662"]
    ((day, rating),) = await store.run(ratings.curve, ANN, "", 5)
    assert (day, f"{rating:.0f}?") == (again.changed_at // DAY, again.o_rated)


async def test_what_is_not_rated_shows_no_rating_and_is_no_win_of_the_week(store: Store) -> None:
    early = await play(store, termination=Termination.RESIGNATION, moves="04")
    late = await play(store, termination=Termination.TIMEOUT, moves="402817")
    assert [game.x_rated is None for game in (early, late)] == [True, False]
    assert [(await play(store)).x_rated is None for _ in range(3)] == [False, False, True]
    alone = await add(store, HALL, **seated(ANN, COMPUTER, o_level="easy"))
    assert shown(await finish(store, alone.game.id)) == [(None, None), (None, None)]
    numbers = await store.run(lambda c: c.execute(select(RESULTS.c.number).order_by(RESULTS.c.game_id)).scalars())
    assert [*numbers] == [None, None, 1, 1, 2, 2, 3, 3, 4, 4, None]
    week = leaderboards.week_of(int(time.time()))
    for chat_id in (0, GROUP):
        (won,) = await store.run(leaderboards.by_wins, week=week, family="", offset=0, chat_id=chat_id)
        assert (won.person, won.figure) == (ANN, 3)


async def test_a_batch_takes_as_many_statements_however_many_rated_games_it_ends(store: Store) -> None:
    sent: list[str] = []
    engine: Engine = store._engine  # noqa: SLF001 - what the store sends is what this counts
    event.listen(engine, "before_cursor_execute", lambda *told: sent.append(str(told[2]).split(" WHERE")[0]))

    async def ending(people: Sequence[tuple[int, int]], **end: Any) -> list[str]:  # noqa: ANN401 - as above
        made = [(await add(store, HALL, **seated(*pair))).game.id for pair in people]
        sent.clear()
        await asyncio.gather(*(finish(store, game_id, **end) for game_id in made))
        return [statement for statement in sent if "progress" in statement or "rating" in statement.lower()]

    one, many = await ending([(1, 2)]), await ending([(1, 2), (2, 3), (3, 4), (4, 1), (5, 6)])
    assert len(one) == len(set(one))
    assert {statement.split()[0] for statement in one} == {"SELECT", "INSERT", "UPDATE"}
    assert len(set(many)) == len(set(one))
    going_on = await ending([(7, 8)], moves=X_WINS[:-1], termination=None, winner=None)
    assert [statement for statement in going_on if "games" not in statement] == []


async def test_everybodys_list_takes_five_opponents_and_a_groups_does_not(store: Store) -> None:
    for opponent in range(101, 106):
        assert await listed(store, 0) == []
        assert await store.run(leaderboards.place_by_rating, person=ANN, family="") is None
        await play(store, ANN, opponent)
        assert await store.run(leaderboards.opponents_of, ANN, "") == opponent - 100
    assert len(await listed(store)) == 6
    assert [person for person, _ in await listed(store, 0)] == [ANN]
    assert await store.run(leaderboards.place_by_rating, person=ANN, family="") is not None


async def test_somebody_who_hides_is_shown_nowhere_not_even_on_older_boards(store: Store) -> None:
    before = await play(store)
    raised = await store.run(hiding.hide, Person(ANN, "Ann"), NOW)
    assert [shown(each.record.game) for each in raised if isinstance(each.record, Record)] == [
        [(None, None), ("1500", "1338?")]
    ]
    assert shown((await store.run(games.load, before.id)).game)[0] == (None, None)
    assert shown(await play(store))[0] == (None, None)
    assert [person for person, _ in await listed(store)] == [BOB]
    places = [
        await store.run(leaderboards.place_by_rating, person=person, family="", chat_id=GROUP)
        for person in (ANN, BOB)
    ]
    assert [rank and rank.place for rank in places] == [None, 1]
    await store.run(hiding.unhide, Person(ANN, "Ann"))
    assert shown(await play(store))[0] != (None, None)
    assert [person for person, _ in await listed(store)] == [ANN, BOB]


# Earlier games, rated in the background.


def some_games(connection: Connection, *, people: int = 8, count: int = 240) -> None:
    """Inserts games of the last days into the table of results directly, which wait to be rated."""
    rng = Random(5)
    rows = []
    for number in range(1, count + 1):
        one, other = rng.sample(range(1, people + 1), 2)
        won = rng.choice(["win", "draw", "loss"])
        turned = {"win": "loss", "draw": "draw", "loss": "win"}[won]
        same: dict[str, Any] = {
            "game_id": 10**6 + number,
            "number": number,
            "level": None,
            "chat_id": GROUP,
            "plies": 7,
        }
        same |= {"rules": rng.choice(["3x3x3", "ultimate"]), "termination": "line", "opening": None}
        same |= {"ended_at": (TODAY - 12 + number // 20) * DAY + number}
        rows += [
            {**same, "person": one, "opponent": other, "mark": "X", "outcome": won},
            {**same, "person": other, "opponent": one, "mark": "O", "outcome": turned},
        ]
    connection.execute(insert(RESULTS), rows)
    connection.execute(update(PROGRESS).where(PROGRESS.c.name == ratings.NUMBERED).values(value=count))


async def test_earlier_games_are_rated_in_the_background_whichever_process_is_killed(
    store: Store, other_store: Store
) -> None:
    await store.run(some_games)
    assert await store.run(rebuild.catch_up) == rebuild.PORTION
    meanwhile = await play(store, 1, 2)
    assert shown(meanwhile) == [(None, None), (None, None)], "it waits for those before it"
    await other_store.run(rebuild.catch_up, limit=70)  # the first process was killed, the second goes on
    assert await store.read(ratings.are_being_made), "the ratings so far are partial"
    await caught_up(other_store)
    assert not await rebuild.rate(store)
    assert not await store.read(ratings.are_being_made)
    found = await everything(store)
    assert all(found.values())
    assert {row[:2]: row[6] for row in found["ratings"]}[1, ""] > 20
    now = await play(store, 3, 4)
    assert shown(now) != [(None, None), (None, None)]
    live = await everything(store)
    said: list[str] = []
    await rebuild.rebuild(store, said.append)
    assert await everything(store) == live
    assert said[1] == "242 games are rated."


async def test_both_databases_come_to_the_same_figures(sqlite: URL, postgresql: URL) -> None:
    found = []
    for url in (sqlite, postgresql):
        store = Store(url)
        await store.run(some_games)
        await caught_up(store)
        found.append(await everything(store))
        await store.close()
    assert found[0] == found[1]


async def test_an_idle_rating_becomes_provisional(store: Store) -> None:
    await store.run(some_games, people=4)
    await caught_up(store)
    settled = select(func.count()).select_from(RATINGS).where(RATINGS.c.settled == 1)
    assert await store.run(lambda c: c.execute(settled).scalar())
    await store.run(ratings.unsettle, today=TODAY + 1000)
    assert not await store.run(lambda c: c.execute(settled).scalar())


async def test_pages_of_a_list_hold_everybody_once_and_ones_own_place_fits_them(store: Store) -> None:
    await store.run(some_games, people=25, count=400)
    await caught_up(store)
    await store.run(statistics.count, limit=1000)
    for chat_id in (0, GROUP):
        whose: dict[str, Any] = {"family": "", "chat_id": chat_id}
        by_rating = partial(leaderboards.by_rating, **whose), partial(leaderboards.place_by_rating, **whose)
        whose |= {"week": leaderboards.week_of((TODAY - 1) * DAY)}
        by_wins = partial(leaderboards.by_wins, **whose), partial(leaderboards.place_by_wins, **whose)
        for page, place in (by_rating, by_wins):
            seen: list[int] = []
            while rows := await store.run(page, offset=len(seen)):
                seen += [row.person for row in rows]
            assert len(seen) == len(set(seen)) > PAGE
            ranks = [await store.run(place, person=person) for person in seen]
            assert [rank and rank.place for rank in ranks] == [*range(1, len(seen) + 1)]
            assert await store.run(place, person=999) is None


# Two processes, which only PostgreSQL lets write at the same time.


@pytest.fixture
async def two_stores(postgresql: URL) -> AsyncIterator[tuple[Store, Store]]:
    """The stores of two processes."""
    stores = Store(postgresql), Store(postgresql)
    yield stores
    for store in stores:
        await store.close()


async def test_two_processes_rate_in_the_order_of_the_numbers(two_stores: tuple[Store, Store]) -> None:
    """Both end games of the same few people at the same time, several in each transaction."""
    rng = Random(7)
    pairs = [rng.sample(range(1, 6), 2) for _ in range(40)]
    made = [(await add(two_stores[0], HALL, **seated(*pair))).game.id for pair in pairs]
    await asyncio.gather(*(finish(two_stores[n % 2], game_id) for n, game_id in enumerate(made)))
    numbers = select(RESULTS.c.number).where(RESULTS.c.mark == "X").order_by(RESULTS.c.number)
    assert [*await two_stores[0].run(lambda c: c.execute(numbers).scalars())] == [*range(1, 41)]
    live = await everything(two_stores[0])
    assert await made_again(two_stores[1]) == live


async def test_ending_a_game_waits_for_a_process_that_is_numbering_one(
    postgresql: URL, two_stores: tuple[Store, Store]
) -> None:
    """The second has read before the first commits; it takes its number, and rates, after it."""
    store, engine = two_stores[0], connect(postgresql, create=False)
    second = (await add(store, HALL, **seated(ANN, CEM))).game.id
    with engine.begin() as connection:
        record = put(connection, **seated(ANN, BOB, **WON))
        (first,) = results.add(connection, [record.game], NOW)
        ending = asyncio.create_task(finish(store, second))
        await asyncio.to_thread(wait_until_somebody_waits, engine)
    game = await ending
    assert game.x_rating == str(first.x_rated).rstrip("?"), "it goes on from the first one's rating"
    live = await everything(store)
    assert await made_again(store) == live
    engine.dispose()


def wait_until_somebody_waits(engine: Engine) -> None:
    """Return once a transaction waits for a lock."""
    watch = connect(engine.url)
    waiting = (
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with watch.connect() as connection:
            if connection.exec_driver_sql(waiting).scalar():
                break
    else:
        raise AssertionError("nobody waited")
    watch.dispose()


# People who are forgotten.


async def gone(store: Store, person: int, now: int = NOW) -> None:
    """Forget somebody, from the first step to the last."""
    await store.run(erasure.begin_quietly, person, now)
    while await store.run(erasure.step, now=now) is not None:
        pass


async def opponents_of(store: Store, person: int) -> int:
    rows = select(RATINGS.c.opponents).where(RATINGS.c.person == person, RATINGS.c.family == "")
    return await store.run(lambda c: int(c.execute(rows).scalar_one()))


async def test_forgetting_somebody_leaves_the_ratings_of_others_as_they_are(store: Store) -> None:
    for one, other in ((1, 2), (2, 3), (3, 1), (4, 1), (2, 4), (1, 5)):
        await play(store, one, other)
    running = await add(store, HALL, **seated(2, 3, moves="402817"))
    await store.run(erasure.begin_quietly, 1, NOW)
    assert await store.run(rebuild.catch_up) == 0
    for person in (1, 2):
        await gone(store, person)
    left = (await store.run(games.load, running.game.id)).game
    assert left.winner is Mark.O
    assert shown(left)[0] == (None, None)
    assert shown(left)[1] != (None, None), "the win counts against the rating that the other one had"
    live = await everything(store)
    assert await store.run(lambda c: c.execute(select(func.count()).select_from(RESULTS)).scalar()) == 14
    assert (await made_again(store))["ratings"] == live["ratings"]
    assert {row[0] for row in live["rating_days"]} == {3, 4, 5}


@pytest.mark.parametrize(
    ("played", "leaves"), [(0, (2,)), (1, (1, 2)), (1, (2, 2)), (2, (2, 1, 2)), (2, (1,))], ids=str
)
async def test_whoever_deletes_their_data_and_comes_back_has_played_the_same_games(
    store: Store, played: int, leaves: Sequence[int]
) -> None:
    for _ in range(played):
        assert (await play(store, 1, 2)).x_rated is not None
    for person in leaves:
        await gone(store, person)
    for _ in range(RATED_A_DAY - played):
        assert (await play(store, 2, 1)).x_rated is not None
        for person in leaves:
            await gone(store, person)
    assert (await play(store, 1, 2)).x_rated is None, "the fourth of the day"
    assert (await play(store, 2, 1, moves="0", rules="5x5x4")).x_rated is None
    if 1 not in leaves:
        assert await opponents_of(store, 1) == 1
    assert (await play(store, 1, 3)).x_rated is not None, "others have their own count"


async def test_after_a_day_nothing_is_known_of_it_and_whoever_comes_back_is_somebody_new(store: Store) -> None:
    for _ in range(RATED_A_DAY):
        await play(store, 1, 2)
    await gone(store, 2, NOW - DAY)
    assert (await play(store, 1, 2)).x_rated is not None
    assert await opponents_of(store, 1) == 2
    await gone(store, 2, NOW)
    rows = select(func.count()).select_from(METADATA.tables["pseudonyms"])
    for before, left in ((NOW - 2 * DAY, 2), (NOW - DAY, 1), (NOW, 0)):
        await store.run(retention.drop_pseudonyms, before=before)
        assert await store.run(lambda c: c.execute(rows).scalar()) == left


async def test_a_game_may_end_between_two_portions_of_forgetting(store: Store) -> None:
    await play(store, 1, 2)
    await play(store, 3, 1)
    last = await add(store, HALL, **seated(2, 1))
    for _ in range(erasure.SHOWN):
        await add(store, HALL, **seated(1, 2))
    await store.run(erasure.begin_quietly, 1, NOW)
    await store.run(erasure.step, now=NOW)
    await finish(store, last.game.id)
    while await store.run(erasure.step, now=NOW) is not None:
        pass
    live = await everything(store)
    assert {row[0] for row in live["rating_days"]} == {2, 3}
    assert len({row[0] for row in live["ratings"]}) == len(live["ratings"]) // 2 == 3
    await store.run(erasure.begin_quietly, 2, NOW)
    await rebuild.rebuild(store, lambda _line: None)  # ends, although no bot continues the forgetting
    while await store.run(erasure.step, now=NOW) is not None:
        pass
    again = await everything(store)
    for table, whose in (("ratings", 1), ("pairs", 2)):
        assert sorted(row[whose:] for row in again[table]) == sorted(row[whose:] for row in live[table])
