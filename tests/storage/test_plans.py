"""Every query of the bot uses an index, however many games there are.

Runs functions as the bot does, and has the database explain each statement that they send.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, String, cast, event, insert, text, update

from engine import Mark
from storage import audit
from storage.database import connect, parse_url
from storage.games import board_messages, boards, games, lookups, outbox, versions
from storage.games.board import Board, Place
from storage.games.game import Game, Termination
from storage.games.notice import Notice, NoticeKind
from storage.games.versions import Call
from storage.migrate import migrate
from storage.people import chats, matchmaking, people, preferences, puzzles, waits
from storage.people.person import Person
from storage.privacy import erasure, exports, forgotten, retention
from storage.results import (
    adaptive,
    hiding,
    leaderboards,
    milestones,
    ratings,
    rebuild,
    results,
    statistics,
    weeks,
)
from storage.schema import BOARDS, CHATS, GAMES, MESSAGES, METADATA, OUTBOX, PEOPLE, PLAYERS, PROGRESS, RESULTS
from tests.storage.examples import ANN, GROUP, INLINE, LINK, NEW, pass_on, settle

MANY = 3000
"""Games, half of them over; so many that PostgreSQL prefers an index of its own accord."""

FEW = ("progress", "erasures", "pauses")
"""Tables that only ever have a few rows: how far work has come, for whom something is being done."""

MINE = 20
"""The game whose boards the queries are about; it is Ann's and runs in her chat."""


def board(connection: Connection, *, moving: bool = False) -> Board:
    found = games.load(connection, MINE).boards[0]
    return found._replace(message_id=None, replaces=found.id + 1) if moving else found


def mine(connection: Connection) -> Game:
    return games.load(connection, MINE).game


def notice(connection: Connection) -> Notice:
    return outbox.add(connection, Notice(0, NoticeKind.REMINDER, MINE, 0, ANN, None, None, 0))


WEEK = weeks.week_of(int(time.time()))


def ended(connection: Connection) -> Game:
    return mine(connection)._replace(moves="03142", termination=Termination.LINE, winner=Mark.X)


def forget(connection: Connection, person: int) -> None:
    """Forget somebody."""
    erasure.begin(connection, Person(person, "Somebody", "somebody"), forgotten.entry_of(connection, person, 5), 5)
    while erasure.step(connection, 6) is not None:
        pass


def export(connection: Connection, person: int) -> None:
    """The first two portions of each part of an export."""
    wanted = Notice(0, NoticeKind.EXPORT, None, None, person, None, None, 0, person, person)
    _, asked = outbox.ask(connection, wanted)
    for section in exports.SECTIONS:
        first = exports.portion(connection, asked, section, None)
        if first.after is not None:
            exports.portion(connection, asked, section, first.after)


TAP: dict[str, Callable[[Connection], object]] = {
    "load": lambda c: games.load_many(c, [1, 2, 3]),
    "save a move": lambda c: games.save_many(c, [(mine(c)._replace(version=mine(c).version + 1), mine(c))]),
    "save a seat": lambda c: games.save_many(
        c, [(mine(c)._replace(version=mine(c).version + 1, o_seat=5), mine(c))]
    ),
    "raise boards": lambda c: versions.store_many(c, [(versions.next_version(board(c), 1), board(c))]),
    "confirm": lambda c: versions.confirm(c, {1: 2, MINE: 2}, [Call(2, 1)]),
}
OTHERS: dict[str, Callable[[Connection], object]] = {
    "the game of an update": lambda c: games.of_update(c, 7),
    "a new game with its board": lambda c: boards.add(c, NEW, [Place(chat_id=ANN)]),
    "the hold on what waits": lambda c: versions.hold(c, {1: 1, 2: 1, 3: 1}, 5),
    "the sweep": lambda c: versions.claim_lagging(c, now=10**6, limit=10),
    "a board shown once more": lambda c: versions.store_next(c, board(c).id),
    "a board that moves down": lambda c: boards.move_down(c, games.load(c, MINE), board(c), None),
    "a board's message": lambda c: settle(c, board(c, moving=True), 900),
    "a message that was found": lambda c: board_messages.adopt(c, board(c, moving=True), 10**9),
    "a message that is lost": lambda c: board_messages.lose_message(c, board(c)),
    "a topic that is gone": lambda c: board_messages.leave_topic(c, board(c)),
    "a board that is removed": lambda c: board_messages.remove(c, board(c)),
    "a board that is given up": lambda c: board_messages.give_up(c, board(c)),
    "boards that may be reached again": lambda c: versions.lag_again(c, GROUP),
    "a replacement that is given up": lambda c: board_messages.give_up(c, board(c, moving=True)),
    "the next game": lambda c: pass_on(c, games.load(c, MINE), NEW),
    "the next game in an inline message": lambda c: pass_on(c, games.load(c, MANY + 1), NEW),
    "what is said": notice,
    "what is still to be said": lambda c: outbox.claim(c, now=1010, limit=10),
    "the hold on what is said": lambda c: outbox.hold(c, [1, 2, 3], 5),
    "what was said": lambda c: outbox.done(c, notice(c), 901),
    "a picture that is asked for": lambda c: outbox.ask(c, notice(c)._replace(kind=NoticeKind.STILL, person=ANN)),
    "a picture that was sent": lambda c: outbox.done(c, notice(c), 901, keep=30),
    "the game on a message": lambda c: lookups.on_message(c, ANN, 900 + MINE),
    "the game of what was said": lambda c: lookups.on_message(c, GROUP, 10**6 + 1),
    "the challenge of a link": lambda c: lookups.by_link(c, LINK),
    "the game of an inline message": lambda c: lookups.by_inline_message(c, str(INLINE.inline_message_id)),
    "a person's running games": lambda c: lookups.running(c, ANN, ANN),
    "the newest games of a chat": lambda c: lookups.newest(c, GROUP),
    "the languages that were chosen": chats.languages,
    "whether somebody is called": lambda c: preferences.wants_notices(c, ANN, in_group=False),
    "a person's open challenges": lambda c: lookups.open_challenges(c, GROUP, ANN),
    "a message that is one too many": lambda c: board_messages.send_away(c, MINE, chat_id=GROUP, message_id=7),
    "a person's open games": lambda c: lookups.open_games(c, GROUP, ANN),
    "a person's results": lambda c: lookups.results(c, ANN, 10),
    "what is due": lambda c: lookups.due(c, now=5, limit=10),
    "where somebody is in matchmaking": lambda c: matchmaking.find(c, ANN),
    "who waits for an opponent": lambda c: matchmaking.ready(c, 200),
    "who still waits": lambda c: matchmaking.free(c, [1, 2]),
    "whose wait is due": lambda c: matchmaking.due(c, now=5, limit=100),
    "the wait of an update": lambda c: matchmaking.of_update(c, 7),
    "waits": lambda c: waits.load_many(c, [1, 2]),
    "the waits of a person who is forgotten": lambda c: waits.forget(c, ANN),
    "a meeting": lambda c: matchmaking.note(c, matchmaking.Meeting(MANY + 2, ANN, 7, "3x3x3", 1, 2, 3)),
    "old meetings": lambda c: matchmaking.drop_old(c, 0),
    "how two met": lambda c: matchmaking.meeting_of(c, MINE),
    "who met lately": lambda c: matchmaking.met_since(c, [ANN, 7], int(time.time()) - 1800),
    "how long people waited": lambda c: matchmaking.waits(c, "3x3x3", int(time.time()) - 86400, 10),
    "ratings of who waits": lambda c: ratings.standings_of(c, [ANN, 7]),
    "how far somebody is with a puzzle": lambda c: puzzles.load(c, ANN, 5),
    "a try at a puzzle": lambda c: puzzles.save(c, Person(ANN, "Ann"), puzzles.load(c, ANN, 5)),
    "a reminder of puzzles": lambda c: puzzles.remind(c, Person(ANN, "Ann"), 5),
    "who is to be reminded of puzzles": lambda c: puzzles.take_due(c, 1003, 10),
    "who has solved a puzzle": lambda c: puzzles.solvers(c, GROUP, 5),
    "a chat's choices": lambda c: chats.load(c, GROUP),
    "a choice": lambda c: chats.choose(c, GROUP, {"level": "easy"}),
    "a person": lambda c: people.see(c, Person(ANN, "Ann")),
    "takebacks": lambda c: preferences.allows_takebacks(c, ANN),
    "the end of a game": lambda c: results.add(c, [ended(c)], 5),
    "the end of an adaptive game": lambda c: results.add(c, [ended(c)._replace(next_level="hard")], 5),
    "the level of a person": lambda c: adaptive.level_of(c, ANN, "3x3x3"),
    "a person's milestones": lambda c: milestones.of_person(c, 1001),
    "a week of puzzles": lambda c: milestones.reach(c, 1001, "puzzles", 5),
    "how comments are worded": lambda c: lookups.next_wordings(c, NEW),
    "a person's last results": lambda c: results.newest(c, 1001, 50),
    "the end of a rated game": lambda c: results.add(c, [ended(c)._replace(o_seat=1001, o_level=None)], 5),
    "games that wait to be rated": lambda c: rebuild.catch_up(c, 20),
    "counting results": statistics.count,
    "a person's tallies": lambda c: statistics.of_person(c, 1001, GROUP),
    "a person's streak": lambda c: statistics.streak_of(c, 1001),
    "who has a username": lambda c: people.find_username(c, "somebody_7"),
    "who hides": lambda c: hiding.hide(c, Person(ANN, "Ann"), 5),
    "who has left": lambda c: ratings.leave(c, 1001, -(2**60)),
    "a rating's curve": lambda c: ratings.curve(c, 1001, "", 100),
    "idle ratings": lambda c: ratings.unsettle(c, 3),
    "everybody by rating": lambda c: leaderboards.by_rating(c, family="", offset=500),
    "a group by rating": lambda c: leaderboards.by_rating(c, family="", offset=0, chat_id=GROUP),
    "a place by rating": lambda c: leaderboards.place_by_rating(c, person=1990, family=""),
    "a place by rating in a group": lambda c: leaderboards.place_by_rating(
        c, person=1500, family="", chat_id=GROUP
    ),
    "everybody by wins": lambda c: leaderboards.by_wins(c, week=WEEK, family="", offset=500),
    "a group by wins": lambda c: leaderboards.by_wins(c, week=WEEK, family="", offset=0, chat_id=GROUP),
    "a place by wins": lambda c: leaderboards.place_by_wins(c, person=1001, week=WEEK, family=""),
    "the question whether to be forgotten": lambda c: erasure.ask(c, ANN, 5),
    "the forgetting of who has results": lambda c: forget(c, 1001),
    "the export of who has many games": lambda c: export(c, ANN),
    "the export of who has results": lambda c: export(c, 1001),
    "old games": lambda c: retention.drop_games(c, 100, 10**10),
    "people who play no more": lambda c: retention.drop_people(c, retention.START, 10**10, 10**10),
    "groups without the bot": lambda c: retention.left_groups(c, 10),
}
SELDOM: dict[str, Callable[[Connection], object]] = {
    "a chat that becomes another": lambda c: chats.migrate(c, old=ANN, new=GROUP),
}
"""What may read a table of games, because it happens once in the life of a group, yet none of boards."""


def fill(connection: Connection) -> None:
    """Games of many people, each in their own chat, all finished but each person's newest; Ann has a hundred."""
    people = [ANN if number % 30 == MINE else 1000 + number for number in range(1, MANY + 1)]
    connection.execute(insert(CHATS), [{"id": chat} for chat in {*people, GROUP}])
    connection.execute(
        insert(PEOPLE),
        [{"id": person, "name": "Somebody", "seen_at": person % 10**3 * 86400} for person in set(people)],
    )
    runs = [number % 2 == 0 for number in range(1, MANY + 1)]
    (some,) = games.insert_many(connection, [NEW._replace(chat_id=None)])
    values = games.added(some)
    rows = [
        {
            **values,
            "chat_id": person,
            "x_seat": person,
            "update_id": number,
            "link": f"link {number}",
            "moves": "" if run else "02468",
            "termination": None if run else "line",
            "winner": None if run else "X",
            "due_at": number * 1000 if run else None,
        }
        for number, (person, run) in enumerate(zip(people, runs, strict=True), 2)
    ]
    connection.execute(insert(GAMES), rows)
    placed = [
        {
            "game_id": number,
            "chat_id": person,
            "message_id": 900 + number,
            "leaving": False,
            "wanted": 2,
            "shown": 2 if number % 50 else 1,
            "look_at": number,
            "claims": 0,
        }
        for number, person in enumerate(people, 2)
    ]
    connection.execute(insert(BOARDS), placed)
    boards.put(connection, MANY + 1, INLINE)
    fill_results(connection)
    drawn = {"form": "animation", "file_id": "d" * 100}
    connection.execute(
        insert(METADATA.tables["replays"]),
        [{**drawn, "game_id": number, "theme": each} for number in range(1, MANY) for each in "abcde"],
    )
    said = [{"chat_id": GROUP, "message_id": 10**6 + number, "game_id": number} for number in range(1, MANY)]
    connection.execute(insert(MESSAGES), said)
    waiting = {"kind": "reminder", "ply": 0}
    connection.execute(
        insert(OUTBOX),
        [
            {**waiting, "game_id": number, "chat_id": person, "look_at": 1000 + number // 10}
            for number, person in enumerate(people[:2000], 1)
        ],
    )


def fill_results(connection: Connection) -> None:
    """On each of some days, everybody plays the next person; all games but the newest are counted and rated."""
    people = range(1001, 1001 + MANY)
    connection.execute(
        update(PEOPLE).where(PEOPLE.c.id > 1500).values(username="somebody_" + cast(PEOPLE.c.id, String))
    )
    rows = []
    for number, person in enumerate(people):
        for one, other, mark, outcome in ((person, person + 1, "X", "win"), (person + 1, person, "O", "loss")):
            rows.append(
                {
                    "game_id": number,
                    "person": one,
                    "opponent": other,
                    "level": None,
                    "rules": "3x3x3",
                    "chat_id": GROUP if number % 100 == 0 else None,
                    "mark": mark,
                    "outcome": outcome,
                    "termination": "line",
                    "plies": 5,
                    "opening": "4",
                    "ended_at": number * 900,
                    "number": number,
                    "counted": None if number > MANY - 20 else 1,
                }
            )
    connection.execute(insert(RESULTS), rows)
    tables = METADATA.tables
    since = {"person_since": 0, "opponent_since": 0}
    met = [
        {"game_id": number, "person": person, "opponent": person + 1, "rules": "3x3x3", "met_at": number, **since}
        for number, person in enumerate(people)
    ]
    connection.execute(insert(tables["meetings"]), met)
    solved = {"day": 5, "solved_at": 5, "chat_id": None}
    connection.execute(
        insert(tables["puzzles"]), [{**solved, "person": person, "remind_at": person} for person in people]
    )
    levels = [{"person": person, "family": "classic", "level": "hard", "streak": 1} for person in people]
    connection.execute(insert(tables["levels"]), levels)
    far = [{"person": person, "name": name, "progress": 1} for person in people for name in ("easy", "games")]
    connection.execute(insert(tables["milestones"]), far)
    times = {"since": 0, "due_at": 0, "changed_at": 0}
    waits = [
        {
            "person": person,
            "rules": "3x3x3",
            "ended": "left" if number % 50 else None,
            "update_id": number,
            **times,
        }
        for number, person in enumerate(people)
    ]
    connection.execute(insert(tables["matchmaking"]), waits)
    counts = {"wins": 1, "draws": 0, "losses": 0}
    places = [(person, chat) for person in people for chat in ((0, GROUP) if person % 500 == 0 else (0,))]
    connection.execute(
        insert(tables["tallies"]),
        [
            {"person": person, "chat_id": chat, "family": "classic", "against": "", **counts}
            for person, chat in places
        ],
    )
    connection.execute(
        insert(PLAYERS),
        [
            {"person": person, "chat_id": chat, "streak": 1, "longest": 2}
            for person, chat in [*places, *((person, -chat) for person in people for chat in range(1, 9))]
        ],
    )
    connection.execute(
        insert(tables["weeks"]),
        [
            {
                "week": week,
                "chat_id": chat,
                "family": "",
                "person": person,
                "wins": 8 - person % 1000 if person % 1000 < 8 else 1,
            }
            for person, chat in places
            for week in (WEEK - 1, WEEK)
        ],
    )
    connection.execute(
        insert(tables["rating_days"]),
        [
            {"family": "", "person": person, "day": day, "rating": 1500.0}
            for person in people
            for day in range(20, 25)
        ],
    )
    rated = {"deviation": 80, "volatility": 0.03, "day": 20, "games": 9, "opponents": 9, "settled": 1}
    connection.execute(
        insert(tables["ratings"]),
        [
            {**rated, "family": family, "person": person, "rating": person % 997, "settled_until": person}
            for person in people
            for family in ("", "classic", "bigger", "misere", "ultimate")
        ],
    )
    connection.execute(
        insert(tables["pairs"]),
        [
            {"person": one, "opponent": other, "family": "", "games": 1, "day": 20}
            for person in people
            for one, other in ((person, person + 1), (person + 1, person))
        ],
    )
    done = {ratings.NUMBERED: MANY, ratings.RATED: MANY - 20}
    for name, value in done.items():
        connection.execute(update(PROGRESS).where(PROGRESS.c.name == name).values(value=value))


@pytest.fixture(scope="module")
def full(shared_url: str) -> Iterator[Engine]:
    """A database with many games; each test rolls back its changes."""
    url = parse_url(shared_url)
    migrate(url)
    engine = connect(url)
    with engine.begin() as connection:
        fill(connection)
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    yield engine
    engine.dispose()


@contextmanager
def recorded(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are sent meanwhile, with their parameters."""
    sent: list[tuple[str, Any]] = []

    def record(_conn: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:  # noqa: ANN401
        sent.append((statement, parameters[0] if isinstance(parameters, list) else parameters))

    event.listen(engine, "before_cursor_execute", record)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", record)


def scans(connection: Connection, statement: str, parameters: Any) -> list[str]:  # noqa: ANN401
    """The lines of a statement's plan that read a whole table."""
    if not statement.lstrip().upper().startswith(("SELECT", "UPDATE", "INSERT", "DELETE", "WITH")):
        return []
    if connection.dialect.name == "sqlite":
        if statement.startswith("INSERT"):
            return []  # its plan includes the check of next_game, which doesn't run while no key is violated
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        lines = [str(row[-1]) for row in rows]
        # Scanning a subquery's few rows isn't a table scan; the sweep reads its index of boards from the end.
        lines = [line for line in lines if line.startswith("SCAN") and " USING " not in line and is_of_table(line)]
        return [line for line in lines if not any(few in line for few in FEW)]
    lines = [str(row[0]) for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
    return [line for line in lines if "Seq Scan on" in line and not any(few in line for few in FEW)]


def is_of_table(line: str) -> bool:
    """Whether a line of a plan is about a table, not a subquery."""
    return any(line.startswith(f"SCAN {table}") for table in METADATA.tables)


def sent_by(engine: Engine, work: Callable[[Connection], object]) -> dict[str, list[str]]:
    """The statements that a function sends, each with the tables it scans; changes are rolled back."""
    with engine.connect() as connection, connection.begin() as transaction:
        with recorded(engine) as sent:
            work(connection)
        found = {statement: scans(connection, statement, parameters) for statement, parameters in list(sent)}
        transaction.rollback()
    return found


@pytest.mark.parametrize("name", [*TAP, *OTHERS])
def test_no_query_reads_a_whole_table(full: Engine, name: str) -> None:
    found = sent_by(full, (TAP | OTHERS)[name])
    assert found
    assert {statement: lines for statement, lines in found.items() if lines} == {}


@pytest.mark.parametrize("name", SELDOM)
def test_no_query_reads_all_boards(full: Engine, name: str) -> None:
    found = sent_by(full, SELDOM[name])
    lines = [line for read in found.values() for line in read]
    assert [line for line in lines if "games" not in line and "results" not in line] == []


def test_counting_games_for_the_metrics_reads_indexes_alone(full: Engine) -> None:
    assert not any(sent_by(full, audit.count_games).values())


@pytest.mark.parametrize("column", ["games.offer", "boards.thread_id", "outbox.kind", "messages.message_id"])
def test_a_query_without_an_index_would_be_seen(full: Engine, column: str) -> None:
    table, _, name = column.partition(".")
    with full.begin() as connection:
        assert scans(connection, f"SELECT * FROM {table} WHERE {name} IS NULL", ())  # noqa: S608 - our own names


@pytest.mark.parametrize(
    ("index", "work"),
    [
        ("uq_results_number", lambda c: results.after(c, 2900, 20)),
        ("ix_ratings_settled", lambda c: ratings.unsettle(c, 3)),
        ("ix_ratings_everybody", lambda c: leaderboards.by_rating(c, family="", offset=0)),
        ("ix_results_uncounted", statistics.count),
    ],
)
def test_a_condition_leads_to_its_partial_index(
    full: Engine, index: str, work: Callable[[Connection], object]
) -> None:
    """Reading another index from end to end is no better than scanning the table."""
    with full.connect() as connection, connection.begin() as transaction:
        with recorded(full) as sent:
            work(connection)
        explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
        plans = [
            str(connection.exec_driver_sql(f"{explain} {statement}", parameters).all())
            for statement, parameters in list(sent)
            if statement.startswith(("SELECT", "UPDATE"))
        ]
        transaction.rollback()
    assert any(index in plan for plan in plans), plans
