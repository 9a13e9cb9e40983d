"""Compiles each statement once for all databases of a process, as tests open one after the other."""

from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import URL, Dialect, Engine, create_engine, event

COMPILED: Final[dict[Any, Any]] = {}
DIALECTS: Final[dict[type[Dialect], Dialect]] = {}
"""One of each kind that has asked its server what it can do: what is compiled belongs to it."""


def compile_once() -> None:
    """Let engines share what they compile: else that takes a fifth of the time of tests with bots."""
    patch("storage.database.create_engine", _create).start()


def _create(url: URL, **options: Any) -> Engine:  # noqa: ANN401 - of SQLAlchemy's
    engine = create_engine(url, execution_options={"compiled_cache": COMPILED}, **options)
    kind, own = type(engine.dialect), engine.dialect
    if kind in DIALECTS:
        engine.dialect = DIALECTS[kind]
    else:
        event.listen(engine, "connect", lambda *_: DIALECTS.setdefault(kind, own), once=True)
    return engine
