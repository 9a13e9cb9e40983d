"""Blocks: how many there may be, and who may know of them."""

import json
from typing import Any

import pytest
from sqlalchemy import Connection

from storage.games.record import Notice, NoticeKind
from storage.people import blocks, people
from storage.people.person import Person
from storage.schema import BLOCKS
from tests.storage.examples import ANN, BOB, GROUP, put
from tests.storage.people_everywhere import forget
from tests.storage.privacy.test_exports import whole

PEOPLE = {ANN: Person(ANN, "Ann", "Ann_A"), BOB: Person(BOB, "Bob", "bob_b")}


def test_there_is_room_for_so_many_and_a_second_time_changes_nothing(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST", 2)
    done = [blocks.add(connection, PEOPLE[ANN], Person(other, f"P{other}")) for other in (11, 12, 13, 11)]
    assert done == [True, True, False, True]
    assert [each.id for each in blocks.listed(connection, ANN)] == [11, 12]
    blocks.remove(connection, ANN, 11)
    assert (blocks.has(connection, ANN, 11), blocks.has(connection, ANN, 12)) == (False, True)
    assert blocks.between(connection, [ANN, 12, 13]) == {ANN: frozenset({12}), 12: frozenset({ANN})}


def test_an_export_tells_whom_somebody_has_blocked_and_not_by_whom(connection: Connection) -> None:
    people.see(connection, PEOPLE[BOB])
    blocks.add(connection, PEOPLE[ANN], PEOPLE[BOB])
    put(connection, chat_id=GROUP, x_seat=BOB, o_seat=None, o_level=None, rival_id=ANN, hushed=True)
    assert exported(connection, ANN)["blocks"] == [
        {"person": "you", "blocked": "somebody else", "blocked_name": "Bob"}
    ]
    told = exported(connection, BOB)
    assert told["blocks"] == []
    assert "hushed" not in json.dumps(told["games"])


def exported(connection: Connection, person: int) -> dict[str, list[dict[str, Any]]]:
    return whole(connection, Notice(0, NoticeKind.EXPORT, None, None, person, None, None, 0, person, person))


@pytest.mark.parametrize("gone", [ANN, BOB])
def test_a_block_goes_with_either_of_the_two(connection: Connection, gone: int) -> None:
    blocks.add(connection, PEOPLE[ANN], PEOPLE[BOB])
    forget(connection, gone)
    assert connection.execute(BLOCKS.select()).all() == []
