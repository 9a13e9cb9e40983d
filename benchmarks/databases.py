"""Databases of a benchmark's own: made for a run and dropped after it."""

import contextlib
import os
import secrets
from collections.abc import Iterator

import psycopg
from psycopg import sql

ADMINISTRATION = os.environ.get("BENCHMARK_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/postgres")
"""Where databases may be created; `BENCHMARK_POSTGRESQL` names another server."""


def postgresql_is_there() -> bool:
    """Whether a server answers within two seconds."""
    try:
        psycopg.connect(ADMINISTRATION, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


@contextlib.contextmanager
def postgresql_database() -> Iterator[str]:
    """A new empty database as a `postgresql+psycopg://` URL; it is dropped at the end."""
    name = f"bench_{secrets.token_hex(4)}"
    with psycopg.connect(ADMINISTRATION, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield ADMINISTRATION.replace("postgresql://", "postgresql+psycopg://").rpartition("/")[0] + f"/{name}"
    finally:
        with psycopg.connect(ADMINISTRATION, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
