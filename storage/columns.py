"""What the columns of tables hold, and whose it is.

By it the tables are made (`storage.schema`) and somebody's data found (`storage.privacy.personal`).
A field that becomes a column is of one of these types, of an enum, true or false, or a text of at most so many
characters: `Annotated[str, Kind(81)]`. Nothing else has a column, so nobody forgets to say whose a new one is.
"""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import Annotated, NamedTuple


class DataKind(StrEnum):
    """What kind of personal data a column has."""

    PERSON = "person"
    """A person's Telegram id; 0 is the computer or nobody, and below 0 are pseudonyms."""
    CHAT = "chat"
    """A chat's id: that of a private chat is its person's, that of a group is below 0."""
    NAME = "name"
    LINK = "link"
    """The secret part of a link, with which anybody can join a game."""


class Number(Enum):
    """How a number is stored."""

    ROW = auto()
    """The number of a row, which the database gives and no other row ever gets."""
    BIG = auto()
    """Up to 64 bits: ids of Telegram's have 52, and times are seconds since 1970."""
    SMALL = auto()
    REAL = auto()


class Kind(NamedTuple):
    """How a column is stored, and whose it is."""

    stored: Number | int
    """The most characters of a text, or a kind of number."""
    held: DataKind | None = None


RowId = Annotated[int, Kind(Number.ROW)]
PersonId = Annotated[int, Kind(Number.BIG, DataKind.PERSON)]
ChatId = Annotated[int, Kind(Number.BIG, DataKind.CHAT)]
Id = Annotated[int, Kind(Number.BIG)]
"""An id of Telegram's that is nobody's: of an update, a message, a topic."""
Moment = Annotated[int, Kind(Number.BIG)]
"""Whole seconds since 1970, UTC: the same integers on both databases, and no time zones to get wrong."""
Count = Annotated[int, Kind(Number.SMALL)]
Real = Annotated[float, Kind(Number.REAL)]
Word = Annotated[str, Kind(16)]
"""Rules, a level, a language, a theme, a family of rules."""
Name = Annotated[str, Kind(256, DataKind.NAME)]
Username = Annotated[str, Kind(32, DataKind.NAME)]
Figure = Annotated[str, Kind(8)]
"""A rating as it is shown."""
Seen = Annotated[str, Kind(200)]
"""Updates that took effect (`storage.games.seen_updates`)."""
