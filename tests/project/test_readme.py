"""What the README and the docs say is true."""

from __future__ import annotations

import ast
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.boards.translations import LANGUAGES
from bot.settings import Settings
from tests.project.commands import PAGES, README, ROOT, written_commands

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
NAMES = list(Settings.defaults())


def table(page: str, heading: str, nth: int = 0) -> dict[str, str]:
    """The nth of a page's tables with this first heading: each row's first cell, and the rest."""
    tables = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGES[page], re.MULTILINE)
    rows = [line.strip("| ").split(" | ", 1) for line in tables[nth].splitlines()]
    assert all(reason.strip() for _, reason in rows)
    return {name.strip("`"): reason for name, reason in rows}


def requirement_name(requirement: str) -> str:
    found = re.match(r"[a-z0-9-]+", requirement)
    assert found is not None
    return found[0]


def test_every_command_is_run_by_a_test() -> None:
    run = {
        node.args[0].value
        for file in Path(__file__).parent.glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "readme_command"
        and isinstance(node.args[0], ast.Constant)
    }
    assert run == written_commands()


def test_the_table_of_settings_is_that_of_the_bot() -> None:
    assert sorted(table("docs/hosting.md", "setting")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_default_in_the_table_is_that_of_the_bot(name: str) -> None:
    default = Settings.defaults()[name]
    assert table("docs/hosting.md", "setting")[name].startswith("none |" if default is None else f"`{default}` |")


def test_the_example_of_settings_holds_them_all_and_nothing_else() -> None:
    example = (ROOT / ".env.example").read_text()
    assert sorted(re.findall(r"^(?:# )?([A-Z_]+)=", example, re.MULTILINE)) == sorted(NAMES)
    assert re.findall(r"^[A-Z_]+=.*$", example, re.MULTILINE) == ["BOT_TOKEN="]


def test_the_example_of_settings_shows_the_defaults() -> None:
    example = dict(re.findall(r"^# ([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    defaults = {name: Settings.defaults()[name] for name in example}
    assert {name: example[name] for name, value in defaults.items() if value is not None} == {
        name: str(value) for name, value in defaults.items() if value is not None
    }


def test_the_tables_of_dependencies_are_those_of_the_project() -> None:
    groups = PROJECT["dependency-groups"]
    assert sorted(table("docs/dependencies.md", "dependency")) == sorted(
        map(requirement_name, PROJECT["project"]["dependencies"])
    )
    assert sorted(table("docs/dependencies.md", "dependency", 1)) == sorted(
        requirement_name(entry) for group in groups.values() for entry in group if isinstance(entry, str)
    )


def test_the_table_of_folders_names_every_package_and_every_folder_of_the_bot() -> None:
    packages = {f"{entry.name}/" for entry in ROOT.iterdir() if entry.is_dir() and list(entry.glob("*.py"))}
    inner = {f"bot/{entry.parent.name}/" for entry in (ROOT / "bot").glob("*/__init__.py")}
    assert set(table("docs/architecture.md", "folder")) == packages | inner


def test_the_readme_is_for_a_first_look() -> None:
    assert len(README.split()) < 900


@pytest.mark.parametrize("page", sorted(PAGES.keys() - {"CHANGELOG.md"}))
def test_every_file_that_is_named_or_linked_exists(page: str) -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)|src=\"([^\"]+)\"", PAGES[page])
    paths = [(ROOT / page).parent / (one or other) for one, other in linked]
    folders = "bot|engine|storage|playground|benchmarks|tests|tools|deploy|docs|\\.ci"
    paths += [ROOT / path for path in re.findall(rf"`((?:{folders})/[\w./-]*)`", PAGES[page])]
    assert paths
    assert [path for path in paths if not path.exists()] == []


@pytest.mark.parametrize("name", ["group.png", "game.gif", "picture.png"])
def test_a_picture_is_small(name: str) -> None:
    assert 10_000 < (ROOT / "docs" / name).stat().st_size < 250_000


def test_the_bots_picture_is_as_large_as_a_profile_shows_it() -> None:
    """A square of 640 pixels: the size at which Telegram stores profile photos."""
    header = (ROOT / "docs" / "picture.png").read_bytes()[16:24]
    assert [int.from_bytes(header[:4]), int.from_bytes(header[4:])] == [640, 640]


@pytest.mark.parametrize("page", PAGES)
def test_headings_go_one_level_down_at_most(page: str) -> None:
    text = re.sub(r"```.*?```", "", PAGES[page], flags=re.DOTALL)
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_hosts_are_told_every_language() -> None:
    (in_example,) = re.findall(r"^# .* speaks: (.*)\.$", (ROOT / ".env.example").read_text(), re.MULTILINE)
    for told in (table("docs/hosting.md", "setting")["DEFAULT_LANGUAGE"], in_example):
        assert set(LANGUAGES) <= set(re.findall(r"\b[a-z]{2,3}\b", told))
