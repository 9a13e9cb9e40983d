"""A bot in a playground: served in this process, or as one of its own."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio

from playground import Playground
from playground.groups import Group
from playground.people import Person
from tests.faults.conftest import room
from tests.processes import Processes
from tests.world import World, world

NUMBERS = count(1)

__all__ = ["room"]


@pytest.fixture
def settings() -> dict[str, str]:
    """The bot's settings beyond those that connect it to the playground; a test module may override them."""
    return {}


@pytest.fixture
async def process(tmp_path: Path, settings: dict[str, str], newest_on_sqlite: Path) -> AsyncIterator[Processes]:
    """A bot that a test starts as a process of its own, for tests of starts, signals and kills."""
    async with (
        Playground() as playground,
        Processes(playground, tmp_path, begins=False, settings=settings) as process,
    ):
        shutil.copyfile(newest_on_sqlite, process.database)
        yield process


@pytest.fixture
async def oxo(tmp_path: Path, settings: dict[str, str], newest_on_sqlite: Path) -> AsyncIterator[World]:
    """The bot, started for one test."""
    async with served(tmp_path, settings, newest_on_sqlite) as oxo:
        yield oxo


@pytest.fixture(scope="module")
def module_settings() -> dict[str, str]:
    """The settings of the module's bot; a test module may override them."""
    return {}


@asynccontextmanager
async def served(folder: Path, settings: dict[str, str], newest: Path) -> AsyncIterator[World]:
    """A playground with a bot that does everything by itself, on a copy of `newest` or the settings' database."""
    shutil.copyfile(newest, folder / "oxo.db")
    given = {"DATABASE_URL": f"sqlite:///{folder / 'oxo.db'}", **settings}
    async with Playground() as playground, world(playground, **given) as shared:
        await shared.serve()
        yield shared
        await shared.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(
    tmp_path_factory: pytest.TempPathFactory, module_settings: dict[str, str], newest_on_sqlite: Path
) -> AsyncIterator[World]:
    """The bot, started once for the tests of a module, each of which has its own people.

    Such a module runs in one event loop: `pytestmark = pytest.mark.asyncio(loop_scope="module")`.
    """
    async with served(tmp_path_factory.mktemp("oxo"), module_settings, newest_on_sqlite) as shared:
        yield shared
        assert "Traceback" not in shared.logged()


@pytest.fixture
def here(request: pytest.FixtureRequest) -> World:
    """The world of a test: its own, or its module's."""
    found = request.getfixturevalue("oxo" if "oxo" in request.fixturenames else "shared")
    assert isinstance(found, World)
    return found


@pytest.fixture
def ann(here: World) -> Person:
    """A person for this test alone, who speaks English; between two people she's the challenger."""
    return here.playground.add_person("Ann", username=f"ann_number_{next(NUMBERS)}", started=True)


@pytest.fixture
def bo(here: World) -> Person:
    """Another, who speaks Chinese, and accepts challenges."""
    username = f"bo_number_{next(NUMBERS)}"
    return here.playground.add_person("小波", language="zh-hans", username=username, started=True)


@pytest.fixture
def dee(here: World) -> Person:
    """Somebody who speaks English, as Ann does, and is in no group yet."""
    return here.playground.add_person("Dee", started=True)


@pytest.fixture
def group(here: World, ann: Person, bo: Person) -> Group:
    return here.playground.add_group("The Noughts", [ann, bo])
