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
    """But for wiring, whose values travel everywhere: what handlers can reach, what is counted, what is served."""
    before = {*FOLDERS[: FOLDERS.index(folder) + 1]}
    wiring = {"bot.context", COUNTED, "bot.server"} if folder not in PURE else set()
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
    "bot.delivery.pauses": ("tests/bot/delivery/test_pauses.py",),
    "bot.delivery.calls": (f"{FAULTS}/test_any_update.py",),
    "bot.delivery.chains": (f"{BOT}/delivery/test_protocol_model.py", f"{FAULTS}/test_once_and_in_order.py"),
    "bot.delivery.connections": ("tests/bot/delivery/test_connections.py",),
    "bot.delivery.confirmations": (f"{FAULTS}/test_kills.py",),
    "bot.delivery.entries": (f"{FAULTS}/test_telegram_faults.py",),
    "bot.delivery.errors": (f"{BOT}/delivery/test_errors.py",),
    "bot.delivery.held": (f"{FAULTS}/test_once_and_in_order.py",),
    "bot.delivery.lane": (f"{BOT}/delivery/test_lanes.py",),
    "bot.delivery.lanes": (f"{BOT}/delivery/test_lanes.py",),
    "bot.delivery.lessons": (f"{E2E}/test_reviews.py",),
    "bot.delivery.once_more": (f"{FAULTS}/test_interleavings.py",),
    "bot.delivery.pace": (f"{BOT}/delivery/test_pace.py",),
    "bot.delivery.publisher": (f"{FAULTS}/test_telegram_faults.py", f"{FAULTS}/test_kills.py"),
    "bot.delivery.rates": (f"{BOT}/delivery/test_pace.py",),
    "bot.delivery.replies": (f"{BOT}/delivery/test_replies.py",),
    "bot.delivery.sweep": (f"{FAULTS}/test_kills.py",),
    "bot.delivery.tasks": (f"{BOT}/delivery/test_tasks.py",),
    "bot.delivery.transport": (f"{BOT}/delivery/test_transport.py",),
    "bot.delivery.words": (f"{TWO}/test_deadlines.py",),
    "bot.game.acts": (f"{BOT}/game/test_machine.py",),
    "bot.game.answers": (f"{BOT}/game/test_answers.py",),
    "bot.game.challenges": (f"{BOT}/game/test_challenges.py",),
    "bot.game.deadlines": (f"{BOT}/game/test_deadlines.py",),
    "bot.game.follow_up": (f"{BOT}/game/test_follow_up.py",),
    "bot.game.gate": (f"{BOT}/game/test_gate.py", f"{E2E}/test_strangers.py"),
    "bot.game.hints": (f"{BOT}/game/test_hints.py",),
    "bot.game.lessons": (f"{BOT}/game/test_lessons.py",),
    "bot.game.machine": (f"{TWO}/test_machine.py", f"{BOT}/game/test_machine.py"),
    "bot.game.new_game": (f"{BOT}/game/test_new_game.py",),
    "bot.game.notices": (f"{BOT}/game/test_notices.py", f"{TWO}/test_calls.py"),
    "bot.game.pages": (f"{BOT}/game/test_pages.py",),
    "bot.game.play": (f"{BOT}/game/test_play.py",),
    "bot.game.questions": (f"{BOT}/game/test_questions.py",),
    "bot.game.remarks": (f"{BOT}/game/test_remarks.py",),
    "bot.game.refusals": (f"{BOT}/game/test_gate.py",),
    "bot.game.reviews": (f"{BOT}/game/test_reviews.py",),
    "bot.game.sight": (f"{BOT}/game/test_sight.py",),
    "bot.game.states": (f"{BOT}/game/test_machine.py",),
    "bot.game.time_limits": (f"{BOT}/game/test_deadlines.py",),
    "bot.game.watched": (f"{BOT}/game/test_watched.py",),
    "bot.handlers.acting": (f"{E2E}/test_taps.py",),
    "bot.handlers.admins": (f"{BOT}/handlers/test_admins.py",),
    "bot.handlers.answers": (f"{TWO}/test_text_only.py",),
    "bot.handlers.basics": (f"{E2E}/test_commands.py",),
    "bot.handlers.choices": (f"{E2E}/test_choices.py",),
    "bot.handlers.clock": (f"{TWO}/test_deadlines.py",),
    "bot.handlers.computer": (f"{E2E}/test_thinking.py",),
    "bot.handlers.groups": (f"{TWO}/test_manners.py",),
    "bot.handlers.hints": (f"{E2E}/test_hints.py",),
    "bot.handlers.inline": (f"{TWO}/test_inline.py",),
    "bot.handlers.languages": (f"{E2E}/test_settings_menu.py",),
    "bot.handlers.links": (f"{TWO}/test_links.py",),
    "bot.handlers.new_games": (f"{E2E}/test_newgame_words.py", f"{TWO}/test_challenges.py"),
    "bot.handlers.offers": (f"{BOT}/handlers/test_offers.py",),
    "bot.handlers.pages": (f"{TWO}/test_ultimate.py",),
    "bot.handlers.pictures": (f"{E2E}/test_pictures.py", f"{BOT}/handlers/test_pictures.py"),
    "bot.handlers.recent_people": (f"{BOT}/handlers/test_recent_people.py",),
    "bot.handlers.requests": (f"{TWO}/test_manners.py",),
    "bot.handlers.review_links": (f"{BOT}/handlers/test_review_links.py", f"{TWO}/test_reviews.py"),
    "bot.handlers.reviews": (f"{E2E}/test_reviews.py", f"{TWO}/test_reviews.py"),
    "bot.handlers.running": (f"{TWO}/test_at_hand.py",),
    "bot.handlers.settings": (f"{E2E}/test_settings_menu.py",),
    "bot.handlers.stats": (f"{E2E}/test_stats.py",),
    "bot.handlers.table": (f"{BOT}/handlers/test_table.py", f"{E2E}/test_commands.py"),
    "bot.handlers.takebacks": (f"{E2E}/test_choices.py",),
    "bot.handlers.watch": (f"{TWO}/test_watch.py",),
    "bot.handlers.watching": (f"{TWO}/test_watch.py", f"{FAULTS}/test_watched.py"),
    "bot.handlers.taps": (f"{E2E}/test_taps.py",),
    "bot.handlers.top": (f"{E2E}/test_top.py",),
    "bot.intake.order": (f"{BOT}/intake/test_order.py",),
    "bot.intake.polling": (f"{E2E}/test_lifetime.py", f"{FAULTS}/test_once_and_in_order.py"),
    "bot.intake.tapped": (f"{BOT}/intake/test_tapped.py",),
    "bot.intake.updates": (f"{FAULTS}/test_once_and_in_order.py", f"{FAULTS}/test_database_faults.py"),
    "bot.intake.webhook": (f"{FAULTS}/test_webhook.py",),
    "bot.logs": (f"{BOT}/test_logs.py", f"{E2E}/test_logs.py"),
    "bot.metrics": (f"{FAULTS}/test_webhook.py",),
    "bot.pages": (f"{FAULTS}/test_webhook.py",),
    "bot.run": (f"{E2E}/test_lifetime.py", f"{BOT}/test_imports.py"),
    "bot.server": (f"{BOT}/test_server.py",),
    "bot.settings": (f"{BOT}/test_settings.py",),
    "bot.supervision": (f"{BOT}/test_supervision.py",),
    "bot.thinking.charts": (f"{BOT}/thinking/test_charts.py",),
    "bot.thinking.jobs": (f"{BOT}/thinking/test_jobs.py",),
    "bot.thinking.worker": (f"{BOT}/thinking/test_workers.py",),
    "bot.thinking.workers": (f"{BOT}/thinking/test_workers.py",),
    "bot.views.board_words": (f"{BOT}/views/test_board_words.py",),
    "bot.views.boards": (f"{BOT}/views/test_boards.py",),
    "bot.views.buttons": (f"{BOT}/views/test_buttons.py",),
    "bot.views.cells": (f"{BOT}/views/test_cells.py",),
    "bot.views.challenges": (f"{BOT}/views/test_challenges.py",),
    "bot.views.choices": (f"{BOT}/views/test_choices.py",),
    "bot.views.commands": (f"{BOT}/views/test_commands.py",),
    "bot.views.families": (f"{BOT}/views/test_stats.py",),
    "bot.views.hints": (f"{BOT}/views/test_hints.py",),
    "bot.views.inline_words": (f"{BOT}/views/test_inline_words.py",),
    "bot.views.keyboards": (f"{BOT}/views/test_keyboards.py",),
    "bot.views.lists": (f"{BOT}/views/test_lists.py",),
    "bot.views.looks": (f"{BOT}/views/test_looks.py",),
    "bot.views.menus": (f"{BOT}/views/test_menus.py",),
    "bot.views.names": (f"{BOT}/views/test_names.py",),
    "bot.views.people": (f"{BOT}/views/test_boards.py",),
    "bot.views.questions": (f"{BOT}/views/test_questions.py",),
    "bot.views.refusals": (f"{BOT}/views/test_refusals.py",),
    "bot.views.remarks": (f"{BOT}/views/test_remarks.py",),
    "bot.views.renderers": (f"{BOT}/views/test_text_board.py",),
    "bot.views.reviews": (f"{BOT}/views/test_reviews.py",),
    "bot.views.rules": (f"{BOT}/views/test_rules.py",),
    "bot.views.settings": (f"{BOT}/views/test_settings.py",),
    "bot.views.stats": (f"{BOT}/views/test_stats.py",),
    "bot.views.takebacks": (f"{BOT}/views/test_takebacks.py",),
    "bot.views.text_board": (f"{BOT}/views/test_text_board.py",),
    "bot.views.texts": (f"{BOT}/views/test_texts.py",),
    "bot.views.top": (f"{BOT}/views/test_top.py",),
    "bot.views.verdicts": (f"{BOT}/views/test_reviews.py",),
    "bot.views.ultimate": (f"{BOT}/views/test_ultimate.py",),
    "bot.views.view": (f"{BOT}/views/test_view.py",),
    "bot.views.watch_words": (f"{BOT}/views/test_watch_words.py",),
    "bot.views.watched": (f"{BOT}/views/test_watched.py",),
    "bot.views.words": (f"{BOT}/views/test_words.py",),
}
"""Where what each module of the bot promises is proved first."""


def test_every_module_of_the_bot_is_proved_somewhere() -> None:
    modules = {module for module, path in sources("bot").items() if path.name != "__init__.py"}
    assert modules == PROVED_BY.keys()
    tests = {test for proofs in PROVED_BY.values() for test in proofs}
    assert [test for test in sorted(tests) if "def test_" not in _text(test)] == []


def test_who_thinks_loads_the_engine_alone() -> None:
    """A process that thinks is soon there, and small."""
    named = {package_of(name) for name in loads("bot.thinking.worker") - {"bot", "bot.thinking"}}
    assert loads("bot.thinking.worker") >= {"bot.thinking.jobs", "engine.choice"}
    assert {name for name in loads("bot.thinking.worker") if name.startswith("bot")} == {
        *("bot", "bot.thinking", "bot.thinking.worker", "bot.thinking.jobs", "bot.thinking.charts")
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
