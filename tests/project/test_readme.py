"""What the README and the docs say is true."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bot.context.beginning import MOST_ALONE, MOST_GAMES
from bot.language import LANGUAGES, own_name
from bot.settings import Settings
from storage.settings import Secret
from tests.project.commands import PAGES, ROOT, written_commands

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXAMPLE = (ROOT / ".env.example").read_text()


def table(page: str, heading: str, nth: int = 0) -> dict[str, str]:
    """The nth of a page's tables with this first heading: each row's first cell, and the rest."""
    tables = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGES[page], re.MULTILINE)
    rows = [line.strip("| ").split(" | ", 1) for line in tables[nth].splitlines()]
    assert all(reason.strip() for _, reason in rows)
    return {name.strip("`"): reason for name, reason in rows}


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


def test_settings_and_their_defaults_are_those_of_the_bot() -> None:
    defaults = {name: each.default for name, each in Settings.fields().items()}
    told = table("docs/hosting.md", "setting")
    shown = dict(re.findall(r"^(?:# )?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
    assert sorted(told) == sorted(shown) == sorted(defaults)
    for name, value in defaults.items():
        default = value.text if isinstance(value, Secret) else value
        assert told[name].startswith("none |" if default is None else f"`{default}` |")
        assert default is None or shown[name] == str(default)
    assert re.findall(r"^[A-Z_]+=.*$", EXAMPLE, re.MULTILINE) == ["BOT_TOKEN="]


def test_the_readme_names_every_language() -> None:
    assert [code for code in LANGUAGES if own_name(code) not in PAGES["README.md"]] == []


def test_people_are_told_how_many_games_run_at_once() -> None:
    assert (
        f"Up to {MOST_ALONE} games run at once in your own chat, {MOST_GAMES} of yours in each group"
        in PAGES["README.md"]
    )


def test_dependencies_and_folders_are_those_of_the_project() -> None:
    developed = [
        each for group in PROJECT["dependency-groups"].values() for each in group if isinstance(each, str)
    ]
    for nth, asked in enumerate((PROJECT["project"]["dependencies"], developed)):
        names = sorted(re.split(r"[^a-z0-9-]", requirement)[0] for requirement in asked)
        assert sorted(table("docs/dependencies.md", "dependency", nth)) == names
    packages = {f"{entry.name}/" for entry in ROOT.iterdir() if entry.is_dir() and list(entry.glob("*.py"))}
    inner = {f"bot/{entry.parent.name}/" for entry in (ROOT / "bot").glob("*/__init__.py")}
    assert set(table("docs/architecture.md", "folder")) == packages | inner


@pytest.mark.parametrize("page", sorted(PAGES.keys() - {"CHANGELOG.md"}))
def test_every_file_that_is_named_or_linked_exists(page: str) -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)|src=\"([^\"]+)\"", PAGES[page])
    paths = [(ROOT / page).parent / (one or other) for one, other in linked]
    folders = "bot|engine|storage|playground|benchmarks|tests|tools|deploy|docs|\\.ci"
    paths += [ROOT / path for path in re.findall(rf"`((?:{folders})/[\w./-]*)`", PAGES[page])]
    assert paths
    assert [str(path) for path in paths if not path.exists()] == [], f"{page} names files that aren't there"


@pytest.mark.parametrize("page", sorted(PAGES.keys() - {"CHANGELOG.md"}))
def test_every_name_that_a_file_is_said_to_have_is_in_it(page: str) -> None:
    said = re.findall(r"`(\w+)` (?:in|of) `(\w[\w/]*/\w+\.py)`", PAGES[page])
    said += [(name, path) for path, name in re.findall(r"`(\w[\w/]*/\w+\.py)::(\w+)`", PAGES[page])]
    missing = [each for each in said if not re.search(rf"\b{each[0]}\b", (ROOT / each[1]).read_text())]
    assert missing == [], f"{page} looks for them where they aren't: correct its names"
