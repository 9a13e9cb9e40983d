"""`pip install .` gives a package that runs from any folder."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING

import aiohttp
import pytest

from playground import Playground
from tests.project.commands import ROOT, Checkout, readme_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGES = ("bot", "engine", "playground", "storage")


def files(folder: Path) -> Iterator[str]:
    """The files of the packages in a folder."""
    for package in PACKAGES:
        for file in (folder / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                yield str(file.relative_to(folder))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the package; what it depends on is borrowed from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("installed")
    environment, source = folder / "environment", folder / "source"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    packages = next(environment.glob("lib/python*/site-packages"))
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    source.mkdir()
    for name in (*PACKAGES, "pyproject.toml", "README.md", "LICENSE"):
        (source / name).symlink_to(ROOT / name)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(environment / "bin" / "python"),
        "--disable-pip-version-check",
    ]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed", "--quiet"]
    words = [*pip, *readme_command("pip install .")[1:], *offline]
    ended = subprocess.run(words, cwd=source, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return environment


def test_the_package_holds_every_file_of_its_folders(installed: Path) -> None:
    (packages,) = installed.glob("lib/python*/site-packages")
    assert sorted(files(packages)) == sorted(files(ROOT))


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_says_that_its_types_can_be_relied_on(installed: Path, package: str) -> None:
    (packages,) = installed.glob("lib/python*/site-packages")
    assert (packages / package / "py.typed").is_file()


def test_the_package_holds_nothing_but_its_folders(installed: Path) -> None:
    (packages,) = installed.glob("lib/python*/site-packages")
    folders = {entry.name for entry in packages.iterdir() if entry.is_dir()}
    assert folders - {"__pycache__"} == {*PACKAGES, "oxo-0.1.0.dist-info"}


async def test_the_bot_runs_from_an_empty_folder_with_migrations_and_translations(
    installed: Path, tmp_path: Path
) -> None:
    python, *rest = readme_command("python -m bot")
    elsewhere = Checkout(tmp_path)
    async with Playground() as playground:
        settings = {"BOT_TOKEN": playground.token, "BOT_API_URL": playground.url, "HTTP_PORT": "0"}
        async with elsewhere.start(str(installed / "bin" / python), *rest, **settings) as terminal:
            await terminal.says("updates by long polling")
            chinese = next(person for person in playground.people.values() if person.language == "zh-hans")
            board = await chinese.ask("/newgame")
            status, _ = await terminal.ctrl_c()
    assert "井" in board.text or "你" in board.text
    assert status == 0
    assert (tmp_path / "data" / "oxo.db").exists()


async def test_the_playground_runs_from_an_empty_folder_with_its_page(
    installed: Path, tmp_path: Path, port: int
) -> None:
    elsewhere = Checkout(tmp_path)
    words = (str(installed / "bin" / "python"), "-m", "playground", "--port", str(port))
    async with elsewhere.start(*words, HTTP_PORT="0") as terminal, aiohttp.ClientSession() as session:
        await terminal.says("Play at")
        for name in ("", *(f"page/{file.name}" for file in (ROOT / "playground" / "page").iterdir())):
            async with session.get(f"http://127.0.0.1:{port}/{name}") as response:
                assert response.status == 200, name
