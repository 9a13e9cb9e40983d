"""The writer thread: jobs that arrive together share a transaction, and one's failure doesn't affect others."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from sqlalchemy import URL, Connection, Engine, event, text
from sqlalchemy.exc import DBAPIError

from storage.database import PRAGMAS
from storage.errors import OtherRelease, Refused, StorageUnavailable
from storage.games.boards import Sent
from storage.games.record import Decision, Record
from storage.people import chats, people
from storage.people.person import Chat, Person
from storage.store import Store
from storage.writer import BATCH_JOBS, MOST_JOBS
from tests.storage.examples import ANN, HOME, add, play, read

INSERT = text("INSERT INTO chats (id) VALUES (:id)")


@asynccontextmanager
async def busy(store: Store) -> AsyncIterator[None]:
    """Keep a store's thread busy meanwhile, so that jobs queue up behind it."""
    entered, leave = threading.Event(), threading.Event()

    def wait(_: Connection) -> None:
        entered.set()
        leave.wait(30)

    waiting = asyncio.ensure_future(store.run(wait))
    await asyncio.to_thread(entered.wait, 30)
    try:
        yield
    finally:
        leave.set()
    await waiting


async def together(store: Store, *jobs: Coroutine[Any, Any, Any]) -> list[Any]:
    """Let jobs arrive while the thread is busy, so that they share a transaction; their results, or errors."""
    async with busy(store):
        futures = [asyncio.ensure_future(job) for job in jobs]
        await asyncio.sleep(0)
    return await asyncio.gather(*futures, return_exceptions=True)


@pytest.fixture
def transactions() -> list[int]:
    return []


@pytest.fixture
async def watched(url: URL, transactions: list[int]) -> AsyncIterator[Store]:
    store = Store(url, observe=lambda _seconds, jobs: transactions.append(jobs))
    yield store
    await store.close()


def chat_ids(connection: Connection) -> list[int]:
    return list(connection.execute(text("SELECT id FROM chats ORDER BY id")).scalars())


def insert_many(connection: Connection, chat_ids: Iterable[int]) -> None:
    connection.execute(INSERT, [{"id": chat_id} for chat_id in chat_ids])


def insert(connection: Connection, chat_id: int | None) -> int | None:
    connection.execute(INSERT, {"id": chat_id})
    return chat_id


async def test_jobs_that_arrive_together_share_a_transaction_but_only_so_many(
    watched: Store, transactions: list[int]
) -> None:
    numbers = range(BATCH_JOBS + 5)
    assert await together(watched, *(watched.run(insert, number) for number in numbers)) == [*numbers]
    await watched.run(chat_ids)
    assert transactions[:3] == [1, BATCH_JOBS, 5]


async def test_readers_do_not_wait_for_the_writer(store: Store) -> None:
    await store.run(insert, 1)
    async with busy(store):
        assert await store.read(chat_ids) == [1]


async def test_what_reads_cannot_write(watched: Store) -> None:
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        await watched.read(insert, 1)
    assert await watched.read(chat_ids) == []


# What is wrong with a job is its own affair.

FAULTY = (
    "SELECT no_such FROM chats",
    "SELECT nothing FRO",
    "SELECT no_such_function(1)",
    "INSERT INTO no_such VALUES (1)",
)


def say(connection: Connection, statement: str | None) -> None:
    if statement is None:
        insert(connection, 2)
        insert(connection, None)
    connection.execute(text(statement or ""))


@pytest.mark.parametrize("statement", [None, *FAULTY])
async def test_a_job_that_fails_fails_alone_and_nobody_waits_for_it(
    store: Store, statement: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    ids = (store.run(insert, number) for number in (0, 1, 3))
    results = await together(store, next(ids), next(ids), store.run(say, statement), next(ids))
    assert isinstance(results.pop(2), DBAPIError), "what was wrong with it, and not that there is no database"
    assert results == [0, 1, 3]
    assert await store.run(chat_ids) == [0, 1, 3]
    assert not caplog.records


@pytest.mark.parametrize("statement", FAULTY[:3])
async def test_what_is_wrong_with_a_reader_is_its_own_affair(
    watched: Store, transactions: list[int], statement: str
) -> None:
    tried = []

    def look(connection: Connection) -> None:
        tried.append(statement)
        say(connection, statement)

    with pytest.raises(DBAPIError):
        await watched.read(look)
    assert (tried, transactions) == ([statement], [])


async def test_a_reader_that_takes_too_long_holds_nobody_up(postgresql: URL) -> None:
    store, tried = Store(postgresql), []

    def look(connection: Connection) -> None:
        tried.append("once")
        say(connection, "SET LOCAL statement_timeout = 50")
        say(connection, "SELECT pg_sleep(5)")

    with pytest.raises(StorageUnavailable):
        await store.read(look)
    assert tried == ["once"]
    await store.close()


async def test_an_error_in_a_change_is_its_callers_alone(store: Store) -> None:
    def stumble(_record: Record) -> Decision:
        raise ZeroDivisionError

    game = (await add(store)).game
    results = await together(store, *(store.change(game.id, change) for change in (play("0"), stumble, play("4"))))
    assert isinstance(results[1], ZeroDivisionError)
    changed = (await read(store, game.id)).game
    assert (changed.moves, changed.version) == ("04", 3)


async def test_a_caller_who_no_longer_waits_disturbs_nobody(store: Store) -> None:
    async with busy(store):
        gone, there = (asyncio.ensure_future(store.run(insert, number)) for number in (1, 2))
        await asyncio.sleep(0)
        gone.cancel()
    assert await there == 2
    assert await store.run(chat_ids) == [1, 2]


async def test_a_refusal_is_its_callers_alone_and_costs_the_others_no_commit(store: Store) -> None:
    commits: list[Connection] = []
    event.listen(store._engine, "commit", commits.append)  # noqa: SLF001 - no other way to count them

    def refuse(_: Connection) -> None:
        raise Refused

    jobs = [store.run(refuse) if number % 9 == 3 else store.run(insert, number) for number in range(64)]
    results = await together(store, *jobs)
    assert [number for number, result in enumerate(results) if isinstance(result, Refused)] == [*range(3, 64, 9)]
    assert await store.run(chat_ids) == [number for number in range(64) if number % 9 != 3]
    assert len(commits) == 3, "one before them, one for all of them, and one for the question what is there"


# The order of jobs.


async def test_of_jobs_that_share_a_transaction_messages_come_first_then_changes_and_each_kind_keeps_its_order(
    store: Store,
) -> None:
    game, (board,) = await add(store, HOME)
    seen: list[object] = []

    def look(connection: Connection) -> None:
        statement = text("SELECT moves FROM games WHERE id = :id")
        seen.append(connection.execute(statement, {"id": game.id}).scalar_one())

    def change(record: Record) -> Decision:
        seen.append(record.boards[0].message_id)
        return play("0")(record)

    await together(
        store,
        store.run(look),
        store.change(game.id, change),
        store.change(game.id, play("1")),
        store.settle(Sent(board, 900)),
        store.run(look),
        store.change(game.id, play("2")),
        store.run(lambda _: seen.append("again")),
    )
    assert seen == [900, "012", "012", "again"]


async def test_simultaneous_upserts_from_two_stores_do_not_collide(store: Store, other_store: Store) -> None:
    def visit(connection: Connection, name: str) -> Chat:
        chat = chats.choose(connection, ANN, {"level": name})
        people.see(connection, Person(ANN, name))
        return chat

    await asyncio.gather(*(taker.run(visit, f"{name}") for name in range(40) for taker in (store, other_store)))
    assert await store.run(chat_ids) == [ANN]


async def test_whoever_only_reads_notices_that_another_release_has_upgraded_the_database(
    store: Store, engine: Engine
) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(OtherRelease):
        await store.read(lambda connection: connection.execute(text("SELECT a_former_column FROM games")))
    await asyncio.wait_for(store.outdated.wait(), 30)


# Too many jobs, or none any more.


async def test_more_jobs_than_may_wait_are_refused_and_the_others_done(
    sqlite: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_JOBS >= 1000
    monkeypatch.setattr("storage.writer.MOST_JOBS", 5)
    store = Store(sqlite)
    *done, refused = await together(store, *(store.run(chat_ids) for _ in range(6)))
    assert done == [[]] * 5
    assert isinstance(refused, StorageUnavailable)
    assert "too many jobs" in str(refused)
    await store.close()


async def test_closing_a_store_finishes_what_waits_and_refuses_what_comes_later(url: URL) -> None:
    store = Store(url)
    async with busy(store):
        jobs = [asyncio.ensure_future(store.run(insert, number)) for number in range(3)]
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(store.close())
    await closing
    assert await asyncio.gather(*jobs) == [0, 1, 2]
    with pytest.raises(StorageUnavailable, match="closed"):
        await store.run(lambda _: None)


# A database that can't be used for a while.


@contextmanager
def locked(url: URL) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(url.database or "", isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


async def test_during_a_long_lock_each_of_several_jobs_hears_so_while_a_tap_can_still_be_answered(
    sqlite: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0)
    store = Store(sqlite)
    with locked(sqlite):
        async with asyncio.timeout(12):
            for number in range(3):
                with pytest.raises(StorageUnavailable, match="database is locked"):
                    await store.run(insert, number)
    await store.close()


async def test_a_long_lock_is_told_logged_once_and_overcome(
    sqlite: URL, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 0.02)
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0.2)
    store = Store(sqlite)
    with locked(sqlite) as lock, caplog.at_level(logging.WARNING, "storage"):
        for number in range(3):
            with pytest.raises(StorageUnavailable, match="database is locked"):
                await store.run(insert, number)
        assert [record.message for record in caplog.records] == ["The database cannot be used: database is locked"]
        lock.execute("ROLLBACK")
        assert await store.run(insert, 3) == 3
        assert [record.message for record in caplog.records][1:] == ["The database can be used again"]
    assert await store.run(chat_ids) == [3]
    await store.close()


async def test_what_writes_nothing_does_not_end_the_outage_of_a_full_disk(
    sqlite: URL, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0.2)
    monkeypatch.setattr("storage.database.PRAGMAS", (*PRAGMAS, "max_page_count=1"))  # it gets no larger
    store = Store(sqlite)
    with caplog.at_level(logging.WARNING, "storage"):
        for _ in range(3):
            with pytest.raises(StorageUnavailable, match="disk is full"):
                await store.run(insert_many, range(9000))
            assert await store.run(chat_ids) == []
        monkeypatch.undo()
        assert await store.run(insert, 3) == 3
    assert [record.message for record in caplog.records] == [
        "The database cannot be used: database or disk is full",
        "The database can be used again",
    ]
    await store.close()
