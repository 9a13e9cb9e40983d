"""Gauntlets: who is on the scoreboard of a shared game, and when its message is made again."""

import time
from typing import Any

import pytest
from sqlalchemy import Connection, select

from engine import Mark
from storage.games import boards, gauntlets
from storage.games.game import COMPUTER, Game, Side, Termination
from storage.games.record import SHARED_PAGE, Page, Place, Record
from storage.people.person import Person
from storage.results import results
from storage.schema import BOARDS
from tests.storage.examples import ANN, BOB, HOME, X_WINS, finished, put
from tests.storage.people_everywhere import begin, go_on

LOST: dict[str, Any] = {"moves": "0123", "termination": Termination.RESIGNATION, "winner": Mark.O}
LONGER = "0214356"
CEM = 8


def shared(connection: Connection) -> Record:
    """A game that Ann has won in seven moves, and a message that shares it."""
    game = finished(connection, {"moves": LONGER[:-1], "names": {ANN: "Ann"}}, moves=LONGER)
    place = Place(inline_message_id="shared", language="en")
    board = boards.put(connection, game.id, place, page=Page(f"{SHARED_PAGE}2"), aside=True)
    return Record(game, (board,))


def tried(connection: Connection, game: Game, person: int, name: str, **end: Any) -> Game:  # noqa: ANN401 - any field
    own = {"x": Side(person), "chat_id": person, "names": {person: name}, "beats": game.id}
    taken_back = {"takebacks": end.pop("takebacks", 0)}
    return finished(connection, {**own, **taken_back, "moves": end.get("moves", X_WINS)[:-1]}, **end)


def board_of(connection: Connection, record: Record) -> Any:  # noqa: ANN401 - a row
    return connection.execute(select(BOARDS).where(BOARDS.c.id == record.boards[0].id)).one()


def scoreboard(connection: Connection, record: Record) -> list[tuple[str, int | None]]:
    found = gauntlets.find(connection, record.game.id)
    assert found is not None
    return [(each.name, each.plies) for each in found.scores]


def test_everybodys_best_counts_and_those_who_havent_won_come_last(connection: Connection) -> None:
    record = shared(connection)
    assert scoreboard(connection, record) == [("Ann", 7)]
    tried(connection, record.game, BOB, "Bob", **LOST)
    tried(connection, record.game, CEM, "Cem")
    tried(connection, record.game, CEM, "Cem", **LOST)
    assert scoreboard(connection, record) == [("Cem", 5), ("Ann", 7), ("Bob", None)]
    tried(connection, record.game, BOB, "Bob")
    tried(connection, record.game, ANN, "Ann", takebacks=1)
    assert scoreboard(connection, record) == [("Bob", 5), ("Cem", 5), ("Ann", 7)], "none with a move taken back"


def test_many_tries_of_a_moment_are_one_edit_and_other_boards_stay_as_they_are(connection: Connection) -> None:
    record = shared(connection)
    before = board_of(connection, record)
    connection.execute(BOARDS.update().where(BOARDS.c.id == before.id).values(shown=before.wanted))
    now = int(time.time())
    for person in (BOB, CEM):
        tried(connection, record.game, person, str(person))
    after = board_of(connection, record)
    assert now + 9 <= after.look_at <= now + 12
    assert after.wanted > before.wanted
    others = select(BOARDS).where(BOARDS.c.game_id == record.game.id, BOARDS.c.id != before.id)
    assert [row.shown <= row.wanted <= 2 for row in connection.execute(others)] == [True]


def test_whoever_hides_or_is_forgotten_is_named_no_more(connection: Connection) -> None:
    record = shared(connection)
    for person, name in ((BOB, "Bob"), (CEM, "Cem")):
        tried(connection, record.game, person, name)
    wanted = board_of(connection, record).wanted
    results.hide(connection, Person(BOB, "Bob"))
    assert scoreboard(connection, record) == [("Cem", 5), ("Ann", 7)]
    assert board_of(connection, record).wanted > wanted
    wanted = board_of(connection, record).wanted
    begin(connection, CEM)
    go_on(connection, int(time.time()))
    assert scoreboard(connection, record) == [("Ann", 7)]
    assert board_of(connection, record).wanted > wanted


def test_a_message_that_shares_a_game_stays_with_it_when_the_next_one_begins(connection: Connection) -> None:
    record = shared(connection)
    ((staying, following),) = boards.pass_on(
        connection, [(record, record.game._replace(moves="", termination=None))]
    )
    assert [board.aside for board in staying.boards] == [True]
    assert following.boards == ()


@pytest.mark.parametrize(
    ("person", "hiding_", "is_told"), [(BOB, (), True), (ANN, (), False), (BOB, (BOB,), False)]
)
def test_the_player_may_hear_of_it_unless_it_is_themselves_or_somebody_who_hides(
    connection: Connection, person: int, hiding_: tuple[int, ...], *, is_told: bool
) -> None:
    game = shared(connection).game
    own = put(connection, HOME, x=Side(person), o=Side(COMPUTER, "easy"), names={person: "P"}, beats=game.id).game
    for each in hiding_:
        results.hide(connection, Person(each, "P"))
    found = gauntlets.find(connection, game.id, own)
    assert found is not None
    assert found.is_told is is_told
