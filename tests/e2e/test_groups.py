"""In a group: a game against the computer for the person who asked, seen by all."""

from __future__ import annotations

import asyncio

import pytest

from playground.groups import Group
from playground.people import Person
from tests.people import DRAW, WIN, data_of, plain, play_to, position_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_several_people_play_in_a_group_at_the_same_time_each_on_a_board_that_names_them(
    ann: Person, bo: Person, group: Group
) -> None:
    hers, his = await ann.ask("/newgame easy", in_=group), await bo.ask("/newgame perfect bot", in_=group)
    assert "Ann" in hers.text
    assert "turn" in hers.text
    assert "easy" in hers.text
    assert "someone else" in ((await ann.tap(his, data=data_of(his, 0))).text or ""), "toasts are in her language"
    await asyncio.gather(play_to(WIN, ann, hers, "easy"), play_to(DRAW, bo, his, "perfect"))
    assert "You win, Ann" in plain(hers)
    assert "小波" in his.text
    assert "平局" in his.text


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
