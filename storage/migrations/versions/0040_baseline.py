"""The schema of the first release: a new database gets the tables as they are declared (`storage.migrate`)."""

revision = "0040"
down_revision = None
branch_labels = None
depends_on = None
schema = "cd737417c2a9"
