"""In a group: a game against the computer for the person who asked, seen by all."""

from __future__ import annotations

import asyncio

import pytest

from playground.groups import Group
from playground.people import Person
from tests.people import DRAW, WIN, data_of, plain, play_to, position_of, tap_cell
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_game_in_a_group_names_its_player_and_whose_turn_it_is(ann: Person, group: Group) -> None:
    board = await ann.ask("/newgame easy", in_=group)
    assert board.text.count("Ann") >= 1
    assert "turn" in board.text
    assert "easy" in board.text
    await play_to(WIN, ann, board, "easy")
    assert "You win, Ann" in plain(board)


async def test_several_people_play_in_a_group_at_the_same_time(ann: Person, bo: Person, group: Group) -> None:
    hers, his = await ann.ask("/newgame easy", in_=group), await bo.ask("/newgame perfect bot", in_=group)
    await asyncio.gather(play_to(WIN, ann, hers, "easy"), play_to(DRAW, bo, his, "perfect"))
    assert "Ann" in hers.text
    assert "小波" in his.text
    assert "平局" in his.text


async def test_a_greeting_in_a_group_names_no_button(ann: Person, group: Group) -> None:
    greeting = await ann.ask("/start@oxo_playground_bot", in_=group)
    assert (greeting.labels, "Tap" in greeting.text, "/newgame" in greeting.text) == ([], False, True)


async def test_what_is_not_meant_for_the_bot_gets_no_answer(shared: World, ann: Person, group: Group) -> None:
    for text in (
        "/newgame@another_bot easy",
        "newgame easy",
        "hello /newgame",
        "/newgamee easy",
        "/unknown",
        "/unknown@oxo_playground_bot",
        "@oxo_playground_bot",
        "//newgame easy",
        "/newgame@oxo_playground_bo easy",
        "/",
    ):
        await ann.say(text, in_=group)
    await shared.has_answered(group, ann)
    assert len(shared.sent(group)) == 1, "the menu at the end"


async def test_even_as_an_administrator_it_reads_past_what_is_not_for_it(
    shared: World, ann: Person, group: Group
) -> None:
    group.promote_bot()
    for text in ("hello", "/newgame@another_bot easy", "newgame", "/unknown", "❌", "2m:1:0:0"):
        await ann.say(text, in_=group)
    await shared.has_answered(group, ann)
    assert len(shared.sent(group)) == 1


async def test_commands_work_with_and_without_the_bots_name(ann: Person, group: Group) -> None:
    for command in ("/newgame easy", "/newgame@oxo_playground_bot easy", "/newgame@OXO_PLAYGROUND_BOT easy"):
        board = await ann.ask(command, in_=group)
        assert position_of(board).ply == 0


async def test_with_another_bot_in_the_group_the_full_command_still_works(ann: Person, group: Group) -> None:
    group.other_bot_says("I am here too")
    board = await ann.ask("/newgame@oxo_playground_bot easy", in_=group)
    assert position_of(board).ply == 0


@pytest.mark.parametrize("kind", ["group", "supergroup", "forum"])
async def test_every_kind_of_group_can_be_played_in(shared: World, ann: Person, bo: Person, kind: str) -> None:
    where = shared.playground.add_group(kind, [ann, bo], kind=kind, forum=kind == "forum")
    topic = where.add_topic("Games") if kind == "forum" else None
    board = await ann.ask("/newgame easy", in_=where, topic=topic)
    await play_to(WIN, ann, board, "easy")
    await ann.tap(board, row=3, column=0)
    following = await where.wait_for(after=board)
    assert position_of(following).ply == 0
    assert board.thread == following.thread == (topic.thread if topic else None)


@pytest.mark.parametrize("disguise", ["anonymous", "channel"])
async def test_somebody_posting_as_a_group_or_a_channel_is_told_why_not(
    shared: World, ann: Person, group: Group, disguise: str
) -> None:
    if disguise == "anonymous":
        said = await ann.say("/newgame@oxo_playground_bot easy", in_=group, anonymous=True)
    else:
        said = await ann.say("/newgame@oxo_playground_bot easy", in_=group, channel="News")
    answer = await group.wait_for(after=said)
    assert answer.labels == []
    assert "yourself" in answer.text
    await shared.has_answered(group, ann)


async def test_toasts_speak_the_tappers_language_and_the_board_its_players(
    ann: Person, bo: Person, group: Group
) -> None:
    board = await bo.ask("/newgame easy", in_=group)
    assert "轮到你" in board.text
    answer = await ann.tap(board, data=data_of(board, 0))
    assert "someone else" in (answer.text or "")
    await tap_cell(bo, board, 0)
    assert "轮到你" in board.text
