"""A listening playground, and a bot's client for it."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground import Playground
from playground.chats import Chat
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with Playground() as running:
        yield running


@pytest.fixture
async def api(playground: Playground) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(playground, session)


@pytest.fixture
def ann(playground: Playground) -> Person:
    person = playground.people["ann"]
    person.started = True
    return person


@pytest.fixture
def bo(playground: Playground) -> Person:
    return playground.people["bo"]


@pytest.fixture
def chat(ann: Person) -> Chat:
    return ann.private


@pytest.fixture
def noughts(playground: Playground) -> Group:
    return playground.groups["noughts"]
