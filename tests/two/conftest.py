"""Two players, a stranger, and a bot shared by a module's tests."""

from collections.abc import AsyncIterator
from typing import TypeAlias

import pytest

from playground.groups import Group
from playground.people import Person
from storage.database import parse_url
from storage.store import Store
from tests.e2e.conftest import NUMBERS, ann, bo, dee, here, module_settings, room, shared
from tests.world import World

Stores: TypeAlias = tuple[Store, Store]

__all__ = ["ann", "bo", "dee", "here", "module_settings", "room", "shared"]


@pytest.fixture
def cem(shared: World) -> Person:
    """A stranger whose client reports no language."""
    return shared.playground.add_person("Cem", language=None, username=f"cem_number_{next(NUMBERS)}")


@pytest.fixture
def group(shared: World, ann: Person, bo: Person, cem: Person) -> Group:
    """A group of the three and the bot; Ann owns it."""
    return shared.playground.add_group("The Noughts", [ann, bo, cem])


@pytest.fixture
async def stores(database_url: str) -> AsyncIterator[Stores]:
    """A database, opened by two processes."""
    one, other = Store(parse_url(database_url)), Store(parse_url(database_url))
    yield one, other
    await one.close()
    await other.close()
