"""The games that a benchmark preloads are games that the bot could have stored."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from benchmarks import databases
from benchmarks.fill import fill
from storage import games
from storage.database import connect, parse_url
from storage.game import Game


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'filled.sqlite'}"
        return
    if not databases.postgresql_is_there():
        pytest.skip("no PostgreSQL server answers")
    with databases.postgresql_database() as found:
        yield found


def test_preloaded_games_are_sound_and_the_next_game_gets_the_next_id(url: str) -> None:
    fill(url, finished=30, running=10)
    engine = connect(parse_url(url))
    with engine.begin() as connection:
        found = games.load_many(connection, range(1, 100))
        sound = [game for game in found.values() if isinstance(game, Game)]
        assert len(sound) == len(found) == 40
        assert sum(game.is_over for game in sound) == 30
        next_id = connection.scalar(
            sa.insert(games.TABLE)
            .values(geometry="3x3x3", moves="", version=1, shown=0, created_at=0, changed_at=0, sweep_at=0)
            .returning(games.TABLE.c.id)
        )
        assert next_id == 41
    engine.dispose()
