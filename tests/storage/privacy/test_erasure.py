"""Forgetting a person: no row or file has anything of them, and those who played with them keep everything."""

import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, Connection, Engine, delete, insert

from engine import Mark
from storage.database import connect, empty_log
from storage.games import boards, games, lookups, outbox
from storage.games.game import Side, Termination, is_erased
from storage.games.record import WHOLE, Notice, NoticeKind, Page, Place, Record
from storage.people import people
from storage.people.person import Person
from storage.privacy import erasure, forgotten, traces
from storage.privacy.forgotten import ForgottenEntry, Journal
from storage.privacy.personal import HELD
from storage.privacy.traces import Traces
from storage.results import results
from storage.schema import GAMES
from storage.store import Store
from tests.storage.examples import GROUP, LINK, become, put, settle
from tests.storage.people_everywhere import (
    NAME,
    OTHER,
    OTHERS_NAME,
    USERNAME,
    WHO,
    WITH_OTHER,
    begin,
    fill,
    forget,
    found_in_files,
    found_in_rows,
    go_on,
)

ELSEWHERE = {"erasures.person"}
"""Columns in which only groups stand, and what forgetting itself stores."""
OWN = Place(chat_id=WHO, viewer=WHO)
THEIRS = Place(chat_id=OTHER, viewer=OTHER)
HALL = Place(chat_id=GROUP)
RESIGNED: dict[str, Any] = {"moves": "04", "termination": Termination.RESIGNATION, "winner": Mark.O}


def test_nothing_is_left_in_any_column_that_can_tell_of_somebody(connection: Connection) -> None:
    fill(connection)
    everywhere = {f"{table}.{column}" for table, columns in HELD.items() for column in columns}
    assert everywhere - set(found_in_rows(connection)) == ELSEWHERE, "every personal column names them"
    forget(connection)
    assert found_in_rows(connection) == []
    assert people.find(connection, OTHER) == Person(OTHER, OTHERS_NAME)


async def test_nothing_is_left_in_the_bytes_of_any_file(sqlite: URL) -> None:
    store = Store(sqlite)
    await store.run(fill)
    assert len(found_in_files(sqlite)) >= 1
    await store.run(forget)
    assert await store.run(traces.noted) == Traces.GAPS
    assert empty_log(sqlite, gaps=True)
    await store.run(traces.note_emptied)
    assert found_in_files(sqlite) == [], "while the bot runs, write-ahead log included"
    await store.close()


async def test_a_start_while_somebody_waits_to_be_told_leaves_the_rest_to_be_emptied(
    sqlite: URL, tmp_path: Path
) -> None:
    """Until they are told, the outbox has their chat; the bot reads the list of forgotten people at its start."""
    journal, store = Journal(tmp_path / "list"), Store(sqlite)
    await store.run(fill)
    await store.run(begin)
    while (step := await store.run(erasure.step)) is not None and not step.is_gone:
        pass
    assert step is not None
    assert step.farewell is not None
    journal.add(await store.run(forgotten.entries))
    assert await erasure.forget_again(store, journal) == 0
    await store.run(outbox.done, step.farewell)
    assert await store.run(traces.noted) == Traces.LOG
    assert await traces.empty(store)
    assert found_in_files(sqlite) == []
    assert await store.run(traces.noted) == Traces.NOWHERE
    await store.close()


def test_a_file_is_rewritten_so_that_no_gap_in_it_tells_of_anybody(sqlite: URL) -> None:
    """When SQLite splits an index page, it leaves copies behind that no deletion overwrites."""
    engine = connect(sqlite, create=False)
    number = random.Random(7)
    ids = [number.randrange(2**45, 2**47) for _ in range(3000)]
    with engine.begin() as connection:
        values = {"kind": "pair", "rules": "3x3x3", "created_at": 1, "changed_at": 1, "termination": "timeout"}
        connection.execute(insert(GAMES), [{**values, "x_seat": person, "o_seat": OTHER} for person in ids])
    with engine.begin() as connection:
        connection.execute(delete(GAMES).where(GAMES.c.x_seat.in_(ids[:300])))
    engine.dispose()

    def found() -> int:
        content = Path(sqlite.database or "").read_bytes()
        return sum(person.to_bytes(6) in content for person in ids[:300])

    assert empty_log(sqlite)
    assert found() > 0, "otherwise this proves nothing"
    assert empty_log(sqlite, gaps=True)
    assert found() == 0


def test_what_they_begin_between_two_steps_is_forgotten_whichever_process_does_the_next(engine: Engine) -> None:
    with engine.begin() as connection:
        for _ in range(erasure.SHOWN + 5):
            put(connection, HALL, OWN, chat_id=GROUP, **WITH_OTHER)
        begin(connection)
    steps = 0
    step: erasure.ErasureStep | None = None
    while steps == 0 or step is not None:
        with engine.begin() as connection:  # nothing else is kept from step to step
            if (step := erasure.step(connection)) is not None and step.farewell is not None:
                outbox.done(connection, step.farewell)
            if steps < 5:
                put(connection, OWN, chat_id=WHO, x=Side(WHO))
            steps += 1
    assert steps > 6
    with engine.begin() as connection:
        assert found_in_rows(connection) == []


def test_their_opponent_wins_and_keeps_the_game(connection: Connection) -> None:
    record = put(connection, OWN, THEIRS, chat_id=WHO, moves="04", **WITH_OTHER)
    shown = forget(connection)
    game, (theirs,) = games.load(connection, record.game.id)
    assert is_erased(game.x.seat)
    assert (game.name(Mark.X), game.o.seat, game.name(Mark.O), game.chat_id) == (None, OTHER, OTHERS_NAME, None)
    assert (game.termination, game.winner, game.moves) == (Termination.RESIGNATION, Mark.O, "04")
    assert theirs.chat_id == OTHER
    assert theirs.is_lagging
    assert [raised.board.id for raised in shown] == [theirs.id]
    (result,) = results.newest(connection, OTHER, 5)
    assert (result.outcome, is_erased(result.opponent)) == ("win", True)


def test_the_newest_boards_of_finished_games_are_shown_without_them(connection: Connection) -> None:
    over = [put(connection, HALL, chat_id=GROUP, **WITH_OTHER, **RESIGNED) for _ in range(erasure.SHOWN + 2)]
    put(connection, OWN, chat_id=WHO, x=Side(WHO), **RESIGNED)
    shown = forget(connection)
    assert sorted(raised.board.id for raised in shown) == [record.boards[0].id for record in over[2:]]
    games_shown = [raised.record.game for raised in shown if isinstance(raised.record, Record)]
    assert all(is_erased(game.x.seat) for game in games_shown)
    assert {game.name(Mark.X) for game in games_shown} == {None}


def test_challenges_end_and_games_against_the_computer_are_gone(connection: Connection) -> None:
    empty = {"o": Side()}
    played = {"x": Side(WHO), "moves": "04"}
    ends = {
        put(connection, place, chat_id=place.chat_id, **values).game.id: termination
        for place, values, termination in (
            (HALL, {**empty, "x": Side(WHO)}, Termination.CANCELLED),
            (HALL, {**empty, "x": Side(OTHER), "rival_username": USERNAME}, Termination.DECLINED),
            (HALL, played, Termination.RESIGNATION),
            (HALL, {"x": Side(0, "easy"), "host": WHO}, Termination.CANCELLED),
            (OWN, {**empty, "x": Side(WHO), "link": LINK}, None),
            (OWN, played, None),
        )
    }
    forget(connection)
    found = games.load_many(connection, ends)
    left = {game_id: record.game.termination for game_id, record in found.items() if isinstance(record, Record)}
    assert left == {game_id: termination for game_id, termination in ends.items() if termination is not None}
    assert found_in_rows(connection) == []


def test_what_is_heard_late_of_an_old_message_writes_nobody_back(connection: Connection) -> None:
    record = put(connection, OWN, THEIRS, chat_id=OTHER, moves="04", **WITH_OTHER)
    notice = outbox.add(connection, Notice(0, NoticeKind.BEATEN, record.game.id, 2, WHO, None, None, 0))
    forget(connection)
    (own,) = (board for board in record.boards if board.chat_id == WHO)
    assert not settle(connection, own, 9)
    boards.drop(connection, own._replace(message_id=9))
    outbox.done(connection, notice, message_id=10)
    people.see_if_known(connection, Person(WHO, NAME))
    assert found_in_rows(connection) == []
    people.see(connection, Person(WHO, NAME))
    assert found_in_rows(connection) == ["people.id", "people.name"], "whoever starts something is a newcomer"


def test_somebody_who_asked_for_it_waits_for_nobody_who_did_not_and_is_told(connection: Connection) -> None:
    """On the first day of a retention period there may be thousands of them."""
    for person in (1, 2, 3):
        erasure.begin_quietly(connection, person, 5)
    assert erasure.ask(connection, 3, 6), "it goes on, but now they have asked"
    assert [forgotten.is_forgotten(connection, person) for person in (1, 3)] == [False, True]
    begin(connection)
    told = [(step.person, step.tells) for step in go_on(connection)]
    assert list(dict.fromkeys(told)) == [(3, True), (WHO, True), (1, False), (2, False)]


def test_a_question_that_is_not_answered_is_not_kept(connection: Connection) -> None:
    late = 1000 + erasure.CONFIRM_SECONDS + 1
    assert erasure.ask(connection, WHO, 1000) is None
    assert [erasure.was_asked(connection, WHO, now) for now in (1500, late)] == [True, False]
    erasure.forget_question(connection, late)
    assert erasure.stage_of(connection, WHO) is None
    begin(connection)
    assert erasure.ask(connection, WHO, 2000), "nobody is asked while it's under way"
    assert lookups.running(connection, WHO, WHO) == []


def test_a_review_that_they_have_opened_where_others_see_it_is_closed(connection: Connection) -> None:
    opened = Page("look:2", WHO)
    own = opened._replace(reviewer=None)
    shared, theirs = put(connection, HALL, THEIRS, chat_id=GROUP, **WITH_OTHER, **RESIGNED).boards
    become(connection, shared, **opened._asdict())
    become(connection, theirs, **own._asdict())
    pages = {raised.board.id: raised.board.page for raised in forget(connection)}
    assert pages == {shared.id: WHOLE, theirs.id: own}
    assert [board.page for board in games.load(connection, shared.game_id or 0).boards] == [WHOLE, own]


def test_the_list_of_forgotten_people_goes_on_after_a_line_that_was_cut_short(tmp_path: Path) -> None:
    """The disk was full, or the machine stopped in the middle."""
    journal, entries = (
        Journal(tmp_path / "new" / "list"),
        [ForgottenEntry(at, 7, f"{at:032x}") for at in (1, 2, 3)],
    )
    journal.check()
    assert not list(tmp_path.iterdir()), "nothing is left behind"
    journal.add(entries[:2])
    journal.check()
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-9])
    journal.add(entries[2:])
    assert journal.read() == [entries[0], entries[2]]
    others = ForgottenEntry(1, 2**63, 32 * "a"), ForgottenEntry(2, -1, 32 * "a")
    journal.path.write_text("\n".join(map(str, (entries[0], *others, ""))))
    assert journal.read() == [entries[0]], "no database has such a salt"


@pytest.mark.parametrize(
    ("before", "is_theirs", "again"),
    [((), False, {}), ((OTHER,), True, {}), ((OTHER, WHO), True, {WHO: 50})],
    ids=["a new database", "a backup without them", "a backup with them"],
)
def test_a_list_is_of_one_database_and_what_a_start_has_read_in_it_is_done(
    connection: Connection, before: tuple[int, ...], *, is_theirs: bool, again: dict[int, int]
) -> None:
    """A backup of the first release may be older than the salt of its list; a new database is another's."""
    listed = [ForgottenEntry(50, 7, forgotten.digest_of(WHO, 7))]
    for person in before:
        people.see(connection, Person(person, "P"))
    assert forgotten.undone(connection, listed) == again
    for person, at in again.items():
        erasure.begin_again(connection, person, at)
    people.see(connection, Person(WHO, "Back"))
    assert forgotten.undone(connection, listed) == {}, "nobody who has come back is forgotten once more"
    assert (forgotten.salt_of(connection) == 7) is is_theirs
    assert forgotten.is_forgotten(connection, WHO) is is_theirs


def test_a_database_has_its_salt_from_its_first_start_on(connection: Connection) -> None:
    assert forgotten.undone(connection, []) == {}
    salt = connection.execute(forgotten.KNOWN_SALT).scalar_one()
    people.see(connection, Person(OTHER, "P"))
    assert forgotten.undone(connection, [ForgottenEntry(50, salt ^ 1, "a" * 32)]) == {}
    assert forgotten.entries(connection) == []
