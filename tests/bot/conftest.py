"""Lets tests of what waits run in virtual time, and others in each language."""

import asyncio
from collections.abc import Callable, Iterator, Mapping

import pytest

from benchmarks import virtual
from bot.language import LANGUAGES, speaking


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    if item.get_closest_marker("virtual_time"):
        return {"virtual": virtual.Loop}
    return {"real": asyncio.new_event_loop}


@pytest.fixture(params=LANGUAGES)
def tag(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language in turn, which is spoken during the test."""
    with speaking(request.param):
        yield str(request.param)
