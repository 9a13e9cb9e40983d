"""Lets tests of what waits run in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from benchmarks import virtual


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The event loop that a test runs in."""
    if item.get_closest_marker("virtual_time"):
        return {"virtual": virtual.Loop}
    return {"real": asyncio.new_event_loop}
