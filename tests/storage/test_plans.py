"""A statement that reads a whole table is seen (`tests.storage.plans`)."""

from sqlalchemy import Connection, text

from tests.storage.plans import scanned


def test_a_query_whose_index_is_gone_is_seen(connection: Connection) -> None:
    connection.execute(text("DROP INDEX uq_games_link"))
    assert scanned(connection, "SELECT id FROM games WHERE id = 5") == set()
    assert scanned(connection, "SELECT id FROM games WHERE link = 'a link'") == {"games"}
