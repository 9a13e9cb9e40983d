"""A clock that was set back makes nothing wait that should happen in a moment."""

from sqlalchemy import Connection, select

from storage.clock import set_back
from storage.games import lookups, outbox
from storage.schema import OUTBOX
from tests.storage.examples import REMINDER, put

NOW = 1_700_000_000
LATER = NOW + 7200
"""When the clock was set back by two hours."""


def test_games_that_seem_to_have_changed_in_the_future_are_due(connection: Connection) -> None:
    soon = put(connection, moved_at=LATER, due_at=LATER + 10).game
    put(connection, moved_at=NOW, due_at=LATER + 10)
    set_back(connection, NOW)
    assert [(game.id, game.moved_at) for game in lookups.due(connection, now=NOW, limit=9)] == [(soon.id, NOW)]


def test_notices_are_put_off_for_no_longer_than_they_could_be(connection: Connection) -> None:
    """Boards aren't either: `test_boards_in_any_order` sets the clock back, too."""
    notices = {wait: outbox.add(connection, REMINDER._replace(game_id=None)).id for wait in (1000, 1001, 7200)}
    for wait, notice_id in notices.items():
        outbox.hold(connection, [notice_id], NOW + wait)
    set_back(connection, NOW)
    brought = set(connection.execute(select(OUTBOX.c.id).where(OUTBOX.c.look_at == NOW)).scalars())
    assert brought == {notices[1001], notices[7200]}
