"""Names stand once, in the table of people; games name people by their ids."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

UNMET = -(2**52)
"""Ids of rows for people who are known by a name alone go down from here."""
ADMINISTRATOR = -(2**53)
"""Stands for somebody who ended a game and is nobody known."""

# The name of the newest game counts, where there is no row yet or one without a name.
NAMES = """
INSERT INTO people (id, name, seen_at)
SELECT person, name, at FROM (
    SELECT person, name, at, row_number() OVER (PARTITION BY person ORDER BY game DESC) AS place FROM (
        SELECT x_seat AS person, x_name AS name, changed_at AS at, id AS game FROM games
        UNION ALL SELECT o_seat, o_name, changed_at, id FROM games
        UNION ALL SELECT rival_id, rival_name, changed_at, id FROM games
    ) AS told WHERE person > 0 AND name <> ''
) AS newest WHERE place = 1
ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE people.name = ''
"""

UNKNOWN_RIVALS = """
SELECT DISTINCT rival_name FROM games
LEFT JOIN people ON username = lower(substr(rival_name, 2)) AND substr(rival_name, 1, 1) = '@'
WHERE rival_id IS NULL AND rival_name <> '' AND people.id IS NULL
"""

RIVALS = """
UPDATE games SET rival_id = coalesce(
    (SELECT id FROM people WHERE substr(rival_name, 1, 1) = '@' AND username = lower(substr(rival_name, 2))),
    (SELECT min(id) FROM people WHERE id <= :unmet AND name = rival_name)
) WHERE rival_id IS NULL AND rival_name <> ''
"""

# A game was ended by its own people, by the only person known by that name, or by an administrator.
ENDED_BY = """
UPDATE games SET ender = CASE
    WHEN ended_by = coalesce(x_name, '') AND x_seat <> 0 THEN x_seat
    WHEN ended_by = coalesce(o_name, '') AND o_seat <> 0 THEN o_seat
    WHEN host IS NOT NULL AND ended_by IN ('', (SELECT name FROM people WHERE id = host)) THEN host
    WHEN (SELECT count(*) FROM people WHERE id > 0 AND name = ended_by) = 1
        THEN (SELECT id FROM people WHERE id > 0 AND name = ended_by)
    ELSE :administrator END
WHERE ended_by IS NOT NULL
"""


def upgrade() -> None:
    connection = op.get_bind()
    op.execute(NAMES)
    _one_username_each()
    op.create_index("uq_people_username", "people", ["username"], unique=True)
    op.drop_index("ix_people_username", "people")
    op.create_index("ix_people_name", "people", ["name"])
    _make_unmet(connection)
    connection.execute(sa.text(RIVALS), {"unmet": UNMET})
    op.add_column("games", sa.Column("ender", sa.BigInteger()))
    connection.execute(sa.text(ENDED_BY), {"administrator": ADMINISTRATOR})
    op.drop_index("ix_people_name", "people")
    for column in ("x_name", "o_name", "rival_name", "ended_by"):
        op.drop_column("games", column)
    op.execute("ALTER TABLE games RENAME COLUMN ender TO ended_by")
    for table, column in (("games", "ended_by"), ("boards", "page")):
        given = sa.text(f"{column} IS NOT NULL")
        op.create_index(f"ix_{table}_{column}", table, [column], sqlite_where=given, postgresql_where=given)
    # What was only looked through once more for names has no names any more.
    op.execute("DELETE FROM erasures WHERE stage = 'late'")
    op.execute("UPDATE erasures SET stage = 'going', cursor = 0 WHERE stage <> 'asked'")
    op.drop_column("erasures", "names")


def _one_username_each() -> None:
    """Keep a username only for the person last seen with it."""
    op.execute(
        "UPDATE people SET username = NULL WHERE username IS NOT NULL AND EXISTS (SELECT 1 FROM people AS other"
        " WHERE other.username = people.username AND (other.seen_at > people.seen_at"
        " OR (other.seen_at = people.seen_at AND other.id > people.id)))"
    )


def _make_unmet(connection: sa.Connection) -> None:
    """Make a row for everybody who was challenged or declined and is known only by name."""
    made: dict[str, dict[str, int | str | None]] = {}
    for name in connection.execute(sa.text(UNKNOWN_RIVALS)).scalars():
        username = name[1:].lower() if re.fullmatch("@[A-Za-z0-9_]{1,32}", name) else None
        made.setdefault(username or f" {name}", {"id": UNMET - len(made), "name": name, "username": username})
    if made:
        row = sa.text("INSERT INTO people (id, name, username) VALUES (:id, :name, :username)")
        connection.execute(row, list(made.values()))
