"""The tables of results, and of what is counted and rated from them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Double, Integer, String, Table

from storage.columns import FAMILY, LEVEL, METADATA, RULES, WORD, always, key, maybe

RESULTS = Table(
    "results",
    METADATA,
    key("game_id"),
    key("person"),
    always("opponent", BigInteger),
    maybe("level", LEVEL),
    always("rules", RULES),
    maybe("chat_id", BigInteger),
    always("mark", String(1)),
    always("outcome", String(4)),
    always("termination", String(16)),
    always("plies", Integer),
    maybe("opening", String(1)),
    always("ended_at", BigInteger),
    maybe("number", BigInteger),
    maybe("counted", Integer),
)
"""How a game ended for a person in it; its value is `storage.results.result.Result`. `counted` is empty until
it is in `tallies` and `players`. All tables below are made from this one, and can be rebuilt from it."""

TALLIES = Table(
    "tallies",
    METADATA,
    key("person"),
    key("chat_id"),
    key("family", FAMILY),
    key("against", LEVEL),
    always("wins", Integer),
    always("draws", Integer),
    always("losses", Integer),
)
"""A person's results in a group, or everywhere (chat 0), by family of rules and by level; people are the empty."""

PLAYERS = Table(
    "players",
    METADATA,
    key("person"),
    key("chat_id"),
    always("streak", Integer),
    always("longest", Integer),
)
"""The people who played in a group, or anywhere (chat 0): how many games they won (below 0: lost) in a row, and
the most that they ever have."""

LEVELS = Table(
    "levels",
    METADATA,
    key("person"),
    key("family", FAMILY),
    always("level", LEVEL),
    always("streak", Integer),
)
"""The level at which a person meets the computer next, by family of rules, where they leave that to OXO; and how
many games they have won (below 0: lost) in a row at it."""

MILESTONES = Table(
    "milestones",
    METADATA,
    key("person"),
    key("name", WORD),
    always("progress", Integer),
    maybe("reached_at", BigInteger),
)
"""How far a person is with each milestone (`storage.results.milestones`), and since when they have come to it."""

WEEKS = Table(
    "weeks",
    METADATA,
    key("week", Integer),
    key("chat_id"),
    key("family", FAMILY),
    key("person"),
    always("wins", Integer),
)
"""Wins in rated games of a week, in a group or everywhere (chat 0), by family of rules and in all (empty)."""

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
"""A person's rating now, by family of rules and for all together (empty); as
`storage.results.rating_changes.Rated`. `settled` is 1 until the rating becomes provisional, after the day in
`settled_until` if they play no more."""

RATING_DAYS = Table(
    "rating_days",
    METADATA,
    key("person"),
    key("family", FAMILY),
    key("day", Integer),
    always("rating", Double),
)
"""A person's rating after each day, counted from 1970, on which they have played a rated game."""

PAIRS = Table(
    "pairs",
    METADATA,
    key("person"),
    key("opponent"),
    key("family", FAMILY),
    always("day", Integer),
    always("games", Integer),
)
"""The pairs that played rated games: their newest day, and how many games on it. Each pair has two rows, one each
way."""

PROGRESS = Table(
    "progress",
    METADATA,
    key("name", String(16)),
    always("value", BigInteger),
)
"""How far work has come that goes on in the background, and the number of the last game that may be rated."""
