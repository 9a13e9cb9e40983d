"""The indexes of the tables, for migrations and their tests: nobody else needs to know of them.

They stand apart because a condition for PostgreSQL loads all that SQLAlchemy knows of that database, which a start
on SQLite need not wait for (docs/start.md).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index, text

from storage.queue import WAITING
from storage.schema import (
    BOARDS,
    CHATS,
    GAMES,
    MEETINGS,
    MESSAGES,
    OUTBOX,
    PEOPLE,
    PLAYERS,
    RESULTS,
    STANDINGS,
    WEEKS,
)


def _where(condition: str) -> dict[str, Any]:
    """The condition of a partial index, for both databases."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


INDEXES = (
    Index("uq_games_token", GAMES.c.token, unique=True),
    Index("ix_games_due", GAMES.c.due_at, **_where("termination IS NULL")),
    *(
        Index(f"ix_games_running_{mark}", GAMES.c[f"{mark}_seat"], GAMES.c.id, **_where("termination IS NULL"))
        for mark in "xo"
    ),
    *(
        Index(
            f"ix_games_finished_{mark}",
            GAMES.c[f"{mark}_seat"],
            GAMES.c.id,
            **_where("winner IS NOT NULL OR termination = 'full board'"),
        )
        for mark in "xo"
    ),
    # All games of a person and of a chat, for who wants to have them or to be forgotten.
    *(
        Index(f"ix_games_player_{mark}", GAMES.c[f"{mark}_seat"], GAMES.c.id, **_where(f"{mark}_seat > 0"))
        for mark in "xo"
    ),
    Index("ix_games_chat_id", GAMES.c.chat_id, GAMES.c.id),
    *(
        Index(f"ix_games_{name}", GAMES.c[name], **_where(f"{name} IS NOT NULL"))
        for name in ("host", "rival_id", "next_game")
    ),
    Index("ix_messages_game_id", MESSAGES.c.game_id),
    Index("ix_weeks_person", WEEKS.c.person),
    Index("ix_outbox_game_id", OUTBOX.c.game_id),
    Index("ix_chats_left_at", CHATS.c.left_at, **_where("left_at IS NOT NULL")),
    Index("ix_people_seen_at", PEOPLE.c.seen_at),
    # A start reads who has chosen a language; few have.
    Index("ix_chats_language", CHATS.c.id, **_where("language IS NOT NULL")),
    Index("ix_boards_game_id", BOARDS.c.game_id),
    Index("uq_boards_inline_message_id", BOARDS.c.inline_message_id, unique=True),
    Index("ix_boards_message", BOARDS.c.chat_id, BOARDS.c.message_id),
    # The sweep looks for boards that Telegram is not known to show; there are only ever a few.
    Index("ix_boards_lagging", BOARDS.c.look_at, **_where("shown < wanted")),
    Index("ix_outbox_look_at", OUTBOX.c.look_at),
    Index("ix_outbox_chat_id", OUTBOX.c.chat_id),
    Index("ix_people_username", PEOPLE.c.username, **_where("username IS NOT NULL")),
    Index(
        "ix_people_hidden",
        PEOPLE.c.id,
        sqlite_where=text("hidden IS 1"),
        postgresql_where=text("hidden IS TRUE"),
    ),
    Index("ix_players_chat_id", PLAYERS.c.chat_id, PLAYERS.c.person),
    # A person's results from the newest; what is not counted yet; and a day's games between people.
    Index("ix_results_person", RESULTS.c.person, RESULTS.c.ended_at),
    Index("ix_results_uncounted", RESULTS.c.ended_at, RESULTS.c.game_id, **_where("counted IS NULL")),
    Index("ix_results_people", RESULTS.c.ended_at, **_where("opponent <> 0")),
    # Who waits in the queue waits once.
    Index("uq_games_waiting", GAMES.c.x_seat, unique=True, **_where(WAITING)),
    Index("ix_meetings_met_at", MEETINGS.c.met_at),
    Index("ix_meetings_person", MEETINGS.c.person),
    Index("ix_meetings_opponent", MEETINGS.c.opponent),
    Index("ix_meetings_rules", MEETINGS.c.rules, MEETINGS.c.met_at),
    # The lists are read from the end.
    Index("ix_weeks_wins", *(WEEKS.c[name] for name in ("week", "chat_id", "family", "wins", "person"))),
    Index(
        "ix_standings_rating", *(STANDINGS.c[name] for name in ("family", "hidden", "settled", "rating", "person"))
    ),
    Index("ix_standings_settled", STANDINGS.c.settled_until, **_where("settled = 1")),
)
