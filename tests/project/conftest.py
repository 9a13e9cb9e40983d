"""A copy of the project, set up without network access, in which commands run."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.project.commands import ROOT, Checkout

LINKED = ("benchmarks", "engine", "playground", "storage", "tests")
"""Folders of the project in which no command writes."""

UNVERSIONED = shutil.ignore_patterns(".git", ".venv", ".env", ".*_cache", ".hypothesis", "data", *LINKED)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """The current project in a folder of the test's own, with the environment that runs the tests."""
    folder = tmp_path / "oxo"
    shutil.copytree(ROOT, folder, ignore=lambda path, names: UNVERSIONED(path, names) if path == str(ROOT) else ())
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    environment = folder / ".venv"
    environment.mkdir()
    for entry in Path(sys.prefix).iterdir():
        if not entry.name.startswith("."):
            (environment / entry.name).symlink_to(entry)
    for stamp in (".runtime", ".develop"):
        (environment / stamp).touch()
    return Checkout(folder)


@pytest.fixture
def port() -> int:
    return free_port()
