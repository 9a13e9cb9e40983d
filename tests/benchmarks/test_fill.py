"""The games that a benchmark preloads are games that the bot could have stored."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import databases
from benchmarks.fill import fill
from storage import boards, games
from storage.board import Place
from storage.database import connect, parse_url
from storage.record import Record


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
        sound = [record for record in found.values() if isinstance(record, Record)]
        assert len(sound) == len(found) == 40
        assert sum(record.game.is_over for record in sound) == 30
        assert all(len(record.boards) == 1 and not record.boards[0].is_lagging for record in sound)
        made = boards.add(connection, sound[0].game._replace(id=0), [Place(1)])
        assert (made.game.id, made.boards[0].id) == (41, 41)
    engine.dispose()
