"""The tables.

Telegram's ids need up to 52 bits (Bot API, `User.id`), so they are 64-bit everywhere. Times are whole seconds
since 1970, UTC: the same integers on both databases, and no time zones to get wrong. They are plain tables: the
ORM's mappings would double the time of a start and halve the speed of a transaction (docs/architecture.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that migrations can speak of it."""

METADATA = MetaData(naming_convention=NAMES)

# SQLite numbers rows by itself only where the key is declared INTEGER (its INTEGER is 64-bit).
ROW_ID = BigInteger().with_variant(Integer(), "sqlite")
LANGUAGE, LEVEL, LOOK, NAME, RULES, SEEN = String(16), String(16), String(8), String(256), String(16), String(200)
FAMILY = String(16)


def _maybe(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]], *constraints: ForeignKey) -> Column[Any]:
    """A column that may be empty."""
    return Column(name, kind, *constraints, nullable=True)


def _always(
    name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]], *constraints: ForeignKey, default: str | None = None
) -> Column[Any]:
    """A column that never is; with the default of rows that were there before it."""
    return Column(name, kind, *constraints, nullable=False, server_default=text(default) if default else None)


def _flag(name: str) -> Column[Any]:
    """A column that says yes or no, and no of rows that were there before it."""
    return Column(name, Boolean, nullable=False, server_default=false())


def _key(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]] = BigInteger) -> Column[Any]:
    """A column of the primary key, which comes from elsewhere: an id of Telegram's, a name, a day."""
    return Column(name, kind, primary_key=True, autoincrement=False)


CHATS = Table(
    "chats",
    METADATA,
    _key("id"),
    _maybe("level", LEVEL),
    _maybe("first", String(8)),
    _maybe("look", LOOK),
    _flag("as_text"),
    _maybe("language", LANGUAGE),
    _maybe("rules", RULES),
    _flag("silent"),
    _always("seen_updates", SEEN, default="''"),
    _maybe("left_at", BigInteger),
)
"""A chat and what was chosen in it for new games: what is played, the computer's level, who begins, the look; and
since when the bot is not in it any more."""

PEOPLE = Table(
    "people",
    METADATA,
    _key("id"),
    _always("name", NAME),
    _maybe("language", LANGUAGE),
    Column("takebacks", Boolean, nullable=False, server_default=true()),
    _maybe("notices", Boolean),
    _maybe("username", String(32)),
    _flag("hidden"),
    _always("seen_at", BigInteger, default="0"),
)
"""A person who plays, as last seen; whether others may ask them for a takeback, whether they want notices, and
whether they keep their results to themselves. The username is in small letters."""

GAMES = Table(
    "games",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    _maybe("chat_id", BigInteger, ForeignKey("chats.id", onupdate="CASCADE")),
    _always("rules", RULES, default="''"),
    # Seats.
    _maybe("x_seat", BigInteger),
    _maybe("o_seat", BigInteger),
    _maybe("x_name", NAME),
    _maybe("o_name", NAME),
    _maybe("x_level", LEVEL),
    _maybe("o_level", LEVEL),
    _maybe("rival_id", BigInteger),
    _maybe("rival_name", NAME),
    _maybe("token", String(32)),
    _maybe("host", BigInteger),
    # Play.
    _always("moves", String(81), default="''"),
    _maybe("offer", String(32)),
    _always("takebacks", Integer, default="0"),
    # End.
    _maybe("termination", String(16)),
    _maybe("winner", String(1)),
    _maybe("ended_by", NAME),
    # Series.
    _always("x_wins", Integer, default="0"),
    _always("o_wins", Integer, default="0"),
    _always("draws", Integer, default="0"),
    _maybe("next_game", ROW_ID, ForeignKey("games.id")),
    # Times.
    _always("created_at", BigInteger),
    _always("changed_at", BigInteger),
    _always("moved_at", BigInteger, default="0"),
    _maybe("due_at", BigInteger),
    _maybe("reminded", Integer),
    # Record.
    _maybe("update_id", BigInteger),
    _always("seen_updates", SEEN, default="''"),
    _always("version", Integer),
    UniqueConstraint("update_id", name="uq_games_update_id"),
)
"""A game; `storage.game.Game` is the value that the rest of the program works with."""

BOARDS = Table(
    "boards",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    _always("game_id", ROW_ID, ForeignKey("games.id")),
    _maybe("chat_id", BigInteger),
    _maybe("thread_id", BigInteger),
    _maybe("message_id", BigInteger),
    _maybe("inline_message_id", String(64)),
    _maybe("viewer", BigInteger),
    _maybe("language", LANGUAGE),
    _maybe("look", LOOK),
    _flag("as_text"),
    _flag("silent"),
    _maybe("page", String(16)),
    _maybe("replaces", ROW_ID),
    _flag("leaving"),
    _always("wanted", Integer),
    _always("shown", Integer),
    _always("look_at", BigInteger),
    _always("claims", Integer),
    _always("acted_at", BigInteger, default="0"),
    _flag("called"),
)
"""A board of a game; `storage.board.Board` is its value."""

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    _always("kind", String(16)),
    _always("game_id", ROW_ID, ForeignKey("games.id")),
    _always("ply", Integer),
    _always("chat_id", BigInteger),
    _maybe("thread_id", BigInteger),
    _maybe("language", LANGUAGE),
    _always("look_at", BigInteger),
)
"""What must be said apart from boards; `storage.outbox.Notice` is its value."""

PAUSES = Table(
    "pauses",
    METADATA,
    _key("chat", String(64)),
    _always("until", BigInteger),
)
"""Chats that Telegram has closed for a while, for all processes to know; seconds since 1970."""

MESSAGES = Table(
    "messages",
    METADATA,
    _key("chat_id"),
    _key("message_id"),
    _always("game_id", ROW_ID, ForeignKey("games.id")),
)
"""Messages of a game beside its boards: what was said about it, and boards that it has left."""

REPLAYS = Table(
    "replays",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(9), primary_key=True),
    Column("look", LOOK, primary_key=True),
    Column("language", LANGUAGE, primary_key=True),
    _always("digest", String(16)),
    _always("file_id", String(255)),
)
"""Pictures of finished games that Telegram keeps (`storage.replays`). They show the names of who
played; the digest is of all that they show."""

SHARES = Table(
    "shares",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(9), primary_key=True),
    _always("shared_at", BigInteger),
)
"""In which chats a picture of a game was sent within the last hour, so that many taps send one."""

RESULTS = Table(
    "results",
    METADATA,
    _key("game_id"),
    _key("person"),
    _always("opponent", BigInteger),
    _maybe("level", LEVEL),
    _always("rules", RULES),
    _maybe("chat_id", BigInteger),
    _always("mark", String(1)),
    _always("outcome", String(4)),
    _always("termination", String(16)),
    _always("plies", Integer),
    _maybe("opening", String(1)),
    _always("ended_at", BigInteger),
    _maybe("counted", Integer),
)
"""How a game ended for a person in it; `storage.result.Result` is its value. `counted` is empty until it stands in
the tables below, which are all made from this one and can be made anew."""

TALLIES = Table(
    "tallies",
    METADATA,
    _key("person"),
    _key("chat_id"),
    _key("family", FAMILY),
    _key("against", LEVEL),
    _always("wins", Integer),
    _always("draws", Integer),
    _always("losses", Integer),
)
"""A person's results in a group, or everywhere (chat 0), by family of rules and by level; people are the empty."""

PLAYERS = Table(
    "players",
    METADATA,
    _key("person"),
    _key("chat_id"),
    _always("streak", Integer),
    _always("longest", Integer),
)
"""Who has played in a group, or anywhere (chat 0): how many games they have won (below 0: lost) in a row, and
the most that they ever have."""

WEEKS = Table(
    "weeks",
    METADATA,
    _key("week", Integer),
    _key("chat_id"),
    _key("family", FAMILY),
    _key("person"),
    _always("wins", Integer),
)
"""Wins between people in a week, in a group or everywhere (chat 0), by family of rules and in all (empty)."""

RATINGS = Table(
    "ratings",
    METADATA,
    _key("person"),
    _key("family", FAMILY),
    _key("day", Integer),
    _always("rating", Double),
    _always("deviation", Double),
    _always("volatility", Double),
    _always("games", Integer),
)
"""A person's rating after each day, counted from 1970, on which they have played others; by family, and for all
together (empty)."""

STANDINGS = Table(
    "standings",
    METADATA,
    _key("family", FAMILY),
    _key("person"),
    _always("hidden", Integer),
    _always("settled", Integer),
    _always("rating", Double),
    _always("day", Integer),
    _always("settled_until", Integer),
)
"""The newest rating of each person, as the lists need it: whether they hide from lists, whether the rating is no
provisional one, and the day on which it becomes one again if they do not play."""

PAIRS = Table(
    "pairs",
    METADATA,
    _key("person"),
    _key("opponent"),
    _always("games", Integer),
    _always("day", Integer),
)
"""Who has played whom in rated games: how many, and on which day last. Each pair stands here both ways around."""

MEETINGS = Table(
    "meetings",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    _always("person", BigInteger),
    _always("opponent", BigInteger),
    _always("rules", RULES),
    _always("person_since", BigInteger),
    _always("opponent_since", BigInteger),
    _always("met_at", BigInteger),
)
"""Who was paired in the queue lately, for which game, and since when each had waited; `storage.queue.Meeting`."""

PROGRESS = Table(
    "progress",
    METADATA,
    _key("name", String(16)),
    _always("value", BigInteger),
)
"""How far work has come that goes on beside the bot: the last day whose ratings are made."""

ERASURES = Table(
    "erasures",
    METADATA,
    _key("person"),
    _always("stage", String(8)),
    _always("at", BigInteger),
    _always("alias", BigInteger),
    _always("names", Text),
    _always("cursor", BigInteger),
)
"""Who is being forgotten, or was asked whether they want it (`storage.erasure`); since when; who stands in their
place; how they were called, as JSON; and how far it is."""

EXPORTS = Table(
    "exports",
    METADATA,
    _key("person"),
    _always("until", BigInteger),
)
"""Whose export is being made, and until when nobody else makes one for them."""

FORGOTTEN = Table(
    "forgotten",
    METADATA,
    Column("digest", String(32), primary_key=True),
    _always("at", BigInteger),
)
"""Who was forgotten and when, by a salted digest of their id (`storage.forgotten`)."""
