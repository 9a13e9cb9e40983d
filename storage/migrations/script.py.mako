"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = "${up_revision}"
down_revision = "${down_revision}"
branch_labels = None
depends_on = None
schema = "?"
"""What tests/storage/test_migrations.py finds for the tables as they are after it."""


def upgrade() -> None:
    ${upgrades}
