"""The indexes of the tables, which only migrations and tests load.

They have a module of their own because a condition for PostgreSQL imports SQLAlchemy's whole dialect for it, which
would make a start on SQLite slower.
"""

from typing import Any, Final

from sqlalchemy import Index, Table, text

from storage.games.lookups import WAITS
from storage.results.leaderboards import EVERYBODY
from storage.schema import (
    ABSENCES,
    BLOCKS,
    BOARDS,
    CHATS,
    CUP_GAMES,
    CUP_PLANS,
    CUP_PLAYERS,
    CUPS,
    DONE,
    GAMES,
    MEETINGS,
    MESSAGES,
    METADATA,
    OUTBOX,
    PEOPLE,
    PUZZLES,
    RATINGS,
    RESULTS,
)


def _where(condition: str, postgresql: str | None = None) -> dict[str, Any]:
    return {"sqlite_where": text(condition), "postgresql_where": text(postgresql or condition)}


def _filled(table: Table, *names: str) -> list[Index]:
    """An index for each of these columns, of the rows in which it isn't empty."""
    return [Index(f"ix_{table.name}_{name}", table.c[name], **_where(f"{name} IS NOT NULL")) for name in names]


INDEXES = (
    Index("uq_games_link", GAMES.c.link, unique=True),
    Index("uq_games_inline_offer", GAMES.c.inline_person, GAMES.c.inline_offer, unique=True),
    Index("ix_games_due", GAMES.c.due_at, **_where("termination IS NULL")),
    # A person's games; and all games of a person and of a chat, for exporting and deleting data.
    *(
        Index(f"ix_games_{which}_{mark}", GAMES.c[f"{mark}_seat"], GAMES.c.id, **_where(condition.format(mark)))
        for which, condition in (
            ("running", "termination IS NULL"),
            ("finished", "termination IS NOT NULL"),
            ("player", "{}_seat > 0"),
        )
        for mark in "xo"
    ),
    Index("ix_games_chat_id", GAMES.c.chat_id, GAMES.c.id),
    *_filled(GAMES, "host", "rival_id", "rival_username", "ended_by", "next_game", "beats"),
    Index("ix_messages_game_id", MESSAGES.c.game_id),
    Index("ix_outbox_game_id", OUTBOX.c.game_id),
    *_filled(CHATS, "left_at"),
    Index("ix_people_seen_at", PEOPLE.c.seen_at),
    # Read at the start: the few people and groups who have chosen a language.
    Index("ix_chats_language", CHATS.c.id, **_where("language IS NOT NULL")),
    Index("ix_boards_game_id", BOARDS.c.game_id),
    Index("uq_boards_inline_message_id", BOARDS.c.inline_message_id, unique=True),
    # The few reviews that are open on a board for several people.
    *_filled(BOARDS, "reviewer"),
    Index("ix_boards_message", BOARDS.c.chat_id, BOARDS.c.message_id),
    # The sweep looks for lagging boards, of which there are only ever a few.
    Index("ix_boards_lagging", BOARDS.c.look_at, BOARDS.c.chat_id, **_where("shown < wanted")),
    Index("ix_outbox_look_at", OUTBOX.c.look_at),
    Index("ix_outbox_chat_id", OUTBOX.c.chat_id),
    *_filled(OUTBOX, "person", "subject"),
    # The same picture or file isn't made twice at a time.
    Index(
        "uq_outbox_picture",
        *(OUTBOX.c[name] for name in ("kind", "chat_id", "game_id")),
        unique=True,
        **_where("kind IN ('animation', 'still', 'rivals', 'rivals card')"),
    ),
    Index(
        "uq_outbox_subject",
        *(OUTBOX.c[name] for name in ("kind", "chat_id", "subject", "family", "here")),
        unique=True,
        **_where("subject IS NOT NULL"),
    ),
    Index("uq_people_username", PEOPLE.c.username, unique=True),
    Index("ix_people_hidden", PEOPLE.c.id, **_where("hidden IS 1", "hidden IS TRUE")),
    # A person's results in their order; who has played in a group; and who has won rated games of late.
    Index("ix_results_person", RESULTS.c.person, RESULTS.c.ended_at, RESULTS.c.game_id),
    Index("ix_results_chat_id", RESULTS.c.chat_id, RESULTS.c.person),
    Index(
        "ix_results_won",
        *(RESULTS.c[name] for name in ("outcome", "ended_at", "family", "chat_id", "person")),
        **_where("rated IS 1", "rated IS TRUE"),
    ),
    # A person has one open wait at most; the oldest waits come first.
    Index("uq_games_waits_x_seat", GAMES.c.x_seat, unique=True, **_where(WAITS)),
    Index("ix_games_waits_created_at", GAMES.c.created_at, **_where(WAITS)),
    *_filled(PUZZLES, "remind_at", "chat_id"),
    Index("ix_puzzles_day", PUZZLES.c.day, PUZZLES.c.wrong),
    Index("ix_done_at", DONE.c.at),
    # A group has one cup that isn't over; the clock looks at few cups and games of cups.
    Index("uq_cups_going_on", CUPS.c.chat_id, unique=True, **_where("stage <> 'over'")),
    Index("ix_cups_chat_id", CUPS.c.chat_id),
    *_filled(CUPS, "due_at"),
    Index("ix_cup_plans_at", CUP_PLANS.c.at),
    Index("ix_cup_players_person", CUP_PLAYERS.c.person),
    Index("ix_cup_games_running", CUP_GAMES.c.game_id, **_where("game_id IS NOT NULL AND result IS NULL")),
    Index("ix_blocks_blocked", BLOCKS.c.blocked),
    Index("ix_absences_person", ABSENCES.c.person),
    Index("ix_meetings_met_at", MEETINGS.c.met_at),
    Index("ix_meetings_person", MEETINGS.c.person),
    Index("ix_meetings_opponent", MEETINGS.c.opponent),
    Index("ix_meetings_rules", MEETINGS.c.rules, MEETINGS.c.met_at),
    # The leaderboard is read from the end.
    Index(
        "ix_ratings_everybody",
        *(RATINGS.c[name] for name in ("family", "settled", "rating", "person")),
        **_where(EVERYBODY),
    ),
    Index("ix_ratings_settled", RATINGS.c.settled_until, **_where("settled = 1")),
)

INDEXED: Final = METADATA
"""The tables with these indexes, without which they aren't whole."""
