"""`pip install .` gives a package that runs from any folder."""

import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground import Playground
from tests.project.commands import ROOT, Checkout, readme_command

PACKAGES = ("bot", "engine", "storage")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def files(folder: Path) -> Iterator[str]:
    for package in PACKAGES:
        for file in (folder / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                yield str(file.relative_to(folder))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the package; its dependencies come from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("installed")
    environment, source = folder / "environment", folder / "source"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    packages = next(environment.glob("lib/python*/site-packages"))
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    source.mkdir()
    for name in (*PACKAGES, "pyproject.toml", "README.md", "LICENSE"):
        (source / name).symlink_to(ROOT / name)
    python = str(environment / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed", "--quiet"]
    words = [*pip, *readme_command("pip install .")[1:], *offline]
    ended = subprocess.run(words, cwd=source, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return environment


def test_the_package_holds_every_file_that_a_bot_needs_and_nothing_else(installed: Path) -> None:
    (packages,) = installed.glob("lib/python*/site-packages")
    wanted = set(files(ROOT))
    assert set(files(packages)) == wanted
    assert {f"{package}/py.typed" for package in PACKAGES} <= wanted
    assert sum((packages / file).stat().st_size for file in wanted) < 4_000_000
    folders = {entry.name for entry in packages.iterdir() if entry.is_dir()}
    assert folders - {"__pycache__"} == {*PACKAGES, f"oxo_bot-{VERSION}.dist-info"}


def test_the_engine_runs_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    words = [str(installed / "bin" / "python"), "-m", "engine", "show", "tempo", "b2 a1"]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.stdout.startswith("  a b c\n1 O · ·\n"), ended.stderr) == (True, "")


async def test_the_bot_runs_from_an_empty_folder_with_migrations_and_translations(
    installed: Path, tmp_path: Path
) -> None:
    python, *rest = readme_command("python -m bot")
    elsewhere = Checkout(tmp_path)
    for words in ([python, *rest], ["oxo"]):
        assert (
            elsewhere.run(str(installed / "bin" / words[0]), *words[1:], "--version").stdout == f"OXO {VERSION}\n"
        )
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


@pytest.mark.soak
def test_a_release_plays_a_game_where_nothing_else_is(checkout: Checkout) -> None:
    assert readme_command("make release") == ["make", "release"]
    ended = checkout.run(".venv/bin/python", "-m", "tools.release")  # some translations may be missing today
    assert ended.returncode == 0, ended.stderr
    assert "1 games were replayed; 0 cannot be read." in ended.stdout
    assert {file.name for file in (checkout.folder / "dist").iterdir()} == {
        f"oxo_bot-{VERSION}.tar.gz",
        f"oxo_bot-{VERSION}-py3-none-any.whl",
    }
