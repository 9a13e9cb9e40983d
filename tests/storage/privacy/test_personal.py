"""Every column of every table is declared personal or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from storage.privacy.personal import FIRST_OF, HELD, DataKind
from storage.schema import METADATA

IMPERSONAL: Final[Mapping[str, str]] = {
    "people": "language takebacks notices hidden seen_at",
    "chats": "level first theme as_text language rules silent seen_updates left_at",
    "games": "id rules kind inline_offer time_limits clock x_level o_level next_level moves offer offered_by"
    " declined declined_by takebacks termination winner best_of x_wins o_wins draws next_game x_rating o_rating"
    " x_rated o_rated created_at changed_at moved_at due_at reminded update_id seen_updates version spent"
    " wordings x_reached o_reached",
    "boards": "id game_id wait_id thread_id message_id inline_message_id language theme as_text silent region"
    " choosing opened_version review review_ply review_cell aside replaces leaving wanted shown shown_at look_at"
    " claims acted_at called timed_from",
    "messages": "message_id game_id",
    "replays": "game_id form theme file_id",
    "outbox": "id kind game_id ply thread_id language look_at family here said",
    "results": "game_id level rules family mark outcome termination plies opening ended_at rated",
    "ratings": "family rating deviation volatility day games opponents settled settled_until",
    "rating_days": "family day rating",
    "pairs": "family day games",
    "matchmaking": "id rules any_rules told since due_at changed_at asked ended update_id",
    "meetings": "game_id rules person_since opponent_since person_any opponent_any met_at",
    "puzzles": "day moves missed wrong streak version solved_at remind_at",
    "levels": "family level streak",
    "milestones": "name progress reached_at",
    "pauses": "until",
    "erasures": "stage at alias cursor",
    "progress": "name value",
    "forgotten": "digest at",
    "pseudonyms": "digest alias at",
    "taken": "digest update_id at",
}
"""By table, the columns that identify nobody once those of `HELD` are gone."""


def test_every_column_is_known_to_tell_of_people_or_of_nobody() -> None:
    """A new column must be declared as one or the other: forgetting and exporting depend on it."""
    for table in METADATA.sorted_tables:
        held, other = set(HELD.get(table.name, {})), set(IMPERSONAL.get(table.name, "").split())
        assert not held & other, table.name
        assert held | other == set(table.columns.keys()), (
            f"{table.name}: neither storage/privacy/personal.py nor this test lists all its columns"
        )


def test_what_is_listed_exists() -> None:
    assert set(HELD) | set(IMPERSONAL) == set(METADATA.tables)
    assert set(FIRST_OF) == set(HELD), "each personal table names the columns by which people are found"
    for name, columns in FIRST_OF.items():
        assert all(HELD[name][column] in (DataKind.PERSON, DataKind.CHAT) for column in columns)
