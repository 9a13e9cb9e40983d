"""The structure of the code: imports point one way, those for types too, followed transitively."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]

MAY_LOAD: Final = {
    "engine": {"engine"},
    "storage": {"storage", "engine"},
    "bot": {"bot", "storage", "engine"},
    "playground": {"playground"},
}
"""Which of the project's packages each package may load."""

IN_THE_BOT: Final = {"playground.moved": {"storage.clock"}}
"""What a module loads where it runs in the bot's process."""

FOLDERS: Final = (
    *("bot.game", "bot.boards", "bot.workers", "bot.network", "bot.delivery", "bot.context"),
    *("bot.intake", "bot.features", "bot.background"),
)
"""The folders of the bot, each of which may load those before it; what lies beside them is wiring."""

LAYERS: Final = ("rules", "search", "reasons", "strategies", "levels", "reviews", "puzzles", "cli")
"""The folders and modules of the engine, each of which may import those before it."""

ANYWHERE: Final = ("bot.language", "bot.metrics", "bot.recent")
"""What any folder may use, as it loads nothing of ours: texts, what is counted, and a mapping that forgets."""

PURE: Final = ("bot.game", "bot.boards")
"""The folders that load neither Telegram nor a database."""

VALUES: Final = {
    *("storage", "storage.games", "storage.people", "storage.results", "storage.errors"),
    *("storage.columns", "storage.games.game", "storage.games.record"),
    *("storage.people.person", "storage.results.result"),
}
"""The part of the storage that is values, which pure folders may load."""

OURS: Final = {*MAY_LOAD, "benchmarks", "tests", "tools"}


def sources(package: str) -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


ALL: Final = {name: path for package in sorted(OURS - {"tests"}) for name, path in sources(package).items()}


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(ALL[module].read_text(encoding="utf-8"))


@cache
def imports_of(module: str) -> frozenset[str]:
    """The modules that a module names in its imports, anywhere and in any way, if only for its types."""
    return frozenset(name for node in ast.walk(tree_of(module)) for name in _named(node))


def _named(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [name.name for name in names]
        case ast.ImportFrom(module=str(module), names=names, level=0):
            inner = [f"{module}.{name.name}" for name in names]
            return [name if name in ALL else module for name in inner]
        case ast.ImportFrom():
            raise AssertionError("imports are written in full")
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return [name]
        case ast.Call(func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module")):
            raise AssertionError("imports name their module")
    return []


@cache
def loads(module: str) -> frozenset[str]:
    """All our modules that a module loads, directly or indirectly, including itself."""
    found = {module}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        parents = {name.rpartition(".")[0]} - {""}
        for imported in (imports_of(name) - IN_THE_BOT.get(name, set()) | parents) & ALL.keys():
            if imported not in found:
                found.add(imported)
                waiting.append(imported)
    return frozenset(found)


def package_of(module: str) -> str:
    return module.partition(".")[0]


def folder_of(module: str) -> str | None:
    return next((folder for folder in FOLDERS if f"{module}.".startswith(f"{folder}.")), None)


@pytest.mark.parametrize("package", MAY_LOAD)
def test_packages_load_one_way(package: str) -> None:
    assert sources(package)
    for module in sources(package):
        strangers = {package_of(name) for name in loads(module)} - MAY_LOAD[package]
        assert not strangers, f"{module} loads {sorted(strangers)}"


@pytest.mark.parametrize("package", [*MAY_LOAD, "benchmarks", "tools"])
def test_nobody_imports_tests_and_nothing_that_runs_imports_tools(package: str) -> None:
    for module in sources(package):
        named = {package_of(name) for name in imports_of(module)}
        assert "tests" not in named, module
        assert package == "tools" or "tools" not in named, module


def test_every_folder_of_the_bot_has_its_place() -> None:
    folders = {f"bot.{path.name}" for path in (ROOT / "bot").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_of_the_bot_load_one_way(folder: str) -> None:
    before = {*FOLDERS[: FOLDERS.index(folder) + 1]}
    for module in sources(folder.replace(".", "/")):
        for name in loads(module):
            if package_of(name) == "bot" and name not in ("bot", *ANYWHERE):
                assert folder_of(name) in before, f"{module} loads {name}"


def test_the_parts_of_the_engine_import_one_way() -> None:
    for number, part in enumerate(LAYERS):
        later = tuple(f"engine.{each}" for each in LAYERS[number + 1 :])
        for module in sources("engine"):
            if module.startswith(f"engine.{part}"):
                assert not any(name.startswith(later) for name in imports_of(module)), module
    assert {module.split(".")[1] for module in sources("engine") if "." in module} == {*LAYERS, "__main__"}


def test_features_do_not_know_each_other() -> None:
    """Each is a module, or a folder of some."""

    def feature_of(module: str) -> str:
        return ".".join(module.split(".")[:3])

    for module in sources("bot/features"):
        others = {name for name in imports_of(module) if name.startswith("bot.features")}
        assert {*map(feature_of, others)} <= {feature_of(module)}, module


def test_only_the_list_of_features_and_what_starts_the_bot_know_them() -> None:
    knowing = {
        module for module in sources("bot") if any(name.startswith("bot.features") for name in imports_of(module))
    }
    outside = {module for module in knowing if not module.startswith("bot.features")}
    assert outside == {"bot.dispatch", "bot.run", "bot.background.jobs"}


@pytest.mark.parametrize("module", ANYWHERE)
def test_what_any_folder_may_use_loads_nothing_of_ours(module: str) -> None:
    assert loads(module) <= {"bot", *ANYWHERE}


def test_what_decides_and_what_people_read_loads_neither_telegram_nor_a_database() -> None:
    for module in (module for folder in PURE for module in sources(folder.replace(".", "/"))):
        named = {package_of(name) for each in loads(module) for name in imports_of(each)}
        foreign = named - sys.stdlib_module_names - {"bot", "storage", "engine"}
        drawn = module.startswith("bot.boards.pictures")
        allowed = {"PIL", "fontpkg_arimo"} if drawn else {"orjson"}
        assert foreign <= allowed, f"{module} loads {sorted(foreign)}"
        assert {name for name in loads(module) if package_of(name) == "storage"} <= VALUES, module


UNNEEDED: Final = {
    "bot.run": (
        *("alembic", "psycopg", "storage.indexes", "PIL", "multiprocessing", "bot.boards.pictures.charts"),
        *("sqlalchemy.dialects.postgresql", ".po", "starlette", "sqlalchemy.orm"),
    ),
    "engine": ("dataclasses", "fractions", "inspect", "engine.cli.audit"),
}
"""What is loaded once it is needed, such as a language's texts (.po), or never."""
START: Final = """
import sys
sys.addaudithook(lambda event, given: event == "open" and str(given[0]).endswith(".po") and print(".po"))
import {module}
print(*sys.modules)
"""


@pytest.mark.parametrize("module", UNNEEDED)
def test_an_import_loads_nothing_that_it_does_not_need(module: str) -> None:
    words = [sys.executable, "-c", START.format(module=module)]
    loaded = set(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())
    assert module in loaded
    assert not loaded & {*UNNEEDED[module]}


def test_the_engine_draws_from_the_randomness_it_is_given() -> None:
    """What it takes from `random` is the class of a source, never the one that all programs share."""
    taken = re.compile(r"^ *(?:import random|from random import (?!Random$))", re.MULTILINE)
    for module in sources("engine"):
        if "cli" not in module:
            assert not taken.search(ALL[module].read_text(encoding="utf-8")), module


def test_the_engine_needs_the_standard_library_alone() -> None:
    for module in sources("engine"):
        named = {package_of(name) for name in imports_of(module)}
        assert named <= sys.stdlib_module_names | {"engine"}, module


@pytest.mark.parametrize("package", sorted(OURS - {"tests"}))
def test_no_import_comes_back_to_where_it_began(package: str) -> None:
    graph = {module: imports_of(module) & ALL.keys() for module in sources(package)}
    TopologicalSorter(graph).prepare()  # names the cycle if there is one


def test_every_module_says_what_it_is_about() -> None:
    for module in ALL:
        assert ast.get_docstring(tree_of(module)), module


def test_processes_that_work_for_the_bot_load_the_engine_and_drawing_alone() -> None:
    """They start quickly and stay small."""
    assert loads("bot.workers.child") == {"bot", "bot.workers", "bot.workers.child"}
    loaded = loads("bot.workers.jobs")
    assert {package_of(name) for name in loaded} == {"bot", "engine"}
    folders = ("bot.workers", "bot.boards.pictures")
    others = {name for name in loaded if name.startswith("bot.") and not name.startswith(folders)}
    assert others == {"bot.boards"}
    assert not loaded & {"bot.workers.pool"}


def test_packages_hold_nothing_besides_their_modules() -> None:
    """`engine` and `playground` say in theirs what others may use."""
    for module, path in ALL.items():
        if path.name == "__init__.py" and package_of(module) in ("bot", "storage", "tools"):
            assert len(tree_of(module).body) == 1, module


def test_a_class_and_a_constant_have_names_of_their_own() -> None:
    """One name means one thing, whichever package somebody reads; a constant may be private, or the same again.

    Each feature has its FEATURE.
    """
    constant = re.compile(r"^([A-Z][A-Z_0-9, ]+)(?:: .+?)? = (.+(?:\n[ )}\]].*)*)", re.MULTILINE)
    named: dict[str, set[str]] = {}
    for module in (*sources("bot"), *sources("storage"), *sources("engine")):
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                named.setdefault(node.name, set()).add(module)
        for names, value in constant.findall(ALL[module].read_text("utf-8")):
            for name in names.split(", "):
                named.setdefault(name, set()).add(value)
    del named["FEATURE"]
    assert {name: meanings for name, meanings in named.items() if len(meanings) > 1} == {}


def test_a_module_has_one_name_wherever_it_is_imported() -> None:
    named: dict[str, set[str]] = {}
    for module in (*sources("bot"), *sources("storage"), *sources("engine")):
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.ImportFrom):
                for name in node.names:
                    named.setdefault(f"{node.module}.{name.name}", set()).add(name.asname or name.name)
    assert {module: names for module, names in named.items() if module in ALL and len(names) > 1} == {}
