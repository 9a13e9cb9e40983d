"""A process frozen in a transaction that locks a row, and a server that accepts no writes for a while."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import URL, Connection, Engine, text

from storage.errors import StorageUnavailable
from storage.games import games, outbox, versions
from storage.games.boards import Sent
from storage.games.record import Decision, Record
from storage.store import Store
from tests.storage.examples import HALL, HOME, NOTICE, add, play, put, put_board, read


class Server:
    """An administrator of the database, and another process that changes a game and freezes in its transaction."""

    def __init__(self, url: URL) -> None:
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.database = url.database or ""
        self.administrator = psycopg.connect(plain, autocommit=True)
        self.frozen = psycopg.connect(plain)

    def close(self) -> None:
        self.frozen.close()
        self.administrator.close()

    def hold(self, game_id: int) -> None:
        self.frozen.execute("UPDATE games SET moves = '8' WHERE id = %s", [game_id])
        self.frozen.execute("UPDATE boards SET wanted = wanted + 1 WHERE game_id = %s", [game_id])

    def cut_off(self) -> None:
        self.administrator.execute("SELECT pg_terminate_backend(%s)", [self.frozen.info.backend_pid])

    def only_read(self, *, on: bool) -> None:
        """Make new sessions read-only, as on a replica before its promotion, or writable again."""
        wish = "SET default_transaction_read_only = on" if on else "RESET default_transaction_read_only"
        self.administrator.execute(sql.SQL("ALTER DATABASE {} " + wish).format(sql.Identifier(self.database)))


@pytest.fixture
def url(postgresql: URL) -> URL:
    """SQLite can't lock single rows, so this is PostgreSQL."""
    return postgresql


@pytest.fixture
def server(url: URL) -> Iterator[Server]:
    server = Server(url)
    yield server
    server.close()


def ask(connection: Connection) -> Any:  # noqa: ANN401 - a number
    return connection.scalar(text("SELECT 1"))


async def test_a_frozen_process_holds_up_its_own_game_alone_until_it_is_cut_off(
    store: Store, server: Server
) -> None:
    """Jobs that arrive together are tried together first; then only the locked ones are postponed."""
    records = [await add(store, HOME) for _ in range(6)]
    server.hold(records[3].game.id)
    changes = [asyncio.ensure_future(store.change(record.game.id, play("4"))) for record in records]
    changes.append(asyncio.ensure_future(store.change(records[3].game.id, play("0"))))
    waiting = set(changes)
    while len(waiting) > 2:
        _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert waiting == {changes[3], changes[6]}
    for record in (*records[:3], *records[4:]):  # all other games continue, and new ones start
        assert (await store.change(record.game.id, play("8"))).record.game.moves == "48"
    await store.run(lambda connection: put(connection, HOME))
    assert not any(change.done() for change in waiting)
    server.cut_off()
    await asyncio.gather(*waiting)
    stored = await read(store, records[3].game.id)
    assert stored.game.moves in ("40", "04"), (
        "whichever is tried first; nothing of the frozen process's transaction"
    )
    assert (stored.game.version, stored.boards[0].wanted) == (3, 3)


async def test_two_processes_that_play_on_each_others_new_boards_do_not_wait_for_each_other(
    two_stores: tuple[Store, Store],
) -> None:
    """At the same moment, each stores the message it has sent and handles a tap on the other's."""
    records = [await add(two_stores[0], HOME) for _ in range(2)]
    decided: list[int] = []
    both = threading.Barrier(2)

    def tap(record: Record) -> Decision:
        decided.append(record.game.id)
        if decided.count(record.game.id) == 1:
            both.wait(60)
        return play("4")(record)

    jobs = []
    for store, sent, tapped in zip(two_stores, records, reversed(records), strict=True):
        jobs += [store.settle(Sent(sent.boards[0], 900 + sent.game.id)), store.change(tapped.game.id, tap)]
    await asyncio.gather(*jobs)
    assert sorted(decided) == sorted(record.game.id for record in records)
    for record in records:
        stored = await read(two_stores[0], record.game.id)
        assert (stored.game.moves, stored.boards[0].message_id) == ("4", 900 + record.game.id)


async def test_a_game_that_is_let_go_in_time_is_changed_upon_what_the_other_process_did(
    store: Store, server: Server
) -> None:
    game = (await add(store, HOME)).game
    server.hold(game.id)
    change = asyncio.ensure_future(store.change(game.id, play("4")))
    assert await store.run(ask) == 1
    server.frozen.execute("UPDATE games SET version = version + 1 WHERE id = %s", [game.id])
    server.frozen.commit()
    changed = await change
    assert (changed.record.game.moves, changed.record.game.version) == ("84", 3)


async def test_a_row_that_is_never_let_go_is_given_up_in_the_end(
    store: Store, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.writer.LOCKED_SECONDS", 0.4)
    game = (await add(store, HOME)).game
    server.hold(game.id)
    with pytest.raises(StorageUnavailable, match="another process holds a row"):
        await store.change(game.id, play("4"))
    server.frozen.rollback()
    assert (await store.change(game.id, play("4"))).record.game.moves == "4"


async def test_jobs_that_wait_for_a_held_row_count_among_those_that_may_wait(
    url: URL, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.writer.TRY_AGAIN_SECONDS", 60)
    store = Store(url)
    game = (await add(store, HOME)).game
    server.hold(game.id)
    changes = [asyncio.ensure_future(store.change(game.id, play(cell))) for cell in "40"]
    await asyncio.sleep(0)
    await store.run(ask)  # which comes after them
    assert store.waiting == 2
    monkeypatch.setattr("storage.writer.MOST_JOBS", 2)
    with pytest.raises(StorageUnavailable, match="too many jobs"):
        await store.run(ask)
    server.cut_off()
    await store.close()  # which tries them once more
    assert len(await asyncio.gather(*changes)) == 2


def new_board(connection: Connection) -> int:
    return put_board(connection, HALL).id


def new_notice(connection: Connection) -> int:
    return outbox.add(connection, NOTICE._replace(game_id=put(connection).game.id)).id


def due_boards(connection: Connection, limit: int) -> list[int]:
    return [board.id for board, _ in versions.claim_lagging(connection, now=2**40, limit=limit)[0]]


def due_notices(connection: Connection, limit: int) -> list[int]:
    return [notice.id for notice in outbox.claim(connection, now=2**40, limit=limit)]


@pytest.mark.parametrize(("new", "due"), [(new_board, due_boards), (new_notice, due_notices)])
def test_nobody_waits_for_what_another_takes_up(
    engine: Engine, new: Callable[[Connection], int], due: Callable[[Connection, int], list[int]]
) -> None:
    with engine.begin() as connection:
        ids = [new(connection) for _ in range(4)]
    with engine.begin() as one, engine.begin() as other:
        for way in ("hashjoin", "mergejoin", "hashagg", "sort", "material"):
            one.execute(text(f"SET LOCAL enable_{way} TO off"))  # so plans a server that has seen the table empty
        taken, rest = due(one, 2), due(other, 4)
    assert (len(taken), sorted([*taken, *rest])) == (2, ids)


async def test_sweeps_and_confirmations_pass_a_held_board_by(store: Store, server: Server) -> None:
    held, free = [await add(store, HALL, chat_id=HALL.chat_id) for _ in range(2)]
    server.hold(held.game.id)
    (board,) = free.boards
    taken, _ = await store.run(versions.claim_lagging, now=board.look_at, limit=9)
    assert [board.id for board, _ in taken] == [board.id]
    seen = [versions.BoardCall(found.boards[0].id, 1) for found in (held, free)]
    assert await store.run(versions.confirm, {board.id: 2}, seen) == seen[:1]
    assert (await read(store, free.game.id)).boards[0].shown == 2
    assert await store.run(outbox.claim, now=2**40, limit=9) == []


async def test_a_process_that_thaws_after_it_was_cut_off_does_its_work_again(
    postgresql: URL, server: Server
) -> None:
    frozen = Store(postgresql.update_query_dict({"options": "-c idle_in_transaction_session_timeout=200"}))
    game = (await add(frozen, HOME)).game
    others = "SELECT count(*), pg_sleep(0.02) FROM pg_stat_activity WHERE pid = %s"
    tries: list[int] = []

    def freeze(connection: Connection) -> None:
        """Change the game, and the first time wait until the server has cut this process off."""
        loaded = games.load(connection, game.id).game
        games.save_many(connection, [(loaded._replace(moves="4", version=loaded.version + 1), loaded)])
        tries.append(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())
        while len(tries) == 1 and (server.administrator.execute(others, tries).fetchone() or (0,))[0]:
            pass

    await frozen.run(freeze)
    assert len(tries) == 2
    stored = (await read(frozen, game.id)).game
    assert (stored.moves, stored.version) == ("4", 2)
    await frozen.close()


# A server that accepts no writes, such as a replica before its promotion.


async def opened(url: URL, server: Server) -> tuple[Store, Record]:
    before = Store(url)
    record = await add(before, HOME)
    await before.close()
    server.only_read(on=True)
    return Store(url), record


async def test_a_server_that_only_reads_counts_as_unavailable_until_it_takes_writes_again(
    postgresql: URL, server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0.2)
    store, (game, _) = await opened(postgresql, server)
    works: list[Callable[[], Any]] = [lambda: store.change(game.id, play("4"))] * 2
    works.append(lambda: store.run(versions.claim_lagging, now=2**40, limit=9))
    with caplog.at_level(logging.WARNING, "storage"):
        for work in works:
            with pytest.raises(StorageUnavailable, match="read-only transaction"):
                await work()
            assert (await read(store, game.id)).game == game
        monkeypatch.undo()  # a busy machine may take longer to connect
        server.only_read(on=False)
        assert (await store.change(game.id, play("4"))).record.game.moves == "4"
    assert [record.message for record in caplog.records] == [
        "The database cannot be used: cannot execute UPDATE in a read-only transaction",
        "The database can be used again",
    ]
    await store.close()


async def test_a_short_time_without_writes_is_waited_for(postgresql: URL, server: Server) -> None:
    """A read-only session is replaced by another one, and nobody notices."""
    store, (game, (board,)) = await opened(postgresql, server)
    refused = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work(connection: Connection) -> None:
        loop.call_soon_threadsafe(refused.set)
        versions.store_again(connection, [versions.Again(board.id)])

    change = asyncio.ensure_future(store.run(work))
    await refused.wait()
    server.only_read(on=False)
    await change
    assert (await read(store, game.id)).boards[0].wanted == 2
    await store.close()
