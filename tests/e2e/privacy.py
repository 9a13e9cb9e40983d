"""Searches logs for names and texts that a playground has seen: none may be in any log (D9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from playground import Playground

SHORTEST_NAME: Final = 2
SHORTEST_TEXT: Final = 5
"""Characters; what is shorter, such as `1,1`, stands in any log for another reason."""


def told_of_people(playground: Playground, log: str) -> list[str]:
    """The names and texts of people in a log; there must be none."""
    names = {name for name in _names(playground) if len(name) >= SHORTEST_NAME}
    own = f"@{playground.bot.username}"
    words = {text for text in _texts(playground) if len(text) >= SHORTEST_TEXT and text != own}
    return sorted(
        [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", log)]
        + [text for text in words if text in log]
    )


def _names(playground: Playground) -> Iterator[str]:
    for person in playground.world.persons.values():
        yield from (name for name in (person.first_name, person.last_name, person.username) if name)


def _texts(playground: Playground) -> Iterator[str]:
    for chat in playground.world.chats.values():
        yield from (message.text for message in chat.messages.values() if not message.from_bot)
