"""Retention: old games, people who no longer play, and groups that have removed the bot."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Connection, func, select, update

from playground.people import Person
from storage.schema import BOARDS, CHATS, ERASURES, GAMES, MEETINGS, PEOPLE, RESULTS, TALLIES
from tests.people import X_WINS, begun, played
from tests.world import World


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """Both databases; games wait for ever."""
    own = {} if request.param == "sqlite" else {"DATABASE_URL": request.getfixturevalue("postgres_url")}
    return {"MOVE_TTL": "9000d", **own}


def seen(oxo: World, look: Callable[[Connection], object]) -> object:
    """What the database says."""
    with oxo.engine.begin() as connection:
        return look(connection)


async def until(oxo: World, look: Callable[[Connection], object]) -> None:
    """Let hours pass until the database says that."""
    for _ in range(24):
        if seen(oxo, look):
            return
        await oxo.skip(hours=1)
        await oxo.still()
    raise AssertionError("not in a day")


def count(table: object) -> Callable[[Connection], object]:
    """The number of rows."""
    return lambda connection: connection.execute(select(func.count()).select_from(table)).scalar()  # type: ignore[arg-type] # a table


async def couple(oxo: World) -> tuple[Person, Person]:
    """Two people of a test's own."""
    add = oxo.playground.add_person
    return add("Xenia", started=True), add("Yorick", started=True)


async def test_without_a_time_everything_is_kept(oxo: World) -> None:
    ann, bo = await couple(oxo)
    group = oxo.playground.add_group("Old", [ann, bo])
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    assert "until you delete it" in (await ann.ask("/privacy")).text
    await oxo.skip(days=4000)
    await oxo.has_answered(ann.private, ann)
    assert seen(oxo, count(GAMES)) == 1
    assert seen(oxo, count(PEOPLE)) == 2


async def test_a_pairing_is_forgotten_after_a_week_though_nobody_is_paired_again(oxo: World) -> None:
    for person in await couple(oxo):
        await person.ask("/play")
    await until(oxo, count(MEETINGS))
    await oxo.skip(days=8)
    await until(oxo, lambda connection: count(MEETINGS)(connection) == 0)


async def test_old_games_go_what_they_counted_stays_and_inactive_people_are_forgotten(oxo: World) -> None:
    ann, bo = await couple(oxo)
    group = oxo.playground.add_group("Old", [ann, bo])
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await ann.ask("/stats")
    await oxo.stop()
    await oxo.serve(RETENTION_DAYS="100")
    await oxo.skip(days=40)
    await ann.ask("/newgame easy")
    assert "for 100 days" in (await ann.ask("/privacy")).text
    await oxo.skip(days=70)
    await until(oxo, lambda c: count(GAMES)(c) == 1 and count(ERASURES)(c) == 0 and count(PEOPLE)(c) == 1)
    assert "Games: 1 won, 0 drawn, 0 lost" in (await ann.ask("/stats")).text
    assert seen(oxo, lambda c: c.execute(select(PEOPLE.c.id)).scalars().all()) == [ann.id]
    told = seen(oxo, lambda c: [tuple(row) for row in c.execute(select(RESULTS.c.person, RESULTS.c.opponent))])
    assert str(bo.id) not in str(told), "people who last played so long ago are in no results any more"
    assert oxo.sent(bo.private) == [], "and aren't told: they didn't ask for it"


async def test_a_group_that_removed_the_bot_is_forgotten_after_a_while(oxo: World) -> None:
    ann, bo = await couple(oxo)
    group = oxo.playground.add_group("Gone", [ann, bo])
    await ann.ask("/difficulty hard", in_=group)
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await begun(ann, bo, group)
    await ann.ask("/stats", in_=group)
    group.kick_bot()
    await until(oxo, lambda c: c.execute(select(CHATS.c.left_at).where(CHATS.c.id == group.id)).scalar())
    await oxo.skip(days=29)
    await oxo.has_answered(ann.private, ann)
    assert seen(oxo, lambda c: c.execute(select(CHATS.c.level).where(CHATS.c.id == group.id)).scalar()) == "hard"
    await oxo.skip(days=2)
    await until(oxo, lambda c: not c.execute(select(CHATS.c.id).where(CHATS.c.id == group.id)).first())
    for column in (GAMES.c.chat_id, BOARDS.c.chat_id, RESULTS.c.chat_id, TALLIES.c.chat_id):
        assert group.id not in seen(oxo, lambda c, it=column: c.execute(select(it)).scalars().all())  # type: ignore[misc, operator] # a list
    assert "1 won" in (await ann.ask("/stats")).text, "the people keep their results"


async def test_where_the_bot_is_added_again_nothing_is_lost(oxo: World) -> None:
    ann, bo = await couple(oxo)
    group = oxo.playground.add_group("Back", [ann, bo])
    board = await begun(ann, bo, group)
    group.kick_bot()
    await until(oxo, lambda c: c.execute(select(CHATS.c.left_at).where(CHATS.c.id == group.id)).scalar())
    group.add_bot(ann)
    await until(oxo, lambda c: c.execute(select(CHATS.c.left_at).where(CHATS.c.id == group.id)).scalar() is None)
    await oxo.skip(days=40)
    await played(ann, bo, board, X_WINS)
    assert "wins" in board.text


async def test_a_group_that_removed_the_bot_while_it_was_away_is_found_out_by_its_boards(oxo: World) -> None:
    """Telegram drops its updates after a day, and a restored backup doesn't know either."""
    ann, bo = await couple(oxo)
    group = oxo.playground.add_group("Quiet", [ann, bo])
    await begun(ann, bo, group)
    await oxo.stop()
    group.kick_bot()
    oxo.playground.world.updates.clear()
    seen(oxo, lambda c: c.execute(update(GAMES).values(moved_at=0, due_at=0)))
    await oxo.serve()
    await until(oxo, lambda c: c.execute(select(CHATS.c.left_at).where(CHATS.c.id == group.id)).scalar())
