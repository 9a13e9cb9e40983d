"""Boards in the database: what a new one is like, who is called to it, and the next game's.

What may happen to one in any order is in `test_boards_in_any_order`; here is what takes several games, several
connections, or words.
"""

import pytest
from sqlalchemy import Connection, event, update

from engine import Mark
from storage.errors import ConcurrentChange, CorruptGame
from storage.games import boards, games, versions
from storage.games.changes import ChangeRequest
from storage.games.game import Side
from storage.games.record import Attention, Board, Decision, Place, Record
from storage.games.versions import CLAIM_SECONDS, GRACE_SECONDS, Again
from storage.people import people
from storage.people.person import Person
from storage.schema import GAMES
from tests.storage.examples import (
    ANN,
    BOB,
    BOBS,
    GROUP,
    HALL,
    HOME,
    INLINE,
    NEW,
    TWO,
    WON,
    become,
    change,
    put,
    put_board,
    settle,
)

ENDED = {**TWO, **WON}
FOLLOWING = NEW._replace(x=Side(BOB), o=Side(ANN, wins=1))


# Versions.


def test_a_version_is_stored_only_over_the_one_that_was_loaded(connection: Connection) -> None:
    loaded = put(connection, HOME)
    (stored,) = versions.store_next(connection, loaded, 1000)
    with pytest.raises(ConcurrentChange):
        versions.store_next(connection, loaded, 1000)
    versions.store_next(connection, loaded._replace(boards=(stored.board,)), 1000)


@pytest.mark.parametrize(("shown", "begins"), [(1, False), (2, True), (3, True)])
@pytest.mark.parametrize("contested", [True, False])
def test_a_clock_begins_with_the_first_version_shown_since_the_move_even_if_it_was_overtaken(
    connection: Connection, shown: int, *, begins: bool, contested: bool
) -> None:
    """Version 2 has the move, and the game was changed twice since."""
    board = put_board(connection, HALL, wanted=4, timed_from=2, shown_at=None)
    versions.confirm(
        connection, {} if contested else {board.id: shown}, [], {board.id: shown} if contested else {}
    )
    (found,) = games.load(connection, board.game_id).boards
    assert (found.shown_at is not None) is begins
    assert found.is_lagging


def test_a_group_that_is_closed_hides_the_boards_of_its_running_games_of_two(connection: Connection) -> None:
    running, over, own = (
        put(connection, HALL, HOME, chat_id=GROUP, reminded=2, **{**TWO, **values})
        for values in ({"moves": "4"}, WON, {})
    )
    for record in (running, over, own):
        for board in record.boards:
            become(connection, board, shown=1, shown_at=7)
    versions.close_group(connection, GROUP)
    found = [games.load(connection, record.game.id) for record in (running, over, own)]
    assert [record.game.reminded for record in found] == [None, 2, 2], "who moves in the last one sees it at home"
    assert [[board.shown_at for board in record.boards] for record in found] == [[None, 7], [7, 7], [None, 7]]
    hidden = found[0].boards[0]
    assert (hidden.is_lagging, hidden.timed_from) == (True, hidden.wanted), "an edit under way shows nothing"
    connection.execute(update(GAMES).values(reminded=1))
    boards.unreachable(connection, hidden)
    assert games.load(connection, running.game.id).game.reminded == 1, "what was hidden takes no reminder back"


def test_a_board_that_another_process_has_sent_stays_although_its_first_sending_is_given_up(
    connection: Connection,
) -> None:
    """It has lost its message since, too, and the former board is still to be removed."""
    record = put(connection, HALL)
    settle(connection, record.boards[0], 5)
    record = games.load(connection, record.game.id)
    coming = boards.move_down(connection, record, record.boards[0], HALL).board
    settle(connection, coming, 6)
    boards.lost(connection, coming._replace(message_id=6))
    boards.unreachable(connection, coming)
    found = games.load(connection, record.game.id).boards
    assert [(board.id, board.leaving) for board in found] == [(record.boards[0].id, True), (coming.id, False)]


def test_a_game_that_another_process_has_brought_home_goes_on_although_its_first_sending_is_given_up(
    connection: Connection,
) -> None:
    (gone,) = put(connection, INLINE, o=Side(BOB), chat_id=None).boards
    hers, his = (each.board for each in boards.go_home(connection, gone))
    settle(connection, hers, 5)
    assert boards.go_home(connection, hers) == ()
    game, found = games.load(connection, hers.game_id)
    assert not game.is_over
    assert [board.id for board in found] == [hers.id, his.id]


def test_boards_are_shown_again_together_and_each_once_however_often_it_is_asked_for(
    connection: Connection,
) -> None:
    first, second = put(connection, HOME, HALL).boards
    (broken,) = put(connection, HOME, moves="00").boards
    newer = put_board(connection, wanted=7)
    asked = [
        Again(first.id, 1),
        Again(second.id, 2),
        Again(broken.id),
        Again(newer.id),
        Again(first.id),
        Again(10**6),
        Again(first.id, 0),
    ]
    executed: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *told: executed.append(told[2]))
    stored = versions.store_again(connection, asked)
    found = [each and (each.board.id, each.board.wanted) for each in stored]
    assert found == [None, None, None, (newer.id, 8), (first.id, 2), None, None]
    assert sum(statement.startswith("UPDATE") for statement in executed) == 1
    assert games.load(connection, second.game_id or 0).boards[1] == second


def test_a_board_of_a_game_that_cannot_be_read_is_told_apart_and_closed(connection: Connection) -> None:
    (broken,) = put(connection, HOME, moves="00").boards
    sound = put_board(connection)
    assert versions.store_again(connection, [Again(broken.id)]) == [None]
    ((found, _),), ((board, error),) = versions.claim_lagging(connection, now=2**40, limit=9)
    assert (found.id, board.id, type(error)) == (sound.id, broken.id, CorruptGame)
    boards.close(connection, board)
    assert versions.claim_lagging(connection, now=2**41, limit=9)[1] == []


# A change calls somebody to a new board.


def calling(connection: Connection, *places: Place) -> ChangeRequest:
    """A move, in a game whose boards have messages, that calls Bob, the second viewer."""
    record = put(connection, *places, **TWO)
    for number, board in enumerate(record.boards, 900):
        settle(connection, board, number)
    bobs = record.boards[-1]
    attention = {bobs.id: Attention(bobs.acted_at, called=True, to=bobs.place, person=BOB)}
    return ChangeRequest(record.game.id, lambda r: Decision(r.game._replace(moves="4"), attention=attention))


def coming(record: Record) -> list[Board]:
    return [board for board in record.boards if board.message_id is None]


@pytest.mark.parametrize(("wish", "where"), [(None, [BOBS]), (True, [BOBS, HALL]), (False, [])])
def test_all_are_called_where_they_look(connection: Connection, wish: bool | None, where: list[Place]) -> None:  # noqa: FBT001
    if wish is not None:
        people.choose(connection, Person(BOB, "Bob"), "notices", is_so=wish)
    assert people.chosen(connection, BOB, "notices") is wish
    for place in (BOBS, HALL):
        (changed,) = change(connection, calling(connection, HOME, place))
        assert [(board.replaces, board.place, board.called) for board in coming(changed.record)] == [
            (changed.record.boards[1].id, place, True)
        ] * (place in where)
        assert changed.record.boards[1].called, "either way it is not asked again before they act"
        assert changed.record == games.load(connection, changed.record.game.id)


def test_changes_of_one_transaction_go_to_the_board_that_comes_too(connection: Connection) -> None:
    first = calling(connection, HOME, BOBS)
    change(connection, first, ChangeRequest(first.game_id, lambda r: Decision(r.game._replace(moves="40"))))
    stored = games.load(connection, first.game_id)
    (new,) = coming(stored)
    assert (stored.game.moves, new.wanted, new.shown) == ("40", 2, 0)


# A game hands its boards to the next.


def test_a_next_game_that_cannot_be_stored_changes_nothing(connection: Connection) -> None:
    record = put(connection, INLINE, chat_id=None, **ENDED)
    put(connection, link="its")
    wish = ChangeRequest(
        record.game.id, lambda r: Decision(r.game._replace(offer=None), FOLLOWING._replace(link="its"))
    )
    with pytest.raises(Exception, match=r"(?i)unique"), connection.begin_nested():
        change(connection, wish)
    assert games.load(connection, record.game.id) == record


def test_games_that_are_followed_at_the_same_time_have_each_the_next_of_its_own(connection: Connection) -> None:
    """The second request for a rematch finds the next game stored."""
    over = [
        put(connection, HOME, BOBS, **ENDED),
        put(connection, INLINE, chat_id=None, **ENDED),
        put(connection, BOBS, **ENDED),
    ]
    seen: list[int | None] = []

    def follow(found: Record) -> Decision:
        seen.append(found.game.next_game)
        if found.game.next_game is not None:
            return Decision(found.game)
        following = FOLLOWING.with_side(Mark.X, wins=found.game.id)
        return Decision(found.game._replace(offer=None), following=following)

    wishes = [ChangeRequest(record.game.id, follow) for record in (*over, over[1])]
    results = change(connection, *wishes)
    begun = [result.following for result in results[:3] if result.following is not None]
    assert seen == [None, None, None, begun[1].game.id]
    assert results[3].following is None
    for record, result, following in zip(over, results[:3], begun, strict=True):
        assert following.game.x.wins == record.game.id
        assert result.record.game.next_game == following.game.id
        assert games.load(connection, following.game.id) == following
        assert games.load(connection, record.game.id) == result.record
    places = [[board.place for board in following.boards] for following in begun]
    assert places == [[HOME, BOBS], [INLINE], [BOBS]]


def test_the_second_claim_comes_longer_after_the_first_than_any_edit_can_be_under_way() -> None:
    """An edit may start when a grace period ends, wait 20 s for its answer, and Telegram may stall for 8 s."""
    assert CLAIM_SECONDS > GRACE_SECONDS + 20 + 8
