"""The export of a person who has played a lot: in short portions, complete, and without other people's ids."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert

from storage.games import outbox
from storage.games.game import ADMINISTRATOR
from storage.games.record import Notice, NoticeKind
from storage.privacy import exports, forgotten
from storage.privacy.exports import NotWanted
from storage.privacy.personal import HELD
from storage.schema import BOARDS, CHATS, GAMES, OUTBOX, RESULTS
from storage.store import Store
from tests.storage.people_everywhere import NAME, OTHER, WHO, fill

MANY = 1100
"""Games; more than some portions."""


def wanted(person: int) -> Notice:
    """A person's export."""
    return Notice(0, NoticeKind.EXPORT, None, None, person, None, None, 0, person, person)


async def whole(store: Store, person: int) -> dict[str, list[dict[str, Any]]]:
    """A whole export, read as the bot reads it."""
    notice = await store.run(partial(outbox.add, notice=wanted(person)))
    found: dict[str, list[dict[str, Any]]] = {}
    for section in exports.SECTIONS:
        after, rows = None, found.setdefault(section, [])
        while True:
            some = await store.run(partial(exports.portion, notice=notice, section=section, after=after))
            assert len(some.rows) <= 2 * exports.PORTION
            rows += map(dict, some.rows)
            if (after := some.after) is None:
                break
    return found


async def test_every_column_that_tells_of_somebody_is_in_their_export(store: Store) -> None:
    await store.run(fill)
    await store.run(_count_on)
    found = await whole(store, WHO)
    told = json.dumps(found)
    assert str(OTHER) not in told
    assert str(OTHER + 1) not in told
    assert NAME in told
    missing = {name for name in HELD if not found[name]} - {"erasures"}
    assert not missing, "it has rows of every personal table"
    own = {
        value for row in found["games"] for value in (row["x_seat"], row["o_seat"], row["host"], row["rival_id"])
    }
    assert own == {"you", "somebody else", None}


async def test_somebody_with_many_games_gets_all_of_them_once(store: Store) -> None:
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
    found = await whole(store, WHO)
    for name, key in (("games", "id"), ("boards", "message_id"), ("results", "game_id")):
        assert sorted(row[key] for row in found[name]) == list(range(1, MANY + 1)), name


async def test_an_export_does_not_bring_back_somebody_forgotten_meanwhile(store: Store) -> None:
    _, notice = await store.run(partial(outbox.ask, notice=wanted(WHO)))
    await store.run(lambda connection: connection.execute(delete(OUTBOX)) and None)
    with pytest.raises(NotWanted):
        await store.run(partial(exports.portion, notice=notice, section="games", after=None))
    await store.run(partial(outbox.done, notice=notice, message_id=7, keep=60))
    assert await store.run(partial(forgotten.people)) == set()


def _count_on(connection: Connection) -> None:
    """Make PostgreSQL number new rows after those stored with explicit ids."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT setval('outbox_id_seq', 1000000)")


def test_an_unknown_administrator_is_called_so() -> None:
    told = exports.described(GAMES, {"ended_by": ADMINISTRATOR, "x_seat": ADMINISTRATOR - 1, "o_seat": 0}, WHO)
    assert told == {"ended_by": "an administrator", "x_seat": "somebody who left", "o_seat": "the computer"}
