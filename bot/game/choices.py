"""What people can choose, and what a button can carry: types whose values are read strictly from its text.

A modified client can send anything, so a reader takes values that the bot may write, or raises ValueError.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias, TypeVar, get_type_hints

from engine import Level, Mark
from engine.rules.catalogue import FAMILIES, is_offered_as
from storage.columns import DAY

T = TypeVar("T")


class First(StrEnum):
    """Who moves first, in the words of the command."""

    ME = "me"
    """The person who asks for the game."""
    BOT = "bot"
    """The opponent."""
    RANDOM = "random"
    """A coin decides."""


ADAPTIVE: Final = "adaptive"
"""The difficulty that follows how the person does."""

CLOCKS: Final = (30, 2 * 60, 10 * 60, DAY)
"""The seconds for a move that two people can agree on."""

SERIES: Final = (1, 3, 5, 7)
"""The lengths of series that people can choose, in games; 1 is no series."""

ANY: Final = "any"
"""Any board, for somebody who waits for an opponent."""


def matching(pattern: str) -> Callable[[str], str]:
    """A reader of texts that match a pattern."""
    compiled = re.compile(pattern)

    def read(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise ValueError(text)
        return text

    return read


def number(pattern: str) -> Callable[[str], int]:
    """A reader of numbers that match a pattern."""
    digits = matching(pattern)
    return lambda text: int(digits(text))


def one_of(*known: T) -> Callable[[str], T]:
    """A reader of one of these values."""
    texts = [str(each) for each in known]
    return lambda text: known[texts.index(text)]


def _offered(text: str) -> str:
    if not is_offered_as(text):
        raise ValueError(text)
    return text


CarriedId: TypeAlias = Annotated[int, number("[1-9][0-9]{0,17}")]  # fits 64 bits
Small: TypeAlias = Annotated[int, number("[0-9]{1,2}")]
PageNumber: TypeAlias = Annotated[int, number("[0-9]{1,4}")]
Day: TypeAlias = Annotated[int, number("[0-9]{1,6}")]
Version: TypeAlias = Annotated[int, number("[0-9]{1,9}")]
Flag: TypeAlias = Annotated[bool, lambda text: bool(("0", "1").index(text))]
Difficulty: TypeAlias = Annotated[str, one_of(ADAPTIVE, *Level)]
Series: TypeAlias = Annotated[int, one_of(*SERIES)]
ClockSeconds: TypeAlias = Annotated[int, one_of(0, *CLOCKS)]
Offered: TypeAlias = Annotated[str, _offered]
OfferedOrNone: TypeAlias = Annotated[str, lambda text: text and _offered(text)]
SeenRules: TypeAlias = Annotated[str, matching("[a-z0-9-]{0,16}")]
SettingValue: TypeAlias = Annotated[str, matching("[A-Za-z0-9/_+-]{0,32}")]
Family: TypeAlias = Annotated[str, one_of("", *FAMILIES)]
Side: TypeAlias = Annotated[Mark, Mark]


Readers: TypeAlias = Mapping[str, Callable[[str], Any]]


def readers_of(kind: type[Any]) -> Readers:
    """How each field of a dataclass is read, by its name and in its order."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: hints[each.name].__metadata__[0] for each in fields(kind)}
