"""What is remembered of shared games: the pictures that Telegram keeps, and where one was just sent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from storage import chats, replays
from storage.database import connect, parse_url
from storage.replays import HASTE_SECONDS, KEPT_SECONDS, Key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

NOW = 1_700_000_000
FILM = Key(7, "animation", "classic", "en")


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An empty database."""
    engine = connect(parse_url(database_url))
    yield engine
    engine.dispose()


def test_a_picture_is_found_by_all_that_it_shows_and_by_nothing_else(engine: Engine) -> None:
    with engine.begin() as connection:
        replays.keep(connection, FILM, "digest", "file")
        assert replays.find(connection, FILM, "digest") == "file"
        for other in (
            FILM._replace(game_id=8),
            FILM._replace(form="still"),
            FILM._replace(look="sky"),
            FILM._replace(language="zh_Hans"),
        ):
            assert replays.find(connection, other, "digest") is None
        assert replays.find(connection, FILM, "another") is None, "a name has changed since"
        replays.keep(connection, FILM, "another", "later")
        assert replays.find(connection, FILM, "another") == "later"


def test_what_telegram_keeps_no_more_is_lost_unless_another_has_come(engine: Engine) -> None:
    with engine.begin() as connection:
        replays.keep(connection, FILM, "digest", "newer")
        replays.lose(connection, FILM, "older")
        assert replays.find(connection, FILM, "digest") == "newer"
        replays.lose(connection, FILM, "newer")
        assert replays.find(connection, FILM, "digest") is None


def test_many_wishes_at_once_send_one_picture_to_a_chat(engine: Engine) -> None:
    with engine.begin() as connection:
        assert replays.claim(connection, 7, 5, "animation", NOW, update_id=1)
        assert not replays.claim(connection, 7, 5, "animation", NOW, update_id=2)
        assert replays.claim(connection, 7, 6, "animation", NOW, update_id=1), "another chat"
        assert replays.claim(connection, 7, 5, "still", NOW, update_id=1), "another picture"
        assert not replays.claim(connection, 7, 5, "animation", NOW + HASTE_SECONDS - 1, update_id=2)
        assert replays.claim(connection, 7, 5, "animation", NOW + HASTE_SECONDS, update_id=2)
        replays.release(connection, 7, 5, "animation")
        assert replays.claim(connection, 7, 5, "animation", NOW + HASTE_SECONDS, update_id=3)
        assert replays.claim(connection, 8, 5, "still", NOW + HASTE_SECONDS + KEPT_SECONDS + 1, update_id=4)
        counted = connection.exec_driver_sql("SELECT count(*) FROM shares").scalar()
        assert counted == 1, "nobody needs to know of the others any more"


def test_an_update_that_comes_again_takes_its_claim_over_until_its_picture_is_there(engine: Engine) -> None:
    claim = partial(replays.claim, game_id=7, chat_id=5, form="still", now=NOW)
    with engine.begin() as connection:
        assert claim(connection, update_id=1)
        assert claim(connection, update_id=1)
        replays.note_sent(connection, 7, 5, "still", 2)
        assert claim(connection, update_id=1), "only its own picture counts"
        replays.note_sent(connection, 7, 5, "still", 1)
        assert not claim(connection, update_id=1)


def test_games_are_forgotten_with_all_their_pictures(engine: Engine) -> None:
    with engine.begin() as connection:
        for game in (7, 8):
            replays.keep(connection, FILM._replace(game_id=game), "digest", "file")
            replays.claim(connection, game, 5, "still", NOW, update_id=1)
        replays.forget(connection, [7])
        assert replays.find(connection, FILM, "digest") is None
        assert replays.find(connection, FILM._replace(game_id=8), "digest") == "file"
        assert replays.claim(connection, 7, 5, "still", NOW, update_id=2)
        assert not replays.claim(connection, 8, 5, "still", NOW, update_id=2)


def test_a_group_that_has_got_another_id_leaves_nothing_behind(engine: Engine) -> None:
    with engine.begin() as connection:
        replays.claim(connection, 7, -5, "still", NOW, update_id=1)
        chats.migrate(connection, old=-5, new=-1005)
        assert connection.exec_driver_sql("SELECT count(*) FROM shares").scalar() == 0
