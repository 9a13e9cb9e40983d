"""The export of a person who has played a lot: in short portions, complete, and without other people's ids."""

import json
from typing import Any

import pytest
from sqlalchemy import Connection, delete

from storage.games import outbox
from storage.games.game import ADMINISTRATOR, Side
from storage.games.record import Notice, NoticeKind, Place
from storage.privacy import exports, forgotten
from storage.privacy.exports import NotWanted
from storage.privacy.personal import HELD
from storage.results import results
from storage.schema import GAMES, OUTBOX
from tests.storage.examples import GROUP, WON, become, put
from tests.storage.people_everywhere import NAME, OTHER, WHO, fill

WANTED = Notice(0, NoticeKind.EXPORT, None, None, WHO, None, None, 0, WHO, WHO)


def whole(connection: Connection, wanted: Notice = WANTED) -> dict[str, list[dict[str, Any]]]:
    """A whole export, read as the bot reads it."""
    notice = outbox.add(connection, wanted)
    found: dict[str, list[dict[str, Any]]] = {}
    for section in exports.SECTIONS:
        after, rows = None, found.setdefault(section, [])
        while True:
            some = exports.portion(connection, notice=notice, section=section, after=after)
            assert len(some.rows) <= 2 * exports.EXPORT_PORTION
            rows += map(dict, some.rows)
            if (after := some.after) is None:
                break
    return found


def test_every_column_that_tells_of_somebody_is_in_their_export(connection: Connection) -> None:
    fill(connection)
    if connection.dialect.name == "postgresql":  # number new rows after those stored with explicit ids
        connection.exec_driver_sql("SELECT setval('outbox_id_seq', 1000000)")
    found = whole(connection)
    told = json.dumps(found)
    assert str(OTHER) not in told
    assert str(OTHER + 1) not in told
    assert NAME in told
    missing = {name for name in HELD if not found[name]} - {"erasures"}
    assert not missing, "it has rows of every personal table"
    own = {row[name] for row in found["games"] for name in ("x_seat", "o_seat", "host", "rival_id")}
    assert own == {"you", "somebody else", None}


def test_a_board_in_a_group_on_which_somebody_reviews_is_in_their_export(connection: Connection) -> None:
    record = put(connection, Place(GROUP), Place(GROUP), chat_id=GROUP, x=Side(WHO), o=Side(OTHER), **WON)
    become(connection, record.boards[0], message_id=7, reviewer=WHO)
    become(connection, record.boards[1], message_id=8, reviewer=OTHER)
    (board,) = whole(connection)["boards"]
    assert (board["chat_id"], board["message_id"], board["reviewer"]) == (GROUP, 7, "you")


def test_somebody_with_many_games_gets_all_of_them_once(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "EXPORT_PORTION", 4)
    ids, messages = [], range(1, 12)
    for number in messages:
        seats = {"x": Side(WHO)} if number % 2 else {"x": Side(0), "o": Side(WHO)}
        record = put(connection, Place(WHO, viewer=WHO), chat_id=WHO, **seats, **WON)
        become(connection, record.boards[0], message_id=number)
        results.add(connection, [record.game], 1000 + number // 7)
        ids.append(record.game.id)
    found = whole(connection)
    for name, key, all_of_them in (
        ("games", "id", ids),
        ("boards", "message_id", messages),
        ("results", "game_id", ids),
    ):
        assert sorted(row[key] for row in found[name]) == [*all_of_them], name


def test_an_export_does_not_bring_back_somebody_forgotten_meanwhile(connection: Connection) -> None:
    _, notice = outbox.ask(connection, WANTED)
    connection.execute(delete(OUTBOX))
    with pytest.raises(NotWanted):
        exports.portion(connection, notice=notice, section="games", after=None)
    outbox.done(connection, notice, message_id=7, keep=60)
    assert forgotten.people(connection) == set()


def test_nobody_learns_from_their_export_whether_somebody_hears_of_them(connection: Connection) -> None:
    told = Notice(0, NoticeKind.BEATEN, None, None, OTHER, None, None, 0, subject=WHO)
    for notice in (told, told._replace(chat_id=WHO, subject=OTHER), told._replace(chat_id=GROUP)):
        outbox.add(connection, notice)
    told_of = [row["chat_id"] for row in whole(connection)["outbox"] if row["kind"] is NoticeKind.BEATEN]
    assert told_of == ["our private chat", GROUP]


def test_an_unknown_administrator_is_called_so() -> None:
    told = exports.described(GAMES, {"ended_by": ADMINISTRATOR, "x_seat": ADMINISTRATOR - 1, "o_seat": 0}, WHO)
    assert told == {"ended_by": "an administrator", "x_seat": "somebody who left", "o_seat": "the computer"}
