"""Every command of every feature, as somebody new sends it: no answer is a dead end, and none makes a sound."""

import re
from typing import Final

import pytest

from bot.dispatch import FEATURES
from tests.people import plain
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

WAY_ON: Final = re.compile(r"(?<![a-z])/[a-z]+|I don't know the word \S+\. [^:]+: \w")
"""A command, or the words that would be understood."""
SAYS_WHERE: Final = "That's between the two of us: please send it in our private chat."
ENDS: Final = {
    "private": {
        "export": "I'm collecting your data. You'll get it here as a file.",
        "puzzle": "Write a move as row and column, like 2,3 or b2, or as a number from 1 to 25, like 5.",
    },
    "group": {"export": SAYS_WHERE, "forget": SAYS_WHERE},
}
"""What is done, and what says where it can be done."""
CALLS: Final = {("group", ""): ["cup"], ("group", " @nobody_here"): ["newgame", "challenge"]}
"""What calls others."""


@pytest.mark.parametrize("words", ["", " zzz", " @nobody_here"])
@pytest.mark.parametrize("where", ["private", "group"])
async def test_every_command_is_answered_in_its_topic_and_its_answer_leads_on_and_calls_nobody(
    shared: World, where: str, words: str
) -> None:
    """It has a button, or names a command or the words that the command knows."""
    dead, loud = {}, []
    for name in FEATURES.commands:
        person = shared.playground.add_person(f"Dee {name}", started=True)
        group = shared.playground.add_group(f"The {name}s", [person])
        group.promote(person)
        chat = group if where == "group" else person.private
        topic = person.add_topic("Games") if where == "private" else None
        told = await person.ask(f"/{name}{words}", in_=chat, topic=topic)
        assert told.thread == (topic and topic.thread)
        assert not told.text.startswith("🙂"), "it is known"
        loud += [name for call in shared.sent(chat) if not call.parameters.get("disable_notification")]
        if not told.keyboard and not WAY_ON.search(plain(told)):
            dead[name] = plain(told)
    assert dead.items() <= ENDS[where].items()
    assert loud == CALLS.get((where, words), [])
