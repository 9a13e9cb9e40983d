"""The structure of the house: imports point one way, and modules stay small enough to have one subject."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MAY_IMPORT = {
    "engine": {"engine"},
    "storage": {"storage", "engine"},
    "bot": {"bot", "storage", "engine"},
    "playground": {"playground"},
}
"""Which of the project's packages each package may import; benchmarks and tests may import all but tests."""

OURS = {*MAY_IMPORT, "benchmarks", "tests"}


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports, anywhere in it and in whatever way."""
    package = path.relative_to(ROOT).parts[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found.update(name.name.partition(".")[0] for name in names)
            case ast.ImportFrom(module=module, level=0):
                found.add((module or "").partition(".")[0])
            case ast.ImportFrom():
                found.add(package)
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                found.add(name.partition(".")[0])
    return found


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_one_way(package: str) -> None:
    assert sources(package)
    for path in sources(package):
        strangers = (imported(path) & OURS) - MAY_IMPORT[package]
        assert not strangers, f"{path.relative_to(ROOT)} imports {sorted(strangers)}"


@pytest.mark.parametrize("package", [*MAY_IMPORT, "benchmarks"])
def test_nobody_imports_tests(package: str) -> None:
    for path in sources(package):
        assert "tests" not in imported(path), path.relative_to(ROOT)


def test_the_engine_needs_the_standard_library_alone() -> None:
    for path in sources("engine"):
        strangers = imported(path) - sys.stdlib_module_names - {"engine"}
        assert not strangers, f"{path.relative_to(ROOT)} imports {sorted(strangers)}"


@pytest.mark.parametrize(
    "module", ["acts", "buttons", "challenges", "names", "play", "refusals", "texts", "words"]
)
def test_what_is_decided_is_decided_without_telegram(module: str) -> None:
    assert not imported(ROOT / "bot" / f"{module}.py") & {"telegram", "aiohttp", "sqlalchemy"}


def test_every_module_says_what_it_is_about() -> None:
    for package in (*MAY_IMPORT, "benchmarks"):
        for path in sources(package):
            assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path.relative_to(ROOT)
