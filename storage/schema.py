"""The tables: games and what belongs to them, people, results, and who was forgotten.

They are plain tables: the ORM's mappings would double the time of a start and halve the speed of a transaction
(docs/architecture.md). Where a value has all that a row has, the table is made of the value's fields, so that a
column is said once, with its meaning, its type and whose it is (`storage.columns`).

The ids of games, boards and notices outlive their rows in the buttons of old messages, so none is ever
given twice: PostgreSQL's sequences never go back, and SQLite's don't with `sqlite_autoincrement`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
    and_,
    false,
    or_,
    text,
    true,
)
from sqlalchemy.types import TypeEngine

from engine import Mark
from storage.columns import (
    ChatId,
    ColumnKind,
    Count,
    DataKind,
    Id,
    Moment,
    Name,
    Number,
    PersonId,
    Real,
    RowId,
    Since,
    Time,
    Username,
    Word,
)
from storage.games.game import Game, Side
from storage.games.record import Board, Notice, PictureKey
from storage.people.person import Chat, Cup, CupGame, CupPlan, CupPlayer, GroupPuzzle, Meeting, Solving
from storage.results.result import Result

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that migrations can name it."""

METADATA = MetaData(naming_convention=NAMING)

# SQLite numbers rows by itself only where the key is declared INTEGER (its INTEGER is 64-bit).
ROW_ID = BigInteger().with_variant(Integer(), "sqlite")
NUMBERS: Final[Mapping[Number, TypeEngine[Any]]] = {
    Number.ROW: ROW_ID,
    Number.BIG: BigInteger(),
    Number.SMALL: Integer(),
    Number.REAL: Double(),
}
NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class _Members(dict[str | None, Enum | str | None]):
    """The members of an enum by their words; a word that only a newer release knows stays a text."""

    def __missing__(self, word: str | None) -> str | None:
        return word


class Member(TypeDecorator[Any]):
    """A column whose words stand for the members of an enum."""

    impl = String(16)
    cache_ok = True

    def __init__(self, of: type[Enum]) -> None:
        super().__init__()
        self.of = of
        self._members = _Members({None: None} | {str(each): each for each in of})

    def result_processor(self, *_: object) -> Callable[[str | None], Enum | str | None]:
        """Look a word up, without calling anything of ours for each value: a game has nine."""
        return self._members.__getitem__


@cache
def is_known(table: Table) -> ColumnElement[bool]:
    """The condition that this release knows all words of a row: queues leave the others to a newer one."""
    words = [(column, column.type.of) for column in table.c if isinstance(column.type, Member)]
    return and_(*(or_(word.is_(None), word.in_(map(str, of))) for word, of in words))


def _table(
    name: str,
    kinds: Mapping[str, Any],
    *,
    key: Sequence[str] = ("id",),
    references: Mapping[str, ForeignKey] = NONE,
    defaults: Mapping[str, Any] = NONE,
) -> Table:
    """A table with columns of these kinds: types of `storage.columns`, enums or bool, `| None` if it may be empty.

    Rows that name no value for a column get its default, if it has one.
    """
    is_numbered = ColumnKind(Number.ROW) in get_args(kinds[key[0]]) and key == ("id",)
    columns = []
    for each, given in kinds.items():
        options = get_args(given) if get_origin(given) in (Union, UnionType) else (given,)
        (kind,) = (option for option in options if option is not type(None))
        stored, held, time = _stored(kind)
        column: Column[Any] = Column(
            each,
            stored,
            *(references[each],) if each in references else (),
            primary_key=each in key,
            autoincrement="auto" if is_numbered else False,
            nullable=len(options) > 1,
            server_default=_default(defaults.get(each)),
            info={"held": held, "time": time, "default": defaults.get(each)},
        )
        columns.append(column)
    return Table(name, METADATA, *columns, sqlite_autoincrement=is_numbered)


def _of(
    name: str,
    value: type[Any],
    *,
    key: Sequence[str] = ("id",),
    references: Mapping[str, ForeignKey] = NONE,
    more: Mapping[str, Any] = NONE,
) -> Table:
    """The table of a value's fields, and perhaps `more` columns."""
    columns = list(_columns(value))
    kinds, defaults = {each: kind for each, kind, _ in columns}, {each: default for each, _, default in columns}
    return _table(name, {**kinds, **more}, key=key, references=references, defaults=defaults)


def _columns(value: type[Any], prefix: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The columns of a value's fields: name, kind and default; a side of a game has one for each of its own."""
    kinds = get_type_hints(value, include_extras=True)
    for each in value._fields:
        if kinds[each] is Side:
            yield from _columns(Side, f"{each}_")
        elif each != "names":  # which have a table of their own
            yield prefix + each, kinds[each], value._field_defaults.get(each)


def _stored(kind: Any) -> tuple[TypeEngine[Any], DataKind | None, Time | None]:  # noqa: ANN401 - a type
    if get_origin(kind) is not Annotated:
        return Boolean() if kind is bool else Member(kind), None, None
    stored, held, time = next(each for each in get_args(kind) if isinstance(each, ColumnKind))
    return NUMBERS[stored] if isinstance(stored, Number) else String(stored), held, time


def _default(value: Any) -> Any:  # noqa: ANN401 - of a column
    if value is None:
        return None
    if isinstance(value, bool):
        return true() if value else false()
    return text(str(value) if isinstance(value, int) else f"'{value}'")


CHATS = _of("chats", Chat)
"""A chat and what was chosen in it for new games: rules, the computer's level, who moves first, the theme; and
when the bot left it; `storage.people.person.Chat` is its value."""

PEOPLE = _table(
    "people",
    {
        "id": PersonId,
        "name": Name,
        "language": Word | None,
        "takebacks": bool,
        "notices": bool | None,
        "username": Username | None,
        "hidden": bool,
        "seen_at": Moment,
    },
    defaults={"takebacks": True, "hidden": False, "seen_at": 0},
)
"""A person who plays, as last seen, and on which day (its first second); and what they have chosen
(`storage.people.people`). The username is in lower case."""

GAMES = _of(
    "games",
    Game,
    references={
        "chat_id": ForeignKey("chats.id", onupdate="CASCADE"),
        "next_game": ForeignKey("games.id"),
    },
)
"""A game; `storage.games.game.Game` is its value."""

SIDE_COLUMNS: Final[Mapping[Mark, Mapping[str, Column[Any]]]] = {
    mark: {each: GAMES.c[f"{mark.lower()}_{each}"] for each in Side._fields} for mark in Mark
}
"""The columns of a game's sides, by mark and by the field of `Side`."""
SEATS: Final = (GAMES.c.x_seat, GAMES.c.o_seat)

BOARDS = _of("boards", Board, references={"game_id": ForeignKey("games.id")})
"""A message that shows a game; `storage.games.record.Board` is its value."""

PUZZLES = _of("puzzles", Solving, key=("person",), more={"remind_at": Moment | None, "chat_id": ChatId | None})
"""How far a person is with the daily puzzle (`storage.people.person.Solving`), when to remind them of the next
one (a time of day, so it stays what it is), and the group from which they last opened it."""

GROUP_PUZZLES = _of("group_puzzles", GroupPuzzle, key=("chat_id",))
"""The message of the day's puzzle in a group; `storage.people.person.GroupPuzzle` is its value."""

OUTBOX = _of("outbox", Notice, references={"game_id": ForeignKey("games.id")})
"""What must be sent besides boards; `storage.games.record.Notice` is its value."""

DONE = _table("done", {"key": Id, "at": Moment}, key=("key",))
"""What was done within the last day, by the digest of whatever would ask for it once more (`storage.once`)."""

MESSAGES = _table(
    "messages",
    {"chat_id": ChatId, "message_id": Id, "game_id": RowId},
    key=("chat_id", "message_id"),
    references={"game_id": ForeignKey("games.id")},
)
"""Messages about a game that are not its boards: notices, and former boards."""

REPLAYS = _of("replays", PictureKey, key=PictureKey._fields, more={"file_id": Annotated[str, ColumnKind(255)]})
"""Pictures of finished games that Telegram keeps (`storage.games.games`). A release that draws games differently
deletes these rows in a migration."""

BLOCKS = _table("blocks", {"person": PersonId, "blocked": PersonId}, key=("person", "blocked"))
"""Whose challenges and questions a person doesn't want (`storage.people.blocks`); of somebody who was forgotten, a
digest stays."""

ABSENCES = _table("absences", {"chat_id": ChatId, "person": PersonId}, key=("chat_id", "person"))
"""Who has left a group in which they had played (`storage.people.people`)."""

MEETINGS = _of("meetings", Meeting, key=("game_id",))
"""Recent pairings; `storage.people.person.Meeting` is their value."""

CUPS = _of("cups", Cup)
"""The cup of a group that isn't over, and its last one; `storage.people.person.Cup` is its value, and the next two
are the tables of its players and games."""

CUP_PLAYERS = _of("cup_players", CupPlayer, key=("cup", "number"))

CUP_GAMES = _of("cup_games", CupGame, key=("cup", "number"))

CUP_PLANS = _of("cup_plans", CupPlan, key=("chat_id",))
"""The cup that a group holds later; `storage.people.person.CupPlan` is its value."""

RESULTS = _of("results", Result, key=("game_id", "person"))
"""How a game ended for a person in it; `storage.results.result.Result` is its value."""

LEVELS = _table(
    "levels", {"person": PersonId, "family": Word, "level": Word, "streak": Count}, key=("person", "family")
)
"""The adaptive level at which a person plays next, by family of rules, and how many games in a row they have won
(below 0: lost) at it."""

MILESTONES = _table(
    "milestones",
    {"person": PersonId, "name": Word, "progress": Count, "reached_at": Moment | None},
    key=("person", "name"),
)
"""How far a person is with each milestone (`storage.results.results`), and when they reached it."""

RATINGS = _table(
    "ratings",
    {
        "person": PersonId,
        "family": Word,
        "rating": Real,
        "deviation": Real,
        "volatility": Real,
        "day": Count,
        "games": Count,
        "opponents": Count,
        "settled": Count,
        "settled_until": Count,
    },
    key=("person", "family"),
)
"""A person's rating, by family of rules and for all of them (empty); `storage.results.ratings.Rated` is its
value. `settled` is 1 while the rating is not provisional, which without another game it becomes after the day in
`settled_until`."""

RATING_DAYS = _table(
    "rating_days",
    {"person": PersonId, "family": Word, "day": Count, "rating": Real},
    key=("person", "family", "day"),
)
"""A person's rating after each day (counted from 1970) on which they have played rated games."""

PAIRS = _table(
    "pairs",
    {"person": PersonId, "opponent": PersonId, "family": Word, "day": Count, "games": Count},
    key=("person", "opponent", "family"),
)
"""Two people who have played rated games: the last day on which they did, and how many games on it. Each pair has
two rows, one each way."""

PROGRESS = _table("progress", {"name": Word, "value": Id}, key=("name",))
"""Numbers by name: when people were last heard (`storage.clock`), the days that an outage has cost
(`storage.people.puzzles`), the salt of the list of forgotten people (`storage.privacy.forgotten`), what deleting
has left in a SQLite file (`storage.privacy.traces`), and digests of its menus at Telegram (`storage.once`)."""

ERASURES = _table(
    "erasures",
    {"person": PersonId, "stage": Word, "at": Since, "cursor": Id},
    key=("person",),
)
"""People who are being forgotten, or were asked to confirm it (`storage.privacy.erasure`): since when, and how far
it has come."""

FORGOTTEN = _table("forgotten", {"digest": Annotated[str, ColumnKind(32)], "at": Moment}, key=("digest",))
"""People who were forgotten, by a salted digest of their id, and when (`storage.privacy.forgotten`)."""

FORMER_PAIRS = _table("former_pairs", {"digest": Id, "day": Count, "games": Count}, key=("digest",))
"""Pairs of which one was forgotten, by a digest of both, until the day after their last game: whoever comes back
doesn't count as somebody new (`storage.results.ratings`)."""
