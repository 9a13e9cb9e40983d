"""People: stored once, written only if they changed, looked up once per transaction; and their daily puzzles."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from sqlalchemy import Connection, event, select

from storage.clock import go_on
from storage.columns import DAY
from storage.games import games
from storage.games.changes import ChangeRequest
from storage.games.game import Side, is_erased
from storage.games.record import Decision, Notice, NoticeKind, Record
from storage.people import blocks, chats, people, puzzles
from storage.people.person import Person, Solving
from storage.results import results
from storage.schema import BLOCKS, PEOPLE
from tests.storage.examples import ANN, BOB, GROUP, WON, change, put
from tests.storage.people_everywhere import forget
from tests.storage.privacy.test_exports import whole

HOUR = 3600
CEM = Person(11, "Cem", "Cem_Oz", "tr")
TWO: dict[str, Any] = {"chat_id": GROUP, "o": Side(CEM.id)}


def moved(record: Record) -> Decision:
    return Decision(record.game._replace(moves=record.game.moves + "012345678"[record.game.ply]))


def moving(game_id: int, by: Person = CEM) -> ChangeRequest:
    return ChangeRequest(game_id, moved, by=by)


def test_a_person_is_written_where_they_differ_and_looked_up_once_a_transaction(connection: Connection) -> None:
    ids = [put(connection, x=Side(person), **TWO).game.id for person in (ANN, BOB, 12)]
    change(connection, ChangeRequest(ids[0], lambda record: Decision(record.game), by=CEM))
    assert people.find(connection, CEM.id) is None, "nothing has changed"
    change(connection, moving(ids[0]))
    assert people.find(connection, CEM.id) == CEM._replace(username="cem_oz")
    sent: list[str] = []
    event.listen(connection, "after_cursor_execute", lambda *told: sent.append(str(told[2])))
    change(connection, *map(moving, ids))
    (renamed,) = change(connection, moving(ids[0], CEM._replace(name="Cemal")))
    told = [statement.split()[0] for statement in sent if " people" in statement]
    assert told == ["SELECT", "SELECT", "INSERT"], "once for all three, and where there was something new"
    assert renamed.record.game.ply == 3
    assert {games.load(connection, each).game.name_of(CEM.id) for each in ids} == {"Cemal"}
    connection.execute(PEOPLE.update().values(seen_at=5))
    change(connection, moving(ids[0]))
    seen = connection.execute(select(PEOPLE.c.seen_at).where(PEOPLE.c.id == CEM.id)).scalar_one()
    assert seen > 5
    assert seen % DAY == 0, "only the day is stored"


def test_a_username_belongs_to_the_last_person_who_had_it(connection: Connection) -> None:
    people.see(connection, CEM)
    people.see(connection, Person(BOB, "Bob", "CEM_OZ"))
    assert people.find_username(connection, "Cem_oz") == BOB
    assert people.find_username(connection, "nobody_here") is None
    assert people.find(connection, CEM.id) == CEM._replace(username=None), "he has it no longer"


def test_a_challenged_person_has_the_name_that_telegram_gives_now(connection: Connection) -> None:
    """They may have a row without a name, or may have changed their name since they last acted."""
    for before in ("", "Cem"):
        people.see(connection, CEM._replace(name=before))
        for told in ("Cemal", ""):
            people.introduce(connection, Person(CEM.id, told))
            assert people.find(connection, CEM.id) == CEM._replace(name="Cemal", username="cem_oz")


def test_a_challenge_to_a_username_has_no_part_in_the_people_it_might_mean(connection: Connection) -> None:
    """Whoever reads the game learns nothing of the person, whom no race can lose: the game has the username."""
    people.see(connection, CEM)
    challenge: dict[str, Any] = {"chat_id": GROUP, "kind": "challenge", "o": Side()}
    game_id = put(connection, **challenge, rival_username="cem_oz").game.id
    change(connection, moving(game_id))
    game = games.load(connection, game_id).game
    assert (game.rival_id, game.rival_username, game.name_of(CEM.id)) == (None, "cem_oz", None)
    people.resolve_challenges(connection, CEM)
    game = games.load(connection, game_id).game
    assert (game.rival_id, game.rival_username) == (CEM.id, None), "when they ask for their data to be deleted"


# The daily puzzle (`storage/people/puzzles.py`).


BO = Person(8, "Bo")
DEE = Person(9, "Dee")


def solve(connection: Connection, person: Person, day: int, at: int = 1, wrong: int = 0) -> bool:
    solving = puzzles.load(connection, person.id, day)
    return puzzles.save(connection, person, solving._replace(solved_at=at, wrong=wrong, streak=solving.streak + 1))


def names_in(connection: Connection, chat_id: int, day: int) -> list[str]:
    return [each.name for each in puzzles.solvers(connection, chat_id, day)[0]]


def test_of_two_steps_from_the_same_version_one_counts(connection: Connection) -> None:
    for wrong in range(3):
        step = puzzles.load(connection, CEM.id, 5)._replace(wrong=wrong + 1)
        assert [puzzles.save(connection, CEM, step) for _ in "ab"] == [True, False]
    assert puzzles.load(connection, CEM.id, 5).wrong == 3


def test_a_reminder_comes_once_at_its_time_however_long_nobody_looked(connection: Connection) -> None:
    at, day = 10**9, DAY
    puzzles.remind(connection, CEM, at)
    times = (at - 1, at + 3 * day + 5, at + 3 * day + 5, at + 4 * day - 1, at + 4 * day)
    taken = [list(puzzles.take_due(connection, now=time, limit=10)) for time in times]
    assert taken == [[], [CEM.id], [], [], [CEM.id]]


@pytest.mark.parametrize("ahead", [3 * HOUR, 30 * DAY + HOUR])
@pytest.mark.parametrize("way", [1, -1])
def test_a_reminder_comes_at_its_time_of_day_after_a_clock_was_wrong_for_a_while(
    connection: Connection, ahead: int, way: int
) -> None:
    at = 10**9
    go_on(connection, at)
    puzzles.remind(connection, CEM, at + HOUR)
    for now in (at + way * ahead, at + 60):
        go_on(connection, now)
        puzzles.take_due(connection, now=now, limit=10)
    comes = at + HOUR + (DAY if way * ahead == 3 * HOUR else 0)
    assert [list(puzzles.take_due(connection, now=now, limit=10)) for now in (comes - 1, comes)] == [[], [CEM.id]]


def test_who_tried_a_puzzle_while_a_clock_was_ahead_gets_that_of_the_day_and_keeps_their_streak(
    connection: Connection,
) -> None:
    today = int(time.time()) // DAY
    assert solve(connection, CEM, today + 30, (today + 30) * DAY)
    assert puzzles.load(connection, CEM.id, today) == Solving(CEM.id, today, streak=1, version=1)


def test_days_that_a_clock_was_ahead_arent_lost_once_it_is_right(connection: Connection) -> None:
    now = int(time.time())
    day = now // DAY
    assert solve(connection, CEM, day - 1, 1)
    go_on(connection, now - DAY)
    go_on(connection, now + 30 * DAY)
    go_on(connection, now)
    assert puzzles.load(connection, CEM.id, day + 10).streak == 0


def test_a_group_lists_those_who_opened_it_there_in_order_without_people_who_hide_or_have_left(
    connection: Connection,
) -> None:
    for person, wrong, at in ((DEE, 1, 5), (CEM, 0, 20), (BO, 0, 10)):
        people.see(connection, person)
        assert solve(connection, person, 5, at, wrong)
    assert names_in(connection, GROUP, 5) == []
    for person in (CEM, BO, DEE):
        puzzles.join(connection, person, GROUP)
    assert [names_in(connection, GROUP, day) for day in (5, 6)] == [["Bo", "Cem", "Dee"], []]
    results.hide(connection, BO)
    assert names_in(connection, GROUP, 5) == ["Cem", "Dee"]
    chats.move_group(connection, old=GROUP, new=GROUP - 1)
    assert names_in(connection, GROUP - 1, 5) == ["Cem", "Dee"]
    people.leave(connection, chat_id=GROUP - 1, person=DEE.id)
    assert names_in(connection, GROUP - 1, 5) == ["Cem"]
    puzzles.join(connection, DEE, GROUP - 1)
    assert names_in(connection, GROUP - 1, 5) == ["Cem", "Dee"], "who is back there is listed again"
    played = put(connection, chat_id=GROUP - 1, x=Side(CEM.id), o=Side(DEE.id), **WON)
    results.add(connection, [played.game], 1)
    people.leave(connection, chat_id=GROUP - 1, person=DEE.id)
    assert names_in(connection, GROUP - 1, 5) == ["Cem"], "whoever has played there may leave, too"


# Blocks: how many there may be, and who may know of them.


BOTH = {ANN: Person(ANN, "Ann", "Ann_A"), BOB: Person(BOB, "Bob", "bob_b")}


def test_there_is_room_for_so_many_and_a_second_time_changes_nothing(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST_BLOCKED", 2)
    done = [blocks.add(connection, BOTH[ANN], Person(other, f"P{other}")) for other in (11, 12, 13, 11)]
    assert done == [True, True, False, True]
    assert [each.person.id for each in blocks.listed(connection, ANN)] == [11, 12]
    blocks.remove(connection, ANN, blocks.number_of(connection, ANN, 11))
    assert (blocks.has(connection, ANN, 11), blocks.has(connection, ANN, 12)) == (False, True)
    assert blocks.between(connection, [ANN, 12, 13]) == {ANN: frozenset({12}), 12: frozenset({ANN})}


def test_an_export_tells_whom_somebody_has_blocked_and_not_by_whom(connection: Connection) -> None:
    people.see(connection, BOTH[BOB])
    blocks.add(connection, BOTH[ANN], BOTH[BOB])
    put(connection, chat_id=GROUP, x=Side(BOB), o=Side(), rival_id=ANN, hushed=True)
    assert exported(connection, ANN)["blocks"] == [
        {"person": "you", "blocked": "somebody else", "blocked_name": "Bob"}
    ]
    told = exported(connection, BOB)
    assert told["blocks"] == []
    assert "hushed" not in json.dumps(told["games"])


def exported(connection: Connection, person: int) -> dict[str, list[dict[str, Any]]]:
    return whole(connection, Notice(0, NoticeKind.EXPORT, None, None, person, None, None, 0, person, person))


def test_a_block_holds_for_an_account_that_was_forgotten_until_it_is_lifted(connection: Connection) -> None:
    blocks.add(connection, BOTH[ANN], BOTH[BOB])
    blocks.add(connection, BOTH[ANN], CEM)
    ((number, _), _) = blocks.listed(connection, ANN)
    for _ in range(2):  # also of somebody who comes back and goes again
        forget(connection, BOB)
        assert blocks.has(connection, ANN, BOB)
        assert not blocks.has(connection, ANN, 12)
        assert blocks.between(connection, [BOB, ANN, 12]) == {ANN: frozenset({BOB}), BOB: frozenset({ANN})}
        ((_, known), (same, bare)) = blocks.listed(connection, ANN)
        assert (known, same, bare.name, is_erased(bare.id)) == (Person(CEM.id, "Cem"), number, "", True)
        people.see(connection, BOTH[BOB])
    blocks.add(connection, BOTH[ANN], BOTH[BOB])
    assert blocks.count(connection, ANN) == 2, "whoever is blocked again is listed once"
    forget(connection, BOB)
    blocks.remove(connection, ANN, number)
    assert not blocks.has(connection, ANN, BOB)
    forget(connection, ANN)
    assert connection.execute(BLOCKS.select()).all() == []
