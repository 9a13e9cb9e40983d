"""/top: the leaderboard, by wins of the week and by rating."""

from __future__ import annotations

import re
import time

import pytest
from sqlalchemy import insert

from playground.groups import Group
from playground.people import Person
from storage.schema import WEEKS
from tests.people import X_WINS, begun, offered, plain, played, pressed
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_wins_of_the_week_are_listed_here_and_everywhere(ann: Person, bo: Person, group: Group) -> None:
    menu = await ann.ask("/top", in_=group)
    assert "Rating · this chat · all boards" in menu.text
    assert "Nobody's on this leaderboard yet." in menu.text
    assert "don't have a rating here yet" in menu.text
    assert menu.labels == [], "there is nothing to choose from"
    board = await begun(ann, bo, group)
    await played(ann, bo, board, X_WINS)
    menu = await ann.ask("/top week", in_=group)
    assert "🥇 Ann · 1" in plain(menu)
    await pressed(ann, menu, "Rating")
    await pressed(ann, menu, "Wins this week")
    assert "Your place: 1 · 1" in menu.text
    await pressed(ann, menu, "Everybody")
    assert "Wins this week · everybody" in menu.text
    await pressed(bo, menu, "This chat")
    assert "本群" in menu.text
    assert "你这周还没有赢过真人" in menu.text


async def test_a_rating_changes_as_the_game_ends_and_is_shown_everywhere_unless_hidden(
    shared: World, ann: Person
) -> None:
    cem = shared.playground.add_person("Cem", started=True)
    new = shared.playground.add_group("Club", [ann, cem])
    before = await rating_of(ann, new)
    board = await played(ann, cem, await begun(ann, cem, new), X_WINS)
    after = await rating_of(ann, new)
    assert f"Ann {before.rstrip('?')} → {after}" in plain(board)
    shown = re.search(r"Cem 1500 → (\d+\?)", plain(board))
    assert shown is not None
    top = plain(await ann.ask("/top", in_=new))
    assert f"Ann · {after}" in top
    assert f"Cem · {shown[1]}" in top
    assert f"Rating: {shown[1]}" in plain(await cem.ask("/stats"))
    await cem.ask("/settings hidden on")
    await board.until(lambda message: "Cem 1500" not in plain(message))
    assert f"Ann {before.rstrip('?')} → {after}" in plain(board)
    assert "Cem" not in plain(await ann.ask("/top", in_=new))
    again = await played(ann, cem, await begun(ann, cem, new), X_WINS)
    assert "Rating: Ann" in plain(again)
    assert "Cem 1" not in plain(again)


async def rating_of(person: Person, chat: Group) -> str:
    """The rating in somebody's own results; 1500 if there is none."""
    found = re.search(r"Rating: (\d+\??)", plain(await person.ask("/stats", in_=chat)))
    return found[1] if found else "1500?"


async def test_the_list_of_everybody_has_pages(shared: World, ann: Person) -> None:
    week = (int(time.time()) // 86400 + 3) // 7
    with shared.engine.begin() as connection:
        rows = [{"person": 900_000 + number, "wins": number} for number in range(1, 24)]
        connection.execute(insert(WEEKS).values(week=week, chat_id=0, family="misere"), rows)
    menu = await ann.ask("/top")
    await pressed(ann, menu, "Misère")
    await pressed(ann, menu, "Wins this week")
    assert "🥇 Player · 23" in plain(menu)
    assert "‹" not in offered(menu)
    await pressed(ann, menu, "›")
    await pressed(ann, menu, "›")
    assert "23. Player · 1" in plain(menu)
    assert "›" not in offered(menu)
    await pressed(ann, menu, "‹")
    assert "11. Player · 13" in plain(menu)
