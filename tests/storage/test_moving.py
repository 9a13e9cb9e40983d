"""Boards and their messages: sent, found, lost, moved down, and passed on to the next game."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, Engine

from engine import Mark
from storage.games import boards, games, lookups
from storage.games.changes import ChangeRequest, change_games
from storage.games.game import Termination
from storage.games.record import NEVER, Board, Changed, Decision, Record
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
    pass_on,
    play,
    put,
    put_board,
    read,
    settle,
    stored_board,
    stored_boards,
)

TWO_PEOPLE = {"o_seat": BOB, "names": {ANN: "Ann", BOB: "Bob"}, "o_level": None}


def moving(connection: Connection) -> tuple[Record, Board, Board]:
    """A game whose board 900 is moving down: the old board, and the new one, which has no message yet."""
    record = put(connection, HALL, chat_id=GROUP)
    old = become(connection, record.boards[0], message_id=900, shown=1)
    record = games.load(connection, record.game.id)
    new = boards.move_down(connection, record, old, None).board
    return games.load(connection, record.game.id), old, new


def games_of_messages(connection: Connection, *message_ids: int) -> list[int | None]:
    """The games that the group's messages belong to."""
    found = [lookups.on_message(connection, GROUP, message_id) for message_id in message_ids]
    return [record and record.game.id for record in found]


# A board gets its message.


def test_a_board_that_was_sent_has_its_message_and_shows_what_was_sent(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection)
        assert settle(connection, board, 900)
        assert stored_board(connection, board) == board._replace(message_id=900, shown=1)


def test_a_board_that_has_changed_since_it_was_sent_still_lags(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection)
        newer = become(connection, board, wanted=2)
        assert settle(connection, board, 900)
        assert stored_board(connection, board) == newer._replace(message_id=900)


def test_settling_can_be_repeated(engine: Engine) -> None:
    """The answer to a commit may be lost; a second False would get the only board deleted."""
    with engine.begin() as connection:
        board = put_board(connection)
        assert settle(connection, board, 900)
        once = stored_board(connection, board)
        assert settle(connection, board, 900)
        assert stored_board(connection, board) == once


def test_a_board_that_has_another_message_does_not_settle(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection)
        settle(connection, board, 899)
        theirs = stored_board(connection, board)
        assert not settle(connection, board, 900)
        assert stored_board(connection, board) == theirs


def test_a_board_that_is_gone_does_not_settle(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection)
        boards.remove(connection, board)
        assert not settle(connection, board, 900)


# An unknown message turns up.


def test_a_newer_message_that_is_tapped_becomes_the_board_and_the_older_is_known(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, HALL, message_id=900, wanted=3, shown=3)
        for _ in range(2):  # every job may run twice
            assert boards.adopt(connection, board, 901)
            assert stored_board(connection, board) == board._replace(message_id=901)
            assert games_of_messages(connection, 900, 901, 902) == [board.game_id, board.game_id, None]


def test_a_message_becomes_the_board_that_had_none(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection)
        assert boards.adopt(connection, board, 900)
        assert stored_board(connection, board) == board._replace(message_id=900)


def test_a_message_that_a_board_has_left_is_not_adopted(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, message_id=900)
        newer = become(connection, board, message_id=901)
        assert not boards.adopt(connection, board, 900)
        assert stored_board(connection, board) == newer


def test_a_found_message_lets_the_board_go_that_it_replaces(engine: Engine) -> None:
    with engine.begin() as connection:
        _, old, new = moving(connection)
        for _ in range(2):
            assert boards.adopt(connection, new, 901)
            left, found = stored_boards(connection, new.game_id or 0)
            assert (left.id, left.leaving, left.wanted) == (old.id, True, old.wanted + 1)
            assert (found.message_id, found.replaces, found.leaving) == (901, None, False)


# A board moves down.


def test_a_board_that_moves_down_keeps_its_message_until_the_new_one_is_there(engine: Engine) -> None:
    with engine.begin() as connection:
        record, old, new = moving(connection)
        assert record.boards == (old, new)
        assert (new.replaces, new.message_id, new.wanted, new.shown) == (old.id, None, 1, 0)
        assert new.place == HALL._replace(thread_id=None)
        assert not old.leaving
        assert not old.is_lagging
        assert settle(connection, new, 901)
        left, there = stored_boards(connection, record.game.id)
        assert there == new._replace(message_id=901, shown=1, replaces=None)
        assert (left.leaving, left.message_id, left.wanted, left.shown, left.claims) == (True, 900, 2, 1, 0)
        assert left.look_at <= int(time.time())


def test_that_a_new_board_has_its_message_can_be_stored_twice(engine: Engine) -> None:
    with engine.begin() as connection:
        record, _old, new = moving(connection)
        assert settle(connection, new, 901)
        once = stored_boards(connection, record.game.id)
        assert settle(connection, new, 901)
        assert stored_boards(connection, record.game.id) == once
        boards.remove(connection, once[0])
        assert settle(connection, new, 901)
        assert stored_boards(connection, record.game.id) == once[1:]
        assert games_of_messages(connection, 900, 901) == [record.game.id] * 2


def test_a_second_new_message_of_a_board_sends_the_old_board_away_only_once(engine: Engine) -> None:
    """Two processes may both have sent it; the slower one deletes its own."""
    with engine.begin() as connection:
        record, _old, new = moving(connection)
        assert settle(connection, new, 901)
        once = stored_boards(connection, record.game.id)
        assert not settle(connection, new, 902)
        assert stored_boards(connection, record.game.id) == once


def test_a_move_that_is_asked_for_again_before_the_new_message_is_there_moves_no_further(engine: Engine) -> None:
    with engine.begin() as connection:
        record, old, new = moving(connection)
        again = boards.move_down(connection, record, old, 8)
        assert again.before == new
        assert again.board == new._replace(wanted=2, thread_id=8, look_at=again.board.look_at)
        assert stored_boards(connection, record.game.id) == (old, again.board)
        third = boards.move_down(connection, games.load(connection, record.game.id), again.board, 9)
        assert stored_boards(connection, record.game.id) == (old, third.board)
        assert (third.board.wanted, third.board.thread_id, third.board.replaces) == (3, 9, old.id)


def test_a_board_that_was_never_sent_is_sent_where_it_is_asked_for(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HALL, chat_id=GROUP)
        raised = boards.move_down(connection, record, record.boards[0], 5)
        assert stored_boards(connection, record.game.id) == (raised.board,)
        assert (raised.board.thread_id, raised.board.wanted) == (5, 2)


def test_one_of_two_boards_moves_down_and_the_other_stays(engine: Engine) -> None:
    with engine.begin() as connection:
        record = put(connection, HOME, BOBS, **TWO_PEOPLE)
        ann, bob = (
            become(connection, board, message_id=900 + n, shown=1) for n, board in enumerate(record.boards)
        )
        new = boards.move_down(connection, games.load(connection, record.game.id), bob, None).board
        assert (new.place, new.replaces) == (BOBS, bob.id)
        assert settle(connection, new, 950)
        assert stored_board(connection, ann) == ann


async def test_a_change_reaches_the_old_board_too_as_long_as_it_is_there(store: Store) -> None:
    record, old, new = await store.run(moving)
    changed = await store.change(record.game.id, play("4"))
    assert {board.id: board.wanted for board in changed.record.boards} == {old.id: 2, new.id: 2}
    assert changed.record == await read(store, record.game.id)


# A message is lost.


def test_a_board_whose_message_is_gone_is_asked_for_again(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, HALL, message_id=900, wanted=3, shown=2)
        raised = boards.lose_message(connection, board)
        assert raised is not None
        assert (raised.board.message_id, raised.board.wanted, raised.board.place) == (None, 4, HALL)
        assert stored_board(connection, board) == raised.board
        assert settle(connection, raised.board, 901)
        assert stored_board(connection, board) == raised.board._replace(message_id=901, shown=4)


def test_that_a_message_is_gone_is_of_no_interest_once_there_is_another(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, message_id=900)
        newer = become(connection, board, message_id=901)
        assert boards.lose_message(connection, board) is None
        assert stored_board(connection, board) == newer


def test_a_lost_message_is_asked_for_once_however_often_it_is_lost(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, message_id=900)
        raised = boards.lose_message(connection, board)
        assert raised is not None
        assert boards.lose_message(connection, board) is None
        assert stored_board(connection, board) == raised.board
        assert raised.board.is_lagging  # and so the sweep comes to it


def test_a_board_that_has_been_left_is_not_sent_again(engine: Engine) -> None:
    with engine.begin() as connection:
        board = put_board(connection, message_id=900, leaving=True, wanted=2)
        assert boards.lose_message(connection, board) is None
        assert stored_board(connection, board) == board


def test_a_board_that_is_lost_while_it_moves_down_is_not_sent_twice(engine: Engine) -> None:
    with engine.begin() as connection:
        record, old, new = moving(connection)
        for _ in range(2):
            assert boards.lose_message(connection, old) is None
            assert stored_boards(connection, record.game.id) == (new,)
        assert settle(connection, new, 901)
        assert stored_boards(connection, record.game.id) == (new._replace(message_id=901, shown=1, replaces=None),)


# A move down fails for good.


def test_a_replacement_that_is_given_up_lets_the_old_board_stay(engine: Engine) -> None:
    with engine.begin() as connection:
        record, old, new = moving(connection)
        for wanted in (2, 3):  # every job may run twice
            boards.give_up(connection, new)
            (stays,) = stored_boards(connection, record.game.id)
            assert (stays.id, stays.message_id, stays.leaving, stays.wanted) == (old.id, 900, False, wanted)
            assert stays.is_lagging  # so that it shows the newest state, whatever was delayed meanwhile
            assert stays.look_at <= int(time.time())


def test_a_replacement_that_has_its_message_by_now_is_not_forgotten(engine: Engine) -> None:
    with engine.begin() as connection:
        record, _old, new = moving(connection)
        settle(connection, new, 901)
        boards.give_up(connection, new)
        left, there = stored_boards(connection, record.game.id)
        assert left.leaving
        assert (there.id, there.message_id, there.leaving) == (new.id, 901, False)


def test_a_replacement_of_a_board_that_is_lost_is_kept_as_the_games_board(engine: Engine) -> None:
    """Without a board, the game could never be found in its chat again."""
    with engine.begin() as connection:
        record, old, new = moving(connection)
        boards.lose_message(connection, old)
        boards.give_up(connection, new)
        assert stored_boards(connection, record.game.id) == (new._replace(look_at=NEVER),)


# A game hands its boards to the next.


def finished(connection: Connection, *places: object, **values: object) -> Record:
    won = {"moves": "02468", "termination": Termination.LINE, "winner": Mark.X}
    return put(connection, *places, **TWO_PEOPLE, **won, **values)  # type: ignore[arg-type] # places are places


FOLLOWING = NEW._replace(x_seat=BOB, o_seat=ANN, o_level=None, o_wins=1)


def test_the_next_game_has_boards_of_its_own_where_the_last_one_has_its(engine: Engine) -> None:
    with engine.begin() as connection:
        record = finished(connection, HOME, BOBS)
        last, following = pass_on(connection, record, FOLLOWING)
        assert last == record
        assert [board.place for board in following.boards] == [HOME, BOBS]
        assert [(board.message_id, board.wanted, board.shown) for board in following.boards] == [(None, 1, 0)] * 2
        assert games.load(connection, record.game.id) == record
        assert games.load(connection, following.game.id) == following


def test_an_inline_board_passes_on_to_the_next_game(engine: Engine) -> None:
    with engine.begin() as connection:
        record = finished(connection, INLINE, chat_id=None)
        (board,) = record.boards
        last, following = pass_on(connection, record, FOLLOWING._replace(chat_id=None))
        (passed,) = following.boards
        assert last.boards == ()
        assert passed == board._replace(game_id=following.game.id, wanted=2, timed_from=2, look_at=passed.look_at)
        assert games.load(connection, record.game.id).boards == ()
        assert games.load(connection, following.game.id) == following


def test_a_board_that_is_moving_down_is_followed_by_one_board(engine: Engine) -> None:
    with engine.begin() as connection:
        record, _old, new = moving(connection)
        _, following = pass_on(connection, record, FOLLOWING._replace(chat_id=GROUP))
        assert len(following.boards) == 1
        settle(connection, new, 901)
        settled = games.load(connection, record.game.id)
        _, another = pass_on(connection, settled, FOLLOWING._replace(chat_id=GROUP))
        assert [board.place for board in another.boards] == [HALL._replace(thread_id=None)]


async def again(store: Store, game_id: int) -> tuple[Record, Record, Sequence[int]]:
    """Start a game's next one; returns both, and the boards that were there before."""
    changed = await store.change(
        game_id,
        lambda found: Decision(
            found.game._replace(offer=None), None, following=FOLLOWING._replace(chat_id=found.game.chat_id)
        ),
    )
    assert changed.following is not None
    return changed.record, changed.following, list(changed.before)


async def test_a_game_knows_the_one_that_follows_it(store: Store) -> None:
    record = await store.run(lambda connection: finished(connection, HOME, BOBS))
    last, following, before = await again(store, record.game.id)
    assert last.game.next_game == following.game.id
    assert last == await read(store, record.game.id)
    assert following == await read(store, following.game.id)
    assert before == [board.id for board in record.boards]
    assert [board.wanted for board in last.boards] == [2, 2]  # they lead to the next game


def test_games_that_are_followed_at_the_same_time_have_each_the_next_of_its_own(engine: Engine) -> None:
    """The second request for a rematch finds the next game stored."""
    with engine.begin() as connection:
        people = [
            finished(connection, HOME, BOBS),
            finished(connection, INLINE, chat_id=None),
            finished(connection, BOBS),
        ]
        seen: list[int | None] = []

        def follow(found: Record) -> Decision[None]:
            seen.append(found.game.next_game)
            if found.game.next_game is not None:
                return Decision(found.game, None)
            return Decision(
                found.game._replace(offer=None), None, following=FOLLOWING._replace(x_wins=found.game.id)
            )

        wishes = [ChangeRequest(record.game.id, follow) for record in (*people, people[1])]
        results = [result for result in change_games(connection, wishes) if isinstance(result, Changed)]
        begun = [result.following for result in results[:3] if result.following is not None]
        assert seen == [None, None, None, begun[1].game.id]
        assert results[3].following is None
        for record, result, following in zip(people, results[:3], begun, strict=True):
            assert following.game.x_wins == record.game.id
            assert result.record.game.next_game == following.game.id
            assert games.load(connection, following.game.id) == following
            assert games.load(connection, record.game.id) == result.record
        places = [[board.place for board in following.boards] for following in begun]
        assert places == [[HOME, BOBS], [INLINE], [BOBS]]


async def test_in_one_change_an_inline_board_is_raised_once_and_shows_the_next_game(store: Store) -> None:
    record = await store.run(lambda connection: finished(connection, INLINE, chat_id=None))
    last, following, before = await again(store, record.game.id)
    assert last.boards == ()
    assert [(board.id, board.wanted) for board in following.boards] == [(record.boards[0].id, 2)]
    assert before == [record.boards[0].id]
    assert last == await read(store, record.game.id)
    assert following == await read(store, following.game.id)


async def test_a_next_game_that_cannot_be_stored_changes_nothing(store: Store) -> None:
    record = await store.run(lambda connection: finished(connection, INLINE, chat_id=None))
    await add(store, update_id=5)
    taken = FOLLOWING._replace(update_id=5)
    with pytest.raises(Exception, match=r"(?i)unique"):
        await store.change(
            record.game.id, lambda found: Decision(found.game._replace(offer=None), None, following=taken)
        )
    assert await read(store, record.game.id) == record
