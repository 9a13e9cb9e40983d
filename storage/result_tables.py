"""The tables of results, and of what is counted and rated from them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Double, Integer, String, Table

from storage.columns import FAMILY, LEVEL, METADATA, RULES, always, key, maybe

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
    maybe("counted", Integer),
)
"""How a game ended for a person in it; `storage.result.Result` is its value. `counted` is empty until it stands in
the tables below, which are all made from this one and can be made anew."""

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
"""Who has played in a group, or anywhere (chat 0): how many games they have won (below 0: lost) in a row, and
the most that they ever have."""

WEEKS = Table(
    "weeks",
    METADATA,
    key("week", Integer),
    key("chat_id"),
    key("family", FAMILY),
    key("person"),
    always("wins", Integer),
)
"""Wins between people in a week, in a group or everywhere (chat 0), by family of rules and in all (empty)."""

RATINGS = Table(
    "ratings",
    METADATA,
    key("person"),
    key("family", FAMILY),
    key("day", Integer),
    always("rating", Double),
    always("deviation", Double),
    always("volatility", Double),
    always("games", Integer),
)
"""A person's rating after each day, counted from 1970, on which they have played others; by family, and for all
together (empty)."""

STANDINGS = Table(
    "standings",
    METADATA,
    key("family", FAMILY),
    key("person"),
    always("hidden", Integer),
    always("settled", Integer),
    always("rating", Double),
    always("day", Integer),
    always("settled_until", Integer),
)
"""The newest rating of each person, as the lists need it: whether they hide from lists, whether the rating is no
provisional one, and the day on which it becomes one again if they do not play."""

PAIRS = Table(
    "pairs",
    METADATA,
    key("person"),
    key("opponent"),
    always("games", Integer),
    always("day", Integer),
)
"""Who has played whom in rated games: how many, and on which day last. Each pair stands here both ways around."""

PROGRESS = Table(
    "progress",
    METADATA,
    key("name", String(16)),
    always("value", BigInteger),
)
"""How far work has come that goes on beside the bot: the last day whose ratings are made."""
