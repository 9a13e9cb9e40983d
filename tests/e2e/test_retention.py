"""Retention: old games, people who no longer play, and groups that have removed the bot."""

from functools import partial
from typing import Final

import pytest

from bot.background.jobs import PASS_SECONDS
from playground.groups import Group
from playground.people import Person
from storage.privacy.retention import PORTION
from tests.people import X_WINS, begun, played
from tests.world import World

IS_LEFT: Final = "SELECT left_at IS NOT NULL FROM chats WHERE id = {}"
"""Whether the bot was removed from a group, if it knows of the group."""


on_each_database = pytest.mark.parametrize("settings", ["sqlite_url", "postgres_url"], indirect=True)


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """SQLite, unless a test asks for both databases; games wait for ever."""
    database_url = request.getfixturevalue(getattr(request, "param", "sqlite_url"))
    return {"MOVE_TTL": "9000d", "DATABASE_URL": database_url}


async def test_without_a_time_everything_is_kept(oxo: World, ann: Person, bo: Person, group: Group) -> None:
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    assert "until you delete it" in (await ann.ask("/privacy")).text
    await oxo.skip(days=4000)
    await oxo.has_answered(ann.private, ann)
    assert oxo.value("SELECT count(*) FROM games") == 1
    assert oxo.value("SELECT count(*) FROM people") == 2


async def test_a_pairing_is_forgotten_after_a_week_though_nobody_is_paired_again(
    oxo: World, ann: Person, bo: Person
) -> None:
    for person in (ann, bo):
        await person.ask("/play")
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM meetings") == 1, seconds=3600)
    await oxo.skip(days=8)
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM meetings") == 0, seconds=3600)


@on_each_database
async def test_old_games_go_what_they_counted_stays_and_inactive_people_are_forgotten(
    oxo: World, ann: Person, bo: Person, group: Group
) -> None:
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await ann.ask("/stats")
    await oxo.stop()
    await oxo.serve(RETENTION_DAYS="100")
    await oxo.skip(days=40)
    await ann.ask("/newgame easy")
    assert "for 100 days" in (await ann.ask("/privacy")).text
    await oxo.skip(days=70)
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM games") == 1, seconds=3600)
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM people") == 1, seconds=3600)
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM erasures") == 0, seconds=3600)
    assert "Games: 1 win, 0 draws, 0 losses" in (await ann.ask("/stats")).text
    assert oxo.value("SELECT id FROM people") == ann.id
    told = str(oxo.sql("SELECT person, opponent FROM results"))
    assert str(bo.id) not in told, "people who last played so long ago are in no results any more"
    assert oxo.sent(bo.private) == [], "and aren't told: they didn't ask for it"


async def test_a_start_whose_clock_is_years_ahead_forgets_nobody(
    oxo: World, ann: Person, bo: Person, group: Group
) -> None:
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await oxo.stop()
    await oxo.skip(days=2000)
    await oxo.serve(RETENTION_DAYS="100")
    await oxo.skip(hours=23)
    await oxo.has_answered(ann.private, ann)
    assert "Time has leapt" in oxo.logged()
    assert oxo.value("SELECT count(*) FROM people") == 2
    await oxo.skip(hours=2)
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM people") == 0, seconds=3600)


@on_each_database
async def test_a_group_that_removed_the_bot_is_forgotten_after_a_while(
    oxo: World, ann: Person, bo: Person, group: Group
) -> None:
    await ann.ask("/difficulty hard", in_=group)
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await begun(ann, bo, group)
    await ann.ask("/stats", in_=group)
    group.set_bot("kicked")
    await oxo.until(lambda: oxo.value(IS_LEFT.format(group.id)), seconds=3600)
    await oxo.skip(days=29)
    await oxo.has_answered(ann.private, ann)
    assert oxo.value(f"SELECT level FROM chats WHERE id = {group.id}") == "hard"  # noqa: S608 - our own words
    await oxo.skip(days=2)
    await oxo.until(lambda: oxo.value(IS_LEFT.format(group.id)) is None, seconds=3600)
    for table in ("games", "boards", "results"):
        assert str(group.id) not in str(oxo.sql(f"SELECT chat_id FROM {table}"))  # noqa: S608 - our own words
    assert "1 win" in (await ann.ask("/stats")).text, "the people keep their results"


async def test_however_many_groups_are_left_all_are_forgotten_when_they_are_due(oxo: World) -> None:
    left_at = int(oxo.clock.now())
    rows = ", ".join(f"({-1000 - number}, {left_at})" for number in range(PORTION + 1))
    oxo.sql(f"INSERT INTO chats (id, left_at) VALUES {rows}")  # noqa: S608 - numbers
    await oxo.skip(days=31)
    left = partial(oxo.value, "SELECT count(*) FROM chats")
    await oxo.until(lambda: left() != PORTION + 1, seconds=PASS_SECONDS // 2)
    await oxo.until(lambda: left() == 0, seconds=1, most=PASS_SECONDS // 2)


async def test_where_the_bot_is_added_again_nothing_is_lost(
    oxo: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    group.set_bot("kicked")
    await oxo.until(lambda: oxo.value(IS_LEFT.format(group.id)), seconds=3600)
    group.set_bot("member", ann)
    await oxo.until(lambda: not oxo.value(IS_LEFT.format(group.id)), seconds=3600)
    await oxo.skip(days=40)
    await played(ann, bo, board, X_WINS)
    assert "wins" in board.text


async def test_a_group_that_removed_the_bot_while_it_was_away_is_found_out_by_its_boards(
    oxo: World, ann: Person, bo: Person, group: Group
) -> None:
    """Telegram drops its updates after a day, and a restored backup doesn't know either."""
    await begun(ann, bo, group)
    await oxo.stop()
    group.set_bot("kicked")
    oxo.playground.world.updates.clear()
    oxo.sql("UPDATE games SET moved_at = 0, due_at = 0")
    oxo.sql("UPDATE boards SET shown_at = 0")
    await oxo.serve()
    await oxo.until(lambda: oxo.value(IS_LEFT.format(group.id)), seconds=3600)
