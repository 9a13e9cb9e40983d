"""A key is taken in the transaction that does what it stands for."""

import time

import pytest
from sqlalchemy import Connection, func, select, update

from storage.columns import DAY
from storage.errors import Refused
from storage.once import LIKE_SECONDS, Once, Repeated, drop, is_done, take
from storage.schema import DONE
from storage.store import Store
from tests.storage.test_writer import chat_ids, insert, together

TAP = Once(1, like=5)


def begin(connection: Connection, number: int, once: Once) -> None:
    take(connection, once)
    insert(connection, number)


def pass_time(connection: Connection, seconds: int) -> None:
    connection.execute(update(DONE).values(at=DONE.c.at - seconds))


def test_what_comes_again_is_done_once_a_day_and_what_is_like_it_once_a_minute(connection: Connection) -> None:
    assert not is_done(connection, TAP)
    take(connection, TAP)
    assert is_done(connection, TAP)
    for again, is_like in ((TAP, True), (Once(2, like=5), True), (Once(1), False)):
        with pytest.raises(Repeated) as repeated:
            take(connection, again)
        assert repeated.value.like is is_like
    take(connection, Once(3, like=6))
    for seconds in (LIKE_SECONDS, -LIKE_SECONDS):  # a clock may be set back
        pass_time(connection, seconds)
        take(connection, Once(4 + seconds, like=5))
    with pytest.raises(Repeated) as repeated:
        take(connection, Once(1))
    pass_time(connection, DAY)
    take(connection, Once(1))


async def test_a_key_is_free_again_if_nothing_came_of_it(store: Store) -> None:
    def refuse(_: Connection) -> None:
        raise Refused

    def fail(connection: Connection) -> None:
        begin(connection, 1, TAP)
        raise ZeroDivisionError

    failed = await together(store, store.run(fail), store.run(refuse), store.run(begin, 2, Once(2)))
    assert [type(each) for each in failed] == [ZeroDivisionError, Refused, type(None)]
    await store.run(begin, 1, TAP)
    assert await store.run(chat_ids) == [1, 2]


async def test_two_processes_that_are_asked_for_the_same_do_it_once(store: Store, other_store: Store) -> None:
    asked = [taker.run(begin, number, TAP) for number, taker in enumerate((store, other_store) * 4)]
    results = await together(store, *asked)
    assert [isinstance(result, Repeated) for result in results].count(True) == 7
    assert len(await store.run(chat_ids)) == 1


def test_keys_are_dropped_after_a_day_in_portions(connection: Connection) -> None:
    now = int(time.time())
    for key in range(5):
        take(connection, Once(key))
    pass_time(connection, DAY + 60)
    take(connection, Once(9))
    assert [drop(connection, now - DAY, most=2) for _ in range(3)] == [True, True, False]
    assert connection.execute(select(func.count()).select_from(DONE)).scalar_one() == 1
