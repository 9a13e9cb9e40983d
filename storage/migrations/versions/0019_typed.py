"""One meaning per column: a game's kind, what was asked and declined in it, what a board shows."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

WORD, MARK = sa.String(16), sa.String(1)

KINDS = """
UPDATE games SET kind = CASE
    WHEN x_seat IS NULL OR o_seat IS NULL THEN 'challenge'
    WHEN x_seat = 0 AND o_seat = 0 THEN 'exhibition'
    WHEN x_seat = 0 OR o_seat = 0 THEN 'solo'
    ELSE 'pair' END
"""

# What was asked was an offer, a colon and the mark of who had made it, perhaps behind "declined ".
OFFERED = """
UPDATE games SET offered_by = substr(asked, length(asked), 1), offer = substr(asked, 1, length(asked) - 2)
WHERE asked NOT LIKE 'declined %'
"""
DECLINED = """
UPDATE games SET
    declined = substr(asked, 10, length(asked) - 11),
    declined_by = CASE substr(asked, length(asked), 1) WHEN 'X' THEN 'O' ELSE 'X' END
WHERE asked LIKE 'declined %'
"""

MODES = {"r": "look", "t": "try", "w": "missed", "f": "found", "a": "answer"}
BASE = 36
"""The base in which a page of a review ended with an id."""


def upgrade() -> None:
    op.add_column("games", sa.Column("kind", WORD, nullable=False, server_default="pair"))
    op.execute(KINDS)
    op.execute("ALTER TABLE games RENAME COLUMN offer TO asked")
    for name, form in (("offer", WORD), ("offered_by", MARK), ("declined", WORD), ("declined_by", MARK)):
        op.add_column("games", sa.Column(name, form))
    op.execute(OFFERED)
    op.execute(DECLINED)
    op.drop_column("games", "asked")
    for name in ("region", "opened_version", "review_ply", "review_cell"):
        op.add_column("boards", sa.Column(name, sa.Integer()))
    op.add_column("boards", sa.Column("review", WORD))
    op.add_column("boards", sa.Column("reviewer", sa.BigInteger()))
    for name in ("choosing", "aside"):
        op.add_column("boards", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    _read_pages(op.get_bind())
    op.drop_index("ix_boards_page", "boards")
    op.drop_column("boards", "page")
    given = sa.text("reviewer IS NOT NULL")
    op.create_index("ix_boards_reviewer", "boards", ["reviewer"], sqlite_where=given, postgresql_where=given)


def _read_pages(connection: sa.Connection) -> None:
    """Split pages into columns; there are only a few of them."""
    columns = ("region", "opened_version", "review", "review_ply", "review_cell", "reviewer", "choosing", "aside")
    boards = sa.table("boards", sa.column("id"), sa.column("page"), *map(sa.column, columns))
    for board_id, page in connection.execute(
        sa.select(boards.c.id, boards.c.page).where(boards.c.page.is_not(None))
    ):
        connection.execute(sa.update(boards).where(boards.c.id == board_id).values(_read(page)))


def _read(page: str) -> dict[str, int | str | bool | None]:
    opened, _, version = page.partition(":")
    if version:
        choosing = opened == "rules"
        region = None if choosing else int(opened)
        return {"region": region, "choosing": choosing, "opened_version": int(version)}
    mode = MODES[page[0].lower()]
    return {
        "review": mode,
        "review_ply": int(page[1:3]),
        "review_cell": None if mode in {"look", "try"} else int(page[3:5]),
        "reviewer": int(page[5:], BASE) if page[5:] else None,
        "aside": page[0].isupper(),
    }
