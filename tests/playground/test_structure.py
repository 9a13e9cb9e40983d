"""The playground's imports: values below, chats and people above them, and no cycles."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (ROOT / "playground").rglob("*.py")
}


def imported(source: str) -> set[str]:
    """The playground's modules that a module imports, including imports only for type checkers."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            submodules = {f"{node.module}.{name.name}" for name in node.names}
            found |= submodules & MODULES.keys() or {node.module}
    return found & MODULES.keys()


def order(graph: dict[str, set[str]]) -> list[str]:
    return list(TopologicalSorter(graph).static_order())


def test_there_is_no_circle_of_imports_not_even_of_those_for_type_checkers() -> None:
    graph = {name: imported(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}
    assert len(graph) > 30
    from_below = order(graph)
    layers = [
        "errors",
        "accounts",
        "chats",
        "network",
        "people",
        "world",
        "methods.messages",
        "telegram",
        "server",
    ]
    places = [from_below.index(f"playground.{layer}") for layer in layers]
    assert places == sorted(places)


def test_an_import_for_type_checkers_alone_would_make_a_circle() -> None:
    below = "if TYPE_CHECKING:\n    from playground.world import World\n"
    with pytest.raises(CycleError):
        order({"playground.chats": imported(below), "playground.world": {"playground.chats"}})


def test_no_module_names_its_own_package_by_dots() -> None:
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.ImportFrom) or node.level == 0, path.relative_to(ROOT)
