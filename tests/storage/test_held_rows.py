"""A process frozen in a transaction that locks a row, and a server that accepts no writes for a while."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import URL, Connection, text

from storage.database import connect
from storage.errors import StorageUnavailable
from storage.games import games, outbox, versions
from storage.games.boards import Sent
from storage.games.record import Decision, Record
from storage.store import Store
from tests.storage.examples import HALL, HOME, add, play, put, read

FREEZE = "-c idle_in_transaction_session_timeout=3000"
"""The time after which the server cuts off a frozen process, shorter than the bot's own for the test's sake."""


def plain(url: URL) -> str:
    """The URL in the form that other programs use."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


class Holder:
    """Another process, which changes a game and then freezes in its open transaction."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url, options=FREEZE)

    def hold(self, game_id: int) -> None:
        """Change the game without a commit."""
        self.connection.execute("UPDATE games SET moves = '8' WHERE id = %s", [game_id])
        self.connection.execute("UPDATE boards SET wanted = wanted + 1 WHERE game_id = %s", [game_id])


@pytest.fixture
def holder(postgresql: URL) -> Iterator[Holder]:
    """A second process."""
    holder = Holder(plain(postgresql))
    yield holder
    holder.connection.close()


@pytest.fixture
async def store(postgresql: URL) -> AsyncIterator[Store]:
    """A store on PostgreSQL: SQLite can't lock single rows."""
    store = Store(postgresql)
    yield store
    await store.close()


async def test_a_frozen_process_holds_up_its_own_game_alone_until_it_is_cut_off(
    store: Store, holder: Holder
) -> None:
    held = (await add(store, HOME)).game
    others = [(await add(store, HOME)).game for _ in range(5)]
    holder.hold(held.id)
    waiting = [asyncio.ensure_future(store.change(held.id, play(cell))) for cell in "04"]
    for cell in "048":  # all other games continue
        moved = await asyncio.gather(*(store.change(game.id, play(cell)) for game in others))
        assert {changed.record.game.moves[-1] for changed in moved} == {cell}
    assert await store.run(partial(put_one, holder=holder)) == psycopg.pq.TransactionStatus.INTRANS
    assert not any(change.done() for change in waiting)
    await asyncio.gather(*waiting)
    stored = await read(store, held.id)
    assert sorted(stored.game.moves) == ["0", "4"]  # and nothing of the frozen process's transaction
    assert (stored.game.version, stored.boards[0].wanted) == (3, 3)
    with pytest.raises(psycopg.Error, match="idle-in-transaction timeout"):
        holder.connection.execute("SELECT 1")


def put_one(connection: Connection, holder: Holder) -> psycopg.pq.TransactionStatus:
    """Start a new game while the row is locked."""
    put(connection, HOME)
    return holder.connection.info.transaction_status


async def test_taps_on_a_held_game_share_no_fate_with_taps_that_came_with_them(
    store: Store, holder: Holder
) -> None:
    """Jobs that arrive together are tried together first; then only the locked one is postponed."""
    records = [await add(store, HOME) for _ in range(6)]
    holder.hold(records[3].game.id)
    changes = [asyncio.ensure_future(store.change(record.game.id, play("4"))) for record in records]
    done, waiting = await asyncio.wait(changes, return_when=asyncio.FIRST_COMPLETED)
    while len(waiting) > 1:
        done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert waiting == {changes[3]}
    assert done
    holder.connection.rollback()
    assert (await changes[3]).record.game.moves == "4"


async def test_two_processes_that_play_on_each_others_new_boards_do_not_wait_for_each_other(
    postgresql: URL,
) -> None:
    """At the same moment, each stores the message it has sent and handles a tap on the other's."""
    stores = Store(postgresql), Store(postgresql)
    records = [await add(stores[0], HOME) for _ in range(2)]
    decided: list[int] = []
    both = threading.Barrier(2)

    def tap(record: Record) -> Decision[None]:
        decided.append(record.game.id)
        if decided.count(record.game.id) == 1:
            both.wait(60)
        return play("4")(record)

    jobs = []
    for store, sent, tapped in zip(stores, records, reversed(records), strict=True):
        jobs += [store.settle(Sent(sent.boards[0], 900 + sent.game.id)), store.change(tapped.game.id, tap)]
    await asyncio.gather(*jobs)
    assert sorted(decided) == sorted(record.game.id for record in records)
    for record in records:
        stored = await read(stores[0], record.game.id)
        assert (stored.game.moves, stored.boards[0].message_id) == ("4", 900 + record.game.id)
    await asyncio.gather(*(store.close() for store in stores))


async def test_a_game_that_is_let_go_in_time_is_changed_upon_what_the_other_process_did(
    store: Store, holder: Holder
) -> None:
    game = (await add(store, HOME)).game
    holder.hold(game.id)
    change = asyncio.ensure_future(store.change(game.id, play("4")))
    assert await store.run(lambda connection: connection.scalar(text("SELECT 1"))) == 1
    holder.connection.execute("UPDATE games SET version = version + 1 WHERE id = %s", [game.id])
    holder.connection.commit()
    changed = await change
    assert (changed.record.game.moves, changed.record.game.version) == ("84", 3)


async def test_a_row_that_is_never_let_go_is_given_up_in_the_end(
    store: Store, holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.writer.LOCKED_SECONDS", 0.4)
    game = (await add(store, HOME)).game
    holder.hold(game.id)
    with pytest.raises(StorageUnavailable, match="another process holds a row"):
        await store.change(game.id, play("4"))
    holder.connection.rollback()
    assert (await store.change(game.id, play("4"))).record.game.moves == "4"


async def test_a_store_that_closes_does_not_wait_for_a_held_row(postgresql: URL, holder: Holder) -> None:
    store = Store(postgresql)
    game = (await add(store, HOME)).game
    holder.hold(game.id)
    change = asyncio.ensure_future(store.change(game.id, play("4")))
    await store.run(lambda connection: connection.scalar(text("SELECT 1")))
    await store.close()
    with pytest.raises(StorageUnavailable, match="another process holds a row"):
        await change
    assert holder.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


async def test_sweeps_and_confirmations_pass_a_held_board_by(store: Store, holder: Holder) -> None:
    held, free = [await add(store, HALL, chat_id=HALL.chat_id) for _ in range(2)]
    holder.hold(held.game.id)
    (board,) = free.boards
    sweep = partial(versions.claim_lagging, now=board.look_at, limit=9)
    taken, _ = await store.run(sweep)
    assert [board.id for board, _ in taken] == [board.id]
    seen = [versions.Call(found.boards[0].id, 1) for found in (held, free)]
    assert await store.run(partial(versions.confirm, shown={}, overdue=seen)) == seen[:1]
    assert await store.run(partial(outbox.claim, now=2**40, limit=9)) == []
    assert holder.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


async def test_a_process_that_thaws_after_it_was_cut_off_does_its_work_again(postgresql: URL) -> None:
    frozen = Store(postgresql.update_query_dict({"options": FREEZE.replace("3000", "300")}))
    game = (await add(frozen, HOME)).game
    others = "SELECT count(*), pg_sleep(0.02) FROM pg_stat_activity WHERE pid = %s"
    tries: list[int] = []

    def freeze(connection: Connection) -> None:
        """Change the game, and the first time wait until the server has cut this process off."""
        loaded = games.load(connection, game.id).game
        games.save_many(connection, [(loaded._replace(moves="4", version=loaded.version + 1), loaded)])
        tries.append(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())
        if len(tries) == 1:
            with psycopg.connect(plain(postgresql), autocommit=True) as watch:
                while (watch.execute(others, tries).fetchone() or (0,))[0]:
                    pass

    await frozen.run(freeze)
    assert len(tries) == 2
    stored = (await read(frozen, game.id)).game
    assert (stored.moves, stored.version) == ("4", 2)
    await frozen.close()


# A server that accepts no writes, such as a replica before its promotion.


@pytest.fixture
def administrator(postgresql: URL) -> Iterator[psycopg.Connection]:
    """An administrator who can make new sessions read-only."""
    with psycopg.connect(plain(postgresql), autocommit=True) as administrator:
        yield administrator


def only_read(administrator: psycopg.Connection, database: str | None, *, on: bool) -> None:
    """Make new sessions read-only, or writable again."""
    wish = "SET default_transaction_read_only = on" if on else "RESET default_transaction_read_only"
    administrator.execute(sql.SQL("ALTER DATABASE {} " + wish).format(sql.Identifier(str(database))))


async def test_a_server_that_only_reads_counts_as_unavailable_until_it_takes_writes_again(
    postgresql: URL,
    administrator: psycopg.Connection,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("storage.writer.PATIENCE", 0.2)
    engine = connect(postgresql)
    with engine.begin() as connection:
        game = put(connection, HOME).game
    engine.dispose()
    only_read(administrator, postgresql.database, on=True)
    store = Store(postgresql)
    with caplog.at_level(logging.WARNING, "storage"):
        for _ in range(2):
            with pytest.raises(StorageUnavailable, match="read-only transaction"):
                await store.change(game.id, play("4"))
        with pytest.raises(StorageUnavailable, match="read-only transaction"):
            await store.run(partial(versions.claim_lagging, now=2**40, limit=9))
        assert (await read(store, game.id)).game == game
        monkeypatch.undo()  # a busy machine may take longer to connect
        only_read(administrator, postgresql.database, on=False)
        assert (await store.change(game.id, play("4"))).record.game.moves == "4"
    assert [record.message for record in caplog.records] == [
        "The database cannot be used: cannot execute UPDATE in a read-only transaction",
        "The database can be used again",
    ]
    await store.close()


async def test_a_short_time_without_writes_is_waited_for(
    postgresql: URL, administrator: psycopg.Connection
) -> None:
    """A read-only session is replaced by another one, and nobody notices."""
    engine = connect(postgresql)
    with engine.begin() as connection:
        game = put(connection, HOME).game
    engine.dispose()
    only_read(administrator, postgresql.database, on=True)
    store = Store(postgresql)
    refused = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work(connection: Connection) -> None:
        loop.call_soon_threadsafe(refused.set)
        versions.store_next(connection, board_id)

    board_id = (await read(store, game.id)).boards[0].id
    change = asyncio.ensure_future(store.run(work))
    await refused.wait()
    only_read(administrator, postgresql.database, on=False)
    await change
    assert (await read(store, game.id)).boards[0].wanted == 2
    await store.close()
