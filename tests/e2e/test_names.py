"""Names are untrusted text: whatever they contain, the message and its markup stay intact."""

import pytest

from playground.chats import Message
from tests.people import X_WINS, played
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

ISOLATE, POP = "\u2068", "\u2069"


def utf16(text: str) -> list[str]:
    """The text's UTF-16 units, in which entities are counted."""
    units = text.encode("utf-16-le")
    return [chr(int.from_bytes(units[place : place + 2], "little")) for place in range(0, len(units), 2)]


@pytest.mark.parametrize("name", ["<b>/start@x_bot</b>", "@ann_plays & t.me/oxo_bot?start=x"])
async def test_a_name_is_text_in_which_telegram_marks_nothing_anywhere(shared: World, name: str) -> None:
    person = shared.playground.add_person(name, key=f"links {name}", started=True)
    bo = shared.playground.add_person("Bo", key=f"knows {name}", started=True)
    group = shared.playground.add_group("Names", [person, bo])
    challenge = await person.ask("/newgame", in_=group)
    assert_inert(challenge, name)
    await bo.tap(challenge, "Accept")
    await played(person, bo, challenge, X_WINS)
    assert_inert(challenge, name)
    for command in ("/stats", "/top", "/challenge"):
        assert_inert(await person.ask(command, in_=group), name)


def assert_inert(message: Message, name: str) -> None:
    """The name is there, and what Telegram marks is not in it."""
    text = utf16(message.text)
    assert name in message.text.replace("\u2060", "")
    names = [(place, text.index(POP, place)) for place, letter in enumerate(text) if letter == ISOLATE]
    for entity in message.entities:
        if entity["type"] not in {"bold", "text_mention"}:
            assert not any(start < entity["offset"] < end for start, end in names), entity
