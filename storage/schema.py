"""The tables. Those of results stand in `storage.results.result_tables`, and are here too: `METADATA` is whole.

Where ids outlive their rows, in the buttons of old messages, no id is ever given a second time: PostgreSQL always
counts on, and SQLite does with `sqlite_autoincrement`.

They are plain tables: the ORM's mappings would double the time of a start and halve the speed of a transaction
(docs/architecture.md).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    UniqueConstraint,
    true,
)

from storage.columns import (
    FAMILY,
    FIGURE,
    LANGUAGE,
    LEVEL,
    MARK,
    METADATA,
    NAME,
    ROW_ID,
    RULES,
    SEEN,
    THEME,
    WORD,
    always,
    flag,
    key,
    maybe,
)
from storage.results.result_tables import (
    LEVELS,
    MILESTONES,
    PAIRS,
    PLAYERS,
    PROGRESS,
    RATING_DAYS,
    RATINGS,
    RESULTS,
    TALLIES,
    WEEKS,
)

__all__ = [
    "BOARDS",
    "CHATS",
    "ERASURES",
    "FORGOTTEN",
    "GAMES",
    "LEVELS",
    "MATCHMAKING",
    "MEETINGS",
    "MESSAGES",
    "METADATA",
    "MILESTONES",
    "OUTBOX",
    "PAIRS",
    "PAUSES",
    "PEOPLE",
    "PLAYERS",
    "PROGRESS",
    "PUZZLES",
    "RATINGS",
    "RATING_DAYS",
    "REPLAYS",
    "RESULTS",
    "TALLIES",
    "WEEKS",
]

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
"""A chat and what was chosen in it for new games: what is played, the computer's level, who begins, the look; and
since when the bot is not in it any more."""

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
"""A person who plays, as last seen, and on which day (its first second); whether others may ask them for a
takeback, whether they want notices, and whether they keep their results to themselves. The username is in small
letters."""

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
    maybe("host", BigInteger),
    maybe("watched", Integer),
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
    # Ratings, as they are shown.
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
"""A game; `storage.games.game.Game` is the value that the rest of the program works with."""

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
    # What it shows of its game, if not all of it.
    maybe("region", Integer),
    flag("choosing"),
    maybe("opened_version", Integer),
    maybe("review", WORD),
    maybe("review_ply", Integer),
    maybe("review_cell", Integer),
    maybe("reviewer", BigInteger),
    flag("aside"),
    # How far it is shown.
    maybe("replaces", ROW_ID),
    flag("leaving"),
    always("wanted", Integer),
    always("shown", Integer),
    maybe("shown_at", BigInteger),
    always("look_at", BigInteger),
    always("claims", Integer),
    always("acted_at", BigInteger, default="0"),
    flag("called"),
    sqlite_autoincrement=True,
)
"""A message that shows a game, or somebody's wait for one; `storage.games.board.Board` is its value."""

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
"""Who waits for an opponent, with which terms; the message that shows it is a board. `storage.people.wait.Wait` is
its value."""

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
"""How far a person is with the daily puzzle (`storage.people.puzzles.Solving`), when they are to be reminded of it
next, and the group from which they last opened it."""

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
"""What must be said apart from boards; `storage.games.outbox.Notice` is its value."""

PAUSES = Table(
    "pauses",
    METADATA,
    key("chat", String(64)),
    always("until", BigInteger),
)
"""Chats that Telegram has closed for a while, for all processes to know; seconds since 1970."""

MESSAGES = Table(
    "messages",
    METADATA,
    key("chat_id"),
    key("message_id"),
    always("game_id", ROW_ID, ForeignKey("games.id")),
)
"""Messages of a game besides its boards: what was said about it, and former boards."""

REPLAYS = Table(
    "replays",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(9), primary_key=True),
    Column("theme", THEME, primary_key=True),
    always("file_id", String(255)),
)
"""Pictures of finished games that Telegram keeps (`storage.games.replays`). A release that draws games differently
deletes them by a migration."""

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
)
"""Recent pairings: who, for which game, and since when each had waited: `storage.people.matchmaking.Meeting`."""

ERASURES = Table(
    "erasures",
    METADATA,
    key("person"),
    always("stage", String(8)),
    always("at", BigInteger),
    always("alias", BigInteger),
    always("cursor", BigInteger),
)
"""Who is being forgotten, or was asked whether they want it (`storage.privacy.erasure`); since when; the pseudonym
that takes their place; and how far it is."""

FORGOTTEN = Table(
    "forgotten",
    METADATA,
    Column("digest", String(32), primary_key=True),
    always("at", BigInteger),
)
"""Who was forgotten and when, by a salted digest of their id (`storage.privacy.forgotten`)."""
