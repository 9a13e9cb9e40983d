"""/stats and /top: what people see of their own and others' results, in words, pictures and lists."""

import io
import re
from typing import Any

import pytest
from PIL import Image, ImageChops

from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from storage.results import results
from storage.results.result import MANY_PUZZLES
from tests.people import (
    UNDONE,
    X_WINS,
    begun,
    given_up,
    is_chinese,
    offered,
    plain,
    played,
    pressed,
    resigned,
    still,
    tap_cell,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTHING = "There's nothing I can show here."


async def test_a_game_in_which_a_move_was_taken_back_counts_for_nothing(ann: Person) -> None:
    board = await ann.ask("/newgame easy")
    for answer in (UNDONE, None):
        await tap_cell(ann, board, 0)
        assert (await ann.tap(board, "Undo")).text == answer, "what it costs is said at the first tap"
        await board.until(lambda message: message.labels[0][0] == "·")
    await tap_cell(ann, board, 0)
    await given_up(ann, board)
    assert "this game doesn't count" in board.text
    assert "Score" not in board.text
    assert "No finished games yet" in (await ann.ask("/stats")).text


async def test_in_a_group_people_see_of_each_other_what_they_play_there(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    await resigned(ann)
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    here = await ann.ask("/stats", in_=group)
    assert "Ann · in this chat" in plain(here)
    assert "Games: 1 win, 0 draws, 0 losses" in here.text
    assert {"✓ In this chat", "Everywhere"} <= offered(here)
    said = await ann.say("Well played", in_=group)
    theirs = await bo.ask("/stats", in_=group, reply_to=said)
    assert "Ann" in theirs.text
    assert is_chinese(theirs.text)
    assert "⚔️ 小波 0 – 1 Ann" in plain(theirs)
    assert "⚔️" not in plain(here)
    await pressed(bo, theirs, "所有聊天")
    assert "1 胜、0 平、1 负" in theirs.text
    cem = shared.joins("Cem", group)
    await resigned(cem)
    with shared.engine.begin() as connection:
        results.reach_milestone(connection, cem.id, MANY_PUZZLES, 1)
    assert "🏅" in (await cem.ask("/stats")).text
    greeting = await cem.say("Hello", in_=group)
    unknown = await ann.ask("/stats", in_=group, reply_to=greeting)
    assert "No finished games yet" in unknown.text
    assert "🏅" not in unknown.text, "what he has reached elsewhere is told where he plays"
    await bo.ask("/settings hidden on")
    assert "⚔️" not in plain(await bo.ask("/stats", in_=group, reply_to=said)), "others would read of him there"


async def test_a_name_shows_who_plays_here_and_nobody_else(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    cem = shared.playground.add_person("Cem", username="cem_of_stats", started=True)
    await cem.ask("/stats")
    assert (await ann.ask("/stats @cem_of_stats", in_=group)).text == NOTHING
    assert (await ann.ask("/stats @nobody_at_all", in_=group)).text == NOTHING
    assert (await ann.ask("/stats @cem_of_stats")).text == NOTHING
    group.add(cem)
    await played(cem, bo, await begun(cem, bo, group), X_WINS)
    assert "Cem" in (await ann.ask("/stats @CEM_of_stats", in_=group)).text
    assert (await ann.ask("/stats @cem_of_stats")).text == NOTHING, "in private there are only one's own"
    assert "Cem" in (await cem.ask("/stats @cem_of_stats")).text


async def test_somebody_who_hides_is_shown_to_nobody_else(ann: Person, bo: Person, group: Group) -> None:
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    own = await ann.ask("/stats", in_=group)
    await ann.ask("/settings hidden on")
    said = await ann.say("Hello", in_=group)
    assert not (await bo.ask("/stats", in_=group, reply_to=said)).text.startswith("📊")
    assert (await bo.tap(own, "Everywhere")).text
    await pressed(ann, own, "Everywhere")
    assert "Ann" in (await ann.ask("/stats", in_=group)).text
    assert "hidden" in (await ann.ask("/top", in_=group)).text
    await ann.ask("/settings hidden off")
    assert (await bo.ask("/stats", in_=group, reply_to=said)).text.startswith("📊")


async def test_a_button_made_up_for_somebody_else_shows_nothing(shared: World, ann: Person) -> None:
    cem = shared.playground.add_person("Cem", started=True)
    await resigned(cem)
    await resigned(ann)
    own = await ann.ask("/stats")
    before = own.text
    for as_picture in (0, 1):
        await ann.tap(own, data=f"stats:{cem.id}:0::{as_picture}")
    await shared.has_answered(ann.private, ann)
    assert own.text == before
    assert not shared.playground.calls_of("sendPhoto", chat=ann.private)


# As a picture.


async def test_the_button_brings_a_photo_with_words_below_it_and_only_its_dates_are_in_a_language(
    shared: World,
) -> None:
    dan = shared.playground.add_person("Dan", started=True)
    await resigned(dan)

    async def card(label: str) -> tuple[Message, Image.Image]:
        menu = await dan.ask("/stats")
        assert (await dan.tap(menu, label)).text in ("Drawing it…", "正在画……")
        sent = await still(dan.private, menu)
        assert sent.photo is not None
        assert label in offered(menu), "the message that was tapped stays"
        return sent, Image.open(io.BytesIO(sent.photo.data)).convert("RGB")

    sent, english = await card("As a picture")
    assert plain(sent).startswith("📊 Dan · everywhere · all boards\nGreen: won, grey: drawn, red: lost")
    assert english.size == (1000, 650)
    await dan.ask("/settings language 简体中文")
    differs = ImageChops.difference(english, (await card("发图片"))[1]).getbbox()
    assert differs is not None
    assert differs[1] > english.height / 2


# Leaderboards.


async def test_wins_of_the_week_are_listed_here_and_everywhere(ann: Person, bo: Person, group: Group) -> None:
    menu = await ann.ask("/top", in_=group)
    assert "Rating · this chat · all boards" in menu.text
    assert "Nobody's on this leaderboard yet." in menu.text
    assert "don't have a rating here yet" in menu.text
    assert menu.labels == [["Who's in?"]], "there is nothing else to choose"
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    menu = await ann.ask("/top week", in_=group)
    assert "🥇 Ann · 1" in plain(menu)
    await pressed(ann, menu, "Rating")
    await pressed(ann, menu, "Wins this week")
    assert "You're #1 with 1 win." in menu.text
    await pressed(ann, menu, "Everybody")
    assert "Wins this week · everybody" in menu.text
    await pressed(bo, menu, "This chat")
    assert "本群" in menu.text
    assert "你这周还没有赢过真人" in menu.text


# A group's season, which administrators begin; and nobody who has left.


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
    assert "Start a new season?" in top.text
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


async def test_a_season_can_be_begun_by_words_also_by_an_anonymous_administrator(
    shared: World, ann: Person, bo: Person, hall: Group
) -> None:
    await won(shared, ann, bo, hall)
    assert is_chinese((await bo.ask("/top new season yes", in_=hall)).text)
    assert "🥇 Ann" in plain(await ann.ask("/top season", in_=hall))
    assert "<" not in (asked := await ann.ask("/top new season", in_=hall)).text
    assert offered(asked) == {"New season", "‹ Back"}
    assert "Nobody's" in (await ann.ask("/top new season yes", in_=hall)).text
    assert "In a group" in (await ann.ask("/top season")).text
    await won(shared, ann, bo, hall)
    for words, said in (
        ("/top", "can't tell who you are"),
        ("/top new season", "Start a new season?"),
        ("/top new season yes", "Nobody's on this leaderboard yet."),
    ):
        asked = await ann.say(words, in_=hall, anonymous=True)
        assert said in plain(await hall.wait_for(lambda message: message.from_bot, after=asked)), words


@pytest.mark.parametrize(("thrown_out", "is_told"), [(False, True), (True, True), (True, False)])
async def test_who_leaves_a_group_is_left_out_until_they_are_back(
    shared: World, ann: Person, bo: Person, hall: Group, *, thrown_out: bool, is_told: bool
) -> None:
    """Telegram doesn't tell of everybody who joins, but whoever plays there is back."""
    await won(shared, ann, bo, hall)
    said = await bo.say("Bye", in_=hall)
    asked: dict[str, Any] = {"in_": hall, "reply_to": said}
    own = await bo.ask("/stats", in_=hall)
    hall.remove(bo, by=ann if thrown_out else None)
    for words in ("/top", "/top week", "/top season"):
        listed = await ann.ask(words, in_=hall)
        assert "小波" not in listed.text
        assert "Ann" in listed.text or words == "/top"
    assert (await ann.ask("/stats", **asked)).text == NOTHING, "members alone are read there"
    before = own.text
    assert (await ann.tap(own, "所有聊天")).text
    assert own.text == before
    if is_told:
        hall.add(bo)
    else:
        hall.members[bo.id] = bo
        await won(shared, bo, ann, hall)
    assert "小波" in (await ann.ask("/top", in_=hall)).text
    assert "小波" in (await ann.ask("/stats", **asked)).text
