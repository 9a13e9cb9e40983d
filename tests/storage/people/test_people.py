"""Names of people: stored once, written only if they changed, and looked up once per transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import URL, Connection, event, select

from storage.database import connect
from storage.games import boards, games
from storage.games.game import UNMET
from storage.games.record import Decision, Record
from storage.people import people
from storage.people.person import Person
from storage.schema import GAMES, PEOPLE
from storage.store import Store
from tests.storage.examples import ANN, BOB, GROUP, HALL, NEW, put

CEM = Person(11, "Cem", "Cem_Oz", "tr")
TWO: dict[str, Any] = {"chat_id": GROUP, "o_seat": CEM.id, "o_level": None}


def moved(record: Record) -> Decision[None]:
    return Decision(record.game._replace(moves=record.game.moves + "012345678"[record.game.ply]), None)


def unchanged(record: Record) -> Decision[None]:
    return Decision(record.game, None)


@pytest.fixture
def statements(store: Store) -> Iterator[list[str]]:
    """The statements about people that the database gets."""
    said: list[str] = []

    def executed(*told: Any) -> None:  # noqa: ANN401 - as SQLAlchemy has it
        if " people" in str(told[2]):
            said.append(str(told[2]).split()[0])

    engine = store._engine  # noqa: SLF001 - nothing else tells what a transaction costs
    event.listen(engine, "after_cursor_execute", executed)
    yield said
    event.remove(engine, "after_cursor_execute", executed)


async def test_a_person_is_written_where_they_differ_and_looked_up_once_a_transaction(
    store: Store, statements: list[str]
) -> None:
    ids = [(await store.run(partial(put, x_seat=person, **TWO))).game.id for person in (ANN, BOB, 12)]
    await store.change(ids[0], moved, by=CEM)
    assert await store.run(partial(people.find, person_id=CEM.id)) == CEM._replace(username="cem_oz")
    statements.clear()
    await asyncio.gather(*(store.change(game_id, moved, by=CEM) for game_id in ids))
    assert statements == ["SELECT"]
    renamed = await store.change(ids[0], moved, by=CEM._replace(name="Cemal"))
    assert statements == ["SELECT", "SELECT", "INSERT"]
    assert renamed.record.game.ply == 3
    assert {(await store.run(partial(games.load, game_id=each))).game.name_of(CEM.id) for each in ids} == {"Cemal"}
    await store.run(lambda connection: connection.execute(PEOPLE.update().values(seen_at=5)) and None)
    await store.change(ids[0], moved, by=CEM)
    seen = await store.run(lambda c: c.execute(select(PEOPLE.c.seen_at).where(PEOPLE.c.id == CEM.id)).scalar_one())
    assert seen > 5
    assert seen % people.DAY == 0, "only the day is stored"


async def test_nobody_is_stored_whose_wish_changes_nothing(store: Store) -> None:
    game = (await store.run(partial(put, chat_id=GROUP))).game
    await store.change(game.id, unchanged, by=CEM)
    assert await store.run(partial(people.find, person_id=CEM.id)) is None


async def test_an_unknown_username_has_a_row_until_its_person_acts(store: Store) -> None:
    def challenged(connection: Connection) -> Record:
        rival = people.called(connection, "@CEM_oz")
        return put(connection, HALL, o_seat=None, o_level=None, chat_id=GROUP, rival_id=rival.id)

    first, second = await store.run(challenged), await store.run(challenged)
    assert first.game.rival_id == second.game.rival_id
    assert (first.game.rival_id or 0) <= UNMET
    loaded = (await store.run(partial(games.load, game_id=first.game.id))).game
    assert loaded.name_of(loaded.rival_id) == "@CEM_oz"
    assert await store.run(partial(people.find_username, username="cem_oz")) is None
    other = (await store.run(partial(put, **TWO))).game
    changes = [store.change(other.id, moved, by=CEM), store.change(first.game.id, moved, by=Person(ANN, "Ann"))]
    await asyncio.gather(*changes)
    for record in (first, second):
        game = (await store.run(partial(games.load, game_id=record.game.id))).game
        assert (game.rival_id, game.name_of(game.rival_id)) == (CEM.id, "Cem")
    assert (await store.run(partial(people.called, name="@Cem_Oz"))).id == CEM.id
    rows = await store.run(lambda c: c.execute(select(PEOPLE.c.id).where(PEOPLE.c.id < 0)).all())
    assert rows == []


async def test_a_game_names_somebody_whom_another_process_merges_while_it_is_loaded(postgresql: URL) -> None:
    """Otherwise a person who accepts two challenges at once would be told that one is for somebody else."""
    store, other = Store(postgresql), connect(postgresql, create=False)
    rival = await store.run(partial(people.called, name="@cem_oz"))
    game = (await store.run(partial(put, o_seat=None, o_level=None, chat_id=GROUP, rival_id=rival.id))).game
    waiting = [CEM]

    def executed(*told: Any) -> None:  # noqa: ANN401 - as SQLAlchemy has it
        if waiting and "FROM games" in str(told[2]):
            with other.begin() as connection:
                people.see(connection, waiting.pop())

    event.listen(store._engine, "after_cursor_execute", executed)  # noqa: SLF001 - in between two statements
    loaded = await store.run(partial(games.load, game_id=game.id))
    assert not waiting
    assert (loaded.game.rival_id, loaded.game.name_of(CEM.id)) == (CEM.id, "Cem")
    await store.close()
    other.dispose()


async def test_a_username_belongs_to_the_last_person_who_had_it(store: Store) -> None:
    await store.run(partial(people.see, person=CEM))
    await store.run(partial(people.see, person=Person(BOB, "Bob", "CEM_OZ")))
    assert await store.run(partial(people.find_username, username="Cem_oz")) == BOB
    assert await store.run(partial(people.find, person_id=CEM.id)) == CEM._replace(username=None)


async def test_a_challenge_by_a_username_is_for_the_person_who_has_it_now(store: Store) -> None:
    """Telegram lets a username pass to somebody else, such as the same person's new account."""
    await store.run(partial(people.see, person=Person(BOB, "Bob", "Cem_Oz")))

    def challenged(connection: Connection) -> Record:
        rival = people.called(connection, "@cem_oz")
        return put(connection, HALL, o_seat=None, o_level=None, chat_id=GROUP, rival_id=rival.id)

    def rival_of(record: Record) -> Decision[int | None]:
        return Decision(record.game, record.game.rival_id)

    game = (await store.run(challenged)).game
    for by, rival in ((Person(BOB, "Bob"), BOB), (Person(ANN, "Ann", "ann"), BOB), (CEM, CEM.id)):
        assert (await store.change(game.id, rival_of, by=by)).result == rival


async def test_a_challenged_person_has_the_name_that_telegram_gives_now(store: Store) -> None:
    """They may have a row without a name, or may have changed their name since they last acted."""
    for before in ("", "Cem"):
        await store.run(partial(people.see, person=CEM._replace(name=before)))
        for told in ("Cemal", ""):
            await store.run(partial(people.introduce, person=Person(CEM.id, told)))
            known = await store.run(partial(people.find, person_id=CEM.id))
            assert known == CEM._replace(name="Cemal", username="cem_oz")


async def test_a_name_without_a_game_goes(store: Store) -> None:
    """Having been challenged once doesn't keep anybody in the database."""
    rival = await store.run(partial(people.called, name="@cem_oz"))
    game = NEW._replace(chat_id=None, o_seat=None, o_level=None, rival_id=rival.id)
    await store.run(partial(boards.add, game=game, places=()))
    await store.run(people.drop_unmet)
    assert await store.run(partial(people.find, person_id=rival.id)) is not None
    await store.run(lambda connection: connection.execute(GAMES.delete()) and None)
    await store.run(people.drop_unmet)
    assert await store.run(partial(people.find, person_id=rival.id)) is None
