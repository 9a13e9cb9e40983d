"""/top: who plays best, by wins of the week and by rating."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.two.hands import X_WINS, begun, offered, plain, played, pressed

if TYPE_CHECKING:
    from playground.groups import Group
    from playground.people import Person
    from tests.e2e.driver import Oxo

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_wins_of_the_week_are_listed_here_and_everywhere(ann: Person, bo: Person, group: Group) -> None:
    menu = await ann.ask("/top", in_=group)
    assert "this chat · rating · all boards" in menu.text
    assert "Nobody is in this list yet." in menu.text
    assert "no rating here yet" in menu.text
    board = await begun(ann, bo, group)
    await played(ann, bo, board, X_WINS)
    await pressed(ann, menu, "wins this week")
    assert "🥇 Ann · 1" in plain(menu)
    assert "Your place: 1 · 1" in menu.text
    await pressed(ann, menu, "everybody")
    assert "everybody · wins this week" in menu.text
    await pressed(ann, menu, "ultimate")
    assert "Ann" not in menu.text
    await pressed(bo, menu, "this chat")
    assert "这里" in menu.text
    assert "你这周还没有赢过真人" in menu.text


async def test_a_rating_comes_the_day_after(shared: Oxo, ann: Person, bo: Person, group: Group) -> None:
    """The game is put a day back in the database; the bot finds it by itself."""
    board = await begun(ann, bo, group)
    await played(ann, bo, board, X_WINS)
    await ann.ask("/top", in_=group)
    with closing(sqlite3.connect(shared.database, timeout=10)) as connection, connection:
        connection.execute(
            "UPDATE results SET ended_at = ended_at - 2 * 86400 WHERE person IN (?, ?)", (ann.id, bo.id)
        )
    until = time.monotonic() + 30
    while "?" not in (menu := await ann.ask("/top", in_=group)).text:
        assert time.monotonic() < until
    assert "🥇" in menu.text
    assert "Your place: " in menu.text
    assert "1520?" in menu.text, "who has only played each other moves no further"
    stats = await ann.ask("/stats", in_=group)
    assert "Rating: 1520?" in plain(stats)


async def test_the_list_of_everybody_has_pages(shared: Oxo, ann: Person) -> None:
    week = (int(time.time()) // 86400 + 3) // 7
    with closing(sqlite3.connect(shared.database, timeout=10)) as connection, connection:
        connection.executemany(
            "INSERT INTO weeks (week, chat_id, family, person, wins) VALUES (?, 0, 'misere', ?, ?)",
            [(week, 900_000 + number, number) for number in range(1, 24)],
        )
    menu = await ann.ask("/top")
    await pressed(ann, menu, "misère")
    await pressed(ann, menu, "wins this week")
    assert "🥇 Player · 23" in plain(menu)
    assert "‹" not in offered(menu)
    await pressed(ann, menu, "›")
    await pressed(ann, menu, "›")
    assert "23. Player · 1" in plain(menu)
    assert "›" not in offered(menu)
    await pressed(ann, menu, "‹")
    assert "11. Player · 13" in plain(menu)
