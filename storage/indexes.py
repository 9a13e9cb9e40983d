"""The indexes of the tables, for migrations and their tests: nobody else needs to know of them.

They stand apart because a condition for PostgreSQL loads all that SQLAlchemy knows of that database, which a start
on SQLite need not wait for (docs/start.md).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index, text

from storage.schema import BOARDS, CHATS, GAMES, OUTBOX


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
    # A start reads who has chosen a language; few have.
    Index("ix_chats_language", CHATS.c.id, **_where("language IS NOT NULL")),
    Index("ix_boards_game_id", BOARDS.c.game_id),
    Index("uq_boards_inline_message_id", BOARDS.c.inline_message_id, unique=True),
    Index("ix_boards_message", BOARDS.c.chat_id, BOARDS.c.message_id),
    # The sweep looks for boards that Telegram is not known to show; there are only ever a few.
    Index("ix_boards_lagging", BOARDS.c.look_at, **_where("shown < wanted")),
    Index("ix_outbox_look_at", OUTBOX.c.look_at),
    Index("ix_outbox_chat_id", OUTBOX.c.chat_id),
)
