"""What Telegram has closed for a while, and what is set there, shared by all processes."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from storage import telegram


@pytest.mark.parametrize(
    ("noted", "now", "found"),
    [
        ([("-100", 50), ("7", 90)], 49, {"-100": 50, "7": 90}),
        ([("-100", 50), ("7", 90)], 50, {"7": 90}),
        ([("-100", 50), ("-100", 90), ("-100", 60)], 0, {"-100": 90}),
    ],
    ids=["running", "over", "the later end"],
)
def test_a_pause_is_known_until_it_is_over_and_then_forgotten(
    connection: Connection, noted: list[tuple[str, int]], now: int, found: dict[str, int]
) -> None:
    for chat, until in noted:
        telegram.note_pause(connection, chat, until)
    assert telegram.current_pauses(connection, now) == found
    telegram.drop_pauses(connection, now)
    assert telegram.current_pauses(connection, 0) == found


def test_what_is_set_in_a_place_is_known_until_something_else_is(connection: Connection) -> None:
    def is_set(place: str, content: str) -> bool:
        return telegram.is_set(connection, place=place, content=content)

    assert not is_set("menu", "a")
    for content in ("a", "b"):
        telegram.note_set(connection, place="menu", content=content)
        assert is_set("menu", content)
        assert not is_set("another", content)
    assert not is_set("menu", "a"), "as the place has b now"
