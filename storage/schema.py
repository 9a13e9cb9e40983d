"""The tables. Those of results stand in `storage.result_tables`, and are here too: `METADATA` is whole.

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
    Text,
    UniqueConstraint,
    true,
)

from storage.columns import LANGUAGE, LEVEL, LOOK, METADATA, NAME, ROW_ID, RULES, SEEN, always, flag, key, maybe
from storage.result_tables import PAIRS, PLAYERS, PROGRESS, RATINGS, RESULTS, STANDINGS, TALLIES, WEEKS

__all__ = [
    "BOARDS",
    "CHATS",
    "ERASURES",
    "EXPORTS",
    "FORGOTTEN",
    "GAMES",
    "MEETINGS",
    "MESSAGES",
    "METADATA",
    "OUTBOX",
    "PAIRS",
    "PAUSES",
    "PEOPLE",
    "PLAYERS",
    "PROGRESS",
    "RATINGS",
    "REPLAYS",
    "RESULTS",
    "SHARES",
    "STANDINGS",
    "TALLIES",
    "WEEKS",
]

CHATS = Table(
    "chats",
    METADATA,
    key("id"),
    maybe("level", LEVEL),
    maybe("first", String(8)),
    maybe("look", LOOK),
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
"""A person who plays, as last seen; whether others may ask them for a takeback, whether they want notices, and
whether they keep their results to themselves. The username is in small letters."""

GAMES = Table(
    "games",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    maybe("chat_id", BigInteger, ForeignKey("chats.id", onupdate="CASCADE")),
    always("rules", RULES, default="''"),
    # Seats.
    maybe("x_seat", BigInteger),
    maybe("o_seat", BigInteger),
    maybe("x_name", NAME),
    maybe("o_name", NAME),
    maybe("x_level", LEVEL),
    maybe("o_level", LEVEL),
    maybe("rival_id", BigInteger),
    maybe("rival_name", NAME),
    maybe("token", String(32)),
    maybe("host", BigInteger),
    maybe("watched", Integer),
    # Play.
    always("moves", String(81), default="''"),
    maybe("offer", String(32)),
    always("takebacks", Integer, default="0"),
    # End.
    maybe("termination", String(16)),
    maybe("winner", String(1)),
    maybe("ended_by", NAME),
    # Series.
    always("x_wins", Integer, default="0"),
    always("o_wins", Integer, default="0"),
    always("draws", Integer, default="0"),
    maybe("next_game", ROW_ID, ForeignKey("games.id")),
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
)
"""A game; `storage.game.Game` is the value that the rest of the program works with."""

BOARDS = Table(
    "boards",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    always("game_id", ROW_ID, ForeignKey("games.id")),
    maybe("chat_id", BigInteger),
    maybe("thread_id", BigInteger),
    maybe("message_id", BigInteger),
    maybe("inline_message_id", String(64)),
    maybe("viewer", BigInteger),
    maybe("language", LANGUAGE),
    maybe("look", LOOK),
    flag("as_text"),
    flag("silent"),
    maybe("page", String(16)),
    maybe("replaces", ROW_ID),
    flag("leaving"),
    always("wanted", Integer),
    always("shown", Integer),
    always("look_at", BigInteger),
    always("claims", Integer),
    always("acted_at", BigInteger, default="0"),
    flag("called"),
)
"""A board of a game; `storage.board.Board` is its value."""

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", ROW_ID, primary_key=True),
    always("kind", String(16)),
    always("game_id", ROW_ID, ForeignKey("games.id")),
    always("ply", Integer),
    always("chat_id", BigInteger),
    maybe("thread_id", BigInteger),
    maybe("language", LANGUAGE),
    always("look_at", BigInteger),
)
"""What must be said apart from boards; `storage.outbox.Notice` is its value."""

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
"""Messages of a game beside its boards: what was said about it, and boards that it has left."""

REPLAYS = Table(
    "replays",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(9), primary_key=True),
    Column("look", LOOK, primary_key=True),
    Column("language", LANGUAGE, primary_key=True),
    always("digest", String(16)),
    always("file_id", String(255)),
)
"""Pictures of finished games that Telegram keeps (`storage.replays`). They show the names of who
played; the digest is of all that they show."""

SHARES = Table(
    "shares",
    METADATA,
    Column("game_id", BigInteger, primary_key=True, autoincrement=False),
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(9), primary_key=True),
    always("shared_at", BigInteger),
    maybe("update_id", BigInteger),
)
"""In which chats a picture of a game was sent within the last hour, so that many taps send one; and for which
update, until it is there: who brings that again takes the claim over."""

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
"""Who was paired in the queue lately, for which game, and since when each had waited; `storage.queue.Meeting`."""

ERASURES = Table(
    "erasures",
    METADATA,
    key("person"),
    always("stage", String(8)),
    always("at", BigInteger),
    always("alias", BigInteger),
    always("names", Text),
    always("cursor", BigInteger),
)
"""Who is being forgotten, or was asked whether they want it (`storage.erasure`); since when; who stands in their
place; how they were called, as JSON, or digests of that; and how far it is."""

EXPORTS = Table(
    "exports",
    METADATA,
    key("person"),
    always("until", BigInteger),
    maybe("update_id", BigInteger),
)
"""Whose export is being made, until when nobody else makes one for them, and for which update, likewise."""

FORGOTTEN = Table(
    "forgotten",
    METADATA,
    Column("digest", String(32), primary_key=True),
    always("at", BigInteger),
)
"""Who was forgotten and when, by a salted digest of their id (`storage.forgotten`)."""
