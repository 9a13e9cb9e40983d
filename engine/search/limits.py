"""What a search may spend on an answer."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The limits of a search. It stops at the first that it reaches, and answers with what it has found so far."""

    nodes: int | None = None
    """How many positions it may look at. If only this is limited, answers are reproducible."""
    seconds: float | None = None
    """How long it may take, counted from when it is asked."""
