"""Messages other than boards: kept until they are sent, by any process."""

from __future__ import annotations

import asyncio
import time
from functools import partial

from sqlalchemy import URL, Connection, Engine, update

from storage.database import connect
from storage.games import lookups, outbox
from storage.games.outbox import MOST_ASKED, Asked
from storage.games.record import Notice, NoticeKind
from storage.games.versions import GRACE_SECONDS
from storage.schema import OUTBOX
from storage.store import Store
from tests.storage.examples import BOB, GROUP, add, put


def wish(game_id: int, **values: object) -> Notice:
    notice = Notice(
        id=0,
        kind=NoticeKind.REMINDER,
        game_id=game_id,
        ply=3,
        chat_id=GROUP,
        thread_id=9,
        language="de",
        look_at=0,
    )
    return notice._replace(**values)  # type: ignore[arg-type] # any field of a notice


def claimed(connection: Connection, now: int = 2**40, limit: int = 100) -> list[int]:
    return [notice.id for notice in outbox.claim(connection, now=now, limit=limit)]


def test_a_stored_notice_belongs_for_a_while_to_the_process_that_stored_it(engine: Engine) -> None:
    now = int(time.time())
    with engine.begin() as connection:
        game_id = put(connection).game.id
        notice = outbox.add(connection, wish(game_id))
        assert 0 <= notice.look_at - now - GRACE_SECONDS <= 5
        assert notice == wish(game_id, id=notice.id, look_at=notice.look_at)
        assert claimed(connection, notice.look_at - 1) == []
        (taken,) = outbox.claim(connection, now=notice.look_at, limit=9)
        assert taken == notice._replace(look_at=notice.look_at + GRACE_SECONDS)
        assert isinstance(taken.kind, NoticeKind)


def test_a_notice_that_is_taken_up_and_not_said_is_taken_up_again(engine: Engine) -> None:
    with engine.begin() as connection:
        notice = outbox.add(connection, wish(put(connection).game.id, thread_id=None, language=None))
        now = notice.look_at
        assert claimed(connection, now) == [notice.id]
        assert claimed(connection, now + GRACE_SECONDS - 1) == []
        assert claimed(connection, now + GRACE_SECONDS) == [notice.id]


def test_a_notice_that_was_put_off_before_the_clock_was_set_back_is_due(engine: Engine) -> None:
    with engine.begin() as connection:
        notice = outbox.add(connection, wish(put(connection).game.id))
        assert claimed(connection, notice.look_at - 2 * 3600) == [notice.id]


def test_the_longest_waiting_notices_are_taken_up_first_up_to_the_limit(engine: Engine) -> None:
    with engine.begin() as connection:
        game_id = put(connection).game.id
        ids = [outbox.add(connection, wish(game_id)).id for _ in range(5)]
        for wait, notice_id in enumerate(ids):
            outbox.hold(connection, [notice_id], 1000 + GRACE_SECONDS - wait)
        assert sorted(claimed(connection, 1000 + GRACE_SECONDS, limit=2)) == ids[3:]
        assert sorted(claimed(connection, 1000 + GRACE_SECONDS, limit=2)) == ids[1:3]


def test_a_held_notice_is_left_to_the_process_in_which_it_waits(engine: Engine) -> None:
    with engine.begin() as connection:
        game_id = put(connection).game.id
        held, other = (outbox.add(connection, wish(game_id)) for _ in range(2))
        later = held.look_at + 100
        outbox.hold(connection, [held.id], later + GRACE_SECONDS)
        outbox.hold(connection, [], later + GRACE_SECONDS)
        assert claimed(connection, later + GRACE_SECONDS - 1) == [other.id]
        assert sorted(claimed(connection, later + 2 * GRACE_SECONDS)) == [held.id, other.id]


def test_what_was_said_is_forgotten_and_its_message_known_as_the_games(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection)
        notice = outbox.add(connection, wish(record.game.id))
        for _ in range(2):  # every job may run twice
            outbox.done(connection, notice, 901)
            assert claimed(connection) == []
            assert lookups.on_message(connection, GROUP, 901) == record


def test_what_has_lost_its_point_is_forgotten_without_a_message(engine: Engine) -> None:
    with engine.begin() as connection:
        game_id = put(connection).game.id
        lost, other = (outbox.add(connection, wish(game_id, chat_id=BOB)) for _ in range(2))
        outbox.done(connection, lost)
        assert claimed(connection) == [other.id]
        assert connection.exec_driver_sql("SELECT count(*) FROM messages").scalar() == 0


async def test_two_stores_that_look_together_take_up_each_notice_once(store: Store, other_store: Store) -> None:
    game_id = (await add(store)).game.id
    ids = [(await store.run(partial(outbox.add, notice=wish(game_id)))).id for _ in range(40)]
    looks = [taker.run(partial(claimed, limit=7)) for _ in range(5) for taker in (store, other_store)]
    taken = [notice_id for look in await asyncio.gather(*looks) for notice_id in look]
    assert len(taken) == len(set(taken))
    assert set(taken) == set(ids)


def test_nobody_waits_for_the_notices_that_another_takes_up(postgresql: URL) -> None:
    engine = connect(postgresql, connections=2)
    with engine.begin() as connection:
        game_id = put(connection).game.id
        ids = [outbox.add(connection, wish(game_id)).id for _ in range(4)]
    with engine.begin() as one, engine.begin() as other:
        taken = claimed(one, limit=2)
        rest = claimed(other, limit=4)
    engine.dispose()
    assert len(taken) == len(rest) == 2
    assert sorted([*taken, *rest]) == ids


def picture(game_id: int, **values: object) -> Notice:
    """A still picture that Bob asks for in the group."""
    return wish(game_id, **{"kind": NoticeKind.STILL, "ply": None, "person": BOB, **values})


def test_what_is_being_made_or_was_just_sent_is_not_made_a_second_time(engine: Engine) -> None:
    with engine.begin() as connection:
        game_id = put(connection).game.id
        asked, notice = outbox.ask(connection, picture(game_id))
        assert asked is Asked.STORED
        assert outbox.ask(connection, picture(game_id, person=None))[0] is Asked.UNDER_WAY
        for other in (picture(game_id, chat_id=BOB), picture(game_id, kind=NoticeKind.ANIMATION)):
            assert outbox.ask(connection, other)[0] is Asked.STORED
        outbox.done(connection, notice, 901, keep=30)
        assert not outbox.is_wanted(connection, notice)
        assert outbox.ask(connection, picture(game_id))[0] is Asked.SENT
        connection.execute(update(OUTBOX).where(OUTBOX.c.said).values(look_at=1))
        assert outbox.ask(connection, picture(game_id))[0] is Asked.STORED


def test_nobody_waits_for_more_than_a_few_pictures_at_a_time(engine: Engine) -> None:
    with engine.begin() as connection:
        ids = [put(connection).game.id for _ in range(MOST_ASKED + 1)]
        found = [outbox.ask(connection, picture(game_id)) for game_id in ids]
        assert [asked for asked, _ in found] == [*[Asked.STORED] * MOST_ASKED, Asked.TOO_MANY]
        outbox.done(connection, found[0][1], keep=30)
        assert outbox.ask(connection, picture(ids[-1]))[0] is Asked.STORED


def test_what_was_sent_a_while_ago_is_no_longer_known(engine: Engine) -> None:
    with engine.begin() as connection:
        _, notice = outbox.ask(connection, picture(put(connection).game.id))
        outbox.done(connection, notice, 901, keep=30)
        assert claimed(connection, notice.look_at + 10) == []
        assert connection.exec_driver_sql("SELECT count(*) FROM outbox").scalar() == 1
        assert claimed(connection, notice.look_at + 40) == []
        assert connection.exec_driver_sql("SELECT count(*) FROM outbox").scalar() == 0


async def test_two_stores_that_are_asked_together_store_one_picture(store: Store, other_store: Store) -> None:
    game_id = (await add(store)).game.id
    ask = partial(outbox.ask, notice=picture(game_id))
    asks = [each.run(ask) for _ in range(5) for each in (store, other_store)]
    answers = [asked for asked, _ in await asyncio.gather(*asks)]
    assert sorted(answers, key=str) == sorted([Asked.STORED, *[Asked.UNDER_WAY] * 9], key=str)
