"""Every command of every feature, as somebody new sends it: no answer is a dead end."""

import re
from typing import Final

import pytest

from bot.dispatch import FEATURES
from tests.people import plain
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

WAY_ON: Final = re.compile("(?<![a-z])/[a-z]+")
SAYS_WHERE: Final = "That's between the two of us: please send it in our private chat."
ENDS: Final = {
    "private": {
        "text": "Text boards: on",
        "export": "I'm collecting your data. You'll get it here as a file.",
    },
    "group": {"text": "Text boards: on", "export": SAYS_WHERE, "forget": SAYS_WHERE},
}
"""What is done, and what says where it can be done."""


@pytest.mark.parametrize("where", ["private", "group"])
async def test_the_answer_to_every_command_has_a_button_or_names_a_command(shared: World, where: str) -> None:
    dead = {}
    for name in FEATURES.commands:
        person = shared.playground.add_person(f"Dee {name}", started=True)
        group = shared.playground.add_group(f"The {name}s", [person])
        group.promote(person)
        told = await person.ask(f"/{name}", in_=group if where == "group" else person.private)
        if not told.keyboard and not WAY_ON.search(plain(told)):
            dead[name] = plain(told)
    assert dead == ENDS[where]
