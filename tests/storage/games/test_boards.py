"""Versions of boards in the database: stored, confirmed, held, and claimed by the sweep."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from functools import partial

import pytest
from sqlalchemy import URL, Connection, Engine, event, func, select, text

from storage.database import connect
from storage.errors import ConcurrentChange, CorruptGame
from storage.games import boards, games, versions
from storage.games.record import NEVER, WHOLE, Board, Page, Place
from storage.games.versions import CLAIM_SECONDS, GRACE_SECONDS, Call
from storage.schema import BOARDS, MESSAGES
from storage.store import Store
from tests.storage.examples import (
    ANN,
    BOB,
    BOBS,
    GROUP,
    HALL,
    HOME,
    INLINE,
    NEW,
    add,
    become,
    put,
    put_board,
    stored_board,
)

NOW = int(time.time())
EARLIER = NOW - 30


@pytest.fixture(autouse=True)
def _no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: float(NOW))


def claim(connection: Connection, now: int = EARLIER, limit: int = 100) -> Sequence[Board]:
    sound, _broken = versions.claim_lagging(connection, now=now, limit=limit)
    return [board for board, _record in sound]


def claimed(connection: Connection, now: int = EARLIER, limit: int = 100) -> list[int]:
    return [board.id for board in claim(connection, now, limit)]


def confirm(connection: Connection, shown: Mapping[Board, int], *overdue: Call) -> Sequence[Call]:
    """Write back which versions boards show, and overdue calls; returns those that couldn't be written."""
    return versions.confirm(connection, {board.id: version for board, version in shown.items()}, overdue)


# New boards, and the place of each.


def test_comments_come_in_other_words_than_in_ones_last_game_in_that_chat(engine: Engine) -> None:
    with engine.begin() as connection:
        said: dict[tuple[int, int], list[int]] = {}
        for key in [(ANN, GROUP), (BOB, GROUP), (ANN, ANN), (ANN, GROUP), (ANN, ANN)] * 2:
            game = put(connection, HOME, chat_id=key[1], x_seat=0, o_seat=key[0]).game
            said.setdefault(key, []).append(game.wordings)
        assert said == {(ANN, GROUP): [0, 1, 0, 1], (BOB, GROUP): [0, 1], (ANN, ANN): [0, 1, 0, 1]}
        first = put(connection, HOME)
        latest = put(connection, HOME).game
        ((_, again),) = boards.pass_on(connection, [(first, NEW)])
        assert again.game.wordings == first.game.wordings == 1 - latest.wordings
        unknown = put(connection, INLINE, chat_id=None)
        ((_, again),) = boards.pass_on(connection, [(unknown, unknown.game)])
        assert again.game.wordings == 1 - unknown.game.wordings


def test_a_new_game_has_a_board_in_each_place_owned_by_the_process_that_stored_it(engine: Engine) -> None:
    now = int(time.time())
    with engine.begin() as connection:
        record = boards.add(connection, NEW._replace(chat_id=None), [HOME, BOBS, INLINE])
        assert games.load(connection, record.game.id) == record
    assert [board.place for board in record.boards] == [HOME, BOBS, INLINE]
    for board in record.boards:
        assert (board.game_id, board.message_id, board.replaces) == (record.game.id, None, None)
        assert (board.wanted, board.shown, board.claims, board.leaving) == (1, 0, 0, False)
        assert board.is_lagging
        assert 0 <= board.look_at - now - GRACE_SECONDS <= 5


# New versions: each has one owner.


def test_a_board_is_stored_with_its_next_version_and_no_claims(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=4, shown=4, claims=2)
        raised = versions.next_version(board, 1000)
        assert raised == board._replace(wanted=5, look_at=1000 + GRACE_SECONDS, claims=0)
        versions.store_many(connection, [(raised, board)])
        assert stored_board(connection, board) == raised


def test_a_version_that_somebody_has_stored_meanwhile_is_not_owned_twice(engine: Engine) -> None:
    with engine.begin() as connection:
        one, other = put_board(connection), put_board(connection)
        versions.store_many(connection, [(theirs := versions.next_version(one, 1000), one)])
    late = [(versions.next_version(other, 2000), other), (versions.next_version(one, 2000), one)]
    with pytest.raises(ConcurrentChange), engine.begin() as connection:
        versions.store_many(connection, late)
    with engine.begin() as connection:
        assert stored_board(connection, one) == theirs
        assert stored_board(connection, other) == other


def test_raising_no_board_writes_nothing(engine: Engine) -> None:
    executed: list[str] = []
    with engine.begin() as connection:
        event.listen(connection, "before_cursor_execute", lambda *told: executed.append(told[2]))
        versions.store_many(connection, [])
        assert executed == []
        versions.store_many(
            connection, [(versions.next_version(put_board(connection), 1000), put_board(connection))]
        )
    assert executed, "writing is visible"


def test_a_board_is_shown_again_as_its_next_version_with_its_game_as_it_is(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME, HALL)
        board, other = record.boards
        raised = versions.store_next(connection, board.id)
        assert raised is not None
        assert raised.before == board
        assert (raised.board.wanted, raised.record) == (2, record)
        assert stored_board(connection, board) == raised.board
        assert stored_board(connection, other) == other


@pytest.mark.parametrize(("wanted", "done"), [(1, False), (2, True), (3, False)])
def test_a_board_is_shown_again_only_if_it_is_still_the_version_that_was_meant(
    engine: Engine, wanted: int, *, done: bool
) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=2)
        assert (versions.store_next(connection, board.id, wanted) is not None) == done
        stored = stored_board(connection, board)
        assert stored is not None
        assert stored.wanted == (3 if done else 2)


def test_a_board_that_is_gone_or_of_a_corrupt_game_is_not_shown_again(engine: Engine) -> None:
    with engine.begin() as connection:
        (broken,) = put(connection, HOME, moves="00").boards
        assert versions.store_next(connection, broken.id) is None
        assert versions.store_next(connection, broken.id + 1) is None
        assert connection.exec_driver_sql("SELECT wanted FROM boards").scalar() == 1


def test_boards_are_shown_again_together_and_each_once_however_often_it_is_asked_for(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME, HALL)
        first, second = record.boards
        (broken,) = put(connection, HOME, moves="00").boards
        newer = put_board(connection, wanted=7)
        asked = [
            versions.Again(first.id, 1),
            versions.Again(second.id, 2),
            versions.Again(broken.id),
            versions.Again(newer.id),
            versions.Again(first.id),
            versions.Again(10**6),
            versions.Again(first.id, 0),
        ]
        executed: list[str] = []
        event.listen(connection, "before_cursor_execute", lambda *told: executed.append(told[2]))
        stored = versions.store_each(connection, asked)
        assert [each and (each.board.id, each.board.wanted) for each in stored] == [
            None,
            None,
            None,
            (newer.id, 8),
            (first.id, 2),
            None,
            None,
        ]
        assert sum(statement.startswith("UPDATE") for statement in executed) == 1
        assert stored_board(connection, second) == second
        for each in stored:
            assert each is None or stored_board(connection, each.board) == each.board


def test_a_board_turns_to_another_page_as_its_next_version_and_the_others_stay(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME, HALL)
        board, other = record.boards
        for number, page in enumerate((Page(region=4, opened_version=1), WHOLE), 2):
            raised = boards.turn(connection, record, board, page)
            assert (raised.board.wanted, raised.board.page, raised.before) == (number, page, board)
            assert stored_board(connection, board) == raised.board
            assert stored_board(connection, other) == other
            board = raised.board
        with pytest.raises(ConcurrentChange):
            boards.turn(connection, record, record.boards[0], Page(region=8, opened_version=1))


# Confirming: a compare-and-set.


def test_what_is_shown_is_confirmed_where_it_is_the_newest_version(engine: Engine) -> None:
    with engine.begin() as connection:
        current, lagging, untouched = (put_board(connection, wanted=5) for _ in range(3))
        for _ in range(2):  # every job may run twice
            assert confirm(connection, {current: 5, lagging: 4}) == []
            stored = [stored_board(connection, board) for board in (current, lagging, untouched)]
            assert stored == [current._replace(shown=5), lagging, untouched]


@pytest.mark.parametrize("contested", [False, True])
def test_the_time_runs_from_the_first_version_shown_with_the_position_whatever_was_stored_since(
    engine: Engine, *, contested: bool
) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=9, shown=5, timed_from=7)

        def see(version: int) -> int | None:
            shown = {board.id: version}
            versions.confirm(connection, {} if contested else shown, (), contested=shown if contested else {})
            found: int | None = connection.execute(select(BOARDS.c.shown_at)).scalar_one()
            return found

        assert see(6) is None, "that was before the move"
        assert see(8) is not None
        first = connection.execute(select(BOARDS.c.shown_at)).scalars().all()
        after = versions.next_version(board, 1000)
        versions.store_many(connection, [(after, board)])
        assert connection.execute(select(BOARDS.c.shown_at)).scalars().all() == first, "loaded before it was shown"
        versions.store_many(connection, [(versions.next_version(after, 1000).timed_anew(), after)])
        assert see(10) is None, "it was shown with the position before"


def test_an_older_edit_does_not_take_back_what_is_confirmed(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=5, shown=5)
        assert confirm(connection, {board: 3}) == []
        assert stored_board(connection, board) == board


def test_a_version_is_confirmed_while_an_older_call_for_its_board_is_overdue_and_the_board_still_lags(
    engine: Engine,
) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=5, shown=3)
        assert confirm(connection, {board: 5}, Call(board.id, 4)) == []
        stored = stored_board(connection, board)
        assert stored is not None
        assert (stored.shown, stored.wanted) == (5, 6)


@pytest.mark.parametrize(
    ("wanted", "so_far", "lags_again"),
    [
        (6, 6, True),  # another process has stored a newer version and confirmed it
        (6, 4, True),  # or is about to
        (5, 5, False),  # ours is the newest, so nobody has an edit of a newer one
        (5, 4, False),
    ],
)
def test_an_overdue_call_lets_the_board_lag_where_something_newer_may_count_as_shown(
    engine: Engine, wanted: int, so_far: int, *, lags_again: bool
) -> None:
    """It may have landed after another process's newer edit, whose answer was a success."""
    with engine.begin() as connection:
        board = put_board(connection, wanted=wanted, shown=so_far, claims=2, look_at=2**40)
        other = put_board(connection, wanted=9, shown=9)
        assert confirm(connection, {}, Call(board.id, 5)) == []
        stored = stored_board(connection, board)
        assert stored is not None
        if lags_again:
            assert stored.is_lagging
            assert (stored.wanted, stored.claims) == (wanted + 1, 0)
            assert stored.look_at <= int(time.time())
        else:
            assert stored == board
        assert stored_board(connection, other) == other


def test_the_owner_of_the_newest_version_does_not_undo_that_mark(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=6, shown=4)
        confirm(connection, {}, Call(board.id, 5))
        confirm(connection, {board: 6})
        lagging = stored_board(connection, board)
        assert lagging is not None
        assert lagging.is_lagging


def test_what_is_known_of_a_board_that_is_gone_is_given_back(engine: Engine) -> None:
    with engine.begin() as connection:
        board, there = put_board(connection), put_board(connection)
        boards.remove(connection, board)
        gone = Call(board.id, 1)
        assert confirm(connection, {there: 1}, gone) == [gone]


def test_a_confirmation_skips_what_another_transaction_holds_and_gives_it_back(postgresql: URL) -> None:
    engine = connect(postgresql, connections=2)
    with engine.begin() as connection:
        held, free = put_board(connection, wanted=2), put_board(connection, wanted=2)
    with engine.begin() as one, engine.begin() as other:
        versions.store_many(one, [(theirs := versions.next_version(held, 1000), held)])
        assert confirm(other, {free: 2}, Call(held.id, 2)) == [Call(held.id, 2)]
    with engine.begin() as connection:
        assert stored_board(connection, held) == theirs
        assert stored_board(connection, free) == free._replace(shown=2)
    engine.dispose()


# Holding: other processes don't sweep what waits in this one.


def test_a_held_board_is_not_taken_up_until_the_hold_has_ended(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=2, look_at=EARLIER)
        assert versions.hold(connection, {board.id: 2}, EARLIER) == [board.id]
        assert claimed(connection, EARLIER + GRACE_SECONDS - 1) == []
        assert claimed(connection, EARLIER + GRACE_SECONDS) == [board.id]


def test_a_board_that_has_a_newer_version_is_not_held_any_more(engine: Engine) -> None:
    with engine.begin() as connection:
        ours, theirs = put_board(connection, wanted=2), put_board(connection, wanted=3, look_at=EARLIER)
        assert versions.hold(connection, {ours.id: 2, theirs.id: 2, ours.id + 99: 1}, EARLIER + 5) == [ours.id]
        assert stored_board(connection, theirs) == theirs


def test_holding_nothing_is_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        put_board(connection)
        assert list(versions.hold(connection, {}, EARLIER)) == []


def test_a_hold_on_a_claimed_board_lets_the_second_claim_come_no_sooner(engine: Engine) -> None:
    """The second claim is confirmed because no edit can be under way any more, however short the holds are."""
    with engine.begin() as connection:
        board = put_board(connection, look_at=EARLIER)
        (taken,) = claim(connection)
        for wait in (1, 6):
            assert versions.hold(connection, {board.id: taken.wanted}, EARLIER + wait) == [board.id]
        assert claimed(connection, EARLIER + 6 + CLAIM_SECONDS - 1) == []
        assert claimed(connection, EARLIER + 6 + CLAIM_SECONDS) == [board.id]


# The sweep.


def test_a_sweep_takes_up_what_lags_and_is_due_as_its_next_version(engine: Engine) -> None:
    now = EARLIER
    with engine.begin() as connection:
        put_board(connection, wanted=2, shown=2, look_at=now)
        waiting = put_board(connection, wanted=2, shown=1, look_at=now + 1)
        later = put_board(connection, wanted=2, shown=1, look_at=now)
        first = put_board(connection, wanted=7, shown=1, look_at=now - 9)
        taken = claim(connection)
        assert {board.id: board.wanted for board in taken} == {first.id: 8, later.id: 3}
        assert {(board.claims, board.look_at) for board in taken} == {(1, now + CLAIM_SECONDS)}
        assert [stored_board(connection, board) for board in taken] == list(taken)
        assert stored_board(connection, waiting) == waiting
        assert claimed(connection) == []


def test_a_claimed_board_comes_with_its_game_and_all_its_boards(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME, BOBS, o_seat=BOB, o_level=None)
        become(connection, record.boards[1], look_at=EARLIER)
        ((board, found),), broken = versions.claim_lagging(connection, now=EARLIER, limit=9)
        assert found == games.load(connection, record.game.id)
        assert board == found.boards[1]
        assert list(broken) == []


def test_a_board_that_is_not_confirmed_is_taken_up_a_second_time_so_much_later(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, look_at=EARLIER)
        (first,) = claim(connection)
        assert claimed(connection, EARLIER + CLAIM_SECONDS - 1) == []
        (second,) = claim(connection, EARLIER + CLAIM_SECONDS)
        assert [(taken.wanted, taken.claims) for taken in (first, second)] == [(2, 1), (3, 2)]
        assert second.look_at == EARLIER + 2 * CLAIM_SECONDS
        confirm(connection, {second: 3})
        assert claimed(connection, 2**40) == []
        assert stored_board(connection, board) == second._replace(shown=3)


def test_the_second_claim_comes_longer_after_the_first_than_any_edit_can_be_under_way() -> None:
    """An edit may start when a grace period ends, wait 20 s for its answer, and Telegram may stall for 8 s."""
    assert CLAIM_SECONDS > GRACE_SECONDS + 20 + 8


def test_a_change_between_two_claims_starts_them_again(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, look_at=EARLIER)
        (first,) = claim(connection)
        versions.store_many(connection, [(versions.next_version(first, EARLIER + 1), first)])
        assert claimed(connection, EARLIER + GRACE_SECONDS) == []  # one second before its grace ends
        (again,) = claim(connection, EARLIER + 1 + GRACE_SECONDS)
        assert (again.id, again.claims) == (board.id, 1)


def test_a_board_of_a_game_that_cannot_be_read_is_told_apart(engine: Engine) -> None:
    with engine.begin() as connection:
        (broken,) = put(connection, HOME, moves="00").boards
        become(connection, broken, look_at=EARLIER)
        sound = put_board(connection, look_at=EARLIER)
        ((found, _),), ((board, error),) = versions.claim_lagging(connection, now=EARLIER, limit=9)
        assert found.id == sound.id
        assert board.id == broken.id
        assert isinstance(error, CorruptGame)
        boards.close(connection, board)
        assert versions.claim_lagging(connection, now=2**40, limit=9)[1] == []


def test_a_sweep_takes_up_no_more_than_it_is_allowed_to_longest_waiting_first(engine: Engine) -> None:
    with engine.begin() as connection:
        ids = [put_board(connection, look_at=EARLIER - wait).id for wait in range(5)]
        assert sorted(claimed(connection, limit=2)) == ids[3:]
        assert sorted(claimed(connection, limit=2)) == ids[1:3]


async def test_two_stores_that_sweep_together_take_up_each_board_once(store: Store, other_store: Store) -> None:
    ids = [(await add(store, HALL, chat_id=GROUP)).boards[0].id for _ in range(60)]
    sweeps = [taker.run(partial(claimed, now=2**40, limit=7)) for _ in range(6) for taker in (store, other_store)]
    taken = [board_id for sweep in await asyncio.gather(*sweeps) for board_id in sweep]
    assert len(taken) == len(set(taken))
    assert set(taken) == set(ids)


def test_a_sweep_does_not_wait_for_what_another_is_taking_up(postgresql: URL) -> None:
    engine = connect(postgresql, connections=2)
    with engine.begin() as connection:
        ids = [put_board(connection, look_at=EARLIER).id for _ in range(4)]
    with engine.begin() as one, engine.begin() as other:
        for way in ("hashjoin", "mergejoin", "hashagg", "sort", "material"):
            one.execute(text(f"SET LOCAL enable_{way} TO off"))  # so plans a server that has seen the table empty
        taken = claimed(one, limit=2)
        rest = claimed(other, limit=4)
    engine.dispose()
    assert len(taken) == len(rest) == 2
    assert sorted([*taken, *rest]) == ids


# How boards end.


def test_a_removed_board_is_forgotten_and_its_message_known_as_the_games(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME, INLINE)
        board = become(connection, record.boards[0], message_id=900)
        for _ in range(2):  # every job may run twice
            boards.remove(connection, board)
            assert games.load(connection, record.game.id).boards == record.boards[1:]
            rows = connection.exec_driver_sql("SELECT chat_id, message_id, game_id FROM messages").all()
            assert [tuple(row) for row in rows] == [(HOME.chat_id, 900, record.game.id)]
        boards.remove(connection, record.boards[1])
        assert games.load(connection, record.game.id).boards == ()


def test_a_board_without_its_topic_goes_to_the_chat_itself(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, HALL)
        assert board.thread_id == 3
        boards.leave_topic(connection, board)
        assert stored_board(connection, board) == board._replace(thread_id=None)


def test_a_board_that_is_given_up_is_unreachable_until_it_changes_again(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=3, shown=1, look_at=EARLIER)
        for _ in range(2):
            boards.give_up(connection, board)
            assert stored_board(connection, board) == board._replace(look_at=NEVER)
        assert board._replace(look_at=NEVER).is_unreachable
        assert claimed(connection, 2**40) == []
        raised = versions.store_next(connection, board.id)
        assert raised is not None
        assert raised.board.is_lagging
        assert not raised.board.is_unreachable


def test_unreachable_boards_lag_again_in_the_chat_that_is_heard_from_and_no_other(engine: Engine) -> None:
    with engine.begin() as connection:
        here, elsewhere = put_board(connection, HALL), put_board(connection, HOME)
        for board in (here, elsewhere):
            boards.give_up(connection, board)
        versions.lag_again(connection, HALL.chat_id or 0)
        assert claimed(connection, int(time.time())) == [here.id]
        assert stored_board(connection, elsewhere) == elsewhere._replace(look_at=NEVER)


def test_a_board_whose_message_is_gone_for_good_is_no_longer_shown(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=3, shown=1, look_at=EARLIER)
        boards.close(connection, board)
        assert stored_board(connection, board) == board._replace(shown=3)


def test_a_look_that_was_put_off_before_the_clock_was_set_back_is_due(engine: Engine) -> None:
    with engine.begin() as connection:
        now = int(time.time()) - 2 * 3600
        board = put_board(connection)
        assert claimed(connection, now) == [board.id]


def test_giving_up_does_not_take_a_newer_version_away(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, wanted=3, shown=1)
        raised = versions.store_next(connection, board.id)
        boards.give_up(connection, board)
        assert raised is not None
        assert stored_board(connection, board) == raised.board


def test_a_place_holds_what_another_board_of_its_kind_needs(engine: Engine) -> None:
    place = Place(chat_id=BOB, thread_id=9, viewer=BOB, language="de")
    with engine.begin() as connection:
        assert put_board(connection, place).place == place


async def test_a_message_of_a_game_that_is_gone_is_not_remembered(store: Store) -> None:
    def remember(connection: Connection) -> None:
        boards.remember(connection, 2**50, 7, 12345)

    await store.run(remember)
    assert await store.run(lambda connection: connection.scalar(select(func.count()).select_from(MESSAGES))) == 0
