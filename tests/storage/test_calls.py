"""New boards that call a player, stored with the change that caused them; and the look of new boards."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import Connection, Engine

from storage.games import boards, games, lookups
from storage.games.game import Termination
from storage.games.record import Attention, Board, Changed, Decision, Record
from storage.people import chats, people
from storage.people.person import Person
from storage.store import Store
from tests.storage.examples import ANN, BOB, BOBS, GROUP, HALL, HOME, NEW, add, become, put, read

TWO = {"o_seat": BOB, "o_level": None}


def sent(connection: Connection, record: Record) -> Record:
    """The record once its boards have their messages."""
    for number, board in enumerate(record.boards):
        become(connection, board, message_id=900 + number, shown=1)
    return games.load(connection, record.game.id)


async def shown_game(store: Store, *places: object) -> Record:
    """A game whose boards are shown."""
    record = await add(store, *places, **TWO)  # type: ignore[arg-type] # places
    return await store.run(partial(sent, record=record))


async def call_bob(store: Store, record: Record, cell: str = "4") -> Changed[object]:
    """A move that calls Bob, the second viewer."""
    bobs = record.boards[-1]
    attention = Attention(bobs.acted_at, called=True, to=bobs.place, person=BOB)

    def decide(record: Record) -> Decision[None]:
        return Decision(record.game._replace(moves=record.game.moves + cell), None, attention={bobs.id: attention})

    return await store.change(record.game.id, decide)


def coming(record: Record) -> list[Board]:
    """The new boards that have no message yet."""
    return [board for board in record.boards if board.message_id is None]


async def test_a_called_board_comes_and_replaces_the_one_that_stays_lagging(store: Store) -> None:
    record = await shown_game(store, HOME, BOBS)
    changed = await call_bob(store, record)
    (new,) = coming(changed.record)
    old = changed.record.boards[1]
    assert (new.replaces, new.place, new.called) == (old.id, BOBS, True)
    assert new.is_lagging
    assert old.is_lagging, "if the new one cannot be sent, the sweep shows the game there"
    assert await read(store, record.game.id) == changed.record


@pytest.mark.parametrize(
    ("wish", "private", "group"), [(None, True, False), (True, True, True), (False, False, False)]
)
async def test_all_are_called_where_they_look(store: Store, wish: bool | None, private: bool, group: bool) -> None:  # noqa: FBT001
    if wish is not None:
        await store.run(partial(people.choose, person=Person(BOB, "Bob"), notices=wish))
    assert await store.run(partial(people.notices_of, person_id=BOB)) is wish
    for place, expected in ((BOBS, private), (HALL, group)):
        record = await shown_game(store, place)
        changed = await call_bob(store, record)
        assert bool(coming(changed.record)) is expected
        assert changed.record.boards[0].called, "either way it is not asked again before they act"


async def test_changes_of_one_transaction_go_to_the_board_that_comes_too(store: Store) -> None:
    record = await shown_game(store, HOME, BOBS)
    (bobs,) = (board for board in record.boards if board.viewer == BOB)
    attention = Attention(0, called=True, to=bobs.place, person=BOB)

    def twice(connection: Connection) -> None:
        from storage.games.changes import ChangeRequest, change_games  # noqa: PLC0415 - two callers of one transaction

        first = ChangeRequest(
            record.game.id, lambda r: Decision(r.game._replace(moves="4"), None, attention={bobs.id: attention})
        )
        second = ChangeRequest(record.game.id, lambda r: Decision(r.game._replace(moves="40"), None))
        results = change_games(connection, [first, second])
        assert not [result for result in results if isinstance(result, Exception)]

    await store.run(twice)
    stored = await read(store, record.game.id)
    (new,) = coming(stored)
    assert stored.game.moves == "40"
    assert (new.wanted, new.shown) == (2, 0)


def test_a_new_board_is_dressed_as_its_chat_has_chosen(engine: Engine) -> None:
    with engine.begin() as connection:
        put(connection, HOME)
        chats.choose(connection, ANN, {"theme": "letters", "as_text": True, "language": "zh"})
        record = put(connection, HOME, BOBS)
        dressed = [(board.theme, board.as_text, board.language) for board in record.boards]
        assert dressed == [("letters", True, "zh"), (None, False, "zh-hans")]
        chats.choose(connection, ANN, {"theme": None, "as_text": False, "language": None})
        record = sent(connection, record)
        down = boards.move_down(connection, record, record.boards[0], None).board
        assert (down.theme, down.as_text, down.called) == (None, False, False)


def test_a_chosen_language_is_found_by_its_person_or_group(engine: Engine) -> None:
    with engine.begin() as connection:
        for chat in (ANN, BOB, GROUP):
            chats.choose(connection, chat, {"language": "zh"} if chat != BOB else {})
        assert chats.languages(connection) == {ANN: "zh", GROUP: "zh"}
        assert [people.language_of(connection, chat) for chat in (ANN, BOB)] == ["zh", None]
        chats.choose(connection, ANN, {"language": None})
        assert chats.languages(connection) == {GROUP: "zh"}


def test_a_group_that_becomes_a_supergroup_keeps_its_choices(engine: Engine) -> None:
    with engine.begin() as connection:
        chosen: dict[str, str | bool | None] = {"level": "hard", "theme": "sky", "as_text": True, "language": "zh"}
        chats.choose(connection, -5, chosen)
        chats.migrate(connection, old=-5, new=GROUP)
        moved = chats.load(connection, GROUP)
        assert {name: getattr(moved, name) for name in chosen} == chosen


def test_the_newest_games_of_a_chat_come_first_whatever_became_of_them(engine: Engine) -> None:
    with engine.begin() as connection:
        over = sent(connection, put(connection, HALL, chat_id=GROUP, termination=Termination.RESIGNATION))
        become(connection, over.boards[0], message_id=950)
        sent(connection, put(connection, HALL, chat_id=GROUP))
        coming_one = put(connection, HALL, chat_id=GROUP)
        put(connection, HOME)
        left = put(connection, HALL, chat_id=GROUP)
        become(connection, left.boards[0], leaving=True)
        found = [record.game.id for record in lookups.newest(connection, GROUP)]
    assert found == [coming_one.game.id, over.game.id, over.game.id + 1]
    assert NEW.id not in found
