"""Finding games: by message, by link, by who plays in a chat, by deadline."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from engine import Mark
from storage.games import boards, games, lookups, outbox
from storage.games.game import COMPUTER, Side, Termination
from storage.games.record import Notice, NoticeKind, Record
from storage.people import people
from storage.people.person import Person
from tests.storage.examples import ANN, BOB, BOBS, GROUP, HALL, HOME, INLINE, LINK, TWO, WON, become, put, settle

CHALLENGE: dict[str, Any] = {"o": Side()}


def ids(records: Sequence[Record]) -> list[int]:
    return [record.game.id for record in records]


# By message.


def test_the_game_is_found_on_each_of_its_boards_and_by_its_link(connection: Connection) -> None:
    record = put(connection, HOME, BOBS, INLINE, link=LINK, **TWO)
    put(connection, HOME)
    (broken,) = put(connection, HOME, moves="00", link=LINK[::-1]).boards
    for number, board in enumerate((*record.boards[:2], broken), 900):
        settle(connection, board, number)
    found = games.load(connection, record.game.id)
    for message in ((ANN, 900), (BOB, 901), (BOB, 900), (ANN, 999), (ANN, 902)):
        is_its = message in ((ANN, 900), (BOB, 901))
        assert lookups.on_message(connection, *message) == (found if is_its else None)
    for name in (INLINE.inline_message_id, "another"):
        is_its = name == INLINE.inline_message_id
        assert lookups.by_inline_message(connection, name or "") == (found if is_its else None)
    for link in (LINK, LINK.upper(), LINK[::-1]):
        assert lookups.by_link(connection, link) == (found if link == LINK else None)


def test_the_game_is_found_on_every_board_that_it_has_left_and_on_what_was_said(connection: Connection) -> None:
    """A number sent in reply to game A's reminder, or to A's old board, is a move in A."""
    record = put(connection, HALL, chat_id=GROUP)
    settle(connection, record.boards[0], 900)
    assert boards.adopt(connection, games.load(connection, record.game.id).boards[0], 901)
    record = games.load(connection, record.game.id)
    settle(connection, boards.move_down(connection, record, record.boards[0], HALL).board, 902)
    leaving = lookups.on_message(connection, GROUP, 901)
    assert leaving is not None
    boards.drop(connection, leaving.boards[0])
    notice = outbox.add(connection, Notice(0, NoticeKind.BEATEN, record.game.id, 0, GROUP, None, None, 0))
    outbox.done(connection, notice, 903)
    put(connection, HALL, chat_id=GROUP)  # a newer game
    found = [lookups.on_message(connection, GROUP, message_id) for message_id in range(900, 905)]
    assert found == [games.load(connection, record.game.id)] * 4 + [None]


def test_a_board_tells_more_than_an_older_memory_of_its_message(connection: Connection) -> None:
    """When a basic group becomes a supergroup, its message numbers restart."""
    older, newer = put(connection, HOME), put(connection, HOME)
    for _ in range(2):
        boards.remember(connection, ANN, 900, older.game.id)
    settle(connection, newer.boards[0], 900)
    found = lookups.on_message(connection, ANN, 900)
    assert found is not None
    assert found.game == newer.game


# By who plays in a chat.


def test_a_persons_running_games_in_a_chat_are_those_with_a_board_there_newest_first(
    connection: Connection,
) -> None:
    one = put(connection, HOME)
    other = put(connection, BOBS, HOME, chat_id=BOB, x=Side(BOB), o=Side(ANN))
    put(connection, HALL, chat_id=GROUP)  # elsewhere
    put(connection, INLINE, chat_id=None)
    put(connection, HOME, **WON)
    put(connection, HOME, **CHALLENGE)
    put(connection, HOME, x=Side(BOB))  # somebody else's
    settle(connection, one.boards[0], 900)
    one = games.load(connection, one.game.id)
    boards.move_down(connection, one, one.boards[0], HOME)  # it has two boards here, and counts once
    found = lookups.running(connection, ANN, ANN)
    assert found == [games.load(connection, record.game.id) for record in (other, one)]
    assert ids(lookups.running(connection, BOB, BOB)) == [other.game.id]
    assert lookups.running(connection, GROUP, BOB) == []


def test_only_as_many_running_games_are_listed_as_fit(connection: Connection) -> None:
    seats = ({"x": Side(ANN)}, {"x": Side(COMPUTER), "o": Side(ANN)})
    made = [put(connection, HOME, BOBS, **seats[number % 2]) for number in range(lookups.MOST_LISTED + 5)]
    assert ids(lookups.running(connection, ANN, ANN)) == ids(made)[: -lookups.MOST_LISTED - 1 : -1]


def test_the_newest_games_of_a_chat_come_first_whatever_became_of_them(connection: Connection) -> None:
    over, shown, coming = (put(connection, HALL, chat_id=GROUP, **end) for end in (WON, {}, {}))
    put(connection, HOME)
    become(connection, put(connection, HALL, chat_id=GROUP).boards[0], leaving=True)
    for record, message_id in ((over, 950), (shown, 900)):
        settle(connection, record.boards[0], message_id)
    assert ids(lookups.newest(connection, GROUP)) == ids([coming, over, shown])


def test_challenges_are_counted_by_chat_and_person_while_they_are_open(connection: Connection) -> None:
    assert lookups.open_challenges(connection, GROUP, ANN) == 0
    for values in ({}, {"x": Side(), "o": Side(ANN)}, {"termination": Termination.CANCELLED}, {"x": Side(BOB)}):
        put(connection, HALL, chat_id=GROUP, **{**CHALLENGE, **values})
    put(connection, HALL, chat_id=GROUP)
    put(connection, HOME, **CHALLENGE)
    assert [lookups.open_challenges(connection, chat, ANN) for chat in (GROUP, ANN)] == [2, 1]


def test_challenges_to_somebody_are_counted_however_they_are_named_unless_they_were_accepted(
    connection: Connection,
) -> None:
    people.see(connection, Person(BOB, "Bob", "Bob_B"))
    made: tuple[dict[str, Any], ...] = (
        {"rival_id": BOB},
        {"rival_username": "bob_b", "termination": Termination.CANCELLED},
        {"rival_id": BOB, "created_at": 4},
        {"rival_username": "somebody_else"},
        {},
        {"rival_id": BOB, "x": Side(BOB + 1)},
    )
    for values in made:
        put(connection, HALL, chat_id=GROUP, **{**CHALLENGE, "created_at": 5, **values})
    named = (Person(BOB, "Bob", "bob_b"), Person(0, "", "BOB_B"), Person(0, "", "nobody"))
    assert [lookups.challenges_to(connection, ANN, each, 5) for each in named] == [2, 2, 0]
    assert lookups.challenges_since(connection, ANN, 5) == 3


def test_a_persons_results_are_the_games_that_were_played_to_an_end_newest_first(connection: Connection) -> None:
    won = put(connection, HOME, **WON)
    drawn = put(connection, x=Side(BOB), o=Side(ANN), moves="012435768", termination=Termination.FULL_BOARD)
    timeout = put(connection, termination=Termination.TIMEOUT, winner=Mark.O)
    put(connection)
    put(connection, termination=Termination.EXPIRED)
    put(connection, x=Side(BOB), **WON)
    assert lookups.last_finished(connection, ANN, 10) == [timeout.game, drawn.game, won.game]
    assert lookups.last_finished(connection, ANN, 2) == [timeout.game, drawn.game]


# By deadline.


def due(connection: Connection, now: int, limit: int = 10) -> list[int]:
    return [game.id for game in lookups.due(connection, now=now, limit=limit)]


def test_what_is_due_are_running_games_and_challenges_longest_due_first(connection: Connection) -> None:
    later = put(connection, due_at=20).game
    first = put(connection, due_at=10, **CHALLENGE).game
    put(connection, due_at=21)
    put(connection, due_at=None)
    put(connection, due_at=5, **WON)
    assert lookups.due(connection, now=20, limit=10) == [first, later]
    assert due(connection, 20, limit=1) == [first.id]
    assert due(connection, 9) == []


def test_a_deadline_is_put_off_unless_somebody_has_moved_meanwhile(connection: Connection) -> None:
    game, never, moved = (put(connection, due_at=10).game for _ in range(3))
    games.save_many(connection, [(moved._replace(moves="4", version=2), moved)])
    put_off = [
        lookups.set_due_if_unchanged(connection, *each) for each in ((game, 50), (never, None), (moved, 50))
    ]
    assert put_off == [True, True, False]
    assert due(connection, 49) == [moved.id]
    assert due(connection, 2**40) == [moved.id, game.id]
    assert games.load(connection, game.id).game == game._replace(due_at=50)
