"""What the README says is so."""

from __future__ import annotations

import ast
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from tests.project.commands import README, ROOT, readme_commands

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
NAMES = list(Settings.defaults())


def table(heading: str, nth: int = 0) -> dict[str, str]:
    """The nth of the README's tables with this first heading: its first cells, and the rest."""
    tables = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", README, re.MULTILINE)
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
    assert run == set(readme_commands())


def test_the_table_of_settings_is_that_of_the_bot() -> None:
    assert sorted(table("setting")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_default_in_the_table_is_that_of_the_bot(name: str) -> None:
    default = Settings.defaults()[name]
    assert table("setting")[name].startswith("none |" if default is None else f"`{default}` |")


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
    assert sorted(table("dependency")) == sorted(map(requirement_name, PROJECT["project"]["dependencies"]))
    assert sorted(table("dependency", 1)) == sorted(
        requirement_name(entry) for group in groups.values() for entry in group if isinstance(entry, str)
    )


def test_the_table_of_folders_names_every_package() -> None:
    packages = {f"{entry.name}/" for entry in ROOT.iterdir() if entry.is_dir() and list(entry.glob("*.py"))}
    assert set(table("folder")) == packages


def test_every_file_that_is_named_or_linked_exists() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)|src=\"([^\"]+)\"", README)
    named = re.findall(r"`((?:bot|engine|storage|playground|benchmarks|tests|\.ci)/[\w./-]*)`", README)
    paths = [*(one or other for one, other in linked), *named]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_picture_is_small() -> None:
    assert 10_000 < (ROOT / "docs" / "board.png").stat().st_size < 150_000


def test_headings_go_one_level_down_at_most() -> None:
    levels = [
        len(marks)
        for marks in re.findall(r"^(#+) ", re.sub(r"```.*?```", "", README, flags=re.DOTALL), re.MULTILINE)
    ]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
