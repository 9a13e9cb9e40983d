"""The tables: games and what belongs to them, people, results, and who was forgotten.

They are plain tables: the ORM's mappings would double the time of a start and halve the speed of a transaction
(docs/architecture.md). Telegram's ids need up to 52 bits (Bot API, `User.id`), so they are 64-bit everywhere.
Times are whole seconds since 1970, UTC: the same integers on both databases, and no time zones to get wrong.

The ids of games, boards, waits and notices outlive their rows in the buttons of old messages, so none is ever
given twice: PostgreSQL's sequences never go back, and SQLite's don't with `sqlite_autoincrement`.
"""

from __future__ import annotations

from typing import Any

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
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.types import TypeEngine

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that migrations can name it."""

METADATA = MetaData(naming_convention=NAMES)

# SQLite numbers rows by itself only where the key is declared INTEGER (its INTEGER is 64-bit).
ROW_ID = BigInteger().with_variant(Integer(), "sqlite")
LANGUAGE, LEVEL, THEME, NAME, RULES, SEEN = String(16), String(16), String(8), String(256), String(16), String(200)
FAMILY, WORD = String(16), String(16)
MARK = String(1)
FIGURE = String(8)


def maybe(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]], *constraints: ForeignKey) -> Column[Any]:
    """A column that may be empty."""
    return Column(name, kind, *constraints, nullable=True)


def always(
    name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]], *constraints: ForeignKey, default: str | None = None
) -> Column[Any]:
    """A column that is never empty; `default` is what rows get that are older than the column."""
    return Column(name, kind, *constraints, nullable=False, server_default=text(default) if default else None)


def flag(name: str) -> Column[Any]:
    """A column that is true or false, and false in rows that are older than the column."""
    return Column(name, Boolean, nullable=False, server_default=false())


def key(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]] = BigInteger) -> Column[Any]:
    """A column of the primary key whose values come from elsewhere: an id of Telegram's, a name, a day."""
    return Column(name, kind, primary_key=True, autoincrement=False)


CHATS = Table(
    "chats",
    METADATA,
    key("id"),
    maybe("level", LEVEL),
    maybe("first", String(8)),
    maybe("theme", THEME),
    flag("as_text"),
    maybe("language", LANGUAGE),
    maybe("rules", RULES),
    flag("silent"),
    always("seen_updates", SEEN, default="''"),
    maybe("left_at", BigInteger),
)
"""A chat and what was chosen in it for new games: rules, the computer's level, who moves first, the theme; and
when the bot left it. `storage.people.chats.Chat` is its value."""

PEOPLE = Table(
    "people",
    METADATA,
    key("id"),
    always("name", NAME),
    maybe("language", LANGUAGE),
    Column("takebacks", Boolean, nullable=False, server_default=true()),
    maybe("notices", Boolean),
    maybe("username", String(32)),
    flag("hidden"),
    always("seen_at", BigInteger, default="0"),
)
"""A person who plays, as last seen, and on which day (its first second); and what they have chosen
(`storage.people.people`). The username is in lower case."""

GAMES = Table(
    "games",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    maybe("chat_id", BigInteger, ForeignKey("chats.id", onupdate="CASCADE")),
    always("rules", RULES, default="''"),
    always("kind", WORD, default="'pair'"),
    # Seats.
    maybe("x_seat", BigInteger),
    maybe("o_seat", BigInteger),
    maybe("x_level", LEVEL),
    maybe("o_level", LEVEL),
    maybe("next_level", LEVEL),
    maybe("rival_id", BigInteger),
    maybe("rival_username", String(32)),
    maybe("host", BigInteger),
    # Where it comes from.
    maybe("link", String(32)),
    maybe("inline_person", BigInteger),
    maybe("inline_offer", String(32)),
    # Play.
    always("time_limits", WORD, default="'usual'"),
    maybe("clock", Integer),
    always("moves", String(81), default="''"),
    maybe("offer", WORD),
    maybe("offered_by", MARK),
    maybe("declined", WORD),
    maybe("declined_by", MARK),
    always("takebacks", Integer, default="0"),
    always("spent", String(600), default="''"),
    # End.
    maybe("termination", String(16)),
    maybe("winner", String(1)),
    maybe("ended_by", BigInteger),
    # Series.
    maybe("best_of", Integer),
    always("x_wins", Integer, default="0"),
    always("o_wins", Integer, default="0"),
    always("draws", Integer, default="0"),
    maybe("next_game", ROW_ID, ForeignKey("games.id")),
    always("wordings", Integer, default="0"),
    # Ratings and milestones, as they are shown.
    maybe("x_rating", FIGURE),
    maybe("o_rating", FIGURE),
    maybe("x_rated", FIGURE),
    maybe("o_rated", FIGURE),
    maybe("x_reached", String(32)),
    maybe("o_reached", String(32)),
    # Times.
    always("created_at", BigInteger),
    always("changed_at", BigInteger),
    always("moved_at", BigInteger, default="0"),
    maybe("due_at", BigInteger),
    maybe("reminded", Integer),
    # Record.
    maybe("update_id", BigInteger),
    always("seen_updates", SEEN, default="''"),
    always("version", Integer),
    UniqueConstraint("update_id", name="uq_games_update_id"),
    sqlite_autoincrement=True,
)
"""A game; `storage.games.game.Game` is its value."""

BOARDS = Table(
    "boards",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    maybe("game_id", ROW_ID, ForeignKey("games.id")),
    maybe("wait_id", ROW_ID, ForeignKey("matchmaking.id")),
    maybe("chat_id", BigInteger),
    maybe("thread_id", BigInteger),
    maybe("message_id", BigInteger),
    maybe("inline_message_id", String(64)),
    maybe("viewer", BigInteger),
    maybe("language", LANGUAGE),
    maybe("theme", THEME),
    flag("as_text"),
    flag("silent"),
    # The page that it shows of its game.
    maybe("region", Integer),
    flag("choosing"),
    maybe("opened_version", Integer),
    maybe("review", WORD),
    maybe("review_ply", Integer),
    maybe("review_cell", Integer),
    maybe("reviewer", BigInteger),
    flag("aside"),
    # Its versions.
    maybe("replaces", ROW_ID),
    flag("leaving"),
    always("wanted", Integer),
    always("shown", Integer),
    maybe("shown_at", BigInteger),
    always("timed_from", Integer, default="1"),
    always("look_at", BigInteger),
    always("claims", Integer),
    always("acted_at", BigInteger, default="0"),
    flag("called"),
    sqlite_autoincrement=True,
)
"""A message that shows a game, or somebody's wait for an opponent; `storage.games.record.Board` is its value."""

MATCHMAKING = Table(
    "matchmaking",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    always("person", BigInteger),
    always("rules", RULES),
    flag("any_rules"),
    maybe("told", Integer),
    always("since", BigInteger),
    always("due_at", BigInteger),
    always("changed_at", BigInteger),
    flag("asked"),
    maybe("ended", WORD),
    maybe("update_id", BigInteger),
    sqlite_autoincrement=True,
)
"""A person's wait for an opponent, which boards show like a game; `storage.people.person.Wait` is its value."""

PUZZLES = Table(
    "puzzles",
    METADATA,
    key("person"),
    always("day", Integer),
    always("moves", String(8), default="''"),
    flag("missed"),
    always("wrong", Integer, default="0"),
    always("streak", Integer, default="0"),
    always("version", Integer, default="0"),
    maybe("solved_at", BigInteger),
    maybe("remind_at", BigInteger),
    maybe("chat_id", BigInteger),
)
"""How far a person is with the daily puzzle (`storage.people.puzzles.Solving`), when to remind them of the next
one, and the group from which they last opened it."""

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    always("kind", String(16)),
    maybe("game_id", ROW_ID, ForeignKey("games.id")),
    maybe("ply", Integer),
    always("chat_id", BigInteger),
    maybe("thread_id", BigInteger),
    maybe("language", LANGUAGE),
    always("look_at", BigInteger),
    maybe("person", BigInteger),
    maybe("subject", BigInteger),
    always("family", FAMILY, default="''"),
    flag("here"),
    flag("said"),
    sqlite_autoincrement=True,
)
"""What must be sent besides boards; `storage.games.record.Notice` is its value."""

PAUSES = Table(
    "pauses",
    METADATA,
    key("chat", String(64)),
    always("until", BigInteger),
)
"""Chats to which Telegram takes nothing for a while, so that all processes know it."""

TAKEN = Table(
    "taken",
    METADATA,
    key("digest"),
    always("update_id", BigInteger),
    always("at", BigInteger),
)
"""Messages that were acted on within the last day, by digest: an app may send one again (`storage.taken`)."""

MESSAGES = Table(
    "messages",
    METADATA,
    key("chat_id"),
    key("message_id"),
    always("game_id", ROW_ID, ForeignKey("games.id")),
)
"""Messages about a game that are not its boards: notices, and former boards."""

REPLAYS = Table(
    "replays",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(9), primary_key=True),
    Column("theme", THEME, primary_key=True),
    always("file_id", String(255)),
)
"""Pictures of finished games that Telegram keeps (`storage.games.replays`). A release that draws games differently
deletes these rows in a migration."""

MEETINGS = Table(
    "meetings",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    always("person", BigInteger),
    always("opponent", BigInteger),
    always("rules", RULES),
    always("person_since", BigInteger),
    always("opponent_since", BigInteger),
    always("met_at", BigInteger),
    flag("person_any"),
    flag("opponent_any"),
)
"""Recent pairings; `storage.people.matchmaking.Meeting` is their value."""

RESULTS = Table(
    "results",
    METADATA,
    key("game_id"),
    key("person"),
    always("opponent", BigInteger),
    maybe("level", LEVEL),
    always("rules", RULES),
    always("family", FAMILY),
    maybe("chat_id", BigInteger),
    always("mark", String(1)),
    always("outcome", String(4)),
    always("termination", String(16)),
    always("plies", Integer),
    maybe("opening", String(1)),
    always("ended_at", BigInteger),
    flag("rated"),
)
"""How a game ended for a person in it; `storage.results.result.Result` is its value."""

LEVELS = Table(
    "levels",
    METADATA,
    key("person"),
    key("family", FAMILY),
    always("level", LEVEL),
    always("streak", Integer),
)
"""The adaptive level at which a person plays next, by family of rules, and how many games in a row they have won
(below 0: lost) at it."""

MILESTONES = Table(
    "milestones",
    METADATA,
    key("person"),
    key("name", WORD),
    always("progress", Integer),
    maybe("reached_at", BigInteger),
)
"""How far a person is with each milestone (`storage.results.results`), and when they reached it."""

RATINGS = Table(
    "ratings",
    METADATA,
    key("person"),
    key("family", FAMILY),
    always("rating", Double),
    always("deviation", Double),
    always("volatility", Double),
    always("day", Integer),
    always("games", Integer),
    always("opponents", Integer),
    always("settled", Integer),
    always("settled_until", Integer),
)
"""A person's rating, by family of rules and for all of them (empty); `storage.results.ratings.Rated` is its
value. `settled` is 1 while the rating is not provisional, which without another game it becomes after the day in
`settled_until`."""

RATING_DAYS = Table(
    "rating_days",
    METADATA,
    key("person"),
    key("family", FAMILY),
    key("day", Integer),
    always("rating", Double),
)
"""A person's rating after each day (counted from 1970) on which they have played rated games."""

PAIRS = Table(
    "pairs",
    METADATA,
    key("person"),
    key("opponent"),
    key("family", FAMILY),
    always("day", Integer),
    always("games", Integer),
)
"""Two people who have played rated games: the last day on which they did, and how many games on it. Each pair has
two rows, one each way."""

PROGRESS = Table(
    "progress",
    METADATA,
    key("name", String(16)),
    always("value", BigInteger),
)
"""Numbers by name: when the bot was up (`storage.people.puzzles`), the salt of the list of forgotten people
(`storage.privacy.forgotten`), what deleting has left in a SQLite file (`storage.privacy.traces`), and digests of
the bot's own texts and of its menus (`storage.telegram`)."""

ERASURES = Table(
    "erasures",
    METADATA,
    key("person"),
    always("stage", String(8)),
    always("at", BigInteger),
    always("alias", BigInteger),
    always("cursor", BigInteger),
)
"""People who are being forgotten, or were asked to confirm it (`storage.privacy.erasure`): since when, the
pseudonym that takes their place, and how far it has come."""

FORGOTTEN = Table(
    "forgotten",
    METADATA,
    Column("digest", String(32), primary_key=True),
    always("at", BigInteger),
)
"""People who were forgotten, by a salted digest of their id, and when (`storage.privacy.forgotten`)."""

PSEUDONYMS = Table(
    "pseudonyms",
    METADATA,
    Column("digest", String(32), primary_key=True),
    key("alias"),
    always("at", BigInteger),
)
"""For a day, the pseudonyms of people who were forgotten, by the same digest: whoever comes back doesn't count as
somebody new (`storage.results.ratings`)."""
