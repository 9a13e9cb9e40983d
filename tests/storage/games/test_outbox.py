"""Messages other than boards, kept until any process sends them, and the file ids of pictures (`REPLAYS`)."""

import asyncio
import time
from typing import Any

from sqlalchemy import Connection, func, select, update

from storage.games import games, lookups, outbox
from storage.games.outbox import MOST_ASKED, Asked
from storage.games.record import Notice, NoticeKind, PictureKey
from storage.games.versions import GRACE_SECONDS
from storage.schema import MESSAGES, OUTBOX
from storage.store import Store
from tests.storage.examples import BOB, GROUP, NOTICE, add, put


def wish(game_id: int, **values: Any) -> Notice:  # noqa: ANN401 - any field of a notice
    return NOTICE._replace(**{"game_id": game_id, "ply": 3, "thread_id": 9, "language": "de", **values})


def picture(game_id: int, **values: object) -> Notice:
    return wish(game_id, **{"kind": NoticeKind.STILL, "ply": None, "person": BOB, **values})


def claimed(connection: Connection, now: int = 2**40, limit: int = 100) -> list[int]:
    return [notice.id for notice in outbox.claim(connection, now=now, limit=limit)]


def test_a_notice_belongs_to_who_stored_it_and_then_to_whoever_takes_it_up(connection: Connection) -> None:
    now = int(time.time())
    game_id = put(connection).game.id
    notice = outbox.add(connection, wish(game_id))
    assert 0 <= notice.look_at - now - GRACE_SECONDS <= 5
    assert notice == wish(game_id, id=notice.id, look_at=notice.look_at)
    assert claimed(connection, notice.look_at - 1) == []
    assert [outbox.is_any_due(connection, notice.look_at - wait) for wait in (1, 0)] == [False, True]
    (taken,) = outbox.claim(connection, now=notice.look_at, limit=9)
    assert taken == notice._replace(look_at=notice.look_at + GRACE_SECONDS)
    assert isinstance(taken.kind, NoticeKind)
    assert claimed(connection, taken.look_at - 1) == []
    assert claimed(connection, taken.look_at) == [notice.id], "it wasn't said"


def test_a_notice_of_a_kind_that_only_a_newer_release_knows_is_left_to_it(connection: Connection) -> None:
    newer, known = [outbox.add(connection, wish(put(connection).game.id)).id for _ in range(2)]
    connection.execute(update(OUTBOX).where(OUTBOX.c.id == newer).values(kind="newer word"))
    assert claimed(connection) == [known]
    outbox.hold(connection, [known], 2**41)
    assert not outbox.is_any_due(connection, 2**40)
    connection.execute(update(OUTBOX).values(kind=NoticeKind.STILL))
    assert claimed(connection) == [newer]


def test_the_longest_waiting_notices_are_taken_up_first_and_those_that_are_held_later(
    connection: Connection,
) -> None:
    game_id = put(connection).game.id
    ids = [outbox.add(connection, wish(game_id, thread_id=None, language=None)).id for _ in range(5)]
    outbox.hold(connection, [], 2000)
    for wait, notice_id in enumerate(ids):
        outbox.hold(connection, [notice_id], 1000 - wait)
    now = 1000 + GRACE_SECONDS
    assert sorted(claimed(connection, now, limit=2)) == ids[3:]
    assert sorted(claimed(connection, now, limit=2)) == ids[1:3]
    outbox.hold(connection, ids[:1], now + 3)
    assert ids[0] not in claimed(connection, now + 2)
    assert ids[0] in claimed(connection, now + 3)


def test_what_was_said_is_forgotten_and_its_message_known_as_the_games(connection: Connection) -> None:
    record = put(connection)
    said, lost, other = (outbox.add(connection, wish(record.game.id, chat_id=chat)) for chat in (GROUP, BOB, BOB))
    outbox.done(connection, lost)
    for _ in range(2):  # every job may run twice
        outbox.done(connection, said, 901)
        assert lookups.on_message(connection, GROUP, 901) == record
    assert connection.scalar(select(func.count()).select_from(MESSAGES)) == 1
    assert claimed(connection) == [other.id]


def test_what_is_being_made_or_was_just_sent_is_not_made_a_second_time(connection: Connection) -> None:
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


def test_nobody_waits_for_more_than_a_few_pictures_at_a_time(connection: Connection) -> None:
    ids = [put(connection).game.id for _ in range(MOST_ASKED + 1)]
    found = [outbox.ask(connection, picture(game_id)) for game_id in ids]
    assert [asked for asked, _ in found] == [*[Asked.STORED] * MOST_ASKED, Asked.TOO_MANY]
    outbox.done(connection, found[0][1], keep=30)
    assert outbox.ask(connection, picture(ids[-1]))[0] is Asked.STORED


def test_what_was_sent_a_while_ago_is_no_longer_known(connection: Connection) -> None:
    _, notice = outbox.ask(connection, picture(put(connection).game.id))
    outbox.done(connection, notice, 901, keep=30)
    for later, kept in ((10, 1), (40, 0)):
        assert claimed(connection, notice.look_at + later) == []
        assert connection.scalar(select(func.count()).select_from(OUTBOX)) == kept


async def test_a_picture_that_is_asked_for_in_two_processes_is_made_once(two_stores: tuple[Store, Store]) -> None:
    game_id = (await add(two_stores[0])).game.id
    asks = [store.run(outbox.ask, picture(game_id)) for _ in range(5) for store in two_stores]
    answers = [asked for asked, _ in await asyncio.gather(*asks)]
    assert sorted(answer.name for answer in answers) == ["STORED", *["UNDER_WAY"] * 9]


# Stored pictures of shared games.


FILM = PictureKey(7, "animation", "look")
OTHERS = [FILM._replace(game_id=8), FILM._replace(form="still"), FILM._replace(look="another")]


def test_a_picture_is_found_by_all_that_it_shows_until_its_file_is_lost_or_its_game_forgotten(
    connection: Connection,
) -> None:
    games.keep_picture(connection, FILM, "file")
    assert [games.find_picture(connection, each) for each in (FILM, *OTHERS)] == ["file", None, None, None]
    games.keep_picture(connection, FILM, "newer")
    games.lose_picture(connection, FILM, "older")
    assert games.find_picture(connection, FILM) == "newer", "another has come"
    games.lose_picture(connection, FILM, "newer")
    assert games.find_picture(connection, FILM) is None
    for each in (FILM, *OTHERS):
        games.keep_picture(connection, each, "file")
    games.forget_pictures(connection, [7])
    assert [games.find_picture(connection, each) for each in (FILM, *OTHERS)] == [None, "file", None, None]
