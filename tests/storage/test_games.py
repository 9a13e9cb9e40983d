"""Games in the database: stored whole, versioned, and taken up once by those who sweep."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from storage import games, taken
from storage.database import connect
from storage.errors import ConcurrentChange, CorruptGame, GameNotFound
from tests.storage.examples import ANN, GROUP, NEW, add, play, put, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import URL, Connection, Engine

    from storage.game import Game
    from storage.store import Store


def claim(connection: Connection, now: int = NEW.sweep_at, limit: int = 100) -> Sequence[Game]:
    return games.claim_lagging(connection, now=now, again_at=now + 60, limit=limit)


def claimed(connection: Connection, now: int = NEW.sweep_at, limit: int = 100) -> list[int]:
    return [game.id for game in claim(connection, now, limit)]


def test_a_stored_game_is_read_back_whole(engine: Engine) -> None:
    largest = 2**63 - 1
    with engine.begin() as connection:
        stored = put(
            connection,
            chat_id=-largest,
            thread_id=largest,
            message_id=largest - 1,
            x_seat=ANN,
            o_seat=largest,
            x_name="\u202eAnn\u202c 🦆" * 20,
            o_name="",
            level=None,
            language="zh-hans",
            moves="0H1",
            geometry="8x8x5",
            termination="resignation",
            winner="O",
            update_id=largest,
            version=2**31 - 1,
            shown=7,
            sweep_at=largest,
        )
    with engine.begin() as connection:
        assert games.load(connection, stored.id) == stored


def test_a_game_that_is_not_there_is_not_found(engine: Engine) -> None:
    with engine.begin() as connection, pytest.raises(GameNotFound, match="no game 41"):
        games.load(connection, 41)


async def test_changing_a_game_that_is_not_there_is_its_callers_error_alone(store: Store) -> None:
    game = await add(store)
    missing, played = await asyncio.gather(
        store.change(game.id + 1, play("4")), store.change(game.id, play("4")), return_exceptions=True
    )
    assert isinstance(missing, GameNotFound)
    assert not isinstance(played, BaseException)
    assert played[0].moves == "4"


@pytest.mark.parametrize("corrupt", ["00", "!", "024681"])
async def test_a_corrupt_game_is_refused_and_left_as_it_is(store: Store, corrupt: str) -> None:
    broken = await add(store, moves=corrupt, update_id=5)
    sound = await add(store)
    refusals = await asyncio.gather(
        store.change(broken.id, play("8")),
        read(store, broken.id),
        store.run(partial(games.of_update, update_id=5)),
        return_exceptions=True,
    )
    assert [type(refusal) for refusal in refusals] == [CorruptGame] * 3
    assert (await store.change(sound.id, play("8")))[0].moves == "8"
    statement = text("SELECT moves, version FROM games WHERE id = :id")
    row = await store.run(lambda connection: connection.execute(statement, {"id": broken.id}).one())
    assert tuple(row) == (corrupt, 1)


async def test_a_change_is_the_next_version_and_is_due_for_the_sweep_later(store: Store) -> None:
    game = await add(store)
    changed, _ = await store.change(game.id, play("4"))
    assert changed == await read(store, game.id)
    assert (changed.moves, changed.version, changed.shown) == ("4", 2, 0)
    assert changed.sweep_at == changed.changed_at + games.SWEEP_SECONDS
    assert changed.changed_at > game.changed_at


async def test_a_change_that_gives_the_same_game_back_writes_nothing(store: Store) -> None:
    game = await add(store)
    same, said = await store.change(game.id, lambda game: (game, "no"))
    assert said == "no"
    assert same == game == await read(store, game.id)


async def test_a_change_writes_neither_where_the_board_is_nor_what_telegram_shows(store: Store) -> None:
    game = await add(store)
    await store.run(partial(games.place, game_id=game.id, message_id=900))
    await store.run(partial(games.mark_shown, shown={game.id: 1}))
    stale = replace(game, moves="4", message_id=None, shown=0, chat_id=None)
    await store.change(game.id, lambda _: (stale, None))
    assert (await read(store, game.id)).message_id == 900
    assert (await read(store, game.id)).chat_id == game.chat_id
    assert (await read(store, game.id)).shown == 1


def test_a_save_over_a_version_that_is_gone_is_refused(engine: Engine) -> None:
    with engine.begin() as connection:
        one, other = put(connection), put(connection)
        games.save_many(connection, [(replace(one, moves="4", version=2), 1)])
    late = [(replace(other, moves="0", version=2), 1), (replace(one, moves="0", version=2), 1)]
    with pytest.raises(ConcurrentChange), engine.begin() as connection:
        games.save_many(connection, late)
    with engine.begin() as connection:
        assert games.load(connection, one.id).moves == "4"
        assert games.load(connection, other.id).moves == ""


async def test_two_stores_that_race_on_one_game_lose_no_change_and_count_none_twice(
    store: Store, other_store: Store
) -> None:
    game = await add(store, x_name="0")

    def count_up(game: Game) -> tuple[Game, int]:
        count = int(game.x_name or "") + 1
        return replace(game, x_name=str(count)), count

    async def race(store: Store) -> list[int]:
        counted: list[int] = []
        while len(counted) < 40:
            try:
                counted.append((await store.change(game.id, count_up))[1])
            except ConcurrentChange:
                continue
        return counted

    counts = await asyncio.gather(race(store), race(other_store))
    assert sorted(counts[0] + counts[1]) == list(range(1, 81))
    raced = await read(store, game.id)
    assert (raced.x_name, raced.version) == ("80", 81)


async def test_two_stores_that_race_on_many_games_in_any_order_come_to_an_end(
    store: Store, other_store: Store
) -> None:
    ids = [(await add(store)).id for _ in range(30)]
    mine, theirs = await asyncio.gather(
        asyncio.gather(*(store.change(game_id, play("4")) for game_id in ids)),
        asyncio.gather(*(other_store.change(game_id, append) for game_id in reversed(ids))),
    )
    stored = [await read(store, game_id) for game_id in ids]
    assert {game.version for game in stored} == {3}
    assert {game.x_name for game in stored} == {"Ann!"}
    assert {game.moves for game in stored} == {"4"}
    assert len(mine) == len(theirs) == len(ids)


def append(game: Game) -> tuple[Game, None]:
    return replace(game, x_name=f"{game.x_name}!"), None


async def test_an_update_that_two_stores_take_at_once_makes_one_game(store: Store, other_store: Store) -> None:
    def begin(connection: Connection, update_id: int) -> int:
        made = games.of_update(connection, update_id)
        return (made or put(connection, update_id=update_id)).id

    for update_id in range(20):
        ids = await asyncio.gather(
            *(taker.run(partial(begin, update_id=update_id)) for taker in (store, other_store))
        )
        assert len(set(ids)) == 1


def test_the_game_of_an_update_is_found_again(engine: Engine) -> None:
    with engine.begin() as connection:
        put(connection, update_id=1)
        game = put(connection, update_id=2)
        assert games.of_update(connection, 2) == game
        assert games.of_update(connection, 3) is None


def test_each_of_two_boards_of_a_game_has_its_message(engine: Engine) -> None:
    with engine.begin() as connection:
        game = put(connection)
        games.place(connection, game.id, 900)
        games.place(connection, game.id, 901, guest=True)
        assert games.load(connection, game.id) == replace(game, message_id=900, guest_message_id=901)


def test_marking_versions_as_shown_tells_which_games_lag(engine: Engine) -> None:
    with engine.begin() as connection:
        current, lagging, untouched = (put(connection, version=5) for _ in range(3))
        assert games.mark_shown(connection, {current.id: 5, lagging.id: 4}) == [lagging.id]
        shown = [games.load(connection, game.id).shown for game in (current, lagging, untouched)]
    assert shown == [5, 4, 0]


def test_an_older_board_that_arrived_last_is_what_telegram_shows(engine: Engine) -> None:
    with engine.begin() as connection:
        game = put(connection, version=5, shown=5)
        assert games.mark_shown(connection, {game.id: 3}) == [game.id]
        assert games.load(connection, game.id).shown == 3


def test_a_sweep_takes_up_what_lags_and_is_due_longest_waiting_first(engine: Engine) -> None:
    now = NEW.sweep_at
    with engine.begin() as connection:
        put(connection, version=2, shown=2)
        put(connection, version=2, shown=1, sweep_at=now + 1)
        later = put(connection, version=2, shown=1, sweep_at=now)
        first = put(connection, version=2, shown=1, sweep_at=now - 9)
        taken = claim(connection)
        assert {game.id for game in taken} == {first.id, later.id}
        assert {game.sweep_at for game in taken} == {now + 60}
        assert claimed(connection) == []
        assert len(claimed(connection, now + 60)) == 3


def test_a_sweep_takes_up_no_more_than_it_is_allowed_to(engine: Engine) -> None:
    with engine.begin() as connection:
        ids = [put(connection, sweep_at=NEW.sweep_at - 10 + wait).id for wait in range(5)]
        assert sorted(claimed(connection, limit=2)) == ids[:2]
        assert sorted(claimed(connection, limit=2)) == ids[2:4]


async def test_two_stores_that_sweep_at_once_take_up_each_game_once(store: Store, other_store: Store) -> None:
    ids = [(await add(store, chat_id=GROUP)).id for _ in range(60)]
    sweeps = [taker.run(partial(claimed, limit=7)) for _ in range(6) for taker in (store, other_store)]
    taken = [game_id for claim in await asyncio.gather(*sweeps) for game_id in claim]
    assert len(taken) == len(set(taken))
    assert set(taken) == set(ids)


def test_a_sweep_does_not_wait_for_what_another_is_taking_up(postgresql: URL) -> None:
    engine = connect(postgresql, connections=2)
    with engine.begin() as connection:
        ids = [put(connection).id for _ in range(4)]
    with engine.begin() as one, engine.begin() as other:
        taken = claimed(one, limit=2)
        rest = claimed(other, limit=4)
    engine.dispose()
    assert len(taken) == len(rest) == 2
    assert sorted([*taken, *rest]) == ids


def test_an_old_games_update_number_may_come_again_for_another(engine: Engine) -> None:
    week = 7 * 24 * 3600
    with engine.begin() as connection:
        old = put(connection, update_id=9, created_at=int(time.time()) - week)
        assert games.of_update(connection, 9) is None
        new = put(connection, update_id=9, created_at=int(time.time()))
        assert games.of_update(connection, 9) == new
        assert games.load(connection, old.id).update_id is None


async def test_an_update_changes_a_game_once_however_often_it_comes(store: Store, other_store: Store) -> None:
    game = await add(store)
    played, _ = await store.change(game.id, play("4"), 71)
    undone, _ = await store.change(game.id, lambda game: (replace(game, moves=""), None), 72)
    for taker in (store, other_store):
        assert await taker.change(game.id, play("4"), 71) == (undone, None)
    assert (played.moves, undone.moves) == ("4", "")
    for update_id in range(100, 120):
        await store.change(game.id, lambda game: (replace(game, x_name="Ann"), None), update_id)
    assert len((await read(store, game.id)).taken.split()) == taken.MOST
