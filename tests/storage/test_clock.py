"""A clock that was set back makes nothing wait that should happen in a moment."""

from sqlalchemy import Connection, select, update

from storage.clock import set_back
from storage.games import lookups, outbox, versions
from storage.games.record import LOOK_NEVER
from storage.schema import BOARDS, OUTBOX
from tests.storage.examples import HOME, REMINDER, put

NOW = 1_700_000_000
LATER = NOW + 7200
"""When the clock was set back by two hours."""


def test_games_that_seem_to_have_changed_in_the_future_are_due(connection: Connection) -> None:
    soon = put(connection, moved_at=LATER, due_at=LATER + 10).game
    put(connection, moved_at=NOW, due_at=LATER + 10)
    set_back(connection, NOW)
    assert [(game.id, game.moved_at) for game in lookups.due(connection, now=NOW, limit=9)] == [(soon.id, NOW)]


def test_boards_and_notices_are_put_off_for_no_longer_than_they_could_be(connection: Connection) -> None:
    boards = {wait: put(connection, HOME).boards[0].id for wait in (5, 59, 60, 7200, LOOK_NEVER - NOW)}
    for wait, board_id in boards.items():
        connection.execute(update(BOARDS).where(BOARDS.c.id == board_id).values(look_at=NOW + wait))
    notices = {wait: outbox.add(connection, REMINDER._replace(game_id=None)).id for wait in (1000, 1001, 7200)}
    for wait, notice_id in notices.items():
        outbox.hold(connection, [notice_id], NOW + wait)
    set_back(connection, NOW)
    brought = select(BOARDS.c.id).where(BOARDS.c.look_at == NOW).order_by(BOARDS.c.id)
    assert list(connection.execute(brought).scalars()) == [boards[60], boards[7200]]
    assert versions.is_any_due(connection, NOW)
    assert set(connection.execute(select(OUTBOX.c.id).where(OUTBOX.c.look_at == NOW)).scalars()) == {
        notices[1001],
        notices[7200],
    }
