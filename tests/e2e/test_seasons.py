"""/top of a group: its season, which administrators begin, and nobody who has left."""

import re

import pytest

from playground.groups import Group
from playground.people import Person
from tests.people import X_WINS, begun, is_chinese, offered, plain, played, pressed, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def hall(shared: World, ann: Person, bo: Person) -> Group:
    """A group of the two alone; Ann owns it."""
    return shared.playground.add_group("The Hall", [ann, bo])


async def won(world: World, winner: Person, loser: Person, group: Group) -> None:
    """Let somebody win a rated game, in a second of its own, as a season begins with one."""
    await played(winner, loser, await begun(winner, loser, group), X_WINS)
    await world.skip(2)


async def test_an_administrator_begins_a_season_and_the_ratings_stay(
    shared: World, ann: Person, bo: Person, hall: Group
) -> None:
    await won(shared, bo, ann, hall)
    top = await ann.ask("/top", in_=hall)
    await pressed(ann, top, "Wins this season")
    assert plain(top).startswith("🏆 Wins this season · this chat\n\n🥇 小波 · 1")
    await pressed(ann, top, "New season")
    assert "Begin a new season?" in top.text
    assert is_chinese(await told(bo, top, "New season"))
    await pressed(ann, top, "New season")
    assert re.search(r"· since \d+ [A-Z][a-z]{2} \d{4}\n", top.text)
    assert "Nobody's on this leaderboard yet." in top.text
    assert "You haven't won a rated game here this season." in top.text
    await won(shared, ann, bo, hall)
    season = await ann.ask("/top season", in_=hall)
    assert "🥇 Ann · 1" in plain(season)
    assert "小波" not in season.text
    assert "You're #1 with 1 win." in season.text
    await pressed(ann, season, "Rating")
    assert "小波" in season.text


async def test_a_season_can_be_begun_by_words(shared: World, ann: Person, bo: Person, hall: Group) -> None:
    await won(shared, ann, bo, hall)
    assert is_chinese((await bo.ask("/top new season yes", in_=hall)).text)
    assert "🥇 Ann" in plain(await ann.ask("/top season", in_=hall))
    assert "<" not in (asked := await ann.ask("/top new season", in_=hall)).text
    assert offered(asked) == {"New season", "‹ Back"}
    assert "Nobody's" in (await ann.ask("/top new season yes", in_=hall)).text
    assert "In a group" in (await ann.ask("/top season")).text


async def test_an_anonymous_administrator_begins_a_season(
    shared: World, ann: Person, bo: Person, hall: Group
) -> None:
    await won(shared, ann, bo, hall)
    for words, said in (
        ("/top", "can't tell who you are"),
        ("/top new season", "Begin a new season?"),
        ("/top new season yes", "Nobody's on this leaderboard yet."),
    ):
        asked = await ann.say(words, in_=hall, anonymous=True)
        answer = await hall.wait_for(lambda message: message.from_bot, after=asked)
        assert said in plain(answer), words


@pytest.mark.parametrize(("thrown_out", "is_told"), [(False, True), (True, True), (True, False)])
async def test_who_leaves_a_group_is_left_out_until_they_are_back(
    shared: World, ann: Person, bo: Person, hall: Group, *, thrown_out: bool, is_told: bool
) -> None:
    """Telegram doesn't tell of everybody who joins, but whoever plays there is back."""
    await won(shared, ann, bo, hall)
    hall.remove(bo, by=ann if thrown_out else None)
    for words in ("/top", "/top week", "/top season"):
        listed = await ann.ask(words, in_=hall)
        assert "小波" not in listed.text
        assert "Ann" in listed.text or words == "/top"
    if is_told:
        hall.add(bo)
    else:
        hall.members[bo.id] = bo
        await won(shared, bo, ann, hall)
    assert "小波" in (await ann.ask("/top", in_=hall)).text
