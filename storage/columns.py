"""What the columns of tables hold, and whose it is.

By it the tables are made (`storage.schema`) and somebody's data found (`storage.privacy.personal`).
A field that becomes a column is of one of these types, of an enum, true or false, or a text of at most so many
characters: `Annotated[str, ColumnKind(81)]`. Nothing else has a column, and each of these says whose it is.
"""

from enum import Enum, StrEnum, auto
from typing import Annotated, Final, NamedTuple


class DataKind(StrEnum):
    """What kind of personal data a column has."""

    PERSON = "person"
    """A person's Telegram id; 0 is the computer or nobody, and below 0 are people who were forgotten."""
    CHAT = "chat"
    """A chat's id: that of a private chat is its person's, that of a group is below 0."""
    NAME = "name"
    LINK = "link"
    """The secret part of a link, with which anybody can join a game."""


class Number(Enum):
    """How a number is stored."""

    ROW = auto()
    """A row's id: given by the database, and never given again."""
    BIG = auto()
    """Up to 64 bits: ids of Telegram's have 52, and times are seconds since 1970."""
    SMALL = auto()
    REAL = auto()


class Time(Enum):
    """What a time means, and so what becomes of it when people couldn't be heard, or a clock was wrong.

    `storage.clock.go_on` moves all columns of a kind; a new one says its kind and is moved with the others.
    """

    HAPPENED = auto()
    """When something happened: it stays what it is."""
    DUE = auto()
    """When something happens unless people prevent it: it waits for as long as they couldn't be heard."""
    SINCE = auto()
    """Since when somebody can see something, or something waits: time in which nobody was heard doesn't count."""
    NEAR = auto()
    """Matters only while it's near, as when a process may try again: only a clock that is set back moves it."""


class ColumnKind(NamedTuple):
    """How a column is stored, whose it is and, if it is a time, of which kind."""

    stored: Number | int
    """The most characters of a text, or a kind of number."""
    held: DataKind | None = None
    time: Time | None = None


RowId = Annotated[int, ColumnKind(Number.ROW)]
PersonId = Annotated[int, ColumnKind(Number.BIG, DataKind.PERSON)]
ChatId = Annotated[int, ColumnKind(Number.BIG, DataKind.CHAT)]
Id = Annotated[int, ColumnKind(Number.BIG)]
"""An id of Telegram's that is nobody's: of an update, a message, a topic; a person's is a `PersonId`."""
Moment = Annotated[int, ColumnKind(Number.BIG, time=Time.HAPPENED)]
"""When something happened. This and the next three are whole seconds since 1970, UTC: the same integers on both
databases, and no time zones to get wrong."""
DueAt = Annotated[int, ColumnKind(Number.BIG, time=Time.DUE)]
Since = Annotated[int, ColumnKind(Number.BIG, time=Time.SINCE)]
NearTime = Annotated[int, ColumnKind(Number.BIG, time=Time.NEAR)]
DAY: Final = 24 * 3600
"""A day, in seconds."""
Count = Annotated[int, ColumnKind(Number.SMALL)]
Real = Annotated[float, ColumnKind(Number.REAL)]
Word = Annotated[str, ColumnKind(16)]
"""Rules, a level, a language, a theme, a family of rules."""
ZoneName = Annotated[str, ColumnKind(48)]
Name = Annotated[str, ColumnKind(256, DataKind.NAME)]
Username = Annotated[str, ColumnKind(32, DataKind.NAME)]
Figure = Annotated[str, ColumnKind(8)]
"""A rating as it is shown."""
