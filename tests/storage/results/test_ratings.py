"""Ratings change in the transaction that ends a game."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, func, select, text, update

from engine import Mark
from engine.rules.catalogue import FAMILIES
from storage.columns import DAY
from storage.games import games
from storage.games.game import COMPUTER, Game, GameKind, Side, Termination
from storage.games.record import Record
from storage.people import chats, people
from storage.people.person import Person
from storage.privacy import erasure, retention
from storage.results import leaderboards, ratings, results
from storage.results.glicko import MOST_SETTLED_DAYS
from storage.results.result import PAGE, RATED_A_DAY, Listed
from storage.results.results import CLEARED_AT_ONCE
from storage.schema import FORMER_PAIRS, METADATA, RATINGS, RESULTS
from storage.store import Store
from tests.storage.examples import BOB, DRAWN, GROUP, HALL, NEW, X_WINS, change, ending, finish, put
from tests.storage.people_everywhere import go_on

ANN, CEM = 5, 9
NOW = int(time.time())
TODAY = NOW // DAY
THIS_WEEK = leaderboards.week_of(NOW)
MADE = ("ratings", "rating_days", "pairs")
"""Tables that are made from rated games."""
UNRATED = (None, None)


def seated(one: int, other: int, **values: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a game
    """The fields of a game of two in a group, shortly before its end."""
    names = {one: f"P{one}", other: f"P{other}"}
    same = {"x": Side(one), "o": Side(other), "chat_id": GROUP, "names": names}
    return {**same, "moves": X_WINS[:-1], **values}


def begun(connection: Connection, /, one: int = ANN, other: int = BOB, **values: Any) -> int:  # noqa: ANN401 - as above
    """Store a game of two, shortly before its end; its id."""
    return put(connection, HALL, **seated(one, other, **values)).game.id


def play(connection: Connection, /, one: int = ANN, other: int = BOB, **end: Any) -> Game:  # noqa: ANN401 - as above
    """End a game of two, by default with a line for the first; returns the game as its boards will show it."""
    return finish(connection, begun(connection, one, other), **end)


def shown(game: Game) -> list[tuple[str | None, str | None]]:
    return [(game.side(mark).rating, game.side(mark).rated) for mark in Mark]


def everything(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    return {name: sorted(tuple(row) for row in connection.execute(select(METADATA.tables[name]))) for name in MADE}


def listed(connection: Connection, chat_id: int = GROUP) -> list[tuple[int, int]]:
    """People by rating, in a group or everywhere (0)."""
    found = leaderboards.by_rating(connection, family="", offset=0, chat_id=chat_id)
    return [(entry.person, entry.figure) for entry in found]


def place(connection: Connection, person: int, chat_id: int = GROUP) -> int | None:
    rank = leaderboards.place_by_rating(connection, person=person, family="", chat_id=chat_id)
    return rank and rank.place


def test_a_game_is_rated_as_it_ends_and_its_boards_and_lists_agree(connection: Connection) -> None:
    game = play(connection)
    assert shown(game) == [("1500", "1662?"), ("1500", "1338?")]
    assert shown(games.load(connection, game.id).game) == shown(game), "and so it stays"
    assert listed(connection) == [(ANN, 1662), (BOB, 1338)]
    found = ratings.standings_of(connection, [ANN])
    assert {key.family: standing.figure for key, standing in found.items()} == {"": "1662?", "classic": "1662?"}
    again = play(connection, BOB, ANN, moves=DRAWN, termination=Termination.FULL_BOARD, winner=None)
    assert [before for before, _ in shown(again)] == ["1338", "1662"]
    ((day, rating),) = ratings.curve(connection, ANN, "", 5)
    assert (day, f"{rating:.0f}?") == (again.changed_at // DAY, again.o.rated)


def test_what_is_not_rated_shows_no_rating_and_is_no_win_of_the_week(connection: Connection) -> None:
    early = play(connection, termination=Termination.RESIGNATION, moves="04")
    late = play(connection, termination=Termination.TIMEOUT, moves="402817")
    assert [game.x.rated is None for game in (early, late)] == [True, False]
    assert [play(connection).x.rated is None for _ in range(3)] == [False, False, True]
    alone = begun(connection, ANN, COMPUTER, o=Side(COMPUTER, "easy"))
    assert shown(finish(connection, alone)) == [UNRATED, UNRATED]
    assert connection.scalar(select(func.count()).where(RESULTS.c.rated)) == 2 * RATED_A_DAY
    (won,) = leaderboards.by_wins(connection, week=THIS_WEEK, family="", offset=0, chat_id=GROUP)
    assert (won.person, won.figure) == (ANN, 3)


def test_a_batch_takes_as_many_statements_however_many_rated_games_it_ends(connection: Connection) -> None:
    sent: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *told: sent.append(str(told[2]).split(" WHERE")[0]))

    def sent_by(*people: tuple[int, int], **end: Any) -> list[str]:  # noqa: ANN401 - as above
        requests = [ending(begun(connection, *pair), **end) for pair in people]
        sent.clear()
        change(connection, *requests)
        return [statement for statement in sent if "advisory" in statement or "rating" in statement.lower()]

    one, many = sent_by((1, 2)), sent_by((1, 2), (2, 3), (3, 4), (4, 1), (5, 6))
    assert len(one) == len(set(one))
    assert {statement.split()[0] for statement in one} == {"SELECT", "INSERT", "UPDATE"}
    assert len(set(many)) == len(set(one))
    going_on = sent_by((7, 8), moves=X_WINS[:-1], termination=None, winner=None)
    assert [statement for statement in going_on if "games" not in statement] == []


def test_everybodys_lists_take_five_opponents_and_a_groups_do_not(connection: Connection) -> None:
    won = partial(leaderboards.by_wins, connection, week=THIS_WEEK, family="", offset=0)
    for opponent in range(101, 106):
        assert not listed(connection, 0)
        assert not won()
        assert place(connection, ANN, 0) is None
        assert not leaderboards.families_won(connection, week=THIS_WEEK)
        play(connection, ANN, opponent)
        play(connection, ANN, opponent)
        assert leaderboards.opponents_of(connection, ANN, "") == opponent - 100
        assert won(chat_id=GROUP)
    assert len(listed(connection)) == 6
    assert [person for person, _ in listed(connection, 0)] == [ANN]
    assert [(each.person, each.figure) for each in won()] == [(ANN, 10)]
    assert leaderboards.families_won(connection, week=THIS_WEEK) == {"classic"}
    assert place(connection, ANN, 0) == 1
    gone = RESULTS.c.opponent.in_((101, 102))
    connection.execute(update(RESULTS).where(gone).values(opponent=-RESULTS.c.opponent))
    assert not won(), "an account that is forgotten again and again is one opponent"


def test_somebody_who_hides_is_shown_nowhere_not_even_on_older_boards(connection: Connection) -> None:
    before = play(connection)
    assert results.clear_shown(connection, ANN, NOW) == ((), None), "who doesn't hide them"
    results.hide(connection, Person(ANN, "Ann"))
    raised, _ = results.clear_shown(connection, ANN, NOW)
    assert [shown(each.record.game) for each in raised if isinstance(each.record, Record)] == [
        [UNRATED, ("1500", "1338?")]
    ]
    assert shown(games.load(connection, before.id).game)[0] == UNRATED
    assert shown(play(connection))[0] == UNRATED
    assert [person for person, _ in listed(connection)] == [BOB]
    assert [place(connection, person) for person in (ANN, BOB)] == [None, 1]
    people.choose(connection, Person(ANN, "Ann"), "hidden", is_so=False)
    assert shown(play(connection))[0] != UNRATED
    assert [person for person, _ in listed(connection)] == [ANN, BOB]


def some_games(connection: Connection, *, people: int = 8, days: int = 12, a_day: int = 20) -> None:
    rng = Random(5)
    chats.load_or_add(connection, GROUP)
    for day in range(TODAY - 12, TODAY - 12 + days):
        ended = [
            NEW._replace(
                **seated(*rng.sample(range(1, people + 1), 2), rules=rng.choice(["3x3x3", "ultimate"])),
                kind=GameKind.PAIR,
                termination=Termination.LINE,
                winner=rng.choice([Mark.X, Mark.O, None]),
            )
            for _ in range(a_day)
        ]
        results.add(connection, games.insert_many(connection, ended), day * DAY)


def test_many_games_are_cleared_in_portions_of_which_the_newest_is_redrawn(connection: Connection) -> None:
    played = [play(connection, ANN, opponent).id for opponent in range(101, 103 + CLEARED_AT_ONCE)]
    results.hide(connection, Person(ANN, "Ann"))
    redrawn, before = results.clear_shown(connection, ANN, NOW)
    assert {each.record.game.id for each in redrawn} == set(played[2:])
    while before is not None:
        assert played[0] <= before <= played[2]
        redrawn, before = results.clear_shown(connection, ANN, NOW, before)
        assert not redrawn
    assert {shown(games.load(connection, game_id).game)[0] for game_id in played} == {UNRATED}


def test_both_databases_come_to_the_same_figures(unwritten_sqlite: Engine, unwritten_postgresql: Engine) -> None:
    found = []
    for engine in (unwritten_sqlite, unwritten_postgresql):
        with engine.connect() as connection:
            some_games(connection)
            found.append(everything(connection))
    assert found[0] == found[1]


def test_an_idle_rating_becomes_provisional(connection: Connection) -> None:
    some_games(connection, people=4)
    settled = select(func.count()).select_from(RATINGS).where(RATINGS.c.settled == 1)
    assert connection.scalar(settled)
    newest = connection.execute(select(func.max(RATINGS.c.day))).scalar_one()
    # As the first release has stored it.
    connection.execute(update(RATINGS).where(RATINGS.c.settled == 1).values(settled_until=RATINGS.c.day + 365))

    def portions(today: int) -> int:
        return sum(1 for _ in iter(lambda: ratings.unsettle(connection, today=today, most=1), False))

    assert portions(newest + 1) > 1
    portions(newest + MOST_SETTLED_DAYS)
    assert connection.scalar(settled)
    assert portions(newest + MOST_SETTLED_DAYS + 1) > 1
    assert not connection.scalar(settled)


def test_pages_of_a_list_hold_everybody_once_and_ones_own_place_fits_them(connection: Connection) -> None:
    some_games(connection, people=13, a_day=40)
    week = leaderboards.week_of((TODAY - 7) * DAY)
    for chat_id in (0, GROUP):
        for page, where, more in (
            (leaderboards.by_rating, leaderboards.place_by_rating, {}),
            (leaderboards.by_wins, leaderboards.place_by_wins, {"week": week}),
        ):
            whose: dict[str, Any] = {"family": "", "chat_id": chat_id, **more}
            seen: list[Listed] = []
            while rows := page(connection, offset=len(seen), **whose):
                seen += rows
            assert len(seen) == len({row.person for row in seen}) > PAGE
            ranks = [where(connection, person=person, **whose) for person in (*(row.person for row in seen), 999)]
            assert [rank and rank.place for rank in ranks] == [*(row.place for row in seen), None]
            above = (
                [sum(other.figure > row.figure for other in seen) for row in seen] if more else range(len(seen))
            )
            assert [row.place - 1 for row in seen] == [*above], "equal wins have an equal place"
        assert leaderboards.families_rated(connection, families=FAMILIES, chat_id=chat_id) == {
            "classic",
            "ultimate",
        }


# Two processes, which only PostgreSQL lets write at the same time.


async def test_a_game_is_rated_by_what_another_process_is_making_of_its_players(
    two_stores: tuple[Store, Store],
) -> None:
    """The second process waits for the first, which has rated but not committed, and then reads the newest."""
    one, other = two_stores
    anns, cems = [await one.run(begun, *pair) for pair in ((ANN, BOB), (BOB, CEM))]
    rated, seen = threading.Event(), threading.Event()

    def held(connection: Connection) -> Game:
        game = finish(connection, anns)
        rated.set()
        assert seen.wait(30)
        return game

    def waits(connection: Connection) -> bool:
        waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        return connection.execute(text(waiting)).first() is not None

    first = asyncio.create_task(one.run(held))
    await asyncio.to_thread(rated.wait, 30)
    second = asyncio.create_task(other.run(lambda connection: finish(connection, cems)))
    while not await other.read(waits):
        assert not second.done()
    seen.set()
    assert (await second).x.rating == ((await first).o.rated or "").removesuffix("?") == "1338"


# People who are forgotten.


def gone(connection: Connection, person: int, now: int = NOW) -> None:
    erasure.begin_quietly(connection, person, now)
    go_on(connection, now)


def test_forgetting_somebody_leaves_the_ratings_of_others_as_they_are(connection: Connection) -> None:
    for one, other in ((1, 2), (2, 3), (3, 1), (4, 1), (2, 4), (1, 5)):
        play(connection, one, other)
    running = begun(connection, 2, 3, moves="402817")
    counted = results.sums_of(connection, 4)
    erasure.begin_quietly(connection, 1, NOW)
    for person in (1, 2):
        gone(connection, person)
    left = games.load(connection, running).game
    assert left.winner is Mark.O
    assert shown(left)[0] == UNRATED
    assert shown(left)[1] != UNRATED, "the win counts against the rating that the other one had"
    live = everything(connection)
    assert Counter(connection.execute(select(RESULTS.c.person)).scalars()) == {3: 3, 4: 2, 5: 1}
    assert results.sums_of(connection, 4) == counted
    assert {row[0] for row in live["rating_days"]} == {3, 4, 5}
    assert live["pairs"] == []
    assert {person for person, _ in listed(connection)} == {3, 4, 5}


@pytest.mark.parametrize(("played", "leaves"), [(0, (2,)), (1, (1, 2)), (2, (2, 1, 2)), (2, (1,))], ids=str)
def test_whoever_deletes_their_data_and_comes_back_has_played_the_same_games(
    connection: Connection, played: int, leaves: Sequence[int]
) -> None:
    for number in range(RATED_A_DAY + 1):
        if number >= played:
            for person in leaves:
                gone(connection, person)
        seats = (1, 2) if number < played else (2, 1)
        assert (play(connection, *seats).x.rated is not None) is (number < RATED_A_DAY)
    assert play(connection, 2, 1, moves="0", rules="5x5x4").x.rated is None
    if 1 not in leaves:
        assert leaderboards.opponents_of(connection, 1, "") == 1
    assert play(connection, 1, 3).x.rated is not None, "others have their own count"


def test_after_a_day_nothing_is_known_of_it_and_whoever_comes_back_is_somebody_new(connection: Connection) -> None:
    play(connection, 1, 2)
    gone(connection, 2)
    for today, left in ((TODAY + 1, 2), (TODAY + 2, 0)):
        retention.drop_former_pairs(connection, today=today)
        assert len(connection.execute(select(FORMER_PAIRS)).all()) == left
    play(connection, 1, 2)
    assert leaderboards.opponents_of(connection, 1, "") == 2
    gone(connection, 2, NOW + 2 * DAY)
    assert connection.execute(select(FORMER_PAIRS)).all() == [], "of what was longer ago not even that is left"


def test_a_game_may_end_between_two_portions_of_forgetting(connection: Connection) -> None:
    play(connection, 1, 2)
    play(connection, 3, 1)
    last = begun(connection, 2, 1)
    for _ in range(erasure.SHOWN):
        begun(connection, 1, 2)
    erasure.begin_quietly(connection, 1, NOW)
    erasure.step(connection, now=NOW)
    finish(connection, last)
    go_on(connection, NOW)
    live = everything(connection)
    assert {row[0] for row in live["rating_days"]} == {2, 3}
    assert {row[0] for row in live["ratings"]} == {2, 3}
