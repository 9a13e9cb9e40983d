"""The export of who has played much: portion by portion, each short, whole, and with nobody else's id."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, insert

from storage import exports, forgotten
from storage.exports import NotWanted
from storage.personal import HELD
from storage.schema import BOARDS, CHATS, EXPORTS, GAMES, RESULTS
from tests.storage.people_everywhere import NAME, OTHER, WHO, fill

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.store import Store

MANY = 1100
"""Games; more than some portions."""


async def whole(store: Store, person: int) -> dict[str, list[dict[str, Any]]]:
    """All of an export, read as the bot reads it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for section in exports.SECTIONS:
        after, rows = None, found.setdefault(section, [])
        while True:
            now = int(time.time())
            some = await store.run(partial(exports.portion, person=person, section=section, after=after, now=now))
            assert len(some.rows) <= 2 * exports.PORTION
            rows += some.rows
            if (after := some.after) is None:
                break
    return found


async def test_every_column_that_tells_of_somebody_is_in_their_export(store: Store) -> None:
    await store.run(fill)
    await store.run(partial(exports.claim, person=WHO, now=int(time.time()), update_id=1))
    found = await whole(store, WHO)
    told = json.dumps(found)
    assert str(OTHER) not in told
    assert str(OTHER + 1) not in told
    assert NAME in told
    missing = {name for name in HELD if not found[name]} - {"erasures"}
    assert not missing, "each table that tells of them has rows in it"
    own = {
        value for row in found["games"] for value in (row["x_seat"], row["o_seat"], row["host"], row["rival_id"])
    }
    assert own == {"you", "somebody else", None}


async def test_who_has_many_games_gets_all_of_them_once(store: Store) -> None:
    def filled(connection: Connection) -> None:
        connection.execute(insert(CHATS), [{"id": WHO}])
        seats = {"chat_id": WHO, "rules": "3x3x3", "moves": "03142", "termination": "line", "winner": "X"}
        times = {"created_at": 5, "changed_at": 5, "version": 1}
        rows = [
            {**seats, **times, **({"x_seat": WHO, "o_seat": 0} if number % 2 else {"x_seat": 0, "o_seat": WHO})}
            for number in range(MANY)
        ]
        connection.execute(insert(GAMES), rows)
        shown = {"chat_id": WHO, "viewer": WHO, "wanted": 1, "shown": 1, "look_at": 0, "claims": 0}
        connection.execute(
            insert(BOARDS), [{**shown, "game_id": number, "message_id": number} for number in range(1, MANY + 1)]
        )
        result = {"person": WHO, "opponent": 0, "rules": "3x3x3", "mark": "X", "outcome": "win", "plies": 5}
        result |= {"termination": "line"}
        connection.execute(
            insert(RESULTS), [{**result, "game_id": n, "ended_at": 1000 + n // 7} for n in range(1, MANY + 1)]
        )

    await store.run(filled)
    await store.run(partial(exports.claim, person=WHO, now=int(time.time()), update_id=1))
    found = await whole(store, WHO)
    for name, key in (("games", "id"), ("boards", "message_id"), ("results", "game_id")):
        assert sorted(row[key] for row in found[name]) == list(range(1, MANY + 1)), name


async def test_there_is_one_at_a_time_and_a_killed_one_holds_up_nobody_for_long(store: Store) -> None:
    claim = partial(exports.claim, person=WHO, update_id=1)
    assert await store.run(partial(claim, now=1000))
    assert not await store.run(partial(claim, now=1000 + exports.HELD_SECONDS - 1, update_id=2))
    assert await store.run(partial(claim, now=1000 + exports.HELD_SECONDS, update_id=2))
    await store.run(partial(exports.release, person=WHO, until=2000))
    assert not await store.run(partial(claim, now=1999))
    assert await store.run(partial(claim, now=2000))
    await store.run(partial(exports.forget_claims, now=9000))
    assert await store.run(partial(claim, now=3))


async def test_an_update_that_comes_again_takes_its_export_over_until_the_file_is_there(store: Store) -> None:
    claim = partial(exports.claim, person=WHO, now=1000, update_id=1)
    assert await store.run(claim)
    assert await store.run(claim)
    await store.run(partial(exports.note_sent, person=WHO, update_id=2))
    assert await store.run(claim), "only its own file counts"
    await store.run(partial(exports.note_sent, person=WHO, update_id=1))
    assert not await store.run(claim)


async def test_who_is_forgotten_meanwhile_is_not_written_back_by_their_export(store: Store) -> None:
    await store.run(partial(exports.claim, person=WHO, now=1000, update_id=1))
    await store.run(lambda connection: connection.execute(delete(EXPORTS)) and None)
    with pytest.raises(NotWanted):
        await store.run(partial(exports.portion, person=WHO, section="games", after=None, now=1001))
    await store.run(partial(exports.release, person=WHO, until=5))
    assert await store.run(partial(forgotten.people)) == set()
