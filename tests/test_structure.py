"""The structure of the house: imports point one way, followed through all that they load; all is proved."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[1]

MAY_LOAD: Final = {
    "engine": {"engine"},
    "storage": {"storage", "engine"},
    "bot": {"bot", "storage", "engine"},
    "playground": {"playground"},
}
"""Which of the project's packages each package may load."""

FOLDERS: Final = ("bot.game", "bot.views", "bot.thinking", "bot.delivery", "bot.intake", "bot.handlers")
"""The folders of the bot, each of which may load those before it; what lies beside them is wiring."""

COUNTED: Final = "bot.metrics"
"""What is counted: it loads nothing of ours, and so any folder may write its numbers."""

PURE: Final = ("bot.game", "bot.views")
"""The folders that load neither Telegram nor a database."""

VALUES: Final = {
    *("storage", "storage.game", "storage.board", "storage.record", "storage.notice"),
    *("storage.seen_updates", "storage.errors", "storage.result", "storage.tally"),
}
"""The part of the storage that is values, which pure folders may load."""

OURS: Final = {*MAY_LOAD, "benchmarks", "tests", "tools"}


class Imports(NamedTuple):
    """The modules that a module names in its imports."""

    loaded: frozenset[str]
    """Those that running it loads, at once or later."""
    for_types: frozenset[str]
    """Those that only a type checker reads."""


def sources(package: str) -> dict[str, Path]:
    """The modules of a package, by name."""
    found = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


ALL: Final = {name: path for package in sorted(OURS - {"tests"}) for name, path in sources(package).items()}


@cache
def imports_of(module: str) -> Imports:
    """What a module imports, anywhere in it and in whatever way."""
    tree = ast.parse(ALL[module].read_text(encoding="utf-8"))
    checked = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    loaded: set[str] = set()
    for_types: set[str] = set()
    for node in ast.walk(tree):
        (for_types if id(node) in checked else loaded).update(_named(node))
    return Imports(frozenset(loaded), frozenset(for_types))


def _named(node: ast.AST) -> list[str]:
    """The modules that a node imports."""
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
    return []


@cache
def loads(module: str) -> frozenset[str]:
    """All modules of ours that a module loads, itself and whatever those load included."""
    found = {module}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        parents = {name.rpartition(".")[0]} - {""}
        for imported in (imports_of(name).loaded | parents) & ALL.keys():
            if imported not in found:
                found.add(imported)
                waiting.append(imported)
    return frozenset(found)


def package_of(module: str) -> str:
    """The project's package that a module lies in."""
    return module.partition(".")[0]


def folder_of(module: str) -> str | None:
    """The folder of the bot that a module lies in."""
    return next((folder for folder in FOLDERS if f"{module}.".startswith(f"{folder}.")), None)


@pytest.mark.parametrize("package", MAY_LOAD)
def test_packages_load_one_way(package: str) -> None:
    assert sources(package)
    for module in sources(package):
        strangers = {package_of(name) for name in loads(module)} - MAY_LOAD[package]
        assert not strangers, f"{module} loads {sorted(strangers)}"
        read = {package_of(name) for name in imports_of(module).for_types} & OURS
        assert read <= MAY_LOAD[package], f"{module} imports {sorted(read - MAY_LOAD[package])} for its types"


@pytest.mark.parametrize("package", [*MAY_LOAD, "benchmarks", "tools"])
def test_nobody_imports_tests_and_nothing_that_runs_imports_tools(package: str) -> None:
    for module in sources(package):
        named = {package_of(name) for name in imports_of(module).loaded | imports_of(module).for_types}
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
            if package_of(name) == "bot" and name not in ("bot", COUNTED):
                assert folder_of(name) in before, f"{module} loads {name}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_of_the_bot_know_one_way_by_their_types_too(folder: str) -> None:
    """But for wiring, whose values travel everywhere: what handlers can reach, and what is counted."""
    before = {*FOLDERS[: FOLDERS.index(folder) + 1]}
    wiring = {"bot.context", COUNTED} if folder not in PURE else set()
    for module in sources(folder.replace(".", "/")):
        for name in imports_of(module).for_types:
            if package_of(name) == "bot" and name not in wiring:
                assert folder_of(name) in before, f"{module} imports {name} for its types"


def test_what_is_counted_loads_nothing_of_ours() -> None:
    assert loads(COUNTED) == {"bot", COUNTED}


FRESH: Final = """
import importlib, json, sys
began_with = set(sys.modules)
found = {}
for module in sys.argv[1:]:
    importlib.import_module(module)
    new = set(sys.modules) - began_with
    found[module] = sorted(new)
    for name in new:
        if name.partition(".")[0] not in sys.stdlib_module_names:
            del sys.modules[name]
json.dump(found, sys.stdout)
"""
"""Imports modules one after another, each as the first of all, and tells what each has loaded."""


def test_what_decides_and_what_people_read_loads_neither_telegram_nor_a_database() -> None:
    """In a fresh interpreter, so that nothing hides behind a second import."""
    modules = [module for folder in PURE for module in sources(folder.replace(".", "/"))]
    done = subprocess.run(
        [sys.executable, "-c", FRESH, *modules], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    assert set(found) == set(modules)
    for module, loaded in found.items():
        foreign = {package_of(name) for name in loaded} - sys.stdlib_module_names - {"bot", "storage", "engine"}
        assert not foreign, f"{module} loads {sorted(foreign)}"
        assert {name for name in loaded if package_of(name) == "storage"} <= VALUES, module
        allowed = FOLDERS[: FOLDERS.index(folder_of(module) or "") + 1]
        assert {folder_of(name) for name in loaded if package_of(name) == "bot"} <= {None, *allowed}, module


def test_the_engine_needs_the_standard_library_alone() -> None:
    for module in sources("engine"):
        named = {package_of(name) for name in imports_of(module).loaded | imports_of(module).for_types}
        assert named <= sys.stdlib_module_names | {"engine"}, module


@pytest.mark.parametrize("package", sorted(OURS - {"tests"}))
def test_no_import_comes_back_to_where_it_began(package: str) -> None:
    graph = {module: imports_of(module).loaded & ALL.keys() for module in sources(package)}
    TopologicalSorter(graph).prepare()  # names the circle, where there is one


def test_every_module_says_what_it_is_about() -> None:
    for module, path in ALL.items():
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), module


E2E, TWO, FAULTS, BOT = "tests/e2e", "tests/two", "tests/faults", "tests/bot"
PROVED_BY: Final = {
    "bot.__main__": (f"{E2E}/test_lifetime.py",),
    "bot.app": (f"{E2E}/test_commands.py",),
    "bot.context": (f"{E2E}/test_commands.py",),
    "bot.delivery.answers": (f"{E2E}/test_taps.py",),
    "bot.delivery.boards": (f"{FAULTS}/test_telegram_faults.py", f"{TWO}/test_manners.py"),
    "bot.delivery.bucket": (f"{BOT}/delivery/test_pace.py",),
    "bot.delivery.calls": (f"{FAULTS}/test_any_update.py",),
    "bot.delivery.chains": (f"{BOT}/delivery/test_protocol_model.py", f"{FAULTS}/test_once_and_in_order.py"),
    "bot.delivery.confirmations": (f"{FAULTS}/test_kills.py",),
    "bot.delivery.entries": (f"{FAULTS}/test_telegram_faults.py",),
    "bot.delivery.held": (f"{FAULTS}/test_once_and_in_order.py",),
    "bot.delivery.lane": (f"{BOT}/delivery/test_lanes.py",),
    "bot.delivery.lessons": (f"{E2E}/test_reviews.py",),
    "bot.delivery.once_more": (f"{FAULTS}/test_interleavings.py",),
    "bot.delivery.publisher": (f"{FAULTS}/test_telegram_faults.py", f"{FAULTS}/test_kills.py"),
    "bot.delivery.reach": (f"{FAULTS}/test_what_comes_after.py", f"{FAULTS}/test_telegram_faults.py"),
    "bot.delivery.rates": (f"{BOT}/delivery/test_pace.py",),
    "bot.delivery.recovery": (f"{FAULTS}/test_telegram_faults.py",),
    "bot.delivery.sweep": (f"{FAULTS}/test_kills.py",),
    "bot.delivery.waiting": (f"{FAULTS}/test_kills.py", f"{FAULTS}/test_interleavings.py"),
    "bot.delivery.window": (f"{BOT}/delivery/test_pace.py",),
    "bot.delivery.words": (f"{TWO}/test_deadlines.py",),
    "bot.first_calls": (f"{E2E}/test_lifetime.py",),
    "bot.game.acts": (f"{BOT}/game/test_machine.py",),
    "bot.game.gate": (f"{BOT}/game/test_gate.py", f"{E2E}/test_strangers.py"),
    "bot.game.machine": (f"{TWO}/test_machine.py", f"{BOT}/game/test_machine.py"),
    "bot.game.notices": (f"{BOT}/game/test_notices.py", f"{TWO}/test_calls.py"),
    "bot.game.refusals": (f"{BOT}/game/test_gate.py",),
    "bot.game.states": (f"{BOT}/game/test_machine.py",),
    "bot.game.time_limits": (f"{BOT}/game/test_deadlines.py",),
    "bot.handlers.acting": (f"{E2E}/test_taps.py",),
    "bot.handlers.answers": (f"{TWO}/test_text_only.py",),
    "bot.handlers.basics": (f"{E2E}/test_commands.py",),
    "bot.handlers.clock": (f"{TWO}/test_deadlines.py",),
    "bot.handlers.computer": (f"{E2E}/test_thinking.py",),
    "bot.handlers.double_taps": (f"{BOT}/handlers/test_double_taps.py", f"{E2E}/test_double_taps.py"),
    "bot.handlers.exporting": (f"{E2E}/test_exports.py",),
    "bot.handlers.forgetting": (f"{E2E}/test_forgetting.py",),
    "bot.handlers.groups": (f"{TWO}/test_manners.py",),
    "bot.handlers.languages": (f"{E2E}/test_settings_menu.py",),
    "bot.handlers.moving": (f"{E2E}/test_thinking.py", f"{TWO}/test_watch.py"),
    "bot.handlers.new_games": (f"{E2E}/test_newgame_words.py", f"{TWO}/test_challenges.py"),
    "bot.handlers.pages": (f"{TWO}/test_ultimate.py",),
    "bot.handlers.requests": (f"{TWO}/test_manners.py",),
    "bot.handlers.review_links": (f"{BOT}/handlers/test_review_links.py", f"{TWO}/test_reviews.py"),
    "bot.handlers.retention": (f"{E2E}/test_retention.py",),
    "bot.handlers.rights": (f"{E2E}/test_forgetting.py",),
    "bot.handlers.running": (f"{TWO}/test_at_hand.py",),
    "bot.handlers.settings": (f"{E2E}/test_settings_menu.py",),
    "bot.handlers.table": (f"{BOT}/handlers/test_table.py", f"{E2E}/test_commands.py"),
    "bot.handlers.takebacks": (f"{E2E}/test_choices.py",),
    "bot.handlers.watching": (f"{TWO}/test_watch.py", f"{FAULTS}/test_watched.py"),
    "bot.intake.connection": (f"{BOT}/intake/test_server.py",),
    "bot.intake.http": (f"{BOT}/intake/test_server.py",),
    "bot.intake.polling": (f"{E2E}/test_lifetime.py", f"{FAULTS}/test_once_and_in_order.py"),
    "bot.intake.site": (f"{BOT}/intake/test_server.py",),
    "bot.intake.updates": (f"{FAULTS}/test_once_and_in_order.py", f"{FAULTS}/test_database_faults.py"),
    "bot.intake.webhook": (f"{FAULTS}/test_webhook.py",),
    "bot.logs": (f"{BOT}/test_logs.py", f"{E2E}/test_logs.py"),
    "bot.metrics": (f"{FAULTS}/test_webhook.py",),
    "bot.pages": (f"{FAULTS}/test_webhook.py",),
    "bot.run": (f"{E2E}/test_lifetime.py", f"{BOT}/test_imports.py"),
    "bot.thinking.drawing.boards": (f"{BOT}/thinking/test_replays.py",),
    "bot.thinking.drawing.fonts": (f"{BOT}/thinking/test_names.py",),
    "bot.thinking.drawing.lines": (f"{BOT}/thinking/test_names.py",),
    "bot.thinking.drawing.marks": (f"{BOT}/thinking/test_replays.py",),
    "bot.thinking.drawing.replays": (f"{BOT}/thinking/test_replays.py",),
    "bot.thinking.processes": (f"{BOT}/thinking/test_workers.py",),
    "bot.thinking.worker": (f"{BOT}/thinking/test_workers.py",),
    "bot.upkeep": (f"{E2E}/test_lifetime.py", f"{TWO}/test_deadlines.py"),
    "bot.views.durations": (f"{BOT}/views/test_boards.py",),
    "bot.views.families": (f"{BOT}/views/test_stats.py",),
    "bot.views.people": (f"{BOT}/views/test_boards.py",),
    "bot.views.renderers": (f"{BOT}/views/test_text_board.py",),
    "bot.views.rights": (f"{E2E}/test_forgetting.py",),
    "bot.views.verdicts": (f"{BOT}/views/test_reviews.py",),
    "bot.wiring": (f"{E2E}/test_lifetime.py", f"{E2E}/test_settings.py"),
}
"""Where what a module of the bot promises is proved first, if no test that has its name says so."""


def test_every_module_of_the_bot_is_proved_somewhere() -> None:
    modules = {module for module, path in sources("bot").items() if path.name != "__init__.py"}
    proved = PROVED_BY | {module: named for module in modules - PROVED_BY.keys() if (named := named_for(module))}
    assert modules == proved.keys()
    tests = {test for proofs in proved.values() for test in proofs}
    assert [test for test in sorted(tests) if "def test_" not in _text(test)] == []


def named_for(module: str) -> tuple[str, ...]:
    """The tests that have a module's name: at its place among the tests, or, of handlers, with a bot that runs."""
    *folder, name = module.split(".")
    places = ["/".join(["tests", *folder])]
    if module.startswith("bot.handlers."):
        places += [E2E, TWO]
    return tuple(test for place in places if (ROOT / (test := f"{place}/test_{name}.py")).exists())


def test_who_thinks_loads_the_engine_alone() -> None:
    """A process that thinks is soon there, and small."""
    named = {package_of(name) for name in loads("bot.thinking.worker") - {"bot", "bot.thinking"}}
    assert loads("bot.thinking.worker") >= {"bot.thinking.jobs", "engine.choice"}
    assert {name for name in loads("bot.thinking.worker") if name.startswith("bot")} == {
        *("bot", "bot.thinking", "bot.thinking.worker", "bot.thinking.jobs", "bot.thinking.charts"),
        *("bot.thinking.drawing", "bot.thinking.drawing.replays", "bot.thinking.drawing.boards"),
        *("bot.thinking.drawing.marks", "bot.thinking.drawing.lines", "bot.thinking.drawing.fonts"),
    }
    assert named == {"bot", "engine"}


def test_packages_hold_nothing_beside_their_modules() -> None:
    """`engine` and `playground` say in theirs what others may use."""
    for module, path in ALL.items():
        if path.name == "__init__.py" and package_of(module) in ("bot", "storage", "tools"):
            assert len(ast.parse(path.read_text(encoding="utf-8")).body) == 1, module


def _text(file: str) -> str:
    path = ROOT / file
    return path.read_text(encoding="utf-8") if path.exists() else ""
