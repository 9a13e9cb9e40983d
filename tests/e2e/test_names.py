"""Names are untrusted text: whatever they contain, the message and its markup stay intact."""

from __future__ import annotations

import pytest

from tests.e2e.driver import WIN, Oxo, play_to
from tests.two.hands import X_WINS, begun, data, played, put

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


async def test_a_harmless_name_is_shown_as_it_is(shared: Oxo) -> None:
    for first, last, shown in (("Cem", "Öz", "Cem Öz"), ("<b>", None, "<b>"), ("محمد", None, "محمد")):
        person = shared.playground.add_person(first, last_name=last, started=True)
        group = shared.playground.add_group("Names", [person])
        assert f"{ISOLATE}{shown}{POP}" in (await person.ask("/newgame easy", in_=group)).text


async def test_a_private_board_needs_no_name(shared: Oxo) -> None:
    person = shared.playground.add_person("\u202e<b>", started=True)
    board = await person.ask("/newgame")
    assert "You" in board.text
    assert "<b>" not in board.text


async def test_a_board_shows_the_name_that_somebody_has_now(shared: Oxo) -> None:
    """A person's next action updates their name on all boards shown from then on."""
    ann = shared.playground.add_person("Anni", username="anni_now", started=True)
    bo = shared.playground.add_person("Bodo", username="bodo_now", started=True)
    group = shared.playground.add_group("Names", [ann, bo])
    first, second = await begun(ann, bo, group), await begun(ann, bo, group)
    bo.rename("Bodo the Great", None, "bodo_now", None)
    await put(ann, first, 4)
    await put(bo, first, 0)
    assert "Bodo the Great" in first.text
    assert "Bodo the Great" not in second.text
    await put(ann, second, 4)
    assert "Bodo the Great" in second.text


async def test_somebody_who_has_only_tapped_is_known_by_their_username(shared: Oxo) -> None:
    ann = shared.playground.add_person("Anna", started=True)
    cem = shared.playground.add_person("Cem", username="Cem_Oez")
    dee = shared.playground.add_person("Dee", username="dee_looks_on")
    group = shared.playground.add_group("Names", [ann, cem, dee])
    challenge = await ann.ask("/newgame", in_=group)
    await cem.tap(challenge, "Accept")
    await played(ann, cem, challenge, X_WINS)
    await dee.tap(challenge, data=data(challenge, "undo"))
    assert "Cem" in (await ann.ask("/stats @cem_oez", in_=group)).text
    assert "Dee" not in (await ann.ask("/stats @dee_looks_on", in_=group)).text, (
        "nothing was started, so nothing is stored"
    )


async def test_a_challenge_to_an_unknown_username_finds_its_person(shared: Oxo) -> None:
    ann = shared.playground.add_person("Anke", started=True)
    eva = shared.playground.add_person("Eva", username="Eva_Unknown")
    fay = shared.playground.add_person("Fay", username="fay_else")
    group = shared.playground.add_group("Names", [ann, eva, fay])
    challenges = [await ann.ask("/newgame @eva_UNKNOWN", in_=group) for _ in range(2)]
    assert "@eva_unknown, \u2068Anke\u2069 challenges you" in challenges[0].text
    assert (await fay.tap(challenges[0], "Accept")).text
    await eva.tap(challenges[0], "Decline")
    await challenges[0].until(lambda message: "Eva\u2069 declined" in message.text)
    eva.rename("Evita", None, "Eva_Unknown", None)
    await eva.tap(challenges[1], "Accept")
    await challenges[1].until(lambda message: "Evita" in message.text)
