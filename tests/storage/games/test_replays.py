"""The stored file ids of shared games' pictures."""

from __future__ import annotations

from sqlalchemy import Connection

from storage.games import replays
from storage.games.replays import Key

FILM = Key(7, "animation", "classic")
OTHERS = [FILM._replace(game_id=8), FILM._replace(form="still"), FILM._replace(theme="sky")]


def test_a_picture_is_found_by_all_that_it_shows_until_its_file_is_lost_or_its_game_forgotten(
    connection: Connection,
) -> None:
    replays.keep(connection, FILM, "file")
    assert [replays.find(connection, each) for each in (FILM, *OTHERS)] == ["file", None, None, None]
    replays.keep(connection, FILM, "newer")
    replays.lose(connection, FILM, "older")
    assert replays.find(connection, FILM) == "newer", "another has come"
    replays.lose(connection, FILM, "newer")
    assert replays.find(connection, FILM) is None
    for each in (FILM, *OTHERS):
        replays.keep(connection, each, "file")
    replays.forget(connection, [7])
    assert [replays.find(connection, each) for each in (FILM, *OTHERS)] == [None, "file", None, None]
