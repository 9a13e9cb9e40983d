"""Names are foreign text: whatever they hold, the message stays whole and its markup its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.driver import WIN, play_to

if TYPE_CHECKING:
    from tests.e2e.driver import Oxo

pytestmark = pytest.mark.asyncio(loop_scope="module")

ISOLATE, POP = "\u2068", "\u2069"

NAMES = {
    "html": "<b>Bold</b> & <a href='tg://user?id=1'>x</a>",
    "broken html": "</b></code><i",
    "entity": "&lt;&amp;&#x41;",
    "markdown": "*_[x](y)`~||",
    "arabic": "محمد علي",
    "hebrew": "שלום",
    "right-to-left override": "\u202eevil\u202d",
    "isolates": "\u2066\u2067\u2068Ann\u2069\u2069\u2069\u2069",
    "marks of direction": "\u200f\u200eAnn\u061c",
    "newlines": "Ann\nwins\r\n\tnow\u2028\u2029",
    "nulls": "An\x00n\x07",
    "huge": "Wolfeschlegelsteinhausenbergerdorff" * 3,
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈",
    "zalgo": "A" + "\u0301" * 60,
    "command": "/newgame",
    "mention": "@ann_plays",
    "address": "https://example.org/x",
    "format": "{name} {0} %s %(x)s",
    "chinese": "小波",
    "surrogate": "a\ud800b",
}
INVISIBLE = {
    "empty": "",
    "spaces": "   \u00a0\u3000",
    "zero width": "\u200b\u200c\u200d\u2060\ufeff",
    "direction only": "\u202e\u200f",
    "hangul fillers": "\u3164\u115f\u1160\uffa0",
    "braille blank": "\u2800",
    "variation selectors": "\ufe0f\U000e0100",
    "tags": "\U000e0061\U000e0062",
    "combining": "\u0301\u034f",
    "private use": "\ue000\uf8ff",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
async def test_any_name_is_shown_safely(shared: Oxo, name: str) -> None:
    person = shared.playground.add_person(name, started=True)
    group = shared.playground.add_group("Names", [person])
    board = await person.ask("/newgame easy", in_=group)
    kinds = {entity["type"] for entity in board.entities}
    assert kinds <= {"bold", "text_mention", "bot_command", "mention", "url"}
    mentioned = [entity["user"]["id"] for entity in board.entities if entity["type"] == "text_mention"]
    assert set(mentioned) <= {person.id}
    assert board.text.count("\n") == 2, "the name adds no line"
    assert board.text.count(ISOLATE) == board.text.count(POP) > 0, "a name's direction ends with it"
    for line in board.text.splitlines():
        assert len(line) < 200
    assert sum(entity["type"] == "bold" for entity in board.entities) == 1, "the bold text is ours alone"
    assert not set(board.text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u200e\u200f\u061c")
    await play_to(WIN, person, board, "easy")
    assert sum(entity["type"] == "bold" for entity in board.entities) == 1


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
async def test_a_name_that_cannot_be_seen_gets_one_that_can(shared: Oxo, name: str) -> None:
    person = shared.playground.add_person(name, key=f"nobody {name!a}", started=True)
    group = shared.playground.add_group("Names", [person])
    board = await person.ask("/newgame easy", in_=group)
    assert f"{ISOLATE}Player{POP}" in board.text


async def test_the_name_stands_as_it_is_where_it_harms_nobody(shared: Oxo) -> None:
    for first, last, shown in (("Cem", "Öz", "Cem Öz"), ("<b>", None, "<b>"), ("محمد", None, "محمد")):
        person = shared.playground.add_person(first, last_name=last, started=True)
        group = shared.playground.add_group("Names", [person])
        assert f"{ISOLATE}{shown}{POP}" in (await person.ask("/newgame easy", in_=group)).text


async def test_a_private_board_needs_no_name(shared: Oxo) -> None:
    person = shared.playground.add_person("\u202e<b>", started=True)
    board = await person.ask("/newgame")
    assert "You" in board.text
    assert "<b>" not in board.text
