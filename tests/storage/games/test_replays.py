"""The stored file ids of shared games' pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from storage.database import connect, parse_url
from storage.games import replays
from storage.games.replays import Key

FILM = Key(7, "animation", "classic")


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An empty database."""
    engine = connect(parse_url(database_url))
    yield engine
    engine.dispose()


def test_a_picture_is_found_by_all_that_it_shows_and_by_nothing_else(engine: Engine) -> None:
    with engine.begin() as connection:
        replays.keep(connection, FILM, "file")
        assert replays.find(connection, FILM) == "file"
        for other in (
            FILM._replace(game_id=8),
            FILM._replace(form="still"),
            FILM._replace(theme="sky"),
        ):
            assert replays.find(connection, other) is None
        replays.keep(connection, FILM, "later")
        assert replays.find(connection, FILM) == "later"


def test_a_lost_file_is_forgotten_unless_another_has_come(engine: Engine) -> None:
    with engine.begin() as connection:
        replays.keep(connection, FILM, "newer")
        replays.lose(connection, FILM, "older")
        assert replays.find(connection, FILM) == "newer"
        replays.lose(connection, FILM, "newer")
        assert replays.find(connection, FILM) is None


def test_games_are_forgotten_with_all_their_pictures(engine: Engine) -> None:
    with engine.begin() as connection:
        for game in (7, 8):
            replays.keep(connection, FILM._replace(game_id=game), "file")
        replays.forget(connection, [7])
        assert replays.find(connection, FILM) is None
        assert replays.find(connection, FILM._replace(game_id=8)) == "file"
