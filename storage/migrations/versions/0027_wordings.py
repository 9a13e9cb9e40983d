"""Which half of the wordings of comments a game uses."""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE games ADD COLUMN wordings INTEGER DEFAULT 0 NOT NULL")
