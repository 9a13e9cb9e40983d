"""Who has left a group: noted of those who had played there, and moved and deleted with the group."""

import time

from sqlalchemy import Connection, select

from storage.people import absences, chats
from storage.privacy import retention
from storage.schema import ABSENCES
from tests.storage.examples import ANN, BOB, GROUP, TWO, finished


def gone(connection: Connection) -> set[tuple[int, int]]:
    return {(row.chat_id, row.person) for row in connection.execute(select(ABSENCES))}


def test_only_who_has_played_in_a_group_is_noted_until_they_do_again(connection: Connection) -> None:
    absences.leave(connection, chat_id=GROUP, person=ANN)
    assert gone(connection) == set()
    finished(connection, {**TWO, "chat_id": GROUP})
    for _ in range(2):
        absences.leave(connection, chat_id=GROUP, person=ANN)
        absences.leave(connection, chat_id=GROUP, person=BOB)
    finished(connection, {**TWO, "chat_id": GROUP - 1})
    assert gone(connection) == {(GROUP, ANN), (GROUP, BOB)}
    finished(connection, {"chat_id": GROUP})
    assert gone(connection) == {(GROUP, BOB)}


def test_they_move_with_their_group_and_go_with_it(connection: Connection) -> None:
    finished(connection, {**TWO, "chat_id": GROUP})
    chats.choose(connection, GROUP, {"season_at": 77})
    absences.leave(connection, chat_id=GROUP, person=BOB)
    chats.move_group(connection, old=GROUP, new=GROUP - 5)
    assert gone(connection) == {(GROUP - 5, BOB)}
    assert chats.load(connection, GROUP - 5).season_at == 77
    now = int(time.time())
    chats.leave(connection, GROUP - 5, now)
    while retention.drop_group(connection, GROUP - 5, now + 1, now + 1):
        pass
    assert gone(connection) == set()
