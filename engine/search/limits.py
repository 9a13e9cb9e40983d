"""What a search may spend on one question."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Limits(NamedTuple):
    """A budget: the search ends with what comes first, and answers with what it has found by then."""

    nodes: int | None = None
    """How many positions it may look at; with this alone an answer can be repeated."""
    seconds: float | None = None
    """How long it may take from the question on."""
    stop: Callable[[], bool] | None = None
    """Asked every few milliseconds; once it says yes, the search ends."""
